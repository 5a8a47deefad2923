//! Taking programs at level `soacs` through every back-end pass, and running them at level mem.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(dead_code, reason = "not every test uses all of it")]

use futc_midend::interp::mem::{Machine, MemStats, MemValue};
use futc_midend::ir::parse::parse_program;
use futc_midend::ir::*;
use futc_midend::passes::{mem, seg};

pub const I32: Prim = Prim::Int(IntType::I32);

pub fn i32s(shape: &[i64], xs: impl IntoIterator<Item = i32>) -> MemValue {
    let data: Vec<Const> = xs.into_iter().map(Const::I32).collect();
    assert_eq!(shape.iter().product::<i64>(), data.len() as i64);
    MemValue::Array { elem: I32, shape: shape.to_vec(), data }
}

pub fn i64s(xs: &[i64]) -> MemValue {
    let data: Vec<Const> = xs.iter().copied().map(Const::I64).collect();
    MemValue::Array { elem: Prim::I64, shape: vec![xs.len() as i64], data }
}

pub fn i32v(x: i32) -> MemValue {
    MemValue::Scalar(Const::I32(x))
}

pub fn i64v(x: i64) -> MemValue {
    MemValue::Scalar(Const::I64(x))
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Target {
    Seq,
    Gpu,
}

pub fn lower(text: &str, target: Target, optimised: bool) -> Program {
    let p = parse_program(text).unwrap_or_else(|e| panic!("{e}"));
    let (p, space) = match target {
        Target::Seq => (seg::sequentialise(p), MemSpace::Host),
        Target::Gpu => (seg::kernels(p), MemSpace::Device),
    };
    let p = mem::explicit(p, space);
    let p = if optimised { mem::elide_copies(mem::in_place(mem::short_circuit(p))) } else { p };
    let p = mem::expand(p);
    let p = if optimised { mem::promote_to_stack(mem::hoist(p)) } else { p };
    let p = mem::refcount(p);
    // What a pass makes prints and reads back.
    let again = parse_program(&p.to_string()).unwrap_or_else(|e| panic!("{e}\n{p}"));
    assert_eq!(again.to_string(), p.to_string());
    p
}

pub fn run(p: &Program, args: &[MemValue]) -> (Vec<MemValue>, MemStats) {
    let mut m = Machine::new(p, 1_000_000).unwrap_or_else(|e| panic!("{e}\n{p}"));
    let before = m.stats.allocs;
    let out = m.call_entry("main", args).unwrap_or_else(|e| panic!("{e}\n{p}"));
    let mut stats = m.stats;
    let given = args.iter().filter(|a| matches!(a, MemValue::Array { .. })).count() as u64;
    stats.allocs -= before + given;
    (out, stats)
}

/// The same result every way; the cost of the optimised sequential one.
pub fn check(text: &str, args: &[MemValue], expected: &[MemValue]) -> MemStats {
    let mut stats = MemStats::default();
    for target in [Target::Gpu, Target::Seq] {
        for optimised in [false, true] {
            let p = lower(text, target, optimised);
            let (out, s) = run(&p, args);
            let n = out.len() - expected.len();
            assert_eq!(&out[n..], expected, "{target:?} {optimised}\n{p}");
            stats = s;
        }
    }
    stats
}
