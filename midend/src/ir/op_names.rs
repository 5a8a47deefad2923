//! The scalar operators by the names they print as. The table is made by printing, so that reader
//! and printer cannot disagree.

use super::op::{BinOp, CmpOp, ConvOp, MathFn, UnOp};
use super::prim::{FloatType, IntType, Prim};

use std::collections::HashMap;
use std::sync::LazyLock;

/// A scalar operator.
pub(super) enum Op {
    Un(UnOp),
    Bin(BinOp),
    Cmp(CmpOp),
    Conv(ConvOp),
    Math(MathFn, Prim),
    Iota(IntType),
}

/// Every scalar operator by its name.
pub(super) static OPS: LazyLock<HashMap<String, Op>> = LazyLock::new(|| {
    let mut ops = HashMap::new();
    let mut put = |name: String, op: Op| {
        ops.insert(name, op);
    };
    let un_int: [fn(IntType) -> UnOp; 5] =
        [UnOp::Complement, UnOp::Neg, UnOp::Abs, UnOp::SSignum, UnOp::USignum];
    let un_float: [fn(FloatType) -> UnOp; 3] = [UnOp::FNeg, UnOp::FAbs, UnOp::FSignum];
    let cmp_int: [fn(IntType) -> CmpOp; 4] = [CmpOp::ULt, CmpOp::ULe, CmpOp::SLt, CmpOp::SLe];
    let cmp_float: [fn(FloatType) -> CmpOp; 2] = [CmpOp::FLt, CmpOp::FLe];
    put(UnOp::Not.to_string(), Op::Un(UnOp::Not));
    for op in BinOp::all() {
        put(op.to_string(), Op::Bin(op));
    }
    for op in [CmpOp::LLt, CmpOp::LLe, CmpOp::Eq(Prim::Bool)] {
        put(op.to_string(), Op::Cmp(op));
    }
    let mut convs = Vec::new();
    for t in IntType::ALL {
        for op in un_int {
            put(op(t).to_string(), Op::Un(op(t)));
        }
        for op in cmp_int {
            put(op(t).to_string(), Op::Cmp(op(t)));
        }
        put(CmpOp::Eq(Prim::Int(t)).to_string(), Op::Cmp(CmpOp::Eq(Prim::Int(t))));
        put(format!("iota.{t}"), Op::Iota(t));
        convs.extend([ConvOp::IToB(t), ConvOp::BToI(t)]);
        for u in IntType::ALL {
            convs.extend([ConvOp::ZExt(t, u), ConvOp::SExt(t, u)]);
        }
        for u in FloatType::ALL {
            convs.extend([ConvOp::UIToFP(t, u), ConvOp::SIToFP(t, u)]);
            convs.extend([ConvOp::FPToUI(u, t), ConvOp::FPToSI(u, t)]);
        }
    }
    for t in FloatType::ALL {
        for op in un_float {
            put(op(t).to_string(), Op::Un(op(t)));
        }
        for op in cmp_float {
            put(op(t).to_string(), Op::Cmp(op(t)));
        }
        put(CmpOp::Eq(Prim::Float(t)).to_string(), Op::Cmp(CmpOp::Eq(Prim::Float(t))));
        convs.extend([ConvOp::FToB(t), ConvOp::BToF(t), ConvOp::FToBits(t), ConvOp::BitsToF(t)]);
        for u in FloatType::ALL {
            convs.push(ConvOp::FPConv(t, u));
        }
    }
    for op in convs {
        put(op.to_string(), Op::Conv(op));
    }
    for &f in MathFn::ALL {
        let prims = IntType::ALL.map(Prim::Int).into_iter().chain(FloatType::ALL.map(Prim::Float));
        for t in prims {
            put(format!("math.{}.{t}", f.name()), Op::Math(f, t));
        }
    }
    ops
});
