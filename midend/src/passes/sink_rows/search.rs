//! Where a map reads rows, and of what their indexes are made.

use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{DimIndex, Exp, Lambda, Soac, Stm, StmAttr, SubExp, Var};

/// What maps go through besides elements.
#[derive(Default)]
pub(super) struct Counters {
    /// Arrays of the numbers from some number on; whether it is zero, and they follow one another.
    arrays: VarMap<bool>,
    /// Parameters that are the indexes of a map's points.
    points: VarSet,
}

impl Counters {
    /// Notes what a statement makes.
    pub(super) fn note(&mut self, s: &Stm) {
        if let Exp::Iota { start, stride, .. } = s.exp {
            let indexes = start == SubExp::i64(0) && stride == SubExp::i64(1);
            self.arrays.extend(s.pat.iter().map(|p| (p.var, indexes)));
        }
    }

    /// Which parameters of a map are made of indexes; the others are elements.
    pub(super) fn of(&mut self, inputs: &[Var], lambda: &Lambda) -> VarMap<bool> {
        let counters = lambda.params.iter().zip(inputs).map(|(p, v)| (p.var, self.arrays.get(v)));
        self.points.extend(counters.clone().filter(|c| c.1 == Some(&true)).map(|c| c.0));
        counters.map(|(p, c)| (p, c.is_some())).collect()
    }
}

/// Where a body reads an array: in this statement of it, or in the nest of maps that this statement is.
pub(super) struct Read {
    pub(super) array: Var,
    /// In the first dimension.
    pub(super) index: SubExp,
    pub(super) at: usize,
    /// The widths of the maps of the nest, from the outside in, whose indexes stand in the next dimensions.
    pub(super) nest: Vec<SubExp>,
}

/// The reads of `producers`' results in the body of a map.
pub(super) fn reads(
    counters: &mut Counters,
    producers: &VarMap<usize>,
    inputs: &[Var],
    lambda: &Lambda,
) -> Vec<Read> {
    let (nest, levels, found) = (Vec::new(), Vec::new(), Vec::new());
    let mut search = Search { counters, producers, nest, at: None, levels, found };
    search.lambda(inputs, lambda);
    search.found
}

/// Looks for reads of arrays by the indexes of a nest of maps.
struct Search<'s> {
    counters: &'s mut Counters,
    producers: &'s VarMap<usize>,
    /// The widths of the maps around but for the outermost.
    nest: Vec<SubExp>,
    /// The statement of the outermost map's body.
    at: Option<usize>,
    /// What is known of the numbers that each map around computes.
    levels: Vec<VarMap<bool>>,
    found: Vec<Read>,
}

impl Search<'_> {
    fn lambda(&mut self, inputs: &[Var], lambda: &Lambda) {
        self.levels.push(self.counters.of(inputs, lambda));
        let outermost = self.at.is_none();
        for (at, s) in lambda.body.stms.iter().enumerate() {
            if outermost {
                self.at = Some(at);
            }
            self.counters.note(s);
            match &s.exp {
                Exp::Index { array, dims } if self.producers.contains_key(array) => {
                    if let (Some(index), Some(at)) = (self.rows(s, dims), self.at) {
                        self.found.push(Read { array: *array, index, at, nest: self.nest.clone() });
                    }
                }
                Exp::Soac(Soac::Screma { width, inputs, lambda, .. }) => {
                    self.nest.push(*width);
                    self.lambda(inputs, lambda);
                    self.nest.pop();
                }
                _ => {}
            }
            if let Some(level) = self.levels.last_mut() {
                learn(level, s);
            }
        }
        self.levels.pop();
        if outermost {
            self.at = None;
        }
    }

    /// The index of a row, where each map around has an index for a dimension, of what it computes itself. In a nest, the rows
    /// are those of the outermost map, as its points exist though there may be none inside of them.
    fn rows(&self, s: &Stm, dims: &[DimIndex]) -> Option<SubExp> {
        let (fixed, rest) = dims.split_at_checked(self.levels.len())?;
        if rest.iter().any(|d| matches!(d, DimIndex::Fix(_))) {
            return None;
        }
        let mut indexes = fixed.iter().map(|d| match d {
            DimIndex::Fix(x) => Some(*x),
            DimIndex::Slice { .. } => None,
        });
        for (k, level) in self.levels.iter().enumerate() {
            let x = indexes.clone().nth(k)??;
            let deeper = |v: Var| self.levels.iter().skip(k + 1).any(|l| l.contains_key(&v));
            if !is_in_order(level, x) || x.var().is_some_and(deeper) {
                return None;
            }
        }
        let index = indexes.next()??;
        let nested = self.levels.len() > 1;
        let points = |v| {
            self.counters.points.contains(&v)
                && self.levels.first().is_some_and(|l| l.contains_key(&v))
        };
        let counts = || index.var().is_some_and(points);
        (!nested || s.certs.is_empty() && !s.has(StmAttr::Unsafe) && counts()).then_some(index)
    }
}

/// Whether a number is made of indexes alone, and of what is the same at every point.
pub(super) fn is_in_order(in_order: &VarMap<bool>, x: SubExp) -> bool {
    x.var().is_none_or(|v| in_order.get(&v).copied().unwrap_or(true))
}

/// Notes of what the results of a statement are made.
pub(super) fn learn(in_order: &mut VarMap<bool>, s: &Stm) {
    let ordered = match &s.exp {
        Exp::SubExp(x) | Exp::UnOp(_, x) | Exp::ConvOp(_, x) => is_in_order(in_order, *x),
        Exp::BinOp(_, x, y) | Exp::CmpOp(_, x, y) => {
            is_in_order(in_order, *x) && is_in_order(in_order, *y)
        }
        Exp::Match { scrutinee, cases, default } => {
            for b in cases.iter().map(|c| &c.1).chain([default]) {
                b.stms.iter().for_each(|s| learn(in_order, s));
            }
            let mut results = cases.iter().map(|c| &c.1).chain([default]).flat_map(|b| &b.result);
            is_in_order(in_order, *scrutinee) && results.all(|x| is_in_order(in_order, *x))
        }
        _ => false,
    };
    in_order.extend(s.pat.iter().map(|p| (p.var, ordered)));
}
