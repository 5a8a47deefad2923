//! Loop distribution: contractions leave the maps that do something else with their elements.
//!
//! ```text
//! segmap seq (i < n, j < p) {             ts = segred seq (i' < n, j' < p, k < m) op … {
//!   c = index cs[i, j]                      x = index a[i', k]
//!   t = segred seq (k < m) op … {           y = index b[k, j']
//!     x = index a[i, k]                     …
//!     y = index b[k, j]          →        }
//!     …                                   segmap seq (i < n, j < p) {
//!   }                                       c = index cs[i, j]
//!   r = t + c                               t = index ts[i, j]
//!   in (return r)                           r = t + c
//! }                                         in (return r)
//!                                         }
//! ```
//!
//! What is gained is cache blocking and registers for the product ([`contraction`]); what it costs
//! is an array of its results. So only contractions leave, and of constant size only large ones;
//! reductions that much straight code follows, as LLVM makes vectors of that when there is no loop
//! in it; and reductions down columns, if what stands beside them keeps the operation from being
//! computed by lanes ([`worth`]).
//!
//! What is a product only together with the dimensions of a map further out leaves that, too. If it
//! reads a row that scalar code makes at each point of the map, all rows are made before it:
//!
//! ```text
//! segmap seq (i < n) {                    hs = segmap seq (i < n, k < m) { … f(xs[i, k]) }
//!   h = segmap seq (k < m) {              ts = segred seq (i < n, j < p, k < m) op … {
//!     … f(xs[i, k])                         x = index hs[i, k]
//!   }                                       y = index b[k, j]
//!   r = segred seq (j < p, k < m) op … {    …
//!     x = index h[k]               →      }
//!     y = index b[k, j]                   segmap seq (i < n) {
//!     …                                     u = segmap seq (j < p) { … g(ts[i, j]) }
//!   }                                       in (return u)
//!   u = segmap seq (j < p) { … g(r[j]) }  }
//!   in (return u)
//! }
//! ```
//!
//! What a product reads may also be made by reductions of the point, by loops, by other products. The
//! operation is then cut in two, the first of which keeps what the second one reads ([`cut`]):
//!
//! ```text
//! segmap seq (i < n) {                    (ss, hs) = segmap seq (i < n) {
//!   s = segred seq (k < m) op … {           s = segred seq (k < m) op … { xs[i, k] }
//!     x = index xs[i, k]                    h = segmap seq (k < m) { … xs[i, k] / s }
//!     in (return x)                         in (return s, return h)
//!   }                                     }
//!   h = segmap seq (k < m) {              ts = segred seq (i < n, j < p, k < m) op … {
//!     … xs[i, k] / s                        x = index hs[i, k]
//!   }                              →        y = index b[k, j]
//!   r = segred seq (j < p, k < m) op … {    …
//!     x = index h[k]                      }
//!     y = index b[k, j]                   segmap seq (i < n) {
//!     …                                     s = index ss[i]
//!   }                                       u = segmap seq (j < p) { … ts[i, j] * s }
//!   u = segmap seq (j < p) { … r[j] * s }   in (return u)
//!   in (return u)                         }
//! }
//! ```
//!
//! What an operation then returns without having changed it is the array that was made before it;
//! nests may be perfect afterwards, so [`collapse`](super::collapse) follows.
//!
//! Refused: rows that are consumed, as it is their place that is wanted; sizes, operators, neutral
//! elements and certificates that depend on the point; calls and traces in what makes such a row, or checks
//! in a product. Linear, but for the copies of the scalar code that a product needs, and but for looking at
//! an operation again after every cut.
//!
//! [`contraction`]: crate::analysis::contraction

mod cut;
mod product;
mod rows;
mod scope;
mod split;
#[cfg(test)]
mod tests;
mod worth;

use super::outside_kernels;
use crate::analysis::alias::Aliases;
use crate::ir::builder::full_index;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{Exp, Level, NameSource, PatElem, Program, Stm, SubExp, Type, Var};
use product::Wanted;
use rows::{Rows, points, rename, returned, tidy};
use scope::{Scope, dims_of, indexes};
use split::Split;
use worth::{before_much, wants_columns_outside};

/// Takes products of matrices out of maps.
pub fn distribute(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut s = Split {
            aliases: Aliases::of_program(&prog),
            names: NameSource::new(prog.next_tag),
            made: VarSet::default(),
        };
        s.stms(&mut prog.consts.stms);
        for f in &mut prog.funs {
            s.stms(&mut f.body.stms);
        }
        prog.next_tag = s.names.next_tag();
    }
    prog
}

