//! Reductions whose operators work on arrays, as a map over chunks and a reduction of what the chunks come to.
//!
//! ```text
//! let r = reduce op ne (map f xs)    →    let r = if n is worth several tasks {
//!                                           let parts = map (\lo -> loop acc = f xs[lo] for j < len − 1 do
//!                                                              op acc (f xs[lo + 1 + j]))
//!                                                           [0, chunk, …]
//!                                           in reduce op ne parts
//!                                         } else { reduce op ne (map f xs) }
//! ```
//!
//! Operators are applied as often as without chunks: a chunk begins with its first element. Where making an element is
//! much code, which would be there twice, it begins with the neutral element. What is mapped beside the reduction is made before
//! it, as chunks have no regular results; then elements are read from there.
//!
//! Where the operators are exact, one thread alone makes no chunks: LLVM makes less of them than of one loop.
//!
//! Stays: what has scalar operators only, which `cut-tasks` cuts; what stands beside scans; a few elements whose operators
//! are so long that tasks share each of them. Which it is, sizes say when the program runs.
//!
//! Works at level `soacs`, before combinators become loops. Cost: linear in the program; an operator is there three times.

use super::super::mem::{Grain, Range, is_exact, quotient_up};
use super::elements::{Elements, identity, over_chunks, types};
use super::{Chunk, LEAST_IN_TESTS, chunk};
use crate::analysis::bodies::size as size_of;
use crate::ir::traverse::{Renamer, Rewrite, rename_reduction};
use crate::ir::{Body, Builder, Const, Exp, PatElem, Program, Reduction, Soac, Stm, SubExp};

/// Elements of a chunk, at least.
const LEAST: i64 = 8;
/// Statements that make an element and may be there twice in a chunk.
const MOST_STATEMENTS: usize = 24;

/// Makes chunks of reductions.
pub fn chunk_reduce(program: Program) -> Program {
    chunk(program, Grain::Estimated)
}

/// Makes chunks of reductions, as many as there may be, for tests.
pub fn chunk_small_reduce(program: Program) -> Program {
    chunk(program, Grain::Smallest)
}

impl Chunk {
    pub(super) fn reduction(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &s.exp else {
            return None;
        };
        let over_arrays = reduces.iter().any(|r| r.op.ret.iter().any(|t| t.rank() > 0));
        if !scans.is_empty() || !over_arrays {
            return None;
        }
        let least = SubExp::i64(match self.grain {
            Grain::Estimated => LEAST,
            Grain::Smallest => LEAST_IN_TESTS,
        });
        let mut functions = vec![lambda];
        functions.extend(reduces.iter().map(|r| &r.op));
        let exact = reduces.iter().all(|r| is_exact(&r.op));
        self.b.loc = s.loc;
        self.b.begin();
        let Some((wanted, worth)) = self.worth(*width, &functions, least, exact) else {
            self.b.end();
            return None;
        };
        let b = &mut self.b;
        let folded = reduces.iter().map(|r| r.op.ret.len()).sum();
        let elements = Elements { width: *width, inputs: inputs.clone(), lambda: lambda.clone() };
        let chunked = b.body(|b| {
            let (elements, mapped) = elements.apart(folded, s, b);
            let size = quotient_up(*width, wanted, b);
            let size = b.max(size, least);
            let mut result = in_chunks(&elements, reduces, size, s, b);
            result.extend(mapped);
            result
        });
        let mut whole = s.clone();
        Renamer::new(&mut b.names).stm(&mut whole);
        let result = whole.pat.iter().map(|p| p.var.into()).collect();
        let default = Body { stms: vec![whole], result };
        let exp =
            Exp::Match { scrutinee: worth, cases: vec![(Const::Bool(true), chunked)], default };
        b.push(Stm { loc: s.loc, ..Stm::new(s.pat.clone(), exp) });
        Some(b.end())
    }
}

/// Emits what chunks of so many elements come to, and the reduction of that.
fn in_chunks(
    elements: &Elements,
    reduces: &[Reduction],
    size: SubExp,
    s: &Stm,
    b: &mut Builder,
) -> Vec<SubExp> {
    let n = elements.width;
    let types = types(reduces);
    let part = |range: Range, b: &mut Builder| {
        let (from, first, len) = match size_of(&elements.lambda.body.stms) <= MOST_STATEMENTS {
            true => {
                let from = elements.at(range.first, b);
                let one = SubExp::i64(1);
                (from, b.add(range.first, one), b.sub(range.len, one))
            }
            false => {
                let neutral = reduces.iter().flat_map(|r| r.neutral.clone()).collect();
                (neutral, range.first, range.len)
            }
        };
        elements.fold(reduces, from, (first, len), b)
    };
    let (count, parts) = over_chunks(n, size, &types, s, b, part);
    let whole = Soac::Screma {
        width: count,
        inputs: parts,
        lambda: identity(&types, b),
        scans: Vec::new(),
        reduces: reduces.iter().map(|r| rename_reduction(r, &mut b.names)).collect(),
    };
    let pat: Vec<PatElem> = types.iter().map(|t| b.pat("whole", t.clone())).collect();
    b.push(Stm { pat: pat.clone(), exp: Exp::Soac(whole), ..s.clone() });
    pat.iter().map(|p| p.var.into()).collect()
}
