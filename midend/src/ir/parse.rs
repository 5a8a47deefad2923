//! Reads the text form of the IR that [`super::print`] writes.
//!
//! Reading is exact: what was printed from a program gives that program again, with the least
//! possible [`Program::next_tag`]. For text written by hand it is lenient: a tag that is already
//! taken is replaced by a fresh one, so `let x_1 = …` may shadow.
//!
//! Length: one grammar, a method for each of its rules, in the order of the table of operations.

use super::builder::NameSource;
use super::lex::{Spanned, Token, lex};
use super::op_names::{OPS, Op};
pub use super::parse_error::ParseError;
use super::prim::{FloatType, IntType, Prim};
use super::schedule::{PageStreams, PastCaches, Schedule, Strategy, Tile};
use super::syntax::*;
use super::types::{Const, Lmad, LmadDim, MemBind, Size64, Space, SubExp, Type, Var};
use super::varmap::{FastMap, FastSet};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use half::f16;

/// Size and stride, per dimension.
type FlatDims = Vec<(SubExp, SubExp)>;
type Res<T> = Result<T, ParseError>;

/// Reads a program.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let mut p = Parser::new(text)?;
    let program = p.program()?;
    p.expect_end()?;
    Ok(program)
}

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

/// Base and tag of a word that names a variable.
fn split_var(word: &str) -> Option<(&str, u32)> {
    let (base, tag) = word.rsplit_once('_')?;
    let digits = !tag.is_empty() && tag.bytes().all(|b| b.is_ascii_digit());
    if digits { Some((base, tag.parse().ok()?)) } else { None }
}

fn raw_var(token: &Token) -> Option<(Name, u32)> {
    match token {
        Token::Ident(word) => split_var(word).map(|(b, t)| (Name::new(b), t)),
        Token::Ticked(base, tail) => match split_var(tail) {
            Some(("", tag)) => Some((Name::new(base), tag)),
            Some(_) | None => None,
        },
        Token::Number(_) | Token::Text(_) | Token::Punct(_) | Token::End => None,
    }
}

struct Parser {
    tokens: Vec<Spanned>,
    at: usize,
    /// Beyond every tag in the text.
    names: NameSource,
    taken: FastSet<u32>,
    scope: FastMap<(Name, u32), Var>,
    /// What binders overwrote, so that scopes can end.
    undo: Vec<((Name, u32), Option<Var>)>,
}

impl Parser {
    fn new(text: &str) -> Res<Parser> {
        let tokens = lex(text)?;
        let next = tokens
            .iter()
            .filter_map(|t| raw_var(&t.token))
            .map(|(_, tag)| tag.saturating_add(1))
            .max()
            .unwrap_or(0);
        Ok(Parser {
            tokens,
            at: 0,
            names: NameSource::new(next),
            taken: FastSet::default(),
            scope: FastMap::default(),
            undo: Vec::new(),
        })
    }

    // Tokens.

