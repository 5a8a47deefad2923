//! Scalar intrinsics: operators at a type, scalar functions and conversions.

use super::builder::text;
use super::error::R;
use super::spec::Spec;
use super::value::{Dim, Ty, Value, core_prim};
use crate::ir::{
    BinOp, CmpOp, Const, ConvOp, Exp, IntType, MathFn, MsgPart, Prim, SubExp, Type, UnOp,
};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;

impl Spec<'_> {
    /// An intrinsic with all its arguments.
    pub(super) fn intrinsic(
        &mut self,
        name: Name,
        types: &[Ty],
        sizes: &[Dim],
        args: &[Value],
    ) -> R<Value> {
        let text = name.as_str();
        match text {
            "==" | "!=" => self.equality(text == "==", types, args),
            "+" | "-" | "*" | "/" | "%" | "//" | "%%" | "**" | "<<" | ">>" | ">>>" | "&" | "|"
            | "^" | "<" | "<=" | ">" | ">=" => {
                let p = self.operand_type(types)?;
                let (x, y) = self.two(args)?;
                Ok(Value::Leaf(self.operator(text, p, x, y)?))
            }
            "!" | "neg" => {
                let p = self.operand_type(types)?;
                let x = self.scalar(args.first())?;
                let op = match (text, core_prim(p)) {
                    ("!", Prim::Bool) => UnOp::Not,
                    ("!", Prim::Int(t)) => UnOp::Complement(t),
                    ("neg", Prim::Int(t)) => UnOp::Neg(t),
                    ("neg", Prim::Float(t)) => UnOp::FNeg(t),
                    _ => return self.bug(format!("`{text}` at {p}")),
                };
                Ok(Value::Leaf(self.unop(op, x)))
            }
            _ => {
                if let Some((prefix, rest)) = text.split_once('_')
                    && let Some(p) = PrimType::from_name(prefix)
                {
                    return self.scalar_function(p, rest, args);
                }
                self.array_intrinsic(text, types, sizes, args)
            }
        }
    }

    fn operand_type(&mut self, types: &[Ty]) -> R<PrimType> {
        match types.first() {
            Some(Ty::Prim(p)) => Ok(*p),
            _ => self.bug("an operator without a primitive type"),
        }
    }

    /// A scalar argument.
    pub(super) fn scalar(&mut self, v: Option<&Value>) -> R<SubExp> {
        match v {
            Some(Value::Leaf(s)) => Ok(*s),
            _ => self.bug("a scalar argument was expected"),
        }
    }

    fn two(&mut self, args: &[Value]) -> R<(SubExp, SubExp)> {
        Ok((self.scalar(args.first())?, self.scalar(args.get(1))?))
    }

    /// A binary operator of the source at a type.
    pub(super) fn operator(&mut self, op: &str, p: PrimType, x: SubExp, y: SubExp) -> R<SubExp> {
        match (op, core_prim(p)) {
            ("+", Prim::Int(t)) => Ok(self.binop(BinOp::Add(t), x, y)),
            ("-", Prim::Int(t)) => Ok(self.binop(BinOp::Sub(t), x, y)),
            ("*", Prim::Int(t)) => Ok(self.binop(BinOp::Mul(t), x, y)),
            ("/" | "%" | "//" | "%%", Prim::Int(t)) => {
                let op = match (op, p.is_signed()) {
                    ("/", true) => BinOp::SDiv(t),
                    ("%", true) => BinOp::SMod(t),
                    ("//", true) => BinOp::SQuot(t),
                    ("%%", true) => BinOp::SRem(t),
                    ("/" | "//", false) => BinOp::UDiv(t),
                    _ => BinOp::UMod(t),
                };
                self.divide(op, t, x, y)
            }
            ("**", Prim::Int(t)) => {
                if !p.is_signed() {
                    return Ok(self.binop(BinOp::Pow(t), x, y));
                }
                let zero = Const::int(t, 0).into();
                let ok = self.cmp(CmpOp::SLe(t), zero, y);
                let msg = vec![text("Negative exponent: "), MsgPart::Value(y, p), text(".")];
                let certs = self.check(ok, msg);
                Ok(self.guarded(BinOp::Pow(t), t, x, y, &certs))
            }
            ("<<", Prim::Int(t)) => Ok(self.binop(BinOp::Shl(t), x, y)),
            (">>", Prim::Int(t)) if p.is_signed() => Ok(self.binop(BinOp::AShr(t), x, y)),
            (">>" | ">>>", Prim::Int(t)) => Ok(self.binop(BinOp::LShr(t), x, y)),
            ("&", Prim::Int(t)) => Ok(self.binop(BinOp::And(t), x, y)),
            ("|", Prim::Int(t)) => Ok(self.binop(BinOp::Or(t), x, y)),
            ("^", Prim::Int(t)) => Ok(self.binop(BinOp::Xor(t), x, y)),
            ("&", Prim::Bool) => Ok(self.binop(BinOp::LogAnd, x, y)),
            ("|", Prim::Bool) => Ok(self.binop(BinOp::LogOr, x, y)),
            ("+", Prim::Float(t)) => Ok(self.binop(BinOp::FAdd(t), x, y)),
            ("-", Prim::Float(t)) => Ok(self.binop(BinOp::FSub(t), x, y)),
            ("*", Prim::Float(t)) => Ok(self.binop(BinOp::FMul(t), x, y)),
            ("/", Prim::Float(t)) => Ok(self.binop(BinOp::FDiv(t), x, y)),
            ("%", Prim::Float(t)) => Ok(self.binop(BinOp::FMod(t), x, y)),
            ("**", Prim::Float(t)) => Ok(self.binop(BinOp::FPow(t), x, y)),
            ("<", _) => self.less(p, x, y, false),
            ("<=", _) => self.less(p, x, y, true),
            (">", _) => self.less(p, y, x, false),
            (">=", _) => self.less(p, y, x, true),
            _ => self.bug(format!("`{op}` at {p}")),
        }
    }

    fn less(&mut self, p: PrimType, x: SubExp, y: SubExp, or_equal: bool) -> R<SubExp> {
        let op = match (core_prim(p), or_equal) {
            (Prim::Int(t), false) if p.is_signed() => CmpOp::SLt(t),
            (Prim::Int(t), true) if p.is_signed() => CmpOp::SLe(t),
            (Prim::Int(t), false) => CmpOp::ULt(t),
            (Prim::Int(t), true) => CmpOp::ULe(t),
            (Prim::Float(t), false) => CmpOp::FLt(t),
            (Prim::Float(t), true) => CmpOp::FLe(t),
            (Prim::Bool, false) => CmpOp::LLt,
            (Prim::Bool, true) => CmpOp::LLe,
        };
        Ok(self.cmp(op, x, y))
    }

    fn divide(&mut self, op: BinOp, t: IntType, x: SubExp, y: SubExp) -> R<SubExp> {
        let zero: SubExp = Const::int(t, 0).into();
        let is_zero = self.cmp(CmpOp::Eq(Prim::Int(t)), y, zero);
        let ok = self.unop(UnOp::Not, is_zero);
        let certs = self.check(ok, vec![text("division by zero")]);
        Ok(self.guarded(op, t, x, y, &certs))
    }

    fn guarded(
        &mut self,
        op: BinOp,
        t: IntType,
        x: SubExp,
        y: SubExp,
        certs: &[crate::ir::Var],
    ) -> SubExp {
        if certs.is_empty() {
            return self.binop(op, x, y);
        }
        let ty = Type::Prim(Prim::Int(t));
        SubExp::Var(self.emit_with("t", Exp::BinOp(op, x, y), ty, certs))
    }

    fn math(&mut self, f: MathFn, p: Prim, args: Vec<SubExp>) -> SubExp {
        let ty = Type::Prim(f.result(p));
        SubExp::Var(self.emit("t", Exp::Math(f, p, args), ty))
    }

    fn scalar_function(&mut self, p: PrimType, name: &str, args: &[Value]) -> R<Value> {
        let mut xs = Vec::with_capacity(args.len());
        for a in args {
            xs.push(self.scalar(Some(a))?);
        }
        let Some(x) = xs.first().copied() else { return self.bug("a function of no argument") };
        let y = xs.get(1).copied().unwrap_or(x);
        let core = core_prim(p);
        let signed = p.is_signed();
        let out = match (name, core) {
            ("to_bits", Prim::Float(t)) => self.conv(ConvOp::FToBits(t), x),
            ("from_bits", Prim::Float(t)) => self.conv(ConvOp::BitsToF(t), x),
            ("abs", Prim::Int(t)) if signed => self.unop(UnOp::Abs(t), x),
            ("abs", Prim::Int(_)) => x,
            ("abs", Prim::Float(t)) => self.unop(UnOp::FAbs(t), x),
            ("sgn", Prim::Int(t)) if signed => self.unop(UnOp::SSignum(t), x),
            ("sgn", Prim::Int(t)) => self.unop(UnOp::USignum(t), x),
            ("sgn", Prim::Float(t)) => self.unop(UnOp::FSignum(t), x),
            ("min", Prim::Int(t)) if signed => self.binop(BinOp::SMin(t), x, y),
            ("min", Prim::Int(t)) => self.binop(BinOp::UMin(t), x, y),
            ("min", Prim::Float(t)) => self.binop(BinOp::FMin(t), x, y),
            ("min", Prim::Bool) => self.binop(BinOp::LogAnd, x, y),
            ("max", Prim::Int(t)) if signed => self.binop(BinOp::SMax(t), x, y),
            ("max", Prim::Int(t)) => self.binop(BinOp::UMax(t), x, y),
            ("max", Prim::Float(t)) => self.binop(BinOp::FMax(t), x, y),
            ("max", Prim::Bool) => self.binop(BinOp::LogOr, x, y),
            ("mul_hi", Prim::Int(_)) => {
                self.math(if signed { MathFn::SMulHi } else { MathFn::UMulHi }, core, xs)
            }
            ("mad_hi", Prim::Int(_)) => {
                self.math(if signed { MathFn::SMadHi } else { MathFn::UMadHi }, core, xs)
            }
            _ => {
                if let Some(q) = name.strip_prefix("to_").and_then(PrimType::from_name) {
                    return Ok(Value::Leaf(self.convert(p, q, x)));
                }
                // What is called as it is in Core IR, and needs no check.
                let named = |op: &BinOp| op.name() == name && op.prim() == core;
                let operator = BinOp::all().into_iter().find(|op| named(op) && !op.is_partial());
                let function =
                    MathFn::ALL.iter().find(|f| f.name() == name && f.arity() == xs.len());
                match (function, operator) {
                    (Some(f), _) => self.math(*f, core, xs),
                    (None, Some(op)) => self.binop(op, x, y),
                    (None, None) => return self.bug(format!("unknown intrinsic `{p}_{name}`")),
                }
            }
        };
        Ok(Value::Leaf(out))
    }

    /// A conversion between primitive types of the source.
    pub(super) fn convert(&mut self, from: PrimType, to: PrimType, x: SubExp) -> SubExp {
        let op = match (core_prim(from), core_prim(to)) {
            (Prim::Bool, Prim::Bool) => return x,
            (Prim::Bool, Prim::Int(t)) => ConvOp::BToI(t),
            (Prim::Bool, Prim::Float(t)) => ConvOp::BToF(t),
            (Prim::Int(a), Prim::Bool) => ConvOp::IToB(a),
            (Prim::Int(a), Prim::Int(b)) if a == b => return x,
            // Only between signed types does the sign extend.
            (Prim::Int(a), Prim::Int(b)) if from.is_signed() && to.is_signed() => {
                ConvOp::SExt(a, b)
            }
            (Prim::Int(a), Prim::Int(b)) => ConvOp::ZExt(a, b),
            (Prim::Int(a), Prim::Float(b)) if from.is_signed() => ConvOp::SIToFP(a, b),
            (Prim::Int(a), Prim::Float(b)) => ConvOp::UIToFP(a, b),
            (Prim::Float(a), Prim::Bool) => ConvOp::FToB(a),
            (Prim::Float(a), Prim::Int(b)) if to.is_signed() => ConvOp::FPToSI(a, b),
            (Prim::Float(a), Prim::Int(b)) => ConvOp::FPToUI(a, b),
            (Prim::Float(a), Prim::Float(b)) if a == b => return x,
            (Prim::Float(a), Prim::Float(b)) => ConvOp::FPConv(a, b),
        };
        self.conv(op, x)
    }
}
