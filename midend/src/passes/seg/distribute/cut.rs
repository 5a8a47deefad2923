//! Operations are cut in two where a product needs what the first part makes.

use super::product::Wanted;
use super::rows::{Rows, checked_value, points, tidy, value};
use super::scope::{Binders, Scope, indexes};
use super::split::Split;
use crate::analysis::contraction::scalar_code;
use crate::ir::builder::full_index;
use crate::ir::traverse::{Rewrite, Subst, free_in, free_in_stm};
use crate::ir::{
    Exp, KernelBody, KernelResult, PatElem, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type,
    Var,
};
use std::collections::BTreeSet;

/// A product that cannot leave because of what it reads.
struct Held {
    /// What it reads that is made at every point.
    reads: Vec<Var>,
    /// The sizes of its own dimensions.
    sizes: Vec<SubExp>,
}

impl Split {
    /// Cuts the part off that makes what a product reads, to stand before the operation; that
    /// product, the first of all those, can leave then.
    pub fn cut(&mut self, stm: &mut Stm) -> Option<Stm> {
        let certs = stm.certs.clone();
        let (space, _, body) = points(&mut stm.exp)?;
        let mut bound = indexes(space);
        let mut cut = None;
        for (at, s) in body.stms.iter().enumerate() {
            let before = body.stms.get(..at)?;
            let scope = Scope { dims: &space.dims, certs: &certs, stms: before, bound: &bound };
            cut = self.held(scope, s, space).iter().find_map(|h| self.parts(scope, body, h));
            if cut.is_some() {
                break;
            }
            bound.extend(s.pat.iter().map(|p| (p.var, Some(at))));
        }
        let (pat, first, rest) = cut?;
        *body = rest;
        let exp = Exp::Seg(first);
        Some(Stm { schedule: None, pat, exp, certs, attrs: Vec::new(), loc: stm.loc })
    }

    /// The products in a statement that would leave, were only there what they read.
    fn held(&mut self, scope: Scope<'_>, stm: &Stm, space: &SegSpace) -> Vec<Held> {
        let columns = false;
        let mut held = Vec::new();
        held.extend(self.held_in(&[scope], stm, Wanted::Near { any: false, columns }, space));
        let Exp::Seg(SegOp {
            level: SegLevel::Seq,
            space: inner,
            kind: SegKind::Map | SegKind::Red(_) | SegKind::Scan(_),
            body,
        }) = &stm.exp
        else {
            return held;
        };
        let mut bound = indexes(inner);
        for (at, s) in body.stms.iter().enumerate() {
            let stms = body.stms.get(..at).unwrap_or_default();
            let inside = Scope { dims: &inner.dims, certs: &stm.certs, stms, bound: &bound };
            held.extend(self.held_in(&[scope, inside], s, Wanted::Far, space));
            bound.extend(s.pat.iter().map(|p| (p.var, Some(at))));
        }
        held
    }

