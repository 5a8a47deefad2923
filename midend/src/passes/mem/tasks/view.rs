//! Views: what a body reads at the indexes that are cut, it reads from the part of the array that its task has.
//!
//! ```text
//! segmap seq (k < len) {        let part @ b → {lo; (len, 1)} = index xs[lo :+ len]
//!   i = k + lo             →    segmap seq (k < len) {
//!   x = index xs[i]               i = k + lo
//!   … }                           x = index part[k] … }
//! ```
//!
//! So all that looks at how an operation goes through its arrays (schedules, lanes, index-set splitting) sees in a task
//! what it would see in the whole. A view is an LMAD and reads nothing. What is read in branches or loops may be an
//! array of another size, of which the range of a task may be no part (`if i < k then xs[i] else y`): that has no view.

use super::space::Range;
use crate::analysis::places::Places;
use crate::ir::traverse::{Rewrite, free_in, rewrite};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Builder, DimIndex, Exp, KernelBody, LmadDim, MemBind, PatElem, Stm, SubExp, Type, Var,
};

/// An index that is cut: what it is in the whole and in the task, and the range of the task.
#[derive(Clone, Copy)]
pub(super) struct CutIndex {
    pub(super) whole: Var,
    pub(super) part: Var,
    /// How many there are in the whole.
    pub(super) size: SubExp,
    pub(super) range: Range,
}

/// Has a body read from views, which are bound before the operation.
pub(super) fn read_views(
    body: &mut KernelBody,
    cut: &[CutIndex],
    places: &Places,
    b: &mut Builder,
) {
    let outside = free_in(|v| v.kernel_body(body)).into_iter().collect();
    Views { cut, places, outside, known: Vec::new(), inside: false, b }.kernel_body(body);
}

struct Views<'a> {
    cut: &'a [CutIndex],
    places: &'a Places,
    /// What is bound outside of the operation.
    outside: VarSet,
    /// Arrays, in which dimensions they are cut by which index, and their views.
    known: Vec<(Var, Vec<Option<Var>>, Var)>,
    /// In a branch or loop of the body.
    inside: bool,
    b: &'a mut Builder,
}

impl Views<'_> {
    fn cut_index(&self, d: &DimIndex) -> Option<CutIndex> {
        let DimIndex::Fix(SubExp::Var(v)) = d else { return None };
        self.cut.iter().find(|c| c.whole == *v).copied()
    }

    /// The view of an array that is bound outside of the operation.
    fn view(&mut self, array: Var, cut: &[Option<CutIndex>]) -> Option<Var> {
        let key: Vec<Option<Var>> = cut.iter().map(|c| c.map(|c| c.whole)).collect();
        if let Some((.., view)) = self.known.iter().find(|(a, k, _)| *a == array && *k == key) {
            return Some(*view);
        }
        let place = self.places.of(array).filter(|_| self.outside.contains(&array))?;
        let lmad = &place.mem.lmad;
        let fits = |(d, cut): (&LmadDim, &Option<CutIndex>)| cut.is_none_or(|c| c.size == d.n);
        if self.inside && !lmad.dims.iter().zip(cut).all(fits) {
            return None;
        }
        let dims: Vec<DimIndex> = lmad
            .dims
            .iter()
            .zip(cut)
            .map(|(d, cut)| match cut {
                Some(CutIndex { range, .. }) => {
                    DimIndex::Slice { start: range.first, n: range.len, stride: SubExp::i64(1) }
                }
                None => DimIndex::full(d.n),
            })
            .collect();
        let lmad = lmad.slice(&dims);
        let ty = Type::array(place.elem, lmad.shape());
        let bind = MemBind { block: place.mem.block, lmad };
        let view = PatElem::in_mem(self.b.names.like(array), ty, bind);
        let var = view.var;
        self.b.push(Stm::new(vec![view], Exp::Index { array, dims }));
        self.known.push((array, key, var));
        Some(var)
    }
}

impl Rewrite for Views<'_> {
    fn exp(&mut self, e: &mut Exp) {
        let outside = self.inside;
        self.inside |= matches!(e, Exp::Match { .. } | Exp::Loop { .. } | Exp::Seg(_));
        rewrite::exp(self, e);
        self.inside = outside;
        let Exp::Index { array, dims } = e else { return };
        let cut: Vec<Option<CutIndex>> = dims.iter().map(|d| self.cut_index(d)).collect();
        if cut.iter().all(Option::is_none) {
            return;
        }
        let Some(view) = self.view(*array, &cut) else { return };
        *array = view;
        for (d, cut) in dims.iter_mut().zip(&cut) {
            if let Some(c) = cut {
                *d = DimIndex::Fix(c.part.into());
            }
        }
    }
}
