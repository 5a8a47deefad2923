//! What a program asked to be told about what became of it: the guide's `#[unroll]`, of loops that
//! could not be unrolled, and `#[warn(safety_checks)]`, of checks that are left for run time.
//!
//! Both are read off the program as it is after optimisation. A check belongs to an expression if
//! its position, or that of a call it was inlined from, lies in it; so nothing has to be carried
//! through the passes, and nothing is optimised in another way for being asked about.

use crate::internalise::visit;
use crate::ir::traverse::for_each_block;
use crate::ir::{Exp, Level, Loc, LoopForm, MsgPart, Program, Stm, StmAttr, SubExp, in_prelude};
use futc_typed::name::Name;
use futc_typed::program::{self, Attr, ExpKind};
use futc_typed::span::{Locate, SourceRange};
use std::collections::{BTreeMap, BTreeSet};

/// What is to be said.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum What {
    /// A loop with `#[unroll]` runs a number of times that is not known.
    Unknown,
    /// A loop with `#[unroll]` would be too large.
    TooLarge,
    /// A schedule that was asked for is not legal: its name, and why.
    Refused(&'static str, String),
    /// A check is made at run time. This is what it says if it fails, with `…` for values.
    Checked(String),
}

/// Something to be said.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Remark {
    /// Where.
    pub place: SourceRange,
    /// Of a check, the expression that is to have none, if the check is not in its text.
    pub asked: Option<SourceRange>,
    /// What.
    pub what: What,
}

/// What there is to say of a program at the end of a level; `asked` are expressions that are to have no
/// checks.
pub fn at(level: Level, program: &Program, asked: &[SourceRange]) -> BTreeSet<Remark> {
    match level {
        Level::Soacs => loops_left(program),
        Level::Seg => BTreeSet::new(),
        Level::Mem => checks_left(program, asked),
    }
}

/// Whether there may be something to say of a program once it is optimised.
pub fn may_be(program: &Program, asked: &[SourceRange]) -> bool {
    let mut any = !asked.is_empty();
    for list in lists(program) {
        each(list, &mut |s| any |= s.has(StmAttr::Unroll) || s.forced().is_some());
    }
    any
}

/// The loops that were to be unrolled and are still there, after the passes of level soacs.
pub fn loops_left(program: &Program) -> BTreeSet<Remark> {
    let mut out = BTreeSet::new();
    let mut look = |s: &Stm| {
        if let Exp::Loop { form, .. } = &s.exp
            && s.has(StmAttr::Unroll)
            && let Some(place) = s.loc.and_then(|loc| places(loc).into_iter().next())
        {
            let known = matches!(form, LoopForm::For { bound: SubExp::Const(_), .. });
            let what = if known { What::TooLarge } else { What::Unknown };
            out.insert(Remark { place, asked: None, what });
        }
    };
    for list in lists(program) {
        each(list, &mut look);
    }
    out
}

/// The expressions of a program that are to have no checks.
pub fn unchecked(typed: &program::Program, locate: &dyn Locate) -> Vec<SourceRange> {
    let mut out = BTreeSet::new();
    for def in &typed.defs {
        visit(&def.fun.body, &mut |e| {
            if let ExpKind::Attr(Attr::Comp(name, args), inner) = &e.kind
                && name.as_str() == "warn"
                && args.contains(&Attr::Name(Name::new("safety_checks")))
            {
                out.extend(SourceRange::parse(&locate.locate(inner.span)));
            }
        });
    }
    out.into_iter().collect()
}

/// Whether a schedule is asked for somewhere.
pub fn asks_for_schedules(program: &Program) -> bool {
    let mut any = false;
    for list in lists(program) {
        each(list, &mut |s| any |= s.forced().is_some());
    }
    any
}

/// The checks of these expressions, and of what they call, that are left.
pub fn checks_left(program: &Program, expressions: &[SourceRange]) -> BTreeSet<Remark> {
    let mut found = Checks { expressions, called: BTreeMap::new(), out: BTreeSet::new() };
    if expressions.is_empty() {
        return found.out;
    }
    for list in lists(program) {
        each(list, &mut |s| found.look(s, None));
    }
    // A function that is not inlined has its checks where it is, for all who call it.
    let mut done = BTreeSet::new();
    while let Some((name, asked)) = found.called.pop_first() {
        if let Some(f) = program.funs.iter().find(|f| f.name == name)
            && done.insert(name)
        {
            each(&f.body.stms, &mut |s| found.look(s, Some(&asked)));
        }
    }
    found.out
}

struct Checks<'a> {
    expressions: &'a [SourceRange],
    /// Functions called from expressions, and from which.
    called: BTreeMap<Name, SourceRange>,
    out: BTreeSet<Remark>,
}

impl Checks<'_> {
    /// Notes a check or a call, of a function that an expression calls if there is one.
    fn look(&mut self, s: &Stm, from: Option<&SourceRange>) {
        let (Exp::Assert { .. } | Exp::Call { .. }) = &s.exp else { return };
        let chain = s.loc.map(places).unwrap_or_default();
        let around = self.expressions.iter().find(|e| chain.iter().any(|p| p.is_in(e)));
        let (Some(asked), Some(place)) = (around.or(from), chain.first()) else { return };
        match &s.exp {
            Exp::Call { fun, .. } => {
                self.called.insert(*fun, asked.clone());
            }
            Exp::Assert { msg, .. } => {
                let outside = !place.is_in(asked);
                self.out.insert(Remark {
                    place: place.clone(),
                    asked: outside.then(|| asked.clone()),
                    what: What::Checked(says(msg)),
                });
            }
            _ => {}
        }
    }
}

fn says(msg: &[MsgPart]) -> String {
    let part = |p: &MsgPart| match p {
        MsgPart::Text(text) => text.clone(),
        MsgPart::Value(SubExp::Const(c), _) => {
            c.as_int().map_or("…".to_owned(), |i| i.to_string())
        }
        MsgPart::Value(SubExp::Var(_), _) => "…".to_owned(),
    };
    msg.iter().map(part).collect()
}

/// The places of a position that is one, or a backtrace, innermost first; those in the prelude are
/// left out.
pub(crate) fn places(loc: Loc) -> Vec<SourceRange> {
    let place = |line: &'static str| match line.strip_prefix("-> #") {
        Some(site) => site.split_once("  ").map_or(line, |(_, place)| place),
        None => line,
    };
    let places = loc.as_str().lines().map(place);
    places.filter(|p| !in_prelude(Name::new(p))).filter_map(SourceRange::parse).collect()
}

/// The statements of a program, by function.
fn lists(program: &Program) -> impl Iterator<Item = &Vec<Stm>> {
    std::iter::once(&program.consts.stms).chain(program.funs.iter().map(|f| &f.body.stms))
}

/// Calls `f` for statements and those inside of them.
fn each(stms: &[Stm], f: &mut dyn FnMut(&Stm)) {
    for s in stms {
        f(s);
        for_each_block(&s.exp, &mut |b| each(b, f));
    }
}