    fn held_in(
        &mut self,
        nest: &[Scope<'_>],
        stm: &Stm,
        wanted: Wanted,
        space: &SegSpace,
    ) -> Option<Held> {
        let mut rows = Rows::wanting(space);
        self.product(nest, stm, wanted, &mut rows)?;
        let Exp::Seg(SegOp { space: own, kind: SegKind::Red(_), .. }) = &stm.exp else {
            return None;
        };
        let inner = nest.iter().skip(1).flat_map(|s| s.dims);
        let sizes = inner.chain(&own.dims).map(|d| d.1).collect();
        let reads = rows.wanted.filter(|reads| !reads.is_empty())?;
        Some(Held { reads, sizes })
    }

    /// The two parts: what the first one collects, the first one, and the body of the second one.
    fn parts(
        &mut self,
        scope: Scope<'_>,
        body: &KernelBody,
        held: &Held,
    ) -> Option<(Vec<PatElem>, SegOp, KernelBody)> {
        let slice = slice(scope, body, &held.reads)?;
        // Scalar code is computed in both.
        let goes = |at: usize, s: &Stm| slice.contains(&at) && !scalar_code(s);
        let stms = body.stms.iter().enumerate();
        let stays = stms.filter(|(at, s)| !goes(*at, s)).map(|(_, s)| s.clone());
        let mut rest = KernelBody { stms: stays.collect(), ..body.clone() };
        tidy(&mut rest);
        let read = free_in(|v| v.kernel_body(&rest));
        let mut part: Vec<Stm> =
            slice.iter().filter_map(|at| scope.stms.get(*at)).cloned().collect();
        let made = part.iter().filter(|s| !scalar_code(s)).flat_map(|s| &s.pat);
        let collected: Vec<PatElem> = made.filter(|p| read.contains(&p.var)).cloned().collect();
        if !collected.iter().all(|p| self.may_be_stored(p, scope.bound, &held.sizes)) {
            return None;
        }

        let (mut in_part, mut in_rest) = (Subst::new(), Subst::new());
        let dims = scope.dims.iter().map(|(i, n)| {
            let index = self.names.like(*i);
            in_part.insert(*i, index);
            (index, *n)
        });
        let space = SegSpace { dims: dims.collect() };
        for s in &mut part {
            in_part.stm(s);
            if scalar_code(s) {
                for p in &mut s.pat {
                    let copy = self.names.like(p.var);
                    in_part.insert(p.var, copy);
                    p.var = copy;
                }
            }
        }

        let point: Vec<SubExp> = scope.dims.iter().map(|d| d.0.into()).collect();
        let sizes = || scope.dims.iter().map(|d| d.1);
        let mut rows = Rows::new(&SegSpace { dims: scope.dims.to_vec() });
        let (mut arrays, mut reads) = (Vec::new(), Vec::new());
        for p in &collected {
            let shape = sizes().chain(p.ty.shape().iter().copied()).collect();
            let array = PatElem::new(self.names.like(p.var), Type::array(p.ty.elem()?, shape));
            let row = PatElem::new(self.names.like(p.var), p.ty.clone());
            in_rest.insert(p.var, row.var);
            self.made.extend([array.var, row.var]);
            rows.insert_array(&row, array.var);
            let dims = full_index(array.ty.shape(), &point);
            reads.push(Stm::new(vec![row], Exp::Index { array: array.var, dims }));
            arrays.push(array);
        }
        in_rest.kernel_body(&mut rest);
        rows.read_in_all(&mut rest.stms);
        rest.stms.splice(..0, reads);
        tidy(&mut rest);

        let results = collected.iter().map(|p| KernelResult::Return(p.var.into())).collect();
        let types = collected.into_iter().map(|p| p.ty).collect();
        let body = KernelBody { stms: part, results, types };
        Some((arrays, SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }, rest))
    }

    /// Whether there may be an array of what every point makes: it must be small beside what the
    /// product does with it, and it is not its place that is wanted.
    fn may_be_stored(&mut self, made: &PatElem, bound: &Binders, own: &[SubExp]) -> bool {
        let shape = made.ty.shape();
        made.ty.elem().is_some()
            && shape.len() < own.len()
            && shape
                .iter()
                .all(|n| own.contains(n) && n.var().is_none_or(|n| !bound.contains_key(&n)))
            && (shape.is_empty() || !self.consumed(made.var))
    }
}

/// The statements that make what is read, if they can be made before everything else. They may check something if nothing beside them is
/// seen from outside: which of several checks fails first is not promised, but what is seen before one fails is.
fn slice(scope: Scope<'_>, body: &KernelBody, reads: &[Var]) -> Option<BTreeSet<usize>> {
    let may = if body.stms.iter().all(checked_value) { checked_value } else { value };
    let mut slice = BTreeSet::new();
    let mut pending = reads.to_vec();
    while let Some(v) = pending.pop() {
        let Some(Some(at)) = scope.bound.get(&v) else { continue };
        if slice.insert(*at) {
            let stm = scope.stms.get(*at)?;
            if !may(stm) {
                return None;
            }
            pending.extend(free_in_stm(stm));
        }
    }
    Some(slice)
}
