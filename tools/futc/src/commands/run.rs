//! `futc run`: the reference interpreter, over standard input and output.

use super::structured::text;
use crate::args::RunArgs;
use crate::exit::{Exit, Failure};
use crate::output::put_bytes;
use crate::session::Session;
use futc_midend::internalise;
use futc_midend::interp::{Interpreter, Limits, RunError, Value as CoreValue};
use futc_midend::ir::verify::{core_prim, leaves_of};
use futc_midend::ir::{Const, ExtKind, ExtType, Program};
use futc_testing::value::{Reader, Value, element_bytes};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use std::io::Read as _;

/// Runs an entry point.
pub fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let session = Session::open(&args.program);
    session.check(&args.warnings)?;
    let core = session.core(internalise::Options {
        extra_entries: vec![Name::new(&args.entry_point)],
        ..internalise::Options::default()
    })?;
    let entry = core
        .funs
        .iter()
        .filter_map(|f| f.entry.as_ref())
        .find(|e| e.name.as_str() == args.entry_point)
        .ok_or_else(|| no_entry(&core, &args.entry_point))?;
    let mut input = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut input)
        .map_err(|e| Failure::usage(format!("standard input: {e}")))?;
    let mut reader = Reader::new(&input);
    let mut arguments = Vec::new();
    for (i, (name, ty)) in entry.params.iter().enumerate() {
        let problem = |what: String| {
            Failure::new(format!("Error when reading argument #{i} ({name}): {what}"))
        };
        let value = match ty.kind {
            ExtKind::Transparent { prim, .. } => reader.next_value_of(prim),
            ExtKind::Opaque { .. } => reader.next_value(),
        };
        let value = value
            .map_err(|e| problem(e.to_string()))?
            .ok_or_else(|| problem(format!("expected a value of type {}", ty.name)))?;
        arguments.push(argument(ty, &value).map_err(problem)?);
    }
    if reader.next_value().map_or(true, |v| v.is_some()) {
        return Err(Failure::new("Error: there is input behind the last argument"));
    }
    let say = |e: RunError| Failure::new(e.to_string());
    // The interpreter traces to standard output (guide, `futhark-run`), but not in between bytes.
    let binary = args.binary_output;
    let sink = Box::new(move |line: &str| match binary {
        true => eprintln!("{line}"),
        false => println!("{line}"),
    });
    let mut interpreter = Interpreter::with_sink(&core, Limits::default(), sink).map_err(say)?;
    let results = interpreter.run_entry(&args.entry_point, arguments).map_err(say)?;
    let mut results = results.iter();
    let mut out = Vec::new();
    for ty in &entry.results {
        let leaves = leaves_of(ty).into_iter().zip(results.by_ref());
        let values: Vec<Value> = leaves.map(|((prim, _), value)| outside(value, prim)).collect();
        if args.binary_output {
            values.iter().for_each(|value| out.extend_from_slice(&value.to_binary()));
        } else {
            out.extend_from_slice(text(ty, &values).as_bytes());
            out.push(b'\n');
        }
    }
    put_bytes(&out)?;
    Ok(Exit::Success)
}

fn no_entry(core: &Program, name: &str) -> Failure {
    let names: Vec<&str> =
        core.funs.iter().filter_map(|f| f.entry.as_ref()).map(|e| e.name.as_str()).collect();
    Failure::usage(format!(
        "there is no entry point '{name}'; there are: {}",
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    ))
}

/// The interpreter's form of `value`, which must be of type `ty`.
fn argument(ty: &ExtType, value: &Value) -> Result<CoreValue, String> {
    let ExtKind::Transparent { prim, rank } = ty.kind else {
        return Err(format!("values of the opaque type {} cannot be read", ty.name));
    };
    let found = || format!("expected type {}, but found {}", ty.name, value.type_text());
    let value = value.retyped(prim).ok_or_else(found)?;
    if value.shape.len() != rank {
        return Err(found());
    }
    let elem = core_prim(prim);
    let size = element_bytes(prim);
    let mut elements = value.data.chunks_exact(size).map(|bytes| {
        let mut raw = [0u8; 8];
        if let Some(low) = raw.get_mut(..size) {
            low.copy_from_slice(bytes);
        }
        Const::from_bits(elem, u64::from_le_bytes(raw))
    });
    if rank == 0 {
        return elements.next().map(CoreValue::Scalar).ok_or_else(found);
    }
    let shape = value.shape.iter().map(|d| *d as i64).collect();
    Ok(CoreValue::array(elem, shape, elements))
}

/// The outside's form of a result.
fn outside(value: &CoreValue, prim: PrimType) -> Value {
    Value {
        prim,
        suffixed: true,
        shape: value.shape().iter().map(|d| *d as u64).collect(),
        data: value.bytes(),
    }
}
