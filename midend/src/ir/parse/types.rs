//! Constants, operands, types and places of arrays.

use super::{Parser, Res, raw_var};
use crate::ir::attr::StmAttr;
use crate::ir::lex::Token;
use crate::ir::prim::{FloatType, IntType, Prim};
use crate::ir::syntax::{Loc, Param, PatElem};
use crate::ir::types::{Const, Lmad, LmadDim, MemBind, MemSpace, Size64, SubExp, Type};
use futc_typed::forced::{Forced, SCHEDULE};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use half::f16;

fn prim_of(name: &str) -> Option<Prim> {
    Some(match name {
        "bool" => Prim::Bool,
        "i8" => Prim::Int(IntType::I8),
        "i16" => Prim::Int(IntType::I16),
        "i32" => Prim::Int(IntType::I32),
        "i64" => Prim::Int(IntType::I64),
        "f16" => Prim::Float(FloatType::F16),
        "f32" => Prim::Float(FloatType::F32),
        "f64" => Prim::Float(FloatType::F64),
        _ => return None,
    })
}

impl Parser {
    pub(super) fn constant(&mut self) -> Res<Const> {
        let negative = self.is("-");
        if negative {
            self.next();
        }
        match self.peek().clone() {
            Token::Number(n) if !negative => match number(&n) {
                Some(c) => {
                    self.next();
                    Ok(c)
                }
                None => self.error("malformed number"),
            },
            Token::Ident(w) => {
                let c = match w.as_str() {
                    "true" => Some(Const::Bool(true)),
                    "false" => Some(Const::Bool(false)),
                    _ => None,
                };
                if let Some(c) = c {
                    self.next();
                    return Ok(c);
                }
                let Some((Some(ty @ Prim::Float(_)), special)) =
                    w.split_once('.').map(|(t, s)| (prim_of(t), s))
                else {
                    return self.error("expected a constant");
                };
                let inf = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
                match special {
                    "inf" => {
                        self.next();
                        Ok(match ty {
                            Prim::Float(FloatType::F16) => Const::F16(f16::from_f64(inf)),
                            Prim::Float(FloatType::F32) => Const::F32(inf as f32),
                            Prim::Bool | Prim::Int(_) | Prim::Float(FloatType::F64) => {
                                Const::F64(inf)
                            }
                        })
                    }
                    "nan" => {
                        self.next();
                        self.expect("(")?;
                        let bits = match self.peek() {
                            Token::Number(n) => {
                                n.strip_prefix("0x").and_then(|h| u64::from_str_radix(h, 16).ok())
                            }
                            _ => None,
                        };
                        let Some(bits) = bits else { return self.error("expected the bits") };
                        self.next();
                        self.expect(")")?;
                        Ok(Const::from_bits(ty, bits))
                    }
                    _ => self.error("expected a constant"),
                }
            }
            _ => self.error("expected a constant"),
        }
    }

    pub(super) fn subexp(&mut self) -> Res<SubExp> {
        if raw_var(self.peek()).is_some() {
            Ok(SubExp::Var(self.var()?))
        } else if matches!(self.peek(), Token::Number(_) | Token::Ident(_)) || self.is("-") {
            Ok(SubExp::Const(self.constant()?))
        } else {
            self.error("expected an operand")
        }
    }

    pub(super) fn subexps(&mut self, open: &str, close: &str) -> Res<Vec<SubExp>> {
        self.list(open, close, Parser::subexp)
    }

    pub(super) fn prim(&mut self) -> Res<Prim> {
        let p = match self.peek() {
            Token::Ident(w) => prim_of(w),
            _ => None,
        };
        match p {
            Some(p) => {
                self.next();
                Ok(p)
            }
            None => self.error("expected a primitive type"),
        }
    }

    pub(super) fn source_prim(&mut self) -> Res<PrimType> {
        let p = match self.peek() {
            Token::Ident(w) => PrimType::from_name(w),
            _ => None,
        };
        match p {
            Some(p) => {
                self.next();
                Ok(p)
            }
            None => self.error("expected a primitive type of the source language"),
        }
    }

    pub(super) fn space(&mut self) -> Res<MemSpace> {
        if self.eat_word("host") {
            Ok(MemSpace::Host)
        } else if self.eat_word("device") {
            Ok(MemSpace::Device)
        } else if self.eat_word("local") {
            Ok(MemSpace::Local)
        } else {
            self.error("expected `host`, `device` or `local`")
        }
    }

