//! What scalar expressions come to: constants are folded by [`eval`], algebra is applied where it is exact.
//!
//! Integer arithmetic wraps, so reassociation is exact. Of floats only what IEEE guarantees for
//! every value is used: `x * 1`, `x / 1`, `x - 0`, `x + (-0)`.

use super::simplifier::Simplifier;
use crate::ir::{BinOp, CmpOp, Const, ConvOp, Exp, FloatType, Prim, SubExp, UnOp, Var, eval};

/// What the expression comes to in one step, and under which certificates.
pub(super) fn step(s: &Simplifier, e: &Exp) -> Option<(Exp, Vec<Var>)> {
    let exp = match e {
        Exp::UnOp(op, x) => unary(s, *op, *x)?,
        Exp::BinOp(op, x, y) => binary(s, *op, *x, *y)?,
        Exp::CmpOp(op, x, y) => compare(s, *op, *x, *y)?,
        Exp::ConvOp(op, x) => convert(s, *op, *x)?,
        Exp::Math(f, t, xs) => {
            let xs: Option<Vec<Const>> = xs.iter().map(|x| x.constant()).collect();
            value(eval::math_fn(*f, *t, &xs?)?)
        }
        _ => return None,
    };
    Some((exp, Vec::new()))
}

pub(super) fn int(x: SubExp) -> Option<i64> {
    x.constant()?.as_int()
}

fn value(c: Const) -> Exp {
    Exp::SubExp(SubExp::Const(c))
}

fn is(x: SubExp, c: Const) -> bool {
    x == SubExp::Const(c)
}

fn unary(s: &Simplifier, op: UnOp, x: SubExp) -> Option<Exp> {
    if let SubExp::Const(c) = x {
        return Some(value(eval::un_op(op, c)?));
    }
    if let (UnOp::Not, Some(known)) = (op, s.known(x)) {
        return Some(value(Const::Bool(!known)));
    }
    if let UnOp::Neg(t) = op {
        // One form for what is linear, which is all that analyses of indexes know.
        return Some(Exp::BinOp(BinOp::Sub(t), Const::int(t, 0).into(), x));
    }
    match (op, s.plain(x)?) {
        (UnOp::Not, Exp::UnOp(UnOp::Not, y))
        | (UnOp::FNeg(_), Exp::UnOp(UnOp::FNeg(_), y))
        | (UnOp::Complement(_), Exp::UnOp(UnOp::Complement(_), y)) => Some(Exp::SubExp(*y)),
        // Integers are totally ordered; floats are not.
        (UnOp::Not, Exp::CmpOp(CmpOp::SLt(t), a, b)) => Some(Exp::CmpOp(CmpOp::SLe(*t), *b, *a)),
        (UnOp::Not, Exp::CmpOp(CmpOp::SLe(t), a, b)) => Some(Exp::CmpOp(CmpOp::SLt(*t), *b, *a)),
        (UnOp::Not, Exp::CmpOp(CmpOp::ULt(t), a, b)) => Some(Exp::CmpOp(CmpOp::ULe(*t), *b, *a)),
        (UnOp::Not, Exp::CmpOp(CmpOp::ULe(t), a, b)) => Some(Exp::CmpOp(CmpOp::ULt(*t), *b, *a)),
        (UnOp::Abs(_), _) if s.nonnegative(x) => Some(Exp::SubExp(x)),
        _ => None,
    }
}

/// Constants go to the right.
fn commutes(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add(_)
            | BinOp::Mul(_)
            | BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Xor(_)
            | BinOp::SMin(_)
            | BinOp::SMax(_)
            | BinOp::UMin(_)
            | BinOp::UMax(_)
            | BinOp::LogAnd
            | BinOp::LogOr
    )
}

fn float(t: FloatType, x: f64) -> Const {
    match t {
        FloatType::F16 => Const::F16(futc_typed::half::from_f64(x)),
        FloatType::F32 => Const::F32(x as f32),
        FloatType::F64 => Const::F64(x),
    }
}

