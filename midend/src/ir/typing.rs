//! The types of expressions, from the types of their variables.
//!
//! Everything but `match`, `loop` and calls determines its own types; those three bind sizes of
//! their own, so their patterns are the only record of them.

use super::op::{CmpOp, UnOp};
use super::prim::Prim;
use super::syntax::*;
use super::types::{Const, SubExp, Type, Var};
use super::varmap::VarMap;

/// Something that knows the types of variables.
pub trait TypeEnv {
    /// The type of `v`, if it is in scope.
    fn type_of(&self, v: Var) -> Option<&Type>;

    /// The type of an operand.
    fn type_of_subexp(&self, x: SubExp) -> Option<Type> {
        match x {
            SubExp::Var(v) => self.type_of(v).cloned(),
            SubExp::Const(c) => Some(Type::Prim(c.prim())),
        }
    }
}

impl TypeEnv for VarMap<Type> {
    fn type_of(&self, v: Var) -> Option<&Type> {
        self.get(&v)
    }
}

/// Why the type of an expression is not known.
#[derive(Clone, PartialEq, Debug)]
pub enum NoType {
    /// It is a `match`, a `loop` or a call.
    ByPattern,
    /// This variable is not in scope.
    Unbound(Var),
    /// An operand is not of the kind its operator needs.
    Malformed(&'static str),
}

impl UnOp {
    /// The operand's and result's type.
    pub fn prim(self) -> Prim {
        match self {
            UnOp::Not => Prim::Bool,
            UnOp::Complement(t)
            | UnOp::Neg(t)
            | UnOp::Abs(t)
            | UnOp::SSignum(t)
            | UnOp::USignum(t) => Prim::Int(t),
            UnOp::FNeg(t) | UnOp::FAbs(t) | UnOp::FSignum(t) => Prim::Float(t),
        }
    }
}

impl CmpOp {
    /// The operands' type.
    pub fn prim(self) -> Prim {
        match self {
            CmpOp::Eq(p) => p,
            CmpOp::ULt(t) | CmpOp::ULe(t) | CmpOp::SLt(t) | CmpOp::SLe(t) => Prim::Int(t),
            CmpOp::FLt(t) | CmpOp::FLe(t) => Prim::Float(t),
            CmpOp::LLt | CmpOp::LLe => Prim::Bool,
        }
    }
}

/// The shape that an index selects.
pub fn slice_shape(dims: &[DimIndex]) -> Vec<SubExp> {
    dims.iter()
        .filter_map(|d| match d {
            DimIndex::Fix(_) => None,
            DimIndex::Slice { n, .. } => Some(*n),
        })
        .collect()
}

/// `ty` with `shape` around it.
pub fn in_shape(shape: &[SubExp], ty: &Type) -> Type {
    let mut ty = ty.clone();
    for &n in shape.iter().rev() {
        ty = ty.outer(n);
    }
    ty
}

fn array_of(env: &impl TypeEnv, v: Var) -> Result<(Prim, &[SubExp]), NoType> {
    match env.type_of(v) {
        Some(Type::Array { elem, shape }) => Ok((*elem, shape)),
        Some(Type::Prim(_) | Type::Cert | Type::Mem(_)) => Err(NoType::Malformed("not an array")),
        None => Err(NoType::Unbound(v)),
    }
}

fn operand(env: &impl TypeEnv, x: SubExp) -> Result<Type, NoType> {
    match x {
        SubExp::Var(v) => env.type_of(v).cloned().ok_or(NoType::Unbound(v)),
        SubExp::Const(c) => Ok(Type::Prim(c.prim())),
    }
}

/// The types of the results of `e`, where `e` itself determines them.
pub fn exp_types(e: &Exp, env: &impl TypeEnv) -> Result<Vec<Type>, NoType> {
    let one = |t: Type| Ok(vec![t]);
    match e {
        Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => one(operand(env, *x)?),
        Exp::UnOp(op, _) => one(Type::Prim(op.prim())),
        Exp::BinOp(op, _, _) => one(Type::Prim(op.prim())),
        Exp::CmpOp(..) => one(Type::BOOL),
        Exp::ConvOp(op, _) => one(Type::Prim(op.types().1)),
        Exp::Math(f, p, _) => one(Type::Prim(f.result(*p))),
        Exp::ArrayLit { elems, row } => one(row.outer(SubExp::i64(elems.len() as i64))),
        Exp::Index { array, dims } => {
            let (elem, _) = array_of(env, *array)?;
            one(Type::array(elem, slice_shape(dims)))
        }
        Exp::FlatIndex { array, offset: _, dims } => {
            let (elem, _) = array_of(env, *array)?;
            one(Type::array(elem, dims.iter().map(|d| d.0).collect()))
        }
        Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } | Exp::Copy(array) => {
            one(operand(env, SubExp::Var(*array))?)
        }
        Exp::Iota { n, ty, .. } => one(Type::array(Prim::Int(*ty), vec![*n])),
        Exp::Replicate { shape, value } => one(in_shape(shape, &operand(env, *value)?)),
        Exp::Scratch { elem, shape } => one(Type::array(*elem, shape.clone())),
        Exp::Reshape { array, shape } => {
            let (elem, _) = array_of(env, *array)?;
            one(Type::array(elem, shape.clone()))
        }
        Exp::Rearrange { array, perm } => {
            let (elem, shape) = array_of(env, *array)?;
            let shape: Option<Vec<SubExp>> = perm.iter().map(|&i| shape.get(i).copied()).collect();
            one(Type::array(elem, shape.ok_or(NoType::Malformed("not a permutation"))?))
        }
        Exp::Concat { dim, arrays, size } => {
            let first = *arrays.first().ok_or(NoType::Malformed("concat of nothing"))?;
            let (elem, shape) = array_of(env, first)?;
            let mut shape = shape.to_vec();
            *shape.get_mut(*dim).ok_or(NoType::Malformed("no such dimension"))? = *size;
            one(Type::array(elem, shape))
        }
        Exp::Assert { .. } => one(Type::Cert),
        Exp::Match { .. } | Exp::Loop { .. } | Exp::Call { .. } => Err(NoType::ByPattern),
        Exp::Soac(s) => soac_types(s, env),
        Exp::Seg(s) => seg_types(s, env),
        Exp::Prefix { ops, .. } => Ok(ops.iter().flat_map(|r| r.op.ret.iter().cloned()).collect()),
        Exp::Workers => one(Type::I64),
        Exp::Alloc { bytes: _, space } => one(Type::Mem(*space)),
        Exp::Retain(_) | Exp::Release(_) => Ok(Vec::new()),
    }
}

