//! Combinators of the host whose operators work on arrays, which are loops for one thread: maps over chunks for several.
//!
//! What chunks there are depends on sizes alone, so that results are the same bits for any number of threads; where operators are
//! exact, one thread makes none.

mod elements;
mod hist;
mod reduce;

pub use reduce::{chunk_reduce, chunk_small_reduce};

use super::mem::{Estimate, Grain, alone, tasks_of};
use crate::analysis::callers::called_by_operations;
use crate::ir::traverse::any_exp;
use crate::ir::{Body, Builder, Exp, Lambda, Level, NameSource, Program, Stm, StmAttr, SubExp};

/// An operator with operations inside that takes no less than this, in picoseconds, is worth tasks of its own.
const LONG: i64 = 1 << 24;
/// Elements of a chunk in tests, at least.
const LEAST_IN_TESTS: i64 = 2;
/// Of so many elements there are chunks though each operator is worth tasks.
const MANY: i64 = 512;

struct Chunk {
    b: Builder,
    grain: Grain,
}

/// Makes chunks of what the host runs, in loops and branches or not.
fn chunk(mut program: Program, grain: Grain) -> Program {
    if program.level != Level::Soacs {
        return program;
    }
    let inside = called_by_operations(&program);
    let mut c = Chunk { b: Builder::new(NameSource::new(program.next_tag)), grain };
    c.list(&mut program.consts.stms);
    c.b.know_pat(&program.globals);
    for f in program.funs.iter_mut().filter(|f| !inside.contains(&f.name)) {
        c.b.know_params(&f.params);
        c.list(&mut f.body.stms);
    }
    program.next_tag = c.b.names.next_tag();
    program
}

impl Chunk {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        for mut s in std::mem::take(stms) {
            match &mut s.exp {
                Exp::Match { cases, default, .. } => {
                    cases.iter_mut().for_each(|(_, body)| self.list(&mut body.stms));
                    self.list(&mut default.stms);
                }
                Exp::Loop { params, body, .. } => {
                    self.b.know_params(params);
                    self.list(&mut body.stms);
                }
                _ => {}
            }
            self.b.know_pat(&s.pat);
            let left = s.has(StmAttr::Sequential) || s.forced().is_some();
            let mut made = || self.reduction(&s).or_else(|| self.histogram(&s));
            match if left { None } else { made() } {
                Some(made) => out.extend(made),
                None => out.push(s),
            }
        }
        *stms = out;
    }

    /// How many tasks so many rounds are worth in which functions run, and whether that is more than one and the rounds are
    /// better shared than what is in them; nothing if it is known that they are not. What is exact is not worth any where there is
    /// one thread.
    fn worth(
        &mut self,
        n: SubExp,
        functions: &[&Lambda],
        least: SubExp,
        exact: bool,
    ) -> Option<(SubExp, SubExp)> {
        let b = &mut self.b;
        let estimate = Estimate::of_round(functions, self.grain, b);
        let wanted = tasks_of(&[n], estimate, b)?;
        let several = match exact && self.grain == Grain::Estimated {
            true => {
                let alone = alone((wanted, 1), b);
                b.not(alone)
            }
            false => b.le(SubExp::i64(2), wanted),
        };
        let twice = b.mul(least, SubExp::i64(2));
        let enough = b.le(twice, n);
        let mut worth = b.and(several, enough);
        if self.grain == Grain::Estimated && functions.iter().any(|f| has_operations(&f.body)) {
            let short = b.lt(estimate.of_point, SubExp::i64(LONG));
            let many = b.le(SubExp::i64(MANY), n);
            let apart = b.or(short, many);
            worth = b.and(worth, apart);
        }
        (worth != SubExp::bool(false)).then_some((wanted, worth))
    }
}

/// Whether a body has operations that could be shared.
fn has_operations(body: &Body) -> bool {
    any_exp(|v| v.body(body), |e| matches!(e, Exp::Soac(_) | Exp::Call { .. }))
}