fn binary(s: &Simplifier, op: BinOp, x: SubExp, y: SubExp) -> Option<Exp> {
    if let (SubExp::Const(a), SubExp::Const(b)) = (x, y) {
        return Some(value(eval::bin_op(op, a, b)?));
    }
    if commutes(op) && x.constant().is_some() {
        return Some(Exp::BinOp(op, y, x));
    }
    let same = |x: SubExp| Some(Exp::SubExp(x));
    let zero = Const::zero(op.prim());
    match op {
        BinOp::Add(_) if is(y, zero) => same(x),
        BinOp::Sub(_) if is(y, zero) => same(x),
        BinOp::Sub(_) | BinOp::Xor(_) if x == y => Some(value(zero)),
        BinOp::Mul(_) if int(y) == Some(1) => same(x),
        BinOp::Mul(_) | BinOp::And(_) if is(y, zero) => Some(value(zero)),
        BinOp::Or(_) | BinOp::Xor(_) | BinOp::Shl(_) | BinOp::LShr(_) | BinOp::AShr(_)
            if is(y, zero) =>
        {
            same(x)
        }
        BinOp::And(_) | BinOp::Or(_) if x == y => same(x),
        BinOp::And(_) if int(y) == Some(-1) => same(x),
        BinOp::SDiv(_) | BinOp::SQuot(_) | BinOp::UDiv(_) | BinOp::Pow(_) if int(y) == Some(1) => {
            same(x)
        }
        BinOp::SMod(_) | BinOp::SRem(_) | BinOp::UMod(_) if int(y) == Some(1) => Some(value(zero)),
        BinOp::SMod(_) | BinOp::SRem(_) if s.within(x, y) => same(x),
        // A divisor that may be zero has a check, or a branch around.
        BinOp::SDiv(_) | BinOp::SQuot(_) | BinOp::UDiv(_) if is(x, zero) => same(x),
        BinOp::SMod(_) | BinOp::SRem(_) | BinOp::UMod(_) if is(x, zero) => same(x),
        BinOp::SMin(_) | BinOp::SMax(_) | BinOp::UMin(_) | BinOp::UMax(_) if x == y => same(x),
        BinOp::SMax(_) if is(y, zero) && s.nonnegative(x) => same(x),
        BinOp::SMin(_) if is(y, zero) && s.nonnegative(x) => Some(value(zero)),
        BinOp::LogAnd | BinOp::LogOr if x == y => same(x),
        BinOp::LogAnd => match (s.known(x), s.known(y)) {
            (Some(false), _) | (_, Some(false)) => Some(value(Const::Bool(false))),
            (Some(true), _) => same(y),
            (_, Some(true)) => same(x),
            (None, None) => None,
        },
        BinOp::LogOr => match (s.known(x), s.known(y)) {
            (Some(true), _) | (_, Some(true)) => Some(value(Const::Bool(true))),
            (Some(false), _) => same(y),
            (_, Some(false)) => same(x),
            (None, None) => None,
        },
        BinOp::FMul(t) | BinOp::FDiv(t) if is(y, float(t, 1.0)) => same(x),
        BinOp::FMul(t) if is(x, float(t, 1.0)) => same(y),
        BinOp::FSub(t) if is(y, float(t, 0.0)) => same(x),
        BinOp::FAdd(t) if is(y, float(t, -0.0)) => same(x),
        BinOp::FAdd(t) if is(x, float(t, -0.0)) => same(y),
        BinOp::FMin(_) | BinOp::FMax(_) if x == y => same(x),
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) => associate(s, op, x, y),
        _ => None,
    }
}