    fn peek(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)].token
    }

    fn next(&mut self) -> Token {
        let t = self.peek().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        t
    }

    fn error<T>(&self, message: impl Into<String>) -> Res<T> {
        let t = &self.tokens[self.at.min(self.tokens.len() - 1)];
        Err(ParseError { line: t.line, column: t.column, message: message.into() })
    }

    fn is(&self, p: &str) -> bool {
        matches!(self.peek(), Token::Punct(q) if *q == p)
    }

    fn is_word(&self, w: &str) -> bool {
        matches!(self.peek(), Token::Ident(v) if v == w)
    }

    fn eat(&mut self, p: &str) -> bool {
        let yes = self.is(p);
        if yes {
            self.next();
        }
        yes
    }

    fn eat_word(&mut self, w: &str) -> bool {
        let yes = self.is_word(w);
        if yes {
            self.next();
        }
        yes
    }

    fn expect(&mut self, p: &str) -> Res<()> {
        if self.eat(p) { Ok(()) } else { self.error(format!("expected `{p}`")) }
    }

    fn expect_word(&mut self, w: &str) -> Res<()> {
        if self.eat_word(w) { Ok(()) } else { self.error(format!("expected `{w}`")) }
    }

    fn expect_end(&self) -> Res<()> {
        if *self.peek() == Token::End { Ok(()) } else { self.error("expected the end of the text") }
    }

    fn text(&mut self) -> Res<String> {
        match self.peek().clone() {
            Token::Text(t) => {
                self.next();
                Ok(t)
            }
            _ => self.error("expected text in quotes"),
        }
    }

    /// A function's or attribute's name.
    fn name(&mut self) -> Res<Name> {
        match self.peek().clone() {
            Token::Ident(w) => {
                self.next();
                Ok(Name::new(&w))
            }
            Token::Ticked(w, tail) if tail.is_empty() => {
                self.next();
                Ok(Name::new(&w))
            }
            _ => self.error("expected a name"),
        }
    }

    fn natural(&mut self) -> Res<usize> {
        match self.peek().clone() {
            Token::Number(n) => match n.parse() {
                Ok(n) => {
                    self.next();
                    Ok(n)
                }
                Err(_) => self.error("expected a natural number"),
            },
            _ => self.error("expected a natural number"),
        }
    }

    /// `open item, item close`
    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Parser) -> Res<T>,
    ) -> Res<Vec<T>> {
        self.expect(open)?;
        let mut out = Vec::new();
        while !self.eat(close) {
            if !out.is_empty() {
                self.expect(",")?;
                if self.eat(close) {
                    break;
                }
            }
            out.push(item(self)?);
        }
        Ok(out)
    }

    // Names.

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
        let mark = self.undo.len();
        let out = f(self)?;
        self.leave(mark);
        Ok(out)
    }

    /// Ends the scopes opened since `mark`; gives back what they had bound.
    fn leave(&mut self, mark: usize) -> Vec<((Name, u32), Var)> {
        let mut bound = Vec::new();
        for (key, old) in self.undo.drain(mark..).rev() {
            let now = match old {
                Some(v) => self.scope.insert(key, v),
                None => self.scope.remove(&key),
            };
            bound.extend(now.map(|v| (key, v)));
        }
        bound.reverse();
        bound
    }

    fn enter(&mut self, key: (Name, u32), var: Var) {
        let old = self.scope.insert(key, var);
        self.undo.push((key, old));
    }

    fn raw(&mut self) -> Res<(Name, u32)> {
        match raw_var(self.peek()) {
            Some(v) => {
                self.next();
                Ok(v)
            }
            None => self.error("expected a variable"),
        }
    }

    fn binder(&mut self) -> Res<Var> {
        let (base, tag) = self.raw()?;
        let var =
            if self.taken.insert(tag) { Var { base, tag } } else { self.names.fresh_name(base) };
        self.enter((base, tag), var);
        Ok(var)
    }

    fn var(&mut self) -> Res<Var> {
        let (base, tag) = self.raw()?;
        Ok(self.scope.get(&(base, tag)).copied().unwrap_or(Var { base, tag }))
    }

    fn vars(&mut self) -> Res<Vec<Var>> {
        self.list("[", "]", Parser::var)
    }

    // Operands and types.

    fn constant(&mut self) -> Res<Const> {
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

    fn subexp(&mut self) -> Res<SubExp> {
        if raw_var(self.peek()).is_some() {
            Ok(SubExp::Var(self.var()?))
        } else if matches!(self.peek(), Token::Number(_) | Token::Ident(_)) || self.is("-") {
            Ok(SubExp::Const(self.constant()?))
        } else {
            self.error("expected an operand")
        }
    }

    fn subexps(&mut self, open: &str, close: &str) -> Res<Vec<SubExp>> {
        self.list(open, close, Parser::subexp)
    }

    fn prim(&mut self) -> Res<Prim> {
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

    fn source_prim(&mut self) -> Res<PrimType> {
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

    fn space(&mut self) -> Res<Space> {
        if self.eat_word("host") {
            Ok(Space::Host)
        } else if self.eat_word("device") {
            Ok(Space::Device)
        } else if self.eat_word("local") {
            Ok(Space::Local)
        } else {
            self.error("expected `host`, `device` or `local`")
        }
    }

    fn ty(&mut self) -> Res<Type> {
        for (word, ty) in [
            ("cert", Type::Cert),
            ("mem.host", Type::Mem(Space::Host)),
            ("mem.device", Type::Mem(Space::Device)),
            ("mem.local", Type::Mem(Space::Local)),
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

    fn size64(&mut self) -> Res<Size64> {
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

    fn mem_bind(&mut self) -> Res<Option<MemBind>> {
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

    fn param(&mut self) -> Res<Param> {
        let unique = self.eat("*");
        let p = self.pat_elem()?;
        Ok(Param { var: p.var, ty: p.ty, unique, mem: p.mem })
    }

    fn pat_elem(&mut self) -> Res<PatElem> {
        let var = self.binder()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mem = self.mem_bind()?;
        Ok(PatElem { var, ty, mem })
    }

    fn loc(&mut self) -> Res<Option<Loc>> {
        if self.eat_word("at") { Ok(Some(Name::new(&self.text()?))) } else { Ok(None) }
    }

    fn attrs(&mut self) -> Res<Vec<Name>> {
        if self.is("#[") { self.list("#[", "]", Parser::name) } else { Ok(Vec::new()) }
    }

    // Programs.

    fn program(&mut self) -> Res<Program> {
        self.expect_word("level")?;
        let level = if self.eat_word("soacs") {
            Level::Soacs
        } else if self.eat_word("seg") {
            Level::Seg
        } else {
            self.expect_word("mem")?;
            Level::Mem
        };
        let (mut globals, mut consts) = (Vec::new(), Body::default());
        if self.eat_word("global") {
            let mark = self.undo.len();
            globals = self.list("(", ")", Parser::pat_elem)?;
            let bound = self.leave(mark);
            self.expect("=")?;
            consts = self.body()?;
            for (key, var) in bound {
                self.enter(key, var);
            }
        }
        let mut funs = Vec::new();
        while *self.peek() != Token::End {
            funs.push(self.scoped(Parser::fun)?);
        }
        Ok(Program { level, next_tag: self.names.next_tag(), consts, globals, funs })
    }

    fn fun(&mut self) -> Res<Fun> {
        let attrs = self.attrs()?;
        self.expect_word("fun")?;
        let name = self.name()?;
        let params = self.list("(", ")", Parser::param)?;
        self.expect(":")?;
        let results = self.list("(", ")", Parser::pat_elem)?;
        let loc = self.loc()?;
        let entry = if self.is_word("entry") { Some(self.entry()?) } else { None };
        let linkage = self.linkage()?;
        let imported = matches!(linkage, Linkage::Imported(_));
        let body = if imported { Body::default() } else { self.body()? };
        Ok(Fun { name, entry, linkage, params, results, body, attrs, loc })
    }

    fn linkage(&mut self) -> Res<Linkage> {
        if self.eat_word("exported") {
            return Ok(Linkage::Exported(Name::new(&self.text()?)));
        }
        if !self.eat_word("imported") {
            return Ok(Linkage::Internal);
        }
        let symbol = Name::new(&self.text()?);
        let has_effects = self.eat_word("effects");
        let sees_globals = self.eat_word("globals");
        Ok(Linkage::Imported(Import { symbol, has_effects, sees_globals }))
    }

    fn entry(&mut self) -> Res<EntryPoint> {
        self.expect_word("entry")?;
        let name = Name::new(&self.text()?);
        let params = self.list("(", ")", |p| {
            let name = Name::new(&p.text()?);
            p.expect(":")?;
            Ok((name, p.ext_type()?))
        })?;
        self.expect("->")?;
        let results = self.list("(", ")", Parser::ext_type)?;
        Ok(EntryPoint { name, params, results })
    }

    fn leaf(&mut self) -> Res<(PrimType, usize)> {
        let mut rank = 0;
        while self.eat("[") {
            self.expect("]")?;
            rank += 1;
        }
        Ok((self.source_prim()?, rank))
    }

    fn ext_type(&mut self) -> Res<ExtType> {
        let unique = self.eat("*");
        let name = self.text()?;
        let kind = if self.is("{") {
            let leaves = self.list("{", "}", Parser::leaf)?;
            ExtKind::Opaque { leaves, structure: self.structure()? }
        } else {
            let (prim, rank) = self.leaf()?;
            ExtKind::Transparent { prim, rank }
        };
        Ok(ExtType { name, unique, kind })
    }

    fn structure(&mut self) -> Res<ExtStructure> {
        if self.eat_word("record") {
            Ok(ExtStructure::Record(self.list("(", ")", |p| {
                let name = p.text()?;
                p.expect(":")?;
                Ok((name, p.ext_type()?))
            })?))
        } else if self.eat_word("sum") {
            Ok(ExtStructure::Sum(self.list("(", ")", |p| {
                let name = p.text()?;
                let payload = p.list("(", ")", |p| {
                    let ty = p.ext_type()?;
                    p.expect_word("in")?;
                    Ok((ty, p.list("[", "]", Parser::natural)?))
                })?;
                Ok((name, payload))
            })?))
        } else if self.eat_word("array") {
            let rank = self.natural()?;
            Ok(ExtStructure::Array(rank, Box::new(self.ext_type()?)))
        } else {
            Ok(ExtStructure::Atomic)
        }
    }

    // Bodies.

    fn body(&mut self) -> Res<Body> {
        self.scoped(|p| {
            p.expect("{")?;
            let stms = p.stms()?;
            p.expect_word("in")?;
            let result = if p.is("(") { p.subexps("(", ")")? } else { vec![p.subexp()?] };
            p.expect("}")?;
            Ok(Body { stms, result })
        })
    }

    fn stms(&mut self) -> Res<Vec<Stm>> {
        let mut stms = Vec::new();
        while self.eat_word("let") {
            let mark = self.undo.len();
            let pat = if self.is("(") {
                self.list("(", ")", Parser::pat_elem)?
            } else {
                vec![self.pat_elem()?]
            };
            // The pattern is not in scope in its own expression.
            let bound = self.leave(mark);
            self.expect("=")?;
            let certs = if self.is("<") { self.list("<", ">", Parser::var)? } else { Vec::new() };
            let attrs = self.attrs()?;
            let schedule = self.schedule()?;
            let exp = self.scoped(Parser::exp)?;
            let loc = self.loc()?;
            for (key, var) in bound {
                self.enter(key, var);
            }
            stms.push(Stm { pat, exp, certs, attrs, loc, schedule });
        }
        Ok(stms)
    }

    fn schedule(&mut self) -> Res<Option<Schedule>> {
        if !self.eat_word("schedule") {
            return Ok(None);
        }
        let independent = self.eat_word("independent");
        let dummy_slot = self.eat_word("dummy");
        // Behind an operation that its level maps to threads, only copies of rows have strategies.
        let strategies = if self.is_word("rows") { Vec::new() } else { self.strategies()? };
        let rows = if self.eat_word("rows") { self.strategies()? } else { Vec::new() };
        Ok(Some(Schedule { strategies, rows, independent, dummy_slot }))
    }

    fn strategies(&mut self) -> Res<Vec<Strategy>> {
        self.expect("{")?;
        let mut strategies = vec![self.strategy()?];
        while self.eat(";") {
            strategies.push(self.strategy()?);
        }
        self.expect("}")?;
        Ok(strategies)
    }

    fn strategy(&mut self) -> Res<Strategy> {
        let named = |p: &mut Self, word: &str| {
            p.expect_word(word)?;
            p.count()
        };
        Ok(if self.eat_word("loops") {
            Strategy::Loops { unroll: self.unroll()? }
        } else if self.eat_word("tiles") {
            Strategy::Tiles { dims: self.two_dims()?, size: named(self, "size")? }
        } else if self.eat_word("panels") {
            let dims = self.two_dims()?;
            let (rows, ahead) = (named(self, "rows")?, named(self, "ahead")?);
            let least = named(self, "least")?;
            Strategy::Panels { dims, rows, ahead, least, from: named(self, "from")? }
        } else if self.eat_word("lanes") {
            let width = self.count()?;
            let speculate = if self.eat_word("speculate") { self.natural()? } else { 0 };
            Strategy::Lanes { width, speculate, shared: self.eat_word("shared") }
        } else if self.eat_word("stream") {
            let (chunk, unroll) = (named(self, "chunk")?, self.unroll()?);
            let pages = self.page_streams()?;
            Strategy::Stream { chunk, unroll, pages, from: named(self, "from")? }
        } else if self.eat_word("contract") {
            let lanes = named(self, "lanes")?;
            self.expect_word("tile")?;
            let tile = self.list("(", ")", Parser::count)?;
            self.expect_word("block")?;
            let block = self.list("(", ")", Parser::count)?;
            let (&[high, wide], &[rows, columns, depth]) = (tile.as_slice(), block.as_slice())
            else {
                return self.error("expected two sizes of a tile and three of a block");
            };
            let least = named(self, "least")?;
            Strategy::Contract(Tile { lanes, high, wide, depth, rows, columns, least })
        } else if self.eat_word("columns") {
            Strategy::Columns { dim: self.natural()?, block: named(self, "block")? }
        } else if self.eat_word("accumulators") {
            let count = self.count()?;
            let pages = self.page_streams()?;
            Strategy::Accumulators { count, pages, least: named(self, "least")? }
        } else if self.eat_word("tree") {
            Strategy::Tree { block: self.count()? }
        } else if self.eat_word("vectors") {
            let (lanes, chunk) = (self.count()?, named(self, "chunk")?);
            let past_caches = if self.is_word("ahead") {
                let (ahead, least) = (named(self, "ahead")?, named(self, "least")?);
                Some(PastCaches { ahead, least, from: named(self, "from")? })
            } else {
                None
            };
            Strategy::Vectors { lanes, chunk, past_caches }
        } else if self.eat_word("runs") {
            Strategy::Runs { from: self.natural()? }
        } else if self.eat_word("along") {
            Strategy::Along
        } else if self.eat_word("table") {
            Strategy::Table
        } else if self.eat_word("threads") {
            Strategy::Threads { block: self.count()? }
        } else if self.eat_word("squares") {
            let dims = self.two_dims()?;
            Strategy::Squares { dims, lanes: named(self, "lanes")?, side: named(self, "side")? }
        } else {
            return self.error("expected a strategy");
        })
    }

    fn unroll(&mut self) -> Res<i64> {
        if self.eat_word("unroll") { self.count() } else { Ok(1) }
    }

    fn page_streams(&mut self) -> Res<Option<PageStreams>> {
        if !self.eat_word("pages") {
            return Ok(None);
        }
        let sizes = self.list("(", ")", Parser::count)?;
        let &[pages, page, chunk] = sizes.as_slice() else {
            return self.error("expected the number of pages, their size and that of a chunk");
        };
        self.expect_word("least")?;
        Ok(Some(PageStreams { pages, page, chunk, least: self.count()? }))
    }

    fn two_dims(&mut self) -> Res<(usize, usize)> {
        match self.list("(", ")", Parser::natural)?.as_slice() {
            &[a, b] => Ok((a, b)),
            _ => self.error("expected two dimensions"),
        }
    }

    /// A natural number of elements or bytes.
    fn count(&mut self) -> Res<i64> {
        let n = self.natural()?;
        i64::try_from(n).or_else(|_| self.error("too large a number"))
    }

    fn lambda(&mut self) -> Res<Lambda> {
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

    fn is_reduction(&self) -> bool {
        self.is_word("op") || self.is_word("commutative")
    }

    fn reduction(&mut self) -> Res<Reduction> {
        let commutative = self.eat_word("commutative");
        self.expect_word("op")?;
        let neutral = self.subexps("[", "]")?;
        let op = self.lambda()?;
        Ok(Reduction { op, neutral, commutative })
    }

    fn hist_op(&mut self) -> Res<HistOp> {
        self.expect_word("into")?;
        let shape = self.subexps("[", "]")?;
        let dests = self.vars()?;
        let op = self.reduction()?;
        Ok(HistOp { shape, dests, op })
    }

    /// `(width, [inputs], lambda`, up to what differs.
    fn soac_head(&mut self) -> Res<(SubExp, Vec<Var>, Lambda)> {
        self.expect("(")?;
        let width = self.subexp()?;
        self.expect(",")?;
        let inputs = self.vars()?;
        self.expect(",")?;
        Ok((width, inputs, self.lambda()?))
    }

    fn screma(&mut self, name: &str) -> Res<Exp> {
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

    fn seg(&mut self, name: &str) -> Res<Exp> {
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

    fn dim_index(&mut self) -> Res<DimIndex> {
        let start = self.subexp()?;
        if !self.eat(":+") {
            return Ok(DimIndex::Fix(start));
        }
        let n = self.subexp()?;
        let stride = if self.eat("*") { self.subexp()? } else { SubExp::i64(1) };
        Ok(DimIndex::Slice { start, n, stride })
    }

    fn flat(&mut self) -> Res<(Var, SubExp, FlatDims)> {
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

    fn in_parens<T>(&mut self, f: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
        self.expect("(")?;
        let x = f(self)?;
        self.expect(")")?;
        Ok(x)
    }

    fn exp(&mut self) -> Res<Exp> {
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

    fn operation(&mut self, op: &Op) -> Res<Exp> {
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
