//! Which values no case matches, and which cases match nothing that earlier ones leave.
//!
//! Before: patterns with their final types; after: the missing values as patterns in source
//! syntax, and the positions of cases that are never reached.
//!
//! The method is that of Maranget's usefulness ("Warnings for pattern matching", JFP 2007), run as
//! the construction of a decision tree: the value is a tree of cells of which nothing is known at
//! first; a test of the first row is made, the rows are split by its outcome, and so on. Where no
//! row is left, what the cells say is a missing value; where the first row has no test left, that
//! row is reached. Since only tests of the first row are made, each is needed, and the tree is
//! linear in the patterns but for contrived ones; work is bounded all the same ([`FUEL`],
//! [`DEPTH`]).

use super::errors::RuleError;
use crate::check::infer::checker::Checker;
use futc_typed::name::Name;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::program::{Case, Pat, PatKind};
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::collections::{HashMap, HashSet};

/// How many missing values are given as examples.
const EXAMPLES: usize = 6;

/// How many tests may be looked at in all.
const FUEL: usize = 2_000_000;

/// How many tests may be made one after the other.
const DEPTH: usize = 1_000;

/// What a list of cases does with the values of their type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Coverage {
    /// Patterns of values that no case matches.
    pub(crate) missing: Vec<String>,
    /// There are more of them than are given.
    pub(crate) more: bool,
    /// Positions of the cases that are never reached.
    pub(crate) unreachable: Vec<usize>,
    /// The cases are too many, or too entangled, to tell.
    pub(crate) unknown: bool,
}

impl Checker<'_> {
    /// Reports what a match does not cover, and warns of cases that are never reached.
    pub(crate) fn exhaustive(&mut self, scrutinee: Span, cases: &[Case]) {
        if self.failed {
            return;
        }
        let pats: Vec<&Pat> = cases.iter().map(|c| &c.pat).collect();
        let found = coverage(&pats);
        if !found.missing.is_empty() {
            let (missing, more) = (found.missing, found.more);
            return self.report(RuleError::Unmatched { missing, more }.at(scrutinee));
        }
        if found.unknown {
            return self.too_entangled(scrutinee);
        }
        for at in found.unreachable {
            let Some(case) = cases.get(at) else { continue };
            self.cx.warn(RuleError::UnreachableCase.at(case.pat.span));
        }
    }

    /// Reports a pattern that does not match every value, where there is no other case.
    pub(crate) fn irrefutable(&mut self, pat: &Pat, place: &'static str) {
        if self.failed || !refutable_at_all(pat) {
            return;
        }
        let found = coverage(&[pat]);
        if let Some(first) = found.missing.first() {
            self.report(RuleError::Refutable { place, missing: first.clone() }.at(pat.span));
        } else if found.unknown {
            self.too_entangled(pat.span);
        }
    }

    fn too_entangled(&mut self, span: Span) {
        self.report(RuleError::MatchTooLarge.at(span));
    }
}

/// Whether there is anything in a pattern that might not match.
fn refutable_at_all(pat: &Pat) -> bool {
    match &pat.kind {
        PatKind::Wild | PatKind::Var(_) => false,
        PatKind::Record(fields) => fields.iter().any(|(_, p)| refutable_at_all(p)),
        PatKind::Constr(..) | PatKind::Lit(_) => true,
    }
}

/// Finds what the cases, tried in order, do.
pub(crate) fn coverage(cases: &[&Pat]) -> Coverage {
    let mut tree = Tree {
        cells: vec![Shape::Any],
        reached: vec![false; cases.len()],
        found: Coverage::default(),
        fuel: FUEL,
    };
    let rows: Vec<Row<'_>> = cases
        .iter()
        .enumerate()
        .map(|(index, pat)| {
            let mut tests = Vec::new();
            tree.test(ROOT, pat, &mut tests);
            Row { index, tests }
        })
        .collect();
    tree.grow(rows, 0);
    let mut found = tree.found;
    if !found.unknown {
        let reached = tree.reached.iter().enumerate();
        found.unreachable = reached.filter(|(_, r)| !**r).map(|(i, _)| i).collect();
    }
    found
}