/// Sums and products with constants, and sums in which something cancels.
fn associate(s: &Simplifier, op: BinOp, x: SubExp, y: SubExp) -> Option<Exp> {
    let (dx, dy) = (s.plain(x), s.plain(y));
    match op {
        BinOp::Sub(t) => {
            if let Some(c) = y.constant() {
                let minus = eval::un_op(UnOp::Neg(t), c)?;
                // One normal form for `x - c`, so that sums with constants meet; but not for
                // sizes, which read better as they are.
                return match dx {
                    Some(Exp::BinOp(BinOp::Add(_), a, SubExp::Const(b))) => {
                        let c = eval::bin_op(BinOp::Add(t), *b, minus)?;
                        Some(Exp::BinOp(BinOp::Add(t), *a, c.into()))
                    }
                    Some(Exp::BinOp(BinOp::Sub(_), a, SubExp::Const(b))) => {
                        let c = eval::bin_op(BinOp::Add(t), *b, c)?;
                        Some(Exp::BinOp(BinOp::Sub(t), *a, c.into()))
                    }
                    _ => None,
                };
            }
            match (dx, dy) {
                (Some(Exp::BinOp(BinOp::Add(_), a, b)), _) if *b == y => Some(Exp::SubExp(*a)),
                (Some(Exp::BinOp(BinOp::Add(_), a, b)), _) if *a == y => Some(Exp::SubExp(*b)),
                (_, Some(Exp::BinOp(BinOp::Sub(_), a, b))) if *a == x => Some(Exp::SubExp(*b)),
                (_, Some(Exp::BinOp(BinOp::Sub(_), a, b))) if is(*a, Const::int(t, 0)) => {
                    Some(Exp::BinOp(BinOp::Add(t), x, *b))
                }
                _ => None,
            }
        }
        BinOp::Add(t) => {
            if let Some(c) = y.constant() {
                return match dx? {
                    Exp::BinOp(BinOp::Add(_), a, SubExp::Const(b)) => {
                        let c = eval::bin_op(op, *b, c)?;
                        Some(Exp::BinOp(op, *a, c.into()))
                    }
                    Exp::BinOp(BinOp::Sub(_), a, SubExp::Const(b)) => {
                        let c = eval::bin_op(BinOp::Sub(t), c, *b)?;
                        Some(Exp::BinOp(op, *a, c.into()))
                    }
                    _ => None,
                };
            }
            match (dx, dy) {
                (Some(Exp::BinOp(BinOp::Sub(_), a, b)), _) if *b == y => Some(Exp::SubExp(*a)),
                (_, Some(Exp::BinOp(BinOp::Sub(_), a, b))) if *b == x => Some(Exp::SubExp(*a)),
                (Some(Exp::BinOp(BinOp::Sub(_), a, b)), _) if is(*a, Const::int(t, 0)) => {
                    Some(Exp::BinOp(BinOp::Sub(t), y, *b))
                }
                (_, Some(Exp::BinOp(BinOp::Sub(_), a, b))) if is(*a, Const::int(t, 0)) => {
                    Some(Exp::BinOp(BinOp::Sub(t), x, *b))
                }
                _ => None,
            }
        }
        BinOp::Mul(_) => match (dx?, y.constant()?) {
            (Exp::BinOp(BinOp::Mul(_), a, SubExp::Const(b)), c) => {
                let c = eval::bin_op(op, *b, c)?;
                Some(Exp::BinOp(op, *a, c.into()))
            }
            _ => None,
        },
        _ => None,
    }
}

