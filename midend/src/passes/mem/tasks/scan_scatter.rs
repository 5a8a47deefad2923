//! Loops that scan numbers and write where the sums say: ranks of sorts and partitions
//! ([`crate::passes::seg::fuse_scan`]). Every task reduces a range, asks what those before it come to, and goes through
//! the range again, which is in the second cache then.
//!
//! ```text
//! (d', c') = loop (d, c = 0) for i < n {     if alone { … as before … } else {
//!   x = …; s = c + x                           segmap tasks (t < tasks) {
//!   update d[… s …] with …               →       lo = t · size;  len = min(size, n − lo)
//!   in (d, s)                                    sum = segred seq (k < len) (+) { i = k + lo … x }
//! }                                              start = prefix(sum) (+)
//!                                                loop (d, c = start) for k < len { i = k + lo … }
//!                                              }
//!                                            }
//! ```
//!
//! The operators are those of integers, and what is written to one place is the same whichever iteration writes it last
//! ([`StmAttr`]): the result is the same however the loop is cut, and one thread alone runs it as it was.

use super::cutter::{Cut, tasks, value_of_tasks};
use super::grain::Grain;
use super::space::{self, Range};
use super::versions::Alone;
use crate::analysis::sums::{Counted, Sums};
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    BinOp, Body, Builder, Exp, KernelBody, KernelResult, LoopForm, Param, PatElem, Stm, StmAttr,
    SubExp, Type, Var,
};

/// Elements that a task goes through at most, so that what it reads is in the second cache when it comes by again.
const RANGE: i64 = 32 << 10;
/// Values that the runtime has room for in a prefix.
const MOST_VALUES: usize = 32;

/// What a loop accumulates that scans and writes.
fn scans_and_writes(s: &Stm) -> Option<Sums<'_>> {
    let rounds = Counted::find(s)?;
    if !s.has(StmAttr::Scatters) {
        return None;
    }
    let mut sums = Vec::new();
    for (at, p) in rounds.params.iter().enumerate() {
        match &p.ty {
            Type::Prim(_) => sums.push(rounds.sum(at)?),
            // In place, whatever the iteration.
            Type::Array { .. } if p.mem.is_some() && s.pat.get(at)?.mem == p.mem => {}
            _ => return None,
        }
    }
    let fit = !sums.is_empty() && sums.len() <= MOST_VALUES;
    fit.then(|| rounds.sums(sums)).flatten()
}

impl Cut {
    /// A loop that scans and writes in tasks, if it may be worth that.
    pub(super) fn scan_scatter(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let sums = scans_and_writes(s)?;
        let Counted { index, n, body, .. } = sums.rounds;
        let (wanted, _) = self.begin_loop(s, (index, n), body)?;
        let single = space::alone((wanted, 1), &mut self.b);
        self.versions(s, (single, Alone::AnySize), |cut, s| {
            let b = &mut cut.b;
            let mut size = space::quotient_up(n, wanted, b);
            if cut.grain != Grain::Smallest {
                let up = b.add(size, SubExp::i64(space::LINE - 1));
                size = b.binop(BinOp::And(space::I64), up, SubExp::i64(-space::LINE));
                size = b.min(size, SubExp::i64(RANGE));
            }
            let size = b.max(size, SubExp::i64(1));
            Some(cut.scan_scatter_in_tasks(s, &sums, size))
        })?;
        Some(self.b.end())
    }

    fn scan_scatter_in_tasks(&mut self, s: &Stm, sums: &Sums<'_>, size: SubExp) -> Vec<SubExp> {
        let b = &mut self.b;
        let rounds = sums.rounds;
        let count = space::quotient_up(rounds.n, size, b);
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let range = space::range_from(first, size, rounds.n, b);
        let types = sums.types();
        let values = self.sums_of_range(s, sums, range);
        let b = &mut self.b;
        let starts: Vec<PatElem> = types.iter().map(|t| b.pat("start", t.clone())).collect();
        let prefix = Exp::Prefix { ops: sums.operators(b), values };
        b.push(Stm { loc: s.loc, ..Stm::new(starts.clone(), prefix) });
        let starts: Vec<SubExp> = starts.iter().map(|p| p.var.into()).collect();
        let mut init = rounds.init.to_vec();
        sums.begin_with(&starts, &mut init);
        let made = loop_over(s, (rounds.index, rounds.params, rounds.body), init, range, b);
        let results = (sums.all.iter().filter_map(|s| made.get(s.at)))
            .map(|p| KernelResult::Return(p.var.into()))
            .collect();
        let body = KernelBody { stms: b.end(), results, types: types.clone() };
        let ends: Vec<PatElem> =
            types.iter().filter_map(|t| Some(value_of_tasks("end", t.elem()?, count, b))).collect();
        b.push(tasks(ends.clone(), t, count, body, s));
        let last = b.sub(count, SubExp::i64(1));
        let ends: Vec<SubExp> =
            ends.iter().map(|end| b.index("sum", end.var, &[last]).into()).collect();
        let mut result = rounds.init.to_vec();
        sums.begin_with(&ends, &mut result);
        result
    }
}

/// Emits a loop over a range of its rounds, with what it starts with; what it binds.
pub(super) fn loop_over(
    s: &Stm,
    (index, params, body): (Var, &[Param], &Body),
    init: Vec<SubExp>,
    range: Range,
    b: &mut Builder,
) -> Vec<PatElem> {
    let k = b.names.like(index);
    let mut body = body.clone();
    body.stms.insert(0, Stm::index_in_whole(index, k, range.first));
    let pat: Vec<PatElem> = (params.iter())
        .map(|p| PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() })
        .collect();
    let form = LoopForm::For { var: k, ty: space::I64, bound: range.len };
    let mut exp = Exp::Loop { params: params.to_vec(), init, form, body };
    Renamer::new(&mut b.names).exp(&mut exp);
    b.push(Stm { pat: pat.clone(), exp, schedule: None, ..s.clone() });
    pat
}
