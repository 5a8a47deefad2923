//! Expressions, in the order of the table of operations.

use super::{Parser, Res, raw_var};
use crate::ir::lex::Token;
use crate::ir::op_names::{OPS, Op};
use crate::ir::prim::Prim;
use crate::ir::syntax::*;
use crate::ir::types::{SubExp, Var};

/// Size and stride, per dimension.
type FlatDims = Vec<(SubExp, SubExp)>;

impl Parser {
    pub(super) fn lambda(&mut self) -> Res<Lambda> {
        self.scoped(|p| {
            p.expect("\\")?;
            let params = p.list("(", ")", Parser::param)?;
            if p.eat_word("id") {
                let result = params.iter().map(|p| SubExp::Var(p.var)).collect();
                let ret = params.iter().map(|p| p.ty.clone()).collect();
                return Ok(Lambda { params, body: Body { stms: Vec::new(), result }, ret });
            }
            p.expect(":")?;
            let ret = p.list("(", ")", Parser::ty)?;
            let body = p.body()?;
            Ok(Lambda { params, body, ret })
        })
    }

    pub(super) fn is_reduction(&self) -> bool {
        self.is_word("op") || self.is_word("commutative")
    }

    pub(super) fn reduction(&mut self) -> Res<Reduction> {
        let commutative = self.eat_word("commutative");
        self.expect_word("op")?;
        let neutral = self.subexps("[", "]")?;
        let op = self.lambda()?;
        Ok(Reduction { op, neutral, commutative })
    }

    pub(super) fn hist_op(&mut self) -> Res<HistOp> {
        self.expect_word("into")?;
        let shape = self.subexps("[", "]")?;
        let dests = self.vars()?;
        let op = self.reduction()?;
        Ok(HistOp { shape, dests, op })
    }

    /// `(width, [inputs], lambda`, up to what differs.
    pub(super) fn soac_head(&mut self) -> Res<(SubExp, Vec<Var>, Lambda)> {
        self.expect("(")?;
        let width = self.subexp()?;
        self.expect(",")?;
        let inputs = self.vars()?;
        self.expect(",")?;
        Ok((width, inputs, self.lambda()?))
    }