/// A part of the value that is matched, by its number.
type Cell = usize;

const ROOT: Cell = 0;

/// What is known of a part.
#[derive(Clone)]
enum Shape {
    /// Nothing.
    Any,
    /// A record with these parts; this is known from its type and holds for good.
    Record(Vec<(Name, Cell)>),
    /// A constructor with these parts.
    Constr(Name, Vec<Cell>),
    /// One of these constructors, with so many parts each.
    OneOf(Vec<(Name, usize)>),
    /// A literal, as it is written.
    Lit(String),
}

/// What is left of a case: it matches if all these do.
struct Row<'p> {
    index: usize,
    tests: Vec<(Cell, &'p Pat)>,
}

/// What a test asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Head {
    Constr(Name),
    Lit(PrimValue),
}

struct Tree {
    cells: Vec<Shape>,
    reached: Vec<bool>,
    found: Coverage,
    fuel: usize,
}

impl Tree {
    fn fresh(&mut self) -> Cell {
        self.cells.push(Shape::Any);
        self.cells.len() - 1
    }

    fn set(&mut self, cell: Cell, shape: Shape) {
        if let Some(slot) = self.cells.get_mut(cell) {
            *slot = shape;
        }
    }

    /// Adds what a pattern asks of a part.
    fn test<'p>(&mut self, cell: Cell, pat: &'p Pat, out: &mut Vec<(Cell, &'p Pat)>) {
        match &pat.kind {
            PatKind::Wild | PatKind::Var(_) => {}
            PatKind::Lit(_) | PatKind::Constr(..) => out.push((cell, pat)),
            PatKind::Record(fields) => {
                let parts = match self.cells.get(cell) {
                    Some(Shape::Record(parts)) => parts.clone(),
                    _ => {
                        let parts: Vec<(Name, Cell)> =
                            fields.iter().map(|(n, _)| (*n, self.fresh())).collect();
                        self.set(cell, Shape::Record(parts.clone()));
                        parts
                    }
                };
                for ((_, part), (_, pat)) in parts.iter().zip(fields) {
                    self.test(*part, pat, out);
                }
            }
        }
    }