    pub(super) fn ty(&mut self) -> Res<Type> {
        for (word, ty) in [
            ("cert", Type::Cert),
            ("mem.host", Type::Mem(MemSpace::Host)),
            ("mem.device", Type::Mem(MemSpace::Device)),
            ("mem.local", Type::Mem(MemSpace::Local)),
        ] {
            if self.eat_word(word) {
                return Ok(ty);
            }
        }
        let mut shape = Vec::new();
        while self.eat("[") {
            shape.push(self.subexp()?);
            self.expect("]")?;
        }
        Ok(Type::array(self.prim()?, shape))
    }

    pub(super) fn size64(&mut self) -> Res<Size64> {
        if !self.eat("(") {
            return Ok(Size64::Leaf(self.subexp()?));
        }
        let a = Box::new(self.size64()?);
        let op: fn(Box<Size64>, Box<Size64>) -> Size64 = if self.eat("+") {
            Size64::Add
        } else if self.eat("*") {
            Size64::Mul
        } else {
            self.expect("-")?;
            Size64::Sub
        };
        let b = Box::new(self.size64()?);
        self.expect(")")?;
        Ok(op(a, b))
    }

    pub(super) fn mem_bind(&mut self) -> Res<Option<MemBind>> {
        if !self.eat("@") {
            return Ok(None);
        }
        let block = self.var()?;
        self.expect("->")?;
        self.expect("{")?;
        let offset = self.size64()?;
        let dims = self.list(";", "}", |p| {
            p.expect("(")?;
            let n = p.subexp()?;
            p.expect(",")?;
            let stride = p.size64()?;
            p.expect(")")?;
            Ok(LmadDim { n, stride })
        })?;
        Ok(Some(MemBind { block, lmad: Lmad { offset, dims } }))
    }

    pub(super) fn param(&mut self) -> Res<Param> {
        let unique = self.eat("*");
        let p = self.pat_elem()?;
        Ok(Param { var: p.var, ty: p.ty, unique, mem: p.mem })
    }

    pub(super) fn pat_elem(&mut self) -> Res<PatElem> {
        let var = self.binder()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mem = self.mem_bind()?;
        Ok(PatElem { var, ty, mem })
    }

    pub(super) fn loc(&mut self) -> Res<Option<Loc>> {
        if self.eat_word("at") { Ok(Some(Name::new(&self.text()?))) } else { Ok(None) }
    }

    /// Attributes, if there are any.
    pub(super) fn attrs<T>(&mut self, one: fn(&mut Parser) -> Res<T>) -> Res<Vec<T>> {
        if self.is("#[") { self.list("#[", "]", one) } else { Ok(Vec::new()) }
    }

    pub(super) fn stm_attr(&mut self) -> Res<StmAttr> {
        let name = self.name()?;
        let attr = if name.as_str() == SCHEDULE {
            self.expect("(")?;
            let how = Forced::named(self.name()?.as_str());
            self.expect(")")?;
            how.map(StmAttr::Schedule)
        } else {
            StmAttr::named(name.as_str())
        };
        attr.map_or_else(|| self.error("this is no attribute of a statement"), Ok)
    }
}

/// A number with its suffix; none means `i64`.
fn number(s: &str) -> Option<Const> {
    let suffix =
        ["i8", "i16", "i32", "i64", "f16", "f32", "f64"].into_iter().find(|t| s.ends_with(t));
    let digits = suffix.map_or(s, |t| &s[..s.len() - t.len()]);
    match suffix.and_then(prim_of).unwrap_or(Prim::I64) {
        Prim::Bool => None,
        Prim::Int(t) => {
            let x: i128 = digits.parse().ok()?;
            // Unsigned readings are welcome too.
            let bits = t.bits();
            let range = -(1i128 << (bits - 1))..(1i128 << bits);
            range.contains(&x).then(|| Const::int(t, x as i64))
        }
        Prim::Float(FloatType::F16) => Some(Const::F16(futc_typed::half::from_decimal(digits)?)),
        Prim::Float(FloatType::F32) => Some(Const::F32(digits.parse().ok()?)),
        Prim::Float(FloatType::F64) => Some(Const::F64(digits.parse().ok()?)),
    }
}