    pub(super) fn screma(&mut self, name: &str) -> Res<Exp> {
        let (width, inputs, lambda) = self.soac_head()?;
        let (mut scans, mut reduces) = (Vec::new(), Vec::new());
        let mut to_scans = matches!(name, "scan" | "scanomap");
        while self.eat(",") {
            if self.eat_word("scans") {
                to_scans = true;
            } else if self.eat_word("reduces") {
                to_scans = false;
            } else {
                let r = self.reduction()?;
                if to_scans { scans.push(r) } else { reduces.push(r) }
            }
        }
        self.expect(")")?;
        Ok(Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }))
    }

    pub(super) fn seg(&mut self, name: &str) -> Res<Exp> {
        let Some(level) = SegLevel::ALL.into_iter().find(|l| self.eat_word(l.name())) else {
            return self.error("expected a level: seq, tasks, grid, block or thread");
        };
        let dims = self.list("(", ")", |p| {
            let v = p.binder()?;
            p.expect("<")?;
            Ok((v, p.subexp()?))
        })?;
        let space = SegSpace { dims };
        let (mut reds, mut hists) = (Vec::new(), Vec::new());
        while !self.eat(":") {
            if self.is_reduction() {
                reds.push(self.reduction()?);
            } else {
                hists.push(self.hist_op()?);
            }
        }
        let types = self.list("(", ")", Parser::ty)?;
        self.expect("{")?;
        let stms = self.stms()?;
        self.expect_word("in")?;
        let results = self.list("(", ")", |p| {
            if p.eat_word("return") {
                return Ok(KernelResult::Return(p.subexp()?));
            }
            p.expect_word("write")?;
            let dest = p.var()?;
            let writes = p.list("{", "}", |p| {
                let at = p.subexps("[", "]")?;
                p.expect("=")?;
                Ok((at, p.subexp()?))
            })?;
            Ok(KernelResult::Write { dest, writes })
        })?;
        self.expect("}")?;
        let body = KernelBody { stms, results, types };
        let kind = match name {
            "segmap" => SegKind::Map,
            "segred" => SegKind::Red(reds),
            "segscan" => SegKind::Scan(reds),
            _ => SegKind::Hist(hists),
        };
        Ok(Exp::Seg(SegOp { level, space, kind, body }))
    }

    pub(super) fn dim_index(&mut self) -> Res<DimIndex> {
        let start = self.subexp()?;
        if !self.eat(":+") {
            return Ok(DimIndex::Fix(start));
        }
        let n = self.subexp()?;
        let stride = if self.eat("*") { self.subexp()? } else { SubExp::i64(1) };
        Ok(DimIndex::Slice { start, n, stride })
    }

    pub(super) fn flat(&mut self) -> Res<(Var, SubExp, FlatDims)> {
        let array = self.var()?;
        self.expect("[")?;
        let offset = self.subexp()?;
        let dims = self.list(";", "]", |p| {
            p.expect("(")?;
            let n = p.subexp()?;
            p.expect(",")?;
            let s = p.subexp()?;
            p.expect(")")?;
            Ok((n, s))
        })?;
        Ok((array, offset, dims))
    }

    pub(super) fn in_parens<T>(&mut self, f: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
        self.expect("(")?;
        let x = f(self)?;
        self.expect(")")?;
        Ok(x)
    }

    pub(super) fn exp(&mut self) -> Res<Exp> {
        let word = match self.peek() {
            Token::Ident(w) if raw_var(self.peek()).is_none() => w.clone(),
            _ => return Ok(Exp::SubExp(self.subexp()?)),
        };
        if let Some(op) = OPS.get(&word) {
            self.next();
            return self.operation(op);
        }
        let start = self.at;
        self.next();
        match word.as_str() {
            "array" => {
                let elems = self.subexps("[", "]")?;
                self.expect_word("of")?;
                Ok(Exp::ArrayLit { elems, row: self.ty()? })
            }
            "index" => {
                let array = self.var()?;
                Ok(Exp::Index { array, dims: self.list("[", "]", Parser::dim_index)? })
            }
            "update" => {
                let array = self.var()?;
                let dims = self.list("[", "]", Parser::dim_index)?;
                self.expect_word("with")?;
                Ok(Exp::Update { array, dims, value: self.subexp()? })
            }
            "flat_index" => {
                let (array, offset, dims) = self.flat()?;
                Ok(Exp::FlatIndex { array, offset, dims })
            }
            "flat_update" => {
                let (array, offset, dims) = self.flat()?;
                self.expect_word("with")?;
                Ok(Exp::FlatUpdate { array, offset, dims, value: self.var()? })
            }
            "replicate" => self.in_parens(|p| {
                let shape = p.subexps("[", "]")?;
                p.expect(",")?;
                Ok(Exp::Replicate { shape, value: p.subexp()? })
            }),
            "scratch" => self.in_parens(|p| {
                let elem = p.prim()?;
                p.expect(",")?;
                Ok(Exp::Scratch { elem, shape: p.subexps("[", "]")? })
            }),
            "reshape" => self.in_parens(|p| {
                let array = p.var()?;
                p.expect(",")?;
                Ok(Exp::Reshape { array, shape: p.subexps("[", "]")? })
            }),
            "rearrange" => self.in_parens(|p| {
                let array = p.var()?;
                p.expect(",")?;
                Ok(Exp::Rearrange { array, perm: p.list("[", "]", Parser::natural)? })
            }),
            "concat" => self.in_parens(|p| {
                let dim = p.natural()?;
                p.expect(",")?;
                let arrays = p.vars()?;
                p.expect(",")?;
                Ok(Exp::Concat { dim, arrays, size: p.subexp()? })
            }),
            "copy" => Ok(Exp::Copy(self.in_parens(Parser::var)?)),
            "prefix" => {
                let values = self.subexps("(", ")")?;
                let mut ops = Vec::new();
                while self.is_reduction() {
                    ops.push(self.reduction()?);
                }
                Ok(Exp::Prefix { ops, values })
            }
            "workers" => self.in_parens(|_| Ok(Exp::Workers)),
            "retain" => Ok(Exp::Retain(self.in_parens(Parser::var)?)),
            "release" => Ok(Exp::Release(self.in_parens(Parser::var)?)),
            "opaque" => Ok(Exp::Opaque(self.in_parens(Parser::subexp)?)),
            "trace" => Ok(Exp::Trace(self.in_parens(Parser::subexp)?)),
            "alloc" => self.in_parens(|p| {
                let bytes = p.size64()?;
                p.expect(",")?;
                Ok(Exp::Alloc { bytes, space: p.space()? })
            }),
            "assert" => {
                let kind = [AssertKind::Size, AssertKind::Kept]
                    .into_iter()
                    .find(|k| k.word().is_some_and(|w| self.eat_word(w)))
                    .unwrap_or_default();
                self.expect("(")?;
                let cond = self.subexp()?;
                let mut msg = Vec::new();
                while self.eat(",") {
                    if matches!(self.peek(), Token::Text(_)) {
                        msg.push(MsgPart::Text(self.text()?));
                    } else {
                        let x = self.subexp()?;
                        self.expect(":")?;
                        msg.push(MsgPart::Value(x, self.source_prim()?));
                    }
                }
                self.expect(")")?;
                Ok(Exp::Assert { kind, cond, msg })
            }
            "if" => {
                let cond = self.subexp()?;
                let yes = self.body()?;
                self.expect_word("else")?;
                Ok(Exp::if_then_else(cond, yes, self.body()?))
            }
            "match" => {
                let scrutinee = self.subexp()?;
                let mut cases = Vec::new();
                while self.eat_word("case") {
                    let c = self.constant()?;
                    cases.push((c, self.body()?));
                }
                self.expect_word("default")?;
                Ok(Exp::Match { scrutinee, cases, default: self.body()? })
            }
            "loop" => {
                let (params, init) = self
                    .list("(", ")", |p| {
                        let param = p.param()?;
                        p.expect("=")?;
                        Ok((param, p.subexp()?))
                    })?
                    .into_iter()
                    .unzip();
                let form = if self.eat_word("for") {
                    let var = self.binder()?;
                    self.expect(":")?;
                    let Prim::Int(ty) = self.prim()? else {
                        return self.error("the counter is an integer");
                    };
                    self.expect("<")?;
                    LoopForm::For { var, ty, bound: self.subexp()? }
                } else {
                    self.expect_word("while")?;
                    LoopForm::While { cond: self.var()? }
                };
                Ok(Exp::Loop { params, init, form, body: self.body()? })
            }
            "call" => {
                let fun = self.name()?;
                Ok(Exp::Call { fun, args: self.subexps("(", ")")? })
            }
            "map" | "reduce" | "scan" | "redomap" | "scanomap" | "screma" => self.screma(&word),
            "hist" => {
                let (width, inputs, lambda) = self.soac_head()?;
                let mut ops = Vec::new();
                while self.eat(",") {
                    ops.push(self.hist_op()?);
                }
                self.expect(")")?;
                Ok(Exp::Soac(Soac::Hist { width, inputs, ops, lambda }))
            }
            "scatter" => {
                let (width, inputs, lambda) = self.soac_head()?;
                let mut dests = Vec::new();
                while self.eat(",") {
                    self.expect_word("into")?;
                    let rank = self.natural()?;
                    dests.push((rank, self.var()?));
                }
                self.expect(")")?;
                Ok(Exp::Soac(Soac::Scatter { width, inputs, dests, lambda }))
            }
            "segmap" | "segred" | "segscan" | "seghist" => self.seg(&word),
            _ => {
                self.at = start;
                Ok(Exp::SubExp(self.subexp()?))
            }
        }
    }

    pub(super) fn operation(&mut self, op: &Op) -> Res<Exp> {
        let args = self.subexps("(", ")")?;
        match (op, args.as_slice()) {
            (Op::Un(op), &[x]) => Ok(Exp::UnOp(*op, x)),
            (Op::Bin(op), &[x, y]) => Ok(Exp::BinOp(*op, x, y)),
            (Op::Cmp(op), &[x, y]) => Ok(Exp::CmpOp(*op, x, y)),
            (Op::Conv(op), &[x]) => Ok(Exp::ConvOp(*op, x)),
            (Op::Math(f, t), xs) if xs.len() == f.arity() => Ok(Exp::Math(*f, *t, args)),
            (Op::Iota(ty), &[n, start, stride]) => Ok(Exp::Iota { n, start, stride, ty: *ty }),
            (Op::Un(_) | Op::Bin(_) | Op::Cmp(_) | Op::Conv(_) | Op::Math(..) | Op::Iota(_), _) => {
                self.error("wrong number of operands")
            }
        }
    }
}