    /// Splits by the first test of the first row until none is left.
    fn grow(&mut self, rows: Vec<Row<'_>>, depth: usize) {
        let Some(first) = rows.first() else { return self.missing() };
        let Some((cell, pat)) = first.tests.first().copied() else {
            if let Some(reached) = self.reached.get_mut(first.index) {
                *reached = true;
            }
            return;
        };
        let work: usize = rows.iter().map(|r| r.tests.len() + 1).sum();
        self.fuel = self.fuel.saturating_sub(work);
        if self.fuel == 0 || depth > DEPTH {
            self.found.unknown = true;
            return;
        }
        // The outcomes that some row asks for, in the order of the source.
        let mut heads: Vec<(Head, &Pat)> = Vec::new();
        let mut seen = HashSet::new();
        for row in &rows {
            if let Some((_, pat)) = row.tests.iter().find(|(c, _)| *c == cell)
                && let Some(head) = head(pat)
                && seen.insert(head)
            {
                heads.push((head, pat));
            }
        }
        let mut groups: HashMap<Head, Vec<usize>> = HashMap::new();
        let mut others: Vec<usize> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            match row.tests.iter().find(|(c, _)| *c == cell).and_then(|(_, pat)| head(pat)) {
                Some(head) => groups.entry(head).or_default().push(at),
                None => others.push(at),
            }
        }
        for (head, pat) in &heads {
            let parts: Vec<Cell> = match &pat.kind {
                PatKind::Constr(_, ps) => ps.iter().map(|_| self.fresh()).collect(),
                _ => Vec::new(),
            };
            let shape = match head {
                Head::Constr(name) => Shape::Constr(*name, parts.clone()),
                Head::Lit(value) => Shape::Lit(literal(*value)),
            };
            let mut at: Vec<usize> = groups.get(head).into_iter().flatten().copied().collect();
            at.extend(&others);
            self.fuel = self.fuel.saturating_sub(at.len());
            at.sort_unstable();
            let split =
                at.iter().filter_map(|at| rows.get(*at)).map(|r| self.after(r, cell, &parts));
            let split: Vec<Row<'_>> = split.collect();
            self.set(cell, shape);
            self.grow(split, depth + 1);
        }
        if let Some(rest) = rest(&pat.ty, &seen) {
            let split = others.iter().filter_map(|at| rows.get(*at));
            let split = split.map(|r| Row { index: r.index, tests: r.tests.clone() }).collect();
            self.set(cell, rest);
            self.grow(split, depth + 1);
        }
        self.set(cell, Shape::Any);
    }

    /// A row after the test of `cell` has succeeded, which asks for what is in the parts.
    fn after<'p>(&mut self, row: &Row<'p>, cell: Cell, parts: &[Cell]) -> Row<'p> {
        let mut tests = Vec::with_capacity(row.tests.len() + parts.len());
        for (c, pat) in &row.tests {
            if *c != cell {
                tests.push((*c, *pat));
            } else if let PatKind::Constr(_, ps) = &pat.kind {
                for (part, p) in parts.iter().zip(ps) {
                    self.test(*part, p, &mut tests);
                }
            }
        }
        Row { index: row.index, tests }
    }

    /// Notes what the cells say as missing.
    fn missing(&mut self) {
        let room = EXAMPLES - self.found.missing.len();
        if room == 0 {
            self.found.more = true;
            return;
        }
        let mut examples = self.examples(ROOT, false, room + 1);
        if examples.len() > room {
            examples.truncate(room);
            self.found.more = true;
        }
        self.found.missing.extend(examples);
    }

    /// At most `limit` patterns of what is known of a part; in parentheses where `atom` asks for
    /// them.
    fn examples(&self, cell: Cell, atom: bool, limit: usize) -> Vec<String> {
        match self.cells.get(cell) {
            None | Some(Shape::Any) => vec!["_".to_owned()],
            Some(Shape::Lit(text)) if atom && text.starts_with('-') => vec![format!("({text})")],
            Some(Shape::Lit(text)) => vec![text.clone()],
            Some(Shape::OneOf(constrs)) => constrs
                .iter()
                .take(limit)
                .map(|(name, parts)| constructor(*name, &vec!["_".to_owned(); *parts], atom))
                .collect(),
            Some(Shape::Constr(name, parts)) => {
                let parts: Vec<Vec<String>> =
                    parts.iter().map(|p| self.examples(*p, true, limit)).collect();
                let all = combinations(&parts, limit);
                all.iter().map(|parts| constructor(*name, parts, atom)).collect()
            }
            Some(Shape::Record(fields)) => {
                let parts: Vec<Vec<String>> =
                    fields.iter().map(|(_, p)| self.examples(*p, false, limit)).collect();
                let names: Vec<Name> = fields.iter().map(|(n, _)| *n).collect();
                combinations(&parts, limit).iter().map(|parts| record(&names, parts)).collect()
            }
        }
    }
}

fn head(pat: &Pat) -> Option<Head> {
    match &pat.kind {
        PatKind::Constr(name, _) => Some(Head::Constr(*name)),
        // The two zeros are equal.
        PatKind::Lit(PrimValue::F16(x)) if x.to_f32() == 0.0 => {
            Some(Head::Lit(PrimValue::F16(half::f16::ZERO)))
        }
        PatKind::Lit(PrimValue::F32(x)) if *x == 0.0 => Some(Head::Lit(PrimValue::F32(0.0))),
        PatKind::Lit(PrimValue::F64(x)) if *x == 0.0 => Some(Head::Lit(PrimValue::F64(0.0))),
        PatKind::Lit(value) => Some(Head::Lit(*value)),
        PatKind::Wild | PatKind::Var(_) | PatKind::Record(_) => None,
    }
}

