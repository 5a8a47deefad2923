//! Generated programs: text with typed expressions in it, so that they can be printed without
//! knowing what they say, and shrunk by putting one expression in the place of another of its type.

use crate::types::Ty;
use crate::values::Value;

/// A piece of program text.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// An expression; in parentheses unless it is a single word.
    Expr(Expr),
    /// Statements and a result.
    Block(Block),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// The memory it may share: numbers of groups of variables (see [`crate::make::scope`]).
    /// None if it has memory of its own.
    pub groups: Vec<u32>,
    /// Its text.
    pub parts: Vec<Part>,
}

/// A statement: text that ends where the next statement or `in` may stand.
#[derive(Clone, Debug)]
pub struct Stm(pub Vec<Part>);

/// Statements and a result.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order.
    pub stms: Vec<Stm>,
    /// What comes out.
    pub result: Box<Expr>,
}

/// A definition at top level.
#[derive(Clone, Debug)]
pub struct Def(pub Vec<Part>);

/// A program with an entry point and arguments for it.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it was made from.
    pub seed: u64,
    /// Types, constants and functions.
    pub defs: Vec<Def>,
    /// The name of the entry point.
    pub entry: String,
    /// Its sizes and their values for the arguments.
    pub sizes: Vec<(String, i64)>,
    /// Its parameters: name, whether it is consumed, type, argument.
    pub params: Vec<(String, bool, Ty, Value)>,
    /// Its statements.
    pub stms: Vec<Stm>,
    /// Its results: scalars and arrays of scalars.
    pub results: Vec<Expr>,
}

impl From<&str> for Part {
    fn from(s: &str) -> Part {
        Part::Text(s.into())
    }
}

impl From<String> for Part {
    fn from(s: String) -> Part {
        Part::Text(s)
    }
}

impl From<Expr> for Part {
    fn from(e: Expr) -> Part {
        Part::Expr(e)
    }
}

impl From<Block> for Part {
    fn from(b: Block) -> Part {
        Part::Block(b)
    }
}

/// Parts of anything that can be one.
#[macro_export]
macro_rules! parts {
    ($($x:expr),* $(,)?) => { vec![$($crate::tree::Part::from($x)),*] };
}

impl Expr {
    /// With memory of its own, if any.
    pub fn new(ty: &Ty, parts: Vec<Part>) -> Expr {
        Expr { ty: ty.clone(), groups: Vec::new(), parts }
    }

    /// That may share memory.
    pub fn shared(ty: &Ty, mut groups: Vec<u32>, parts: Vec<Part>) -> Expr {
        if !ty.has_arrays() {
            groups.clear();
        }
        groups.sort_unstable();
        groups.dedup();
        Expr { ty: ty.clone(), groups, parts }
    }

    /// A single word, or something in parentheses of its own.
    fn is_atom(&self) -> bool {
        match (self.parts.as_slice(), &self.ty) {
            ([Part::Text(s)], _) => !s.contains(' ') && !s.starts_with('-'),
            ([Part::Text(s), ..], Ty::Tuple(_)) => s == "(",
            ([Part::Text(s), ..], Ty::Sum(_)) => s.starts_with("(#"),
            _ => false,
        }
    }
}

fn print(parts: &[Part], out: &mut String) {
    for p in parts {
        match p {
            Part::Text(s) => out.push_str(s),
            Part::Expr(e) if e.is_atom() => print(&e.parts, out),
            Part::Expr(e) => {
                out.push('(');
                print(&e.parts, out);
                out.push(')');
            }
            Part::Block(b) => print_block(&b.stms, &b.result.parts, out),
        }
    }
}

fn print_block(stms: &[Stm], result: &[Part], out: &mut String) {
    for s in stms {
        print(&s.0, out);
        out.push('\n');
    }
    if !stms.is_empty() {
        out.push_str("in ");
    }
    print(result, out);
}

impl Program {
    /// The definitions, and the entry point, as program text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for d in &self.defs {
            print(&d.0, &mut out);
            out.push('\n');
        }
        out.push_str("entry ");
        out.push_str(&self.entry);
        for (n, _) in &self.sizes {
            out.push_str(&format!(" [{n}]"));
        }
        for (name, unique, ty, _) in &self.params {
            let star = if *unique { "*" } else { "" };
            out.push_str(&format!(" ({name}: {star}{ty})"));
        }
        if self.params.is_empty() {
            out.push_str(" (_: i64)");
        }
        out.push_str(" =\n");
        let mut result = Vec::new();
        for (i, r) in self.results.iter().enumerate() {
            result.push(Part::from(if i == 0 { "(" } else { ", " }));
            result.push(Part::Expr(r.clone()));
        }
        result.push(Part::from(")"));
        print_block(&self.stms, &result, &mut out);
        out.push('\n');
        out
    }

    /// The text as a person would lay it out.
    pub fn pretty(&self) -> String {
        let text = self.text();
        let file = futc_typed::span::FileId(0);
        futc_frontend::fmt::format_file(file, &text).unwrap_or(text)
    }

    /// The arguments, in the text form of values.
    pub fn input(&self) -> String {
        let mut args: Vec<String> = self.params.iter().map(|p| p.3.to_text()).collect();
        if args.is_empty() {
            args.push("0i64".into());
        }
        args.join(" ")
    }

    /// The arguments.
    pub fn args(&self) -> Vec<Value> {
        let mut args: Vec<Value> = self.params.iter().map(|p| p.3.clone()).collect();
        if args.is_empty() {
            args.push(Value::scalar_i64(0));
        }
        args
    }

    /// Visits every expression, outer ones first.
    pub fn visit(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        for d in &mut self.defs {
            visit(&mut d.0, f);
        }
        for s in &mut self.stms {
            visit(&mut s.0, f);
        }
        for r in &mut self.results {
            visit_expr(r, f);
        }
    }

    /// Visits the statements of every block, outer ones first.
    pub fn visit_stms(&mut self, f: &mut dyn FnMut(&mut Vec<Stm>)) {
        for d in &mut self.defs {
            stms_of(&mut d.0, f);
        }
        f(&mut self.stms);
        for s in &mut self.stms {
            stms_of(&mut s.0, f);
        }
        for r in &mut self.results {
            stms_of(&mut r.parts, f);
        }
    }
}

fn visit(parts: &mut [Part], f: &mut dyn FnMut(&mut Expr)) {
    for p in parts {
        match p {
            Part::Text(_) => {}
            Part::Expr(e) => visit_expr(e, f),
            Part::Block(b) => {
                for s in &mut b.stms {
                    visit(&mut s.0, f);
                }
                visit_expr(&mut b.result, f);
            }
        }
    }
}

fn visit_expr(e: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    f(e);
    visit(&mut e.parts, f);
}

fn stms_of(parts: &mut [Part], f: &mut dyn FnMut(&mut Vec<Stm>)) {
    for p in parts {
        match p {
            Part::Text(_) => {}
            Part::Expr(e) => stms_of(&mut e.parts, f),
            Part::Block(b) => {
                f(&mut b.stms);
                for s in &mut b.stms {
                    stms_of(&mut s.0, f);
                }
                stms_of(&mut b.result.parts, f);
            }
        }
    }
}
