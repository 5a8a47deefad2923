//! Every scalar operator at every type agrees with the scalar evaluator of the Core IR, on a set
//! of awkward operands; in kernels too.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "a test")]

mod common;
use common::run_on;
use futc_midend::ir::eval::{bin_op, cmp_op, conv_op, math_fn, un_op};
use futc_midend::ir::*;
use futc_mlir::{Target, target};
use std::fmt::Write;

/// An operation and what it gives.
struct Case {
    /// As in `fadd.f32(x, y)`.
    exp: Exp,
    result: Prim,
    arity: usize,
    /// The library may differ in the last places.
    tolerant: bool,
}

fn operands(p: Prim) -> Vec<Const> {
    match p {
        Prim::Bool => vec![Const::Bool(false), Const::Bool(true)],
        Prim::Int(t) => {
            let top = 1_i64 << (t.bits() - 1);
            let all = [0, 1, -1, 2, 3, -3, 7, -8, 13, 31, 64, 100, top, top.wrapping_sub(1)];
            all.map(|x| Const::int(t, x)).to_vec()
        }
        Prim::Float(t) => {
            let all = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                2.5,
                -3.5,
                1e-3,
                1000.25,
                70000.0,
                -3e9,
                1e19,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ];
            all.iter()
                .map(|x| conv_op(ConvOp::FPConv(FloatType::F64, t), Const::F64(*x)).unwrap())
                .collect()
        }
    }
}

fn var(tag: u32) -> SubExp {
    SubExp::Var(Var { base: "v".into(), tag })
}

fn cases(p: Prim) -> Vec<Case> {
    let mut cases = Vec::new();
    let (x, y) = (var(1), var(2));
    let mut un =
        |op| cases.push(Case { exp: Exp::UnOp(op, x), result: p, arity: 1, tolerant: false });
    match p {
        Prim::Bool => un(UnOp::Not),
        Prim::Int(t) => {
            [UnOp::Complement(t), UnOp::Neg(t), UnOp::Abs(t), UnOp::SSignum(t), UnOp::USignum(t)]
                .into_iter()
                .for_each(un)
        }
        Prim::Float(t) => [UnOp::FNeg(t), UnOp::FAbs(t), UnOp::FSignum(t)].into_iter().for_each(un),
    }
    let mut bin = |op, tolerant| {
        cases.push(Case { exp: Exp::BinOp(op, x, y), result: p, arity: 2, tolerant });
    };
    match p {
        Prim::Bool => {
            bin(BinOp::LogAnd, false);
            bin(BinOp::LogOr, false);
        }
        Prim::Int(t) => {
            use BinOp::*;
            for op in [
                Add(t),
                Sub(t),
                Mul(t),
                SDiv(t),
                SMod(t),
                SQuot(t),
                SRem(t),
                UDiv(t),
                UMod(t),
                Shl(t),
                LShr(t),
                AShr(t),
                And(t),
                Or(t),
                Xor(t),
                SMin(t),
                SMax(t),
                UMin(t),
                UMax(t),
                Pow(t),
            ] {
                bin(op, false);
            }
        }
        Prim::Float(t) => {
            use BinOp::*;
            for op in [FAdd(t), FSub(t), FMul(t), FDiv(t), FMod(t), FMin(t), FMax(t)] {
                bin(op, false);
            }
            bin(FPow(t), true);
        }
    }
    let mut cmp = |op| {
        cases.push(Case {
            exp: Exp::CmpOp(op, x, y),
            result: Prim::Bool,
            arity: 2,
            tolerant: false,
        })
    };
    cmp(CmpOp::Eq(p));
    match p {
        Prim::Bool => [CmpOp::LLt, CmpOp::LLe].into_iter().for_each(cmp),
        Prim::Int(t) => {
            [CmpOp::ULt(t), CmpOp::ULe(t), CmpOp::SLt(t), CmpOp::SLe(t)].into_iter().for_each(cmp)
        }
        Prim::Float(t) => [CmpOp::FLt(t), CmpOp::FLe(t)].into_iter().for_each(cmp),
    }
    let mut conv = |op: ConvOp| {
        cases.push(Case {
            exp: Exp::ConvOp(op, x),
            result: op.types().1,
            arity: 1,
            tolerant: false,
        });
    };
    match p {
        Prim::Bool => {
            IntType::ALL.into_iter().for_each(|t| conv(ConvOp::BToI(t)));
            FloatType::ALL.into_iter().for_each(|t| conv(ConvOp::BToF(t)));
        }
        Prim::Int(a) => {
            for b in IntType::ALL {
                conv(ConvOp::ZExt(a, b));
                conv(ConvOp::SExt(a, b));
            }
            for b in FloatType::ALL {
                conv(ConvOp::UIToFP(a, b));
                conv(ConvOp::SIToFP(a, b));
            }
            conv(ConvOp::IToB(a));
        }
        Prim::Float(a) => {
            for b in FloatType::ALL {
                conv(ConvOp::FPConv(a, b));
            }
            for b in IntType::ALL {
                conv(ConvOp::FPToUI(a, b));
                conv(ConvOp::FPToSI(a, b));
            }
            conv(ConvOp::FToB(a));
            conv(ConvOp::FToBits(a));
        }
    }
    for f in MathFn::ALL {
        let sample = vec![operands(p)[0]; f.arity()];
        if math_fn(*f, p, &sample).is_none() {
            continue;
        }
        let args = match f.arity() {
            1 => vec![x],
            2 => vec![x, y],
            _ => vec![x, y, SubExp::Const(operands(p)[4])],
        };
        let result = f.result(p);
        cases.push(Case { exp: Exp::Math(*f, p, args), result, arity: f.arity(), tolerant: true });
    }
    cases
}