fn compare(s: &Simplifier, op: CmpOp, x: SubExp, y: SubExp) -> Option<Exp> {
    let known = |b: bool| Some(value(Const::Bool(b)));
    if let (SubExp::Const(a), SubExp::Const(b)) = (x, y) {
        return known(eval::cmp_op(op, a, b)?);
    }
    if x == y {
        match op {
            CmpOp::Eq(Prim::Int(_) | Prim::Bool) | CmpOp::ULe(_) | CmpOp::SLe(_) | CmpOp::LLe => {
                return known(true);
            }
            CmpOp::ULt(_) | CmpOp::SLt(_) | CmpOp::FLt(_) | CmpOp::LLt => return known(false),
            // Of a NaN both are false.
            CmpOp::Eq(Prim::Float(_)) | CmpOp::FLe(_) => {}
        }
    }
    match (op, x, y) {
        (CmpOp::Eq(_), SubExp::Const(_), SubExp::Var(_)) => return Some(Exp::CmpOp(op, y, x)),
        (CmpOp::Eq(Prim::Bool), x, SubExp::Const(Const::Bool(b))) => {
            return Some(if b { Exp::SubExp(x) } else { Exp::UnOp(UnOp::Not, x) });
        }
        // `a + b = c` with constants b, c; exact in wrapping arithmetic.
        (CmpOp::Eq(Prim::Int(t)), x, SubExp::Const(c)) => match s.plain(x) {
            Some(Exp::BinOp(BinOp::Add(_), a, SubExp::Const(b))) => {
                let c = eval::bin_op(BinOp::Sub(t), c, *b)?;
                return Some(Exp::CmpOp(op, *a, c.into()));
            }
            Some(Exp::BinOp(BinOp::Sub(_), a, SubExp::Const(b))) => {
                let c = eval::bin_op(BinOp::Add(t), c, *b)?;
                return Some(Exp::CmpOp(op, *a, c.into()));
            }
            _ => {}
        },
        _ => {}
    }
    match s.decide(op, x, y) {
        Some(b) => known(b),
        None => other_side(s, op, x, y),
    }
}

/// Comparisons of a minimum or maximum that one side is known to pass ask for the other side: `0 <= min (n-1) i`
/// is `0 <= n - 1` for an `i` that is not negative.
fn other_side(s: &Simplifier, op: CmpOp, x: SubExp, y: SubExp) -> Option<Exp> {
    if !matches!(op, CmpOp::SLt(_) | CmpOp::SLe(_)) {
        return None;
    }
    let holds = |x, y| s.decide(op, x, y) == Some(true);
    if let Some(&Exp::BinOp(BinOp::SMin(_), a, b)) = s.plain(y) {
        if holds(x, a) {
            return Some(Exp::CmpOp(op, x, b));
        }
        return holds(x, b).then_some(Exp::CmpOp(op, x, a));
    }
    if let Some(&Exp::BinOp(BinOp::SMax(_), a, b)) = s.plain(x) {
        if holds(a, y) {
            return Some(Exp::CmpOp(op, b, y));
        }
        return holds(b, y).then_some(Exp::CmpOp(op, a, y));
    }
    None
}

fn convert(s: &Simplifier, op: ConvOp, x: SubExp) -> Option<Exp> {
    if let SubExp::Const(c) = x {
        return Some(value(eval::conv_op(op, c)?));
    }
    match op {
        ConvOp::SExt(a, b) | ConvOp::ZExt(a, b) if a == b => return Some(Exp::SubExp(x)),
        ConvOp::FPConv(a, b) if a == b => return Some(Exp::SubExp(x)),
        _ => {}
    }
    match (op, s.plain(x)?) {
        // What was widened and is now given another width.
        (ConvOp::SExt(_, c), Exp::ConvOp(ConvOp::SExt(a, b), y)) if a <= b => {
            Some(Exp::ConvOp(ConvOp::SExt(*a, c), *y))
        }
        (ConvOp::ZExt(_, c), Exp::ConvOp(ConvOp::ZExt(a, b), y)) if a <= b => {
            Some(Exp::ConvOp(ConvOp::ZExt(*a, c), *y))
        }
        (ConvOp::FToBits(_), Exp::ConvOp(ConvOp::BitsToF(_), y)) => Some(Exp::SubExp(*y)),
        (ConvOp::BitsToF(_), Exp::ConvOp(ConvOp::FToBits(_), y)) => Some(Exp::SubExp(*y)),
        (ConvOp::IToB(_), Exp::ConvOp(ConvOp::BToI(_), y)) => Some(Exp::SubExp(*y)),
        _ => None,
    }
}
