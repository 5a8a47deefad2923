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
//! elements and certificates that depend on the point; checks and calls before a product, or checks
//! in it. Linear, but for the copies of the scalar code that a product needs, and but for looking at
//! an operation again after every cut.
//!
//! [`contraction`]: crate::analysis::contraction

mod cut;
mod rows;
mod scope;
#[cfg(test)]
mod tests;
mod worth;

use super::outside_kernels;
use crate::analysis::alias::Aliases;
use crate::analysis::contraction::contraction;
use crate::ir::builder::full_index;
use crate::ir::traverse::{free_in_exp, free_in_lambda};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Exp, KernelBody, Level, NameSource, PatElem, Program, SegKind, SegLevel, SegOp, SegSpace, Stm,
    SubExp, Type, Var,
};
use rows::{Rows, points, rename, returned, tidy};
use scope::{Binders, Nest, Scope, dims_of, is_outside, outside};
use worth::{Whole, before_much, wants_columns_outside};

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

struct Split {
    aliases: Aliases,
    names: NameSource,
    /// What the pass has made.
    made: VarSet,
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

    /// Whether an array is consumed somewhere. What the pass itself makes is only ever read.
    fn consumed(&mut self, array: Var) -> bool {
        !self.made.contains(&array) && self.aliases.consumed(array)
    }

    /// A reduction as a statement outside the nest that it stands in, if it is better off there and
    /// only scalar code and rows made of that stand before it.
    fn product(
        &mut self,
        nest: &Nest<'_>,
        stm: &Stm,
        wanted: Wanted,
        rows: &mut Rows,
    ) -> Option<Stm> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space: own, kind: SegKind::Red(ops), body }) =
            &stm.exp
        else {
            return None;
        };
        let [p] = stm.pat.as_slice() else { return None };
        let operators = ops.iter().all(|r| {
            r.neutral.iter().all(|x| is_outside(nest, *x))
                && free_in_lambda(&r.op).iter().all(|v| outside(nest, *v))
        });
        if !operators || !own.dims.iter().all(|(_, n)| is_outside(nest, *n)) {
            return None;
        }
        let mut with = rows.clone();
        let mut stms = self.needs(nest, free_in_exp(&stm.exp), &mut with)?;
        stms.extend(body.stms.iter().cloned());
        with.read_in_all(&mut stms);
        let dims = dims_of(nest).into_iter().chain(own.dims.iter().copied()).collect();
        let space = SegSpace { dims };
        let points = KernelBody { stms, results: body.results.clone(), types: body.types.clone() };
        let whole = Whole { space: &space, own: own.dims.len(), ops, body: &points };
        let worth = match (wanted, p.ty.rank()) {
            (Wanted::Near { any, columns }, 0) => {
                let alone = with.made.is_empty();
                alone && any && ops.len() == 1
                    || whole.is_product()
                    || alone && columns && whole.is_column()
            }
            (Wanted::Near { .. }, _) => {
                // As many products as there are points are as good where they are.
                contraction(own, ops, body).is_none()
                    && whole.is_wide_product()
                    && !self.consumed(p.var)
            }
            (Wanted::Far, 0) => whole.is_wide_product(),
            (Wanted::Far, _) => false,
        };
        if !worth {
            return None;
        }
        let (level, ops) = (SegLevel::Seq, ops.clone());
        let exp = Exp::Seg(SegOp { level, space, kind: SegKind::Red(ops), body: points });
        let product = self.leave(nest, stm, exp)?;
        *rows = with;
        Some(product)
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

/// Which reductions leave.
#[derive(Clone, Copy)]
enum Wanted {
    /// Of those in the body of an operation: this one at all events, or those down columns; and
    /// products.
    Near { any: bool, columns: bool },
    /// Of those in an operation in its body: products.
    Far,
}

/// What the indexes of a space bind.
fn indexes(space: &SegSpace) -> Binders {
    space.dims.iter().map(|(v, _)| (*v, None)).collect()
}

/// A statement reads at a point what has been made for all of them.
fn read(dims: &[(Var, SubExp)], stm: &mut Stm, made: &[PatElem]) {
    let [PatElem { var: array, ty, .. }] = made else { return };
    let point: Vec<SubExp> = dims.iter().map(|d| d.0.into()).collect();
    stm.exp = Exp::Index { array: *array, dims: full_index(ty.shape(), &point) };
    stm.certs.clear();
}
