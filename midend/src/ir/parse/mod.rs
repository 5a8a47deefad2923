//! Reads the text form of the IR that [`super::print`] writes.
//!
//! Reading is exact: what was printed from a program gives that program again, with the least
//! possible [`Program::next_tag`]. For text written by hand it is lenient: a tag that is already
//! taken is replaced by a fresh one, so `let x_1 = …` may shadow.
//!
//! A method for each rule of the grammar: those of tokens, names, programs and bodies here, [`types`], [`schedule`] and
//! [`exp`] beside.

mod exp;
mod schedule;
mod types;

use super::builder::NameSource;
use super::lex::{Spanned, Token, lex};
pub use super::parse_error::ParseError;
use super::syntax::*;
use super::types::Var;
use super::varmap::{FastMap, FastSet};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
type Res<T> = Result<T, ParseError>;

/// Reads a program.
pub fn parse_program(text: &str) -> Result<Program, ParseError> {
    let mut p = Parser::new(text)?;
    let program = p.program()?;
    p.expect_end()?;
    Ok(program)
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
        let attrs = self.attrs(Parser::name)?;
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
            let attrs = self.attrs(Parser::stm_attr)?;
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
}
