//! The refactorings.

use super::edit::Change;
use super::source::{Source, refused};
use super::{function, maps, module, partial, record, recursion};
use futc_frontend::db::CompilerDb;

/// A way to write programs that must cost nothing.
pub struct Refactoring {
    pub name: &'static str,
    /// What becomes of what.
    pub what: &'static str,
    /// What it could change of a program.
    changes: fn(&Source) -> Vec<Change>,
}

/// All of them.
pub const ALL: &[Refactoring] = &[
    Refactoring {
        name: "function",
        what: "scalar expressions of at least three operators become top-level functions of the variables in them, which an \
               entry point of its own calls besides",
        changes: function::changes,
    },
    Refactoring {
        name: "record",
        what: "tuples become records: `let (a, b) = …`, whose tuples are all at hand, and loops have fields named after \
               variables, other tuples `{0 = a, 1 = b}`",
        changes: record::changes,
    },
    Refactoring {
        name: "module",
        what: "the definitions before the entry points become a module that is opened",
        changes: module::opened,
    },
    Refactoring {
        name: "functor",
        what: "they become a parametric module, whose parameter has the literals of floats in them",
        changes: module::parametric,
    },
    Refactoring {
        name: "pairs",
        what: "`map2 f xs ys` becomes `map (\\(x, y) -> f x y) (zip xs ys)`, `unzip e` two maps over `e`, likewise of three \
               and four",
        changes: maps::pairs,
    },
    Refactoring {
        name: "nested-maps",
        what: "`tabulate_2d n m f` becomes `map (\\i -> map (\\j -> f i j) (iota m)) (iota n)`, likewise `tabulate` and \
               `tabulate_3d`",
        changes: maps::nested,
    },
    Refactoring {
        name: "recursion",
        what: "loops (`while`, `for i < n`, `for i in a..<b`) whose state has no arrays, and which use no local functions, \
               become top-level functions that call themselves",
        changes: recursion::changes,
    },
    Refactoring {
        name: "partial",
        what: "`\\x -> e` with a scalar `c` of the surroundings becomes `let f (c: t) (x: u) = e in f c`; without one, `f` has \
               a parameter that it does not use",
        changes: partial::applications,
    },
    Refactoring {
        name: "expansion",
        what: "functions and operators as arguments are expanded: `f` becomes `\\x -> f x`",
        changes: partial::expansions,
    },
];

/// A program that was changed.
pub struct Refactored {
    pub text: String,
    /// What it is to be compared with.
    pub original: String,
    /// How many changes were made.
    pub made: usize,
    /// Why changes were not made: the checker refused them.
    pub refused: Vec<String>,
}

impl Refactoring {
    /// Makes all changes that leave a valid program; nothing if there are none.
    pub fn apply(&self, db: &mut CompilerDb, source: &Source) -> Option<Refactored> {
        let mut changes = (self.changes)(source);
        let mut why = Vec::new();
        let mut both = attempt(db, source, &changes);
        if both.is_err() {
            // One by one.
            let mut kept: Vec<Change> = Vec::new();
            for change in changes {
                kept.push(change);
                match attempt(db, source, &kept) {
                    Ok(texts) => both = Ok(texts),
                    Err(e) => {
                        kept.pop();
                        why.push(e);
                    }
                }
            }
            changes = kept;
        }
        let (text, original) = both.ok()?;
        (!changes.is_empty()).then_some(Refactored {
            text,
            original,
            made: changes.len(),
            refused: why,
        })
    }
}

/// The program with some changes, and what it is to be compared with; the error is what the checker says.
fn attempt(
    db: &mut CompilerDb,
    source: &Source,
    changes: &[Change],
) -> Result<(String, String), String> {
    let edited = |original: bool| {
        let edits = changes.iter().flat_map(|c| if original { &c.original } else { &c.edits });
        let text = source.with(edits).ok_or("a change outside of the text")?;
        match refused(db, &text) {
            Some(why) => Err(why),
            None => Ok(text),
        }
    };
    let mut edited = edited;
    Ok((edited(false)?, edited(true)?))
}