/// What is known of a value of a type if it is none of `seen`; nothing if there is no other.
fn rest(ty: &Type, seen: &HashSet<Head>) -> Option<Shape> {
    match ty {
        Type::Sum(constrs) => {
            let others: Vec<(Name, usize)> = constrs
                .iter()
                .filter(|(n, _)| !seen.contains(&Head::Constr(*n)))
                .map(|(n, ts)| (*n, ts.len()))
                .collect();
            if others.is_empty() { None } else { Some(Shape::OneOf(others)) }
        }
        Type::Prim(p) => {
            let mut all = candidates(*p);
            let other = all.find(|v| !seen.contains(&Head::Lit(*v)));
            match other {
                Some(v) => Some(Shape::Lit(literal(v))),
                // No literal is a NaN.
                None => p.is_float().then_some(Shape::Any),
            }
        }
        Type::Array { .. }
        | Type::Record(_)
        | Type::Arrow(_)
        | Type::Param(_)
        | Type::Opaque(..) => Some(Shape::Any),
    }
}

/// The values of a type, the plainest first. Of floats, the whole numbers.
fn candidates(p: PrimType) -> Box<dyn Iterator<Item = PrimValue>> {
    macro_rules! integers {
        ($t:ty, $make:expr) => {
            Box::new((0..=<$t>::MAX).chain((<$t>::MIN..0).rev()).map($make))
        };
    }
    match p {
        PrimType::I8 => integers!(i8, PrimValue::I8),
        PrimType::I16 => integers!(i16, PrimValue::I16),
        PrimType::I32 => integers!(i32, PrimValue::I32),
        PrimType::I64 => integers!(i64, PrimValue::I64),
        PrimType::U8 => integers!(u8, PrimValue::U8),
        PrimType::U16 => integers!(u16, PrimValue::U16),
        PrimType::U32 => integers!(u32, PrimValue::U32),
        PrimType::U64 => integers!(u64, PrimValue::U64),
        PrimType::F16 => {
            Box::new((0..2_048u16).map(|n| PrimValue::F16(half::f16::from_f32(n.into()))))
        }
        PrimType::F32 => Box::new((0..=u16::MAX).map(|n| PrimValue::F32(n.into()))),
        PrimType::F64 => Box::new((0..=u32::MAX).map(|n| PrimValue::F64(n.into()))),
        PrimType::Bool => Box::new([false, true].into_iter().map(PrimValue::Bool)),
    }
}

/// A literal without a suffix, which its type makes superfluous.
fn literal(value: PrimValue) -> String {
    match value {
        PrimValue::I8(x) => x.to_string(),
        PrimValue::I16(x) => x.to_string(),
        PrimValue::I32(x) => x.to_string(),
        PrimValue::I64(x) => x.to_string(),
        PrimValue::U8(x) => x.to_string(),
        PrimValue::U16(x) => x.to_string(),
        PrimValue::U32(x) => x.to_string(),
        PrimValue::U64(x) => x.to_string(),
        PrimValue::F16(x) => format!("{:?}", x.to_f32()),
        PrimValue::F32(x) => format!("{x:?}"),
        PrimValue::F64(x) => format!("{x:?}"),
        PrimValue::Bool(x) => x.to_string(),
    }
}

/// One element of each of `parts`, in all ways, at most `limit`.
fn combinations(parts: &[Vec<String>], limit: usize) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for part in parts {
        let mut longer = Vec::new();
        'all: for prefix in &all {
            for p in part {
                if longer.len() == limit {
                    break 'all;
                }
                let mut one = prefix.clone();
                one.push(p.clone());
                longer.push(one);
            }
        }
        all = longer;
    }
    all
}

fn constructor(name: Name, parts: &[String], atom: bool) -> String {
    if parts.is_empty() {
        format!("#{name}")
    } else if atom {
        format!("(#{name} {})", parts.join(" "))
    } else {
        format!("#{name} {}", parts.join(" "))
    }
}

fn record(names: &[Name], parts: &[String]) -> String {
    if parts.iter().all(|p| p == "_") {
        return "_".to_owned();
    }
    let tuple =
        names.len() != 1 && names.iter().enumerate().all(|(i, n)| n.as_str() == i.to_string());
    if tuple {
        return format!("({})", parts.join(", "));
    }
    let fields: Vec<String> = names.iter().zip(parts).map(|(n, p)| format!("{n} = {p}")).collect();
    format!("{{{}}}", fields.join(", "))
}