fn evaluate(exp: &Exp, x: Const, y: Const) -> Option<Const> {
    let value = |e: &SubExp| match e {
        SubExp::Var(v) if v.tag == 1 => x,
        SubExp::Var(_) => y,
        SubExp::Const(c) => *c,
    };
    match exp {
        Exp::UnOp(op, _) => un_op(*op, x),
        Exp::BinOp(op, _, _) => bin_op(*op, x, y),
        Exp::CmpOp(op, _, _) => cmp_op(*op, x, y).map(Const::Bool),
        Exp::ConvOp(op, _) => conv_op(*op, x),
        Exp::Math(f, p, args) => math_fn(*f, *p, &args.iter().map(value).collect::<Vec<_>>()),
        _ => None,
    }
}

/// Results travel as bits, so that nothing is lost in print.
fn bits_type(p: Prim) -> &'static str {
    match p {
        Prim::Bool => "bool",
        Prim::Int(IntType::I8) => "i8",
        Prim::Int(IntType::I16) | Prim::Float(FloatType::F16) => "i16",
        Prim::Int(IntType::I32) | Prim::Float(FloatType::F32) => "i32",
        Prim::Int(IntType::I64) | Prim::Float(FloatType::F64) => "i64",
    }
}

fn agree(p: Prim, target: &'static Target) {
    let all = operands(p);
    let ins = bits_type(p);
    let cases = cases(p);
    let level = if *target == target::SEQ { "seq" } else { "grid" };
    // xs and ys hold all pairs.
    let mut text = format!(
        "fun main (xm_100: mem.host, ym_101: mem.host, n_102: i64, xs_103: [n_102]{ins} @ xm_100 -> {{0; (n_102, 1)}}, ys_104: [n_102]{ins} @ ym_101 -> {{0; (n_102, 1)}}) : ("
    );
    let mut types = String::new();
    for (i, case) in cases.iter().enumerate() {
        let t = bits_type(case.result);
        let comma = if i == 0 { "" } else { ", " };
        write!(
            text,
            "{comma}m_{}: mem.host, r_{}: [n_102]{t} @ m_{} -> {{0; (n_102, 1)}}",
            200 + i,
            400 + i,
            200 + i
        )
        .unwrap();
        write!(types, "{comma}\"[]{t}\" []{t}").unwrap();
    }
    write!(text, ")\n  entry \"main\" (\"xs\": \"[]{ins}\" []{ins}, \"ys\": \"[]{ins}\" []{ins}) -> ({types})\n{{\n").unwrap();
    for (i, case) in cases.iter().enumerate() {
        let t = bits_type(case.result);
        writeln!(
            text,
            "let b_{}: mem.host = alloc(({} * n_102), host)",
            600 + i,
            case.result.bytes()
        )
        .unwrap();
        writeln!(text, "let a_{}: [n_102]{t} @ b_{} -> {{0; (n_102, 1)}} = segmap {level} (i_{} < n_102) : ({t}) {{", 800 + i, 600 + i, 1000 + i).unwrap();
        let base = 2000 + 20 * i;
        for (k, name) in ["xs_103", "ys_104"].into_iter().enumerate() {
            writeln!(text, "let u_{}: {ins} = index {name}[i_{}]", base + k, 1000 + i).unwrap();
            match p {
                Prim::Float(f) => {
                    writeln!(text, "let v_{}: {p} = bitstof.{f}(u_{})", base + 2 + k, base + k)
                }
                Prim::Bool | Prim::Int(_) => {
                    writeln!(text, "let v_{}: {p} = u_{}", base + 2 + k, base + k)
                }
            }
            .unwrap();
        }
        let mut exp = case.exp.to_string();
        exp = exp
            .replace("v_1", &format!("v_{}", base + 2))
            .replace("v_2)", &format!("v_{})", base + 3))
            .replace("v_2,", &format!("v_{},", base + 3));
        if let (Exp::Math(MathFn::Ldexp, ..), true) = (&case.exp, true) {
            exp = exp.replace(&format!("v_{}", base + 3), "3i32");
        }
        writeln!(text, "let w_{}: {} = {exp}", base + 4, case.result).unwrap();
        match case.result {
            Prim::Float(f) => {
                writeln!(text, "let z_{}: {t} = ftobits.{f}(w_{})", base + 5, base + 4)
            }
            Prim::Bool | Prim::Int(_) => writeln!(text, "let z_{}: {t} = w_{}", base + 5, base + 4),
        }
        .unwrap();
        writeln!(text, "in (return z_{})\n}}", base + 5).unwrap();
    }
    let results: Vec<_> =
        (0..cases.len()).map(|i| format!("b_{}, a_{}", 600 + i, 800 + i)).collect();
    write!(text, "in ({})\n}}\n", results.join(", ")).unwrap();

    let pairs: Vec<(Const, Const)> =
        all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))).collect();
    let list = |f: &dyn Fn(&(Const, Const)) -> Const| {
        let items: Vec<_> = pairs
            .iter()
            .map(|pair| {
                let c = f(pair);
                match c {
                    Const::Bool(b) => b.to_string(),
                    _ => {
                        let shift = 64 - 8 * p.bytes();
                        format!("{}{ins}", (c.bits() << shift) as i64 >> shift)
                    }
                }
            })
            .collect();
        format!("[{}]", items.join(","))
    };
    let input = format!("{} {}", list(&|pair| pair.0), list(&|pair| pair.1));
    let output = run_on(target, &text, &input).unwrap_or_else(|e| panic!("{e}"));
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), cases.len());
    let mut wrong = Vec::new();
    for (case, line) in cases.iter().zip(lines) {
        let values: Vec<_> = line.trim_matches(['[', ']']).split(", ").collect();
        for ((x, y), value) in pairs.iter().zip(values) {
            let y =
                if matches!(case.exp, Exp::Math(MathFn::Ldexp, ..)) { Const::I32(3) } else { *y };
            let Some(expected) = evaluate(&case.exp, *x, y) else { continue };
            let found = if value == "true" || value == "false" {
                Const::Bool(value == "true")
            } else {
                let number = value.strip_suffix(bits_type(case.result)).unwrap_or(value);
                Const::from_bits(case.result, number.parse::<i64>().unwrap() as u64)
            };
            if !same(found, expected, case.tolerant) {
                wrong.push(format!(
                    "{} at {x} {y} (arity {}): {found}, not {expected}",
                    case.exp, case.arity
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

fn same(a: Const, b: Const, tolerant: bool) -> bool {
    let wide = |c: Const| match c {
        Const::F16(x) => Some(x.to_f64()),
        Const::F32(x) => Some(f64::from(x)),
        Const::F64(x) => Some(x),
        _ => None,
    };
    if a == b {
        return true;
    }
    let (Some(x), Some(y)) = (wide(a), wide(b)) else { return false };
    // The sign of a zero that min or max picks is not specified.
    if (x.is_nan() && y.is_nan()) || (x == 0.0 && y == 0.0) {
        return true;
    }
    let places = match a {
        Const::F16(_) => 1e-3,
        Const::F32(_) => 1e-6,
        _ => 1e-13,
    };
    // Large arguments of trigonometric functions and of gamma lose more.
    tolerant && ((x - y).abs() <= places * x.abs().max(y.abs()) || (x - y).abs() <= places)
}

#[test]
fn bool_operators() {
    agree(Prim::Bool, &target::SEQ);
}

#[test]
fn integer_operators() {
    for t in IntType::ALL {
        agree(Prim::Int(t), &target::SEQ);
    }
}

#[test]
fn float_operators() {
    for t in FloatType::ALL {
        agree(Prim::Float(t), &target::SEQ);
    }
}

#[test]
fn operators_in_kernels() {
    agree(Prim::Int(IntType::I16), &target::GPU_EMU);
    agree(Prim::Float(FloatType::F32), &target::GPU_EMU);
}