impl Split {
    fn stms(&mut self, list: &mut Vec<Stm>) {
        for mut stm in std::mem::take(list) {
            outside_kernels(&mut stm.exp, &mut |b| self.stms(b));
            let first = list.len();
            loop {
                self.take_out(&mut stm, list);
                if let Some(made) = list.get_mut(first..)
                    && !made.is_empty()
                {
                    self.go_on(&mut stm, made);
                }
                let Some(part) = self.cut(&mut stm) else { break };
                list.push(part);
            }
            if !stm.pat.is_empty() {
                list.push(stm);
            }
        }
    }

    /// Puts the products in the body of an operation before it.
    fn take_out(&mut self, stm: &mut Stm, out: &mut Vec<Stm>) {
        let Exp::Seg(op) = &stm.exp else { return };
        let (much, columns) = (before_much(op), wants_columns_outside(op));
        let Some((space, _, body)) = points(&mut stm.exp) else { return };
        let mut bound = indexes(space);
        let mut rows = Rows::new(space);
        for at in 0..body.stms.len() {
            let (before, rest) = body.stms.split_at_mut(at);
            let Some(inner) = rest.first_mut() else { return };
            let scope = Scope { dims: &space.dims, certs: &stm.certs, stms: before, bound: &bound };
            let wanted = Wanted::Near { any: much == Some(at), columns };
            let mut products = Vec::new();
            if let Some(product) = self.product(&[scope], inner, wanted, &mut rows) {
                rows.insert(inner, &product);
                read(&space.dims, inner, &product.pat);
                products.push(product);
            } else {
                self.take_out_far(scope, inner, &mut rows, &mut products);
            }
            for (at, made) in std::mem::take(&mut rows.made) {
                if let Some(s) = body.stms.get_mut(at) {
                    read(&space.dims, s, &made.pat);
                }
                out.push(made);
            }
            out.append(&mut products);
            let binders = body.stms.get(at).into_iter().flat_map(|s| &s.pat);
            bound.extend(binders.map(|p| (p.var, Some(at))));
        }
        rows.read_in_all(&mut body.stms);
    }

    /// As [`Split::take_out`] of an operation in the body of another one, to stand before that one.
    fn take_out_far(
        &mut self,
        scope: Scope<'_>,
        inner: &mut Stm,
        rows: &mut Rows,
        out: &mut Vec<Stm>,
    ) {
        let Some((space, _, body)) = points(&mut inner.exp) else { return };
        let mut bound = indexes(space);
        for at in 0..body.stms.len() {
            let (before, rest) = body.stms.split_at_mut(at);
            let Some(s) = rest.first_mut() else { return };
            let nest = [
                scope,
                Scope { dims: &space.dims, certs: &inner.certs, stms: before, bound: &bound },
            ];
            if let Some(product) = self.product(&nest, s, Wanted::Far, rows) {
                read(&dims_of(&nest), s, &product.pat);
                out.push(product);
            }
            bound.extend(s.pat.iter().map(|p| (p.var, Some(at))));
        }
    }

    /// What an operation collects of `made`, without having changed it, is that.
    fn go_on(&mut self, stm: &mut Stm, made: &mut [Stm]) {
        let arrays: VarMap<Type> =
            made.iter().flat_map(|s| &s.pat).map(|p| (p.var, p.ty.clone())).collect();
        let Some((space, _, body)) = points(&mut stm.exp) else { return };
        let point: Vec<SubExp> = space.dims.iter().map(|d| d.0.into()).collect();
        let mut rows = Rows::new(space);
        for mut s in std::mem::take(&mut body.stms) {
            let same = returned(&mut s, &point, &arrays, |p| !self.consumed(p.var));
            for (p, array) in same {
                let Some(ty) = arrays.get(&array) else { continue };
                rows.insert_array(&p, array);
                let mut row = Stm { loc: s.loc, ..Stm::new(vec![p], Exp::Copy(array)) };
                read(&space.dims, &mut row, &[PatElem::new(array, ty.clone())]);
                body.stms.push(row);
            }
            if !s.pat.is_empty() {
                body.stms.push(s);
            }
        }
        rows.read_in_all(&mut body.stms);
        tidy(body);
        for (p, array) in returned(stm, &[], &arrays, |_| true) {
            rename(made, array, p.var);
            rename(std::slice::from_mut(stm), array, p.var);
        }
        if let Some((_, _, body)) = points(&mut stm.exp) {
            tidy(body);
        }
    }
}

/// A statement reads at a point what has been made for all of them.
fn read(dims: &[(Var, SubExp)], stm: &mut Stm, made: &[PatElem]) {
    let [PatElem { var: array, ty, .. }] = made else { return };
    let point: Vec<SubExp> = dims.iter().map(|d| d.0.into()).collect();
    stm.exp = Exp::Index { array: *array, dims: full_index(ty.shape(), &point) };
    stm.certs.clear();
}
