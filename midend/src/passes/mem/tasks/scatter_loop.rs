//! Loops that carry nothing but what they write to as scatters do, such as chunks of a sort by counting
//! ([`crate::passes::seg::write_in_loops`]): a task has a range of the rounds.
//!
//! ```text
//! d' @ b = loop (d @ b = d0) for i < n {     segmap tasks (t < tasks) {
//!   … update d[p] with x …                     lo = t · size;  len = min(size, n − lo)
//!   in e }                             →       loop (d @ b = d0) for k < len { i = k + lo … }
//!                                            }
//!                                            d' @ b = d0
//! ```

use super::cutter::{Cut, tasks};
use super::grain::Grain;
use super::scan_scatter::loop_over;
use super::space::{self, Independent, Least, Wanted};
use crate::ir::{Exp, KernelBody, LoopForm, Stm, StmAttr};

impl Cut {
    /// A loop that writes in tasks, if it may be worth that.
    pub(super) fn scatter_loop(&mut self, s: &Stm) -> Option<Vec<Stm>> {
        let Exp::Loop { params, init, form, body } = &s.exp else { return None };
        let LoopForm::For { var: index, ty: space::I64, bound: n } = *form else { return None };
        let in_place = params.iter().zip(&s.pat).all(|(p, q)| p.mem.is_some() && p.mem == q.mem);
        if !s.has(StmAttr::Scatters) || !in_place {
            return None;
        }
        let (wanted, _) = self.begin_loop(s, (index, n), body)?;
        let b = &mut self.b;
        let wanted = Wanted { tasks: wanted, several: false };
        let wanted = match self.grain {
            Grain::Estimated => space::for_workers(wanted, None, b),
            Grain::Smallest => wanted,
        };
        let Some(chunks) = Independent::row(n).chunks(wanted, Least::one(), 1, b) else {
            b.end();
            return None;
        };
        b.begin();
        let t = b.names.fresh("task");
        let ranges = chunks.ranges(t, b);
        if let [range] = *ranges.as_slice() {
            loop_over(s, (index, params, body), init.clone(), range, b);
        }
        let body = KernelBody { stms: b.end(), results: Vec::new(), types: Vec::new() };
        b.push(tasks(Vec::new(), t, chunks.count, body, s));
        for (p, x) in s.pat.iter().zip(init) {
            b.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], Exp::SubExp(*x)) });
        }
        Some(b.end())
    }
}