fn soac_types(s: &Soac, env: &impl TypeEnv) -> Result<Vec<Type>, NoType> {
    match s {
        Soac::Screma { width, inputs: _, lambda, scans, reduces } => {
            let n_scan: usize = scans.iter().map(|r| r.op.ret.len()).sum();
            let n_red: usize = reduces.iter().map(|r| r.op.ret.len()).sum();
            if lambda.ret.len() < n_scan + n_red {
                return Err(NoType::Malformed("fewer results than operators need"));
            }
            Ok(lambda
                .ret
                .iter()
                .enumerate()
                .map(|(i, t)| {
                    if (n_scan..n_scan + n_red).contains(&i) { t.clone() } else { t.outer(*width) }
                })
                .collect())
        }
        Soac::Hist { ops, .. } => dest_types(ops, env),
        Soac::Scatter { dests, .. } => {
            dests.iter().map(|(_, d)| operand(env, SubExp::Var(*d))).collect()
        }
    }
}

fn dest_types(ops: &[HistOp], env: &impl TypeEnv) -> Result<Vec<Type>, NoType> {
    ops.iter().flat_map(|h| &h.dests).map(|d| operand(env, SubExp::Var(*d))).collect()
}

fn seg_types(s: &SegOp, env: &impl TypeEnv) -> Result<Vec<Type>, NoType> {
    let SegOp { level: _, space, kind, body } = s;
    let reduced = match kind {
        SegKind::Map | SegKind::Scan(_) => 0,
        SegKind::Red(ops) => ops.iter().map(|r| r.op.ret.len()).sum(),
        SegKind::Hist(ops) => return dest_types(ops, env),
    };
    let whole: Vec<SubExp> = space.dims.iter().map(|d| d.1).collect();
    let segments = &whole[..whole.len().saturating_sub(1)];
    Ok(body
        .results
        .iter()
        .zip(&body.types)
        .enumerate()
        .map(|(i, (r, t))| match r {
            KernelResult::Return(_) if i < reduced => in_shape(segments, t),
            KernelResult::Return(_) => in_shape(&whole, t),
            KernelResult::Write { .. } => t.clone(),
        })
        .collect())
}

impl Exp {
    /// The operand `c`.
    pub fn constant(c: impl Into<Const>) -> Exp {
        Exp::SubExp(SubExp::Const(c.into()))
    }

    /// `if cond then yes else no`.
    pub fn if_then_else(cond: SubExp, yes: Body, no: Body) -> Exp {
        Exp::Match { scrutinee: cond, cases: vec![(Const::Bool(true), yes)], default: no }
    }
}
