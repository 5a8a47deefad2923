//! Sums that loops accumulate: values of integers, of which every round combines its own element with what was there, in
//! whatever order.
//!
//! ```text
//! loop (…, c = c0) for i < n {          segred seq (i < n) (+) [0] {
//!   x = …                          →      x = …
//!   s = c + x                             in (return x)
//!   … s …                               }
//!   in (…, s) }
//! ```
//!
//! What a range comes to is reduced by itself ([`crate::analysis::sums`]), so that a task knows what the loop would have accumulated where its range
//! begins. Elements are computed twice.

use super::cutter::{Cut, over, tasks, value_of_tasks};
use super::space::{self, Range};
use crate::analysis::sums::Sums;
use crate::ir::traverse::{Renamer, Rewrite};
use crate::ir::{
    DimIndex, Exp, KernelBody, KernelResult, LoopForm, Param, PatElem, Stm, SubExp, Var,
};

/// What is accumulated before tasks begin.
pub(super) struct BeforeTasks {
    /// Arrays with a value for each task.
    pub(super) before: Vec<Var>,
    /// What the loop comes to.
    pub(super) whole: Vec<SubExp>,
}

impl Cut {
    /// What a range comes to.
    pub(super) fn sums_of_range(&mut self, s: &Stm, sums: &Sums<'_>, range: Range) -> Vec<SubExp> {
        let b = &mut self.b;
        let pat: Vec<PatElem> = sums.all.iter().map(|s| b.pat("sum", s.ty.clone())).collect();
        let values = pat.iter().map(|p| p.var.into()).collect();
        let whole = sums.reduction(b);
        let mut part = Exp::Seg(over(whole, &[range], &self.places, b));
        Renamer::new(&mut b.names).exp(&mut part);
        b.push(Stm { loc: s.loc, ..Stm::new(pat, part) });
        values
    }

    /// Emits what has been accumulated before each of `count` ranges of `size` rounds, and in the end.
    pub(super) fn sums_before_tasks(
        &mut self,
        s: &Stm,
        sums: &Sums<'_>,
        (size, count): (SubExp, SubExp),
    ) -> BeforeTasks {
        let elems = || sums.all.iter().filter_map(|s| Some((s, s.ty.elem()?)));
        let b = &mut self.b;
        let arrays: Vec<PatElem> =
            elems().map(|(_, elem)| value_of_tasks("sums", elem, count, b)).collect();
        b.begin();
        let t = b.names.fresh("task");
        let first = b.mul(t.into(), size);
        let range = space::range_from(first, size, sums.rounds.n, b);
        let results = self.sums_of_range(s, sums, range).into_iter().map(KernelResult::Return);
        let (results, types) = (results.collect(), sums.types());
        let b = &mut self.b;
        let body = KernelBody { stms: b.end(), results, types };
        b.push(tasks(arrays.clone(), t, count, body, s));
        // What a task comes to makes room for what those before it do.
        let t = b.names.fresh("task");
        let (mut params, mut init) = (Vec::new(), Vec::new());
        for s in &sums.all {
            params.push(b.param("sum", s.ty.clone()));
            init.push(s.init);
        }
        for p in &arrays {
            params.push(Param { mem: p.mem.clone(), ..b.param("before", p.ty.clone()) });
            init.push(p.var.into());
        }
        let (accumulated, before) = params.split_at(sums.all.len());
        let mut written: Vec<SubExp> = Vec::new();
        let mut body = b.body(|b| {
            let all = sums.all.iter().zip(accumulated).zip(before);
            all.map(|((s, acc), array)| {
                let x = b.index("sum", array.var, &[t.into()]);
                let dims = vec![DimIndex::Fix(t.into())];
                let update = Exp::Update { array: array.var, dims, value: acc.var.into() };
                let after = PatElem { mem: array.mem.clone(), ..b.pat("before", array.ty.clone()) };
                written.push(after.var.into());
                b.push(Stm::new(vec![after], update));
                b.binop(s.op, acc.var.into(), x.into())
            })
            .collect()
        });
        body.result.extend(written);
        let pat: Vec<PatElem> = (params.iter())
            .map(|p| PatElem { var: b.names.like(p.var), ty: p.ty.clone(), mem: p.mem.clone() })
            .collect();
        b.know_pat(&pat);
        let (whole, before) = pat.split_at(sums.all.len());
        let whole = whole.iter().map(|p| p.var.into()).collect();
        let before = before.iter().map(|p| p.var).collect();
        let form = LoopForm::For { var: t, ty: space::I64, bound: count };
        b.push(Stm { loc: s.loc, ..Stm::new(pat, Exp::Loop { params, init, form, body }) });
        BeforeTasks { before, whole }
    }
}
