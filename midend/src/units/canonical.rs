//! A form of programs in which nothing tells of the program that they are part of.

use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::{FastMap, VarMap};
use crate::ir::{Exp, Fun, Loc, MsgPart, Program, Stm, SubExp, Var, in_prelude};
use futc_typed::name::Name;

/// Stands around the number of a position. No position has it, as no name of a file does; messages may.
pub const MARK: char = '\u{1}';

/// Whether a text of the program has the mark.
pub fn says_mark(program: &Program) -> bool {
    struct Finds(bool);
    impl Visit for Finds {
        fn exp(&mut self, e: &Exp) {
            if let Exp::Assert { msg, .. } = e {
                self.0 |= msg.iter().any(|m| matches!(m, MsgPart::Text(t) if t.contains(MARK)));
            }
            walk::exp(self, e);
        }
    }
    let mut finds = Finds(false);
    finds.body(&program.consts);
    program.funs.iter().for_each(|f| finds.fun(f));
    let entry = |f: &Fun| f.entry.as_ref().is_some_and(|e| e.name.as_str().contains(MARK));
    finds.0 || program.funs.iter().any(entry)
}

/// Positions by number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Places(Vec<Name>);

impl Places {
    /// A text with positions for their numbers; `None` if there is no such position.
    pub fn fill(&self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        for (i, part) in text.split(MARK).enumerate() {
            match i % 2 {
                0 => out.push_str(part),
                _ => out.push_str(self.0.get(part.parse::<usize>().ok()?)?.as_str()),
            }
        }
        Some(out)
    }

    /// The program with positions for their numbers.
    pub fn restore(&self, program: &mut Program) {
        if self.0.is_empty() {
            return;
        }
        let mut fill =
            Relocate(|loc: Loc| self.fill(loc.as_str()).map_or(loc, |text| Name::new(&text)));
        fill.program(program);
    }
}

/// Numbers the variables and positions of a program; a pass may go on from there.
pub fn canonical(program: &mut Program) -> Places {
    let mut number = Number::default();
    number.scope(|n| {
        n.body(&program.consts);
        program.globals.iter().for_each(|g| n.pat_elem(g));
    });
    for f in &program.funs {
        number.scope(|n| n.fun(f));
    }
    program.next_tag = u32::try_from(number.new.len()).unwrap_or(u32::MAX);
    let mut renumber = Renumber(&number.new);
    renumber.body(&mut program.consts);
    program.globals.iter_mut().for_each(|g| renumber.pat_elem(g));
    program.funs.iter_mut().for_each(|f| renumber.fun(f));

    let mut places = Places::default();
    let mut numbers: FastMap<Name, usize> = FastMap::default();
    let mut masked: FastMap<Loc, Loc> = FastMap::default();
    let mut mask = Relocate(|loc: Loc| {
        let place = |text: &str| {
            let name = Name::new(text);
            if in_prelude(name) {
                return text.to_owned();
            }
            let number = *numbers.entry(name).or_insert_with(|| {
                places.0.push(name);
                places.0.len() - 1
            });
            format!("{MARK}{number}{MARK}")
        };
        *masked.entry(loc).or_insert_with(|| Name::new(&map_places(loc.as_str(), place)))
    });
    mask.program(program);
    places
}

/// A position, or a backtrace (`here\n-> #1  caller\n-> #2  its caller`), with each place changed.
fn map_places(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        match line.strip_prefix("-> #").and_then(|l| l.split_once("  ")) {
            Some((number, place)) if i > 0 => {
                out.push_str("-> #");
                out.push_str(number);
                out.push_str("  ");
                out.push_str(&change(place));
            }
            _ => out.push_str(&change(line)),
        }
    }
    out
}

/// New numbers for what is bound, scope by scope, in the order of the old ones.
#[derive(Default)]
struct Number {
    new: VarMap<u32>,
    here: Vec<Var>,
}

impl Number {
    fn scope(&mut self, walk: impl FnOnce(&mut Number)) {
        walk(self);
        self.here.sort_unstable();
        for v in self.here.drain(..) {
            let next = u32::try_from(self.new.len()).unwrap_or(u32::MAX);
            self.new.entry(v).or_insert(next);
        }
    }
}

impl Visit for Number {
    fn bind(&mut self, v: &Var) {
        self.here.push(*v);
    }
}

struct Renumber<'n>(&'n VarMap<u32>);

impl Rewrite for Renumber<'_> {
    fn bind(&mut self, v: &mut Var) {
        self.var(v);
    }

    fn var(&mut self, v: &mut Var) {
        if let Some(tag) = self.0.get(v) {
            v.tag = *tag;
        }
    }
}

struct Relocate<F>(F);

impl<F: FnMut(Loc) -> Loc> Relocate<F> {
    fn program(&mut self, program: &mut Program) {
        self.body(&mut program.consts);
        for f in &mut program.funs {
            f.loc = f.loc.map(&mut self.0);
            self.fun(f);
        }
    }
}

impl<F: FnMut(Loc) -> Loc> Rewrite for Relocate<F> {
    fn stm(&mut self, s: &mut Stm) {
        s.loc = s.loc.map(&mut self.0);
        rewrite::exp(self, &mut s.exp);
    }

    fn subexp(&mut self, _: &mut SubExp) {}
}
