//! Combinators over few rows as straight code: one copy of the lambda for each row, in order, with what
//! folds them up in between.
//!
//! ```text
//!                                                         x0 = xs[0]  y0 = x0 * x0  s0 = 0 + y0
//! (s, ys) = redomap(2, [xs], \x { y = x * x  in (y, y) }, op [0] +)    →    x1 = xs[1]  y1 = x1 * x1  s1 = s0 + y1
//!                                                         s is s1; the rows of ys are y0 and y1
//! ```
//!
//! The order is that of the interpreter: for each row the lambda, then scans, then reductions.

use crate::ir::builder::full_index;
use crate::ir::traverse::{any_exp, apply_lambda};
use crate::ir::{Body, Exp, Lambda, NameSource, PatElem, Reduction, Soac, Stm, SubExp, Type};

/// What stands for a result of a combinator.
pub(super) enum Made {
    /// The rows of an array.
    Rows(Vec<SubExp>),
    /// The value of a reduction.
    One(SubExp),
}

/// The straight code, and what stands for each result.
pub(super) fn rounds(
    stm: &Stm,
    rows: usize,
    names: &mut NameSource,
) -> Option<(Vec<Stm>, Vec<Made>)> {
    let Exp::Soac(Soac::Screma { width: _, inputs, lambda, scans, reduces }) = &stm.exp else {
        return None;
    };
    // An operator that writes into its operands might write into a row that is a result.
    if scans.iter().chain(reduces).any(|r| consumes(&r.op)) {
        return None;
    }
    let fresh = consumes(lambda);
    let mut r = Rounds { stm, names, stms: Vec::new() };
    let mut scanned: Vec<Vec<SubExp>> = scans.iter().map(|s| s.neutral.clone()).collect();
    let mut reduced: Vec<Vec<SubExp>> = reduces.iter().map(|s| s.neutral.clone()).collect();
    let scan_results: usize = scans.iter().map(|s| s.neutral.len()).sum();
    let reductions: usize = reduces.iter().map(|s| s.neutral.len()).sum();
    let mapped = lambda.body.result.len().checked_sub(scan_results + reductions)?;
    let mut arrays = vec![Vec::with_capacity(rows); scan_results + mapped];
    for i in 0..rows {
        let at = SubExp::i64(i as i64);
        let mut args = Vec::with_capacity(inputs.len());
        for (p, &array) in lambda.params.iter().zip(inputs) {
            let mut shape = vec![SubExp::i64(rows as i64)];
            shape.extend(p.ty.shape());
            let row = Exp::Index { array, dims: full_index(&shape, &[at]) };
            let row = r.bind(p.var, &p.ty, row);
            args.push(match p.ty.rank() {
                0 => row,
                _ if fresh => r.bind(p.var, &p.ty, Exp::Copy(row.var()?)),
                _ => row,
            });
        }
        let body = apply_lambda(lambda, &args, r.names);
        let mut results = r.splice(body).into_iter();
        for (s, acc) in scans.iter().zip(&mut scanned) {
            r.fold(s, acc, &mut results);
        }
        for (s, acc) in reduces.iter().zip(&mut reduced) {
            r.fold(s, acc, &mut results);
        }
        let row = scanned.iter().flatten().copied().chain(results);
        for (array, x) in arrays.iter_mut().zip(row) {
            array.push(x);
        }
    }
    let stms = r.stms;
    let mut arrays = arrays.into_iter().map(Made::Rows);
    let mut made: Vec<Made> = arrays.by_ref().take(scan_results).collect();
    made.extend(reduced.into_iter().flatten().map(Made::One));
    made.extend(arrays);
    Some((stms, made))
}

struct Rounds<'a> {
    stm: &'a Stm,
    names: &'a mut NameSource,
    stms: Vec<Stm>,
}

impl Rounds<'_> {
    fn bind(&mut self, like: crate::ir::Var, ty: &Type, exp: Exp) -> SubExp {
        let var = self.names.like(like);
        let pat = vec![PatElem::new(var, ty.clone())];
        let certs = self.stm.certs.clone();
        self.stms.push(Stm { certs, loc: self.stm.loc, ..Stm::new(pat, exp) });
        var.into()
    }

    /// Adds statements, which hold under the certificates of the combinator.
    fn splice(&mut self, body: Body) -> Vec<SubExp> {
        for mut s in body.stms {
            s.certs.extend(&self.stm.certs);
            self.stms.push(s);
        }
        body.result
    }

    fn fold(
        &mut self,
        r: &Reduction,
        acc: &mut Vec<SubExp>,
        results: &mut impl Iterator<Item = SubExp>,
    ) {
        let n = acc.len();
        let args: Vec<SubExp> = acc.drain(..).chain(results.take(n)).collect();
        let body = apply_lambda(&r.op, &args, self.names);
        *acc = self.splice(body);
    }
}

/// Whether something inside may write into an array.
fn consumes(l: &Lambda) -> bool {
    any_exp(|v| v.lambda(l), |e| matches!(e, Exp::Call { .. }) || !e.overwrites().is_empty())
}
