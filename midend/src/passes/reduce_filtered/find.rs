//! Finds the filters and partitions of the prelude in a list of statements.

use crate::analysis::size_facts::SizeFacts;
use crate::ir::{
    BinOp, Body, Const, DimIndex, Exp, IntType, Lambda, Mentions, Param, Poly, Soac, Stm, SubExp,
    Var,
};

/// What a scatter keeps of which arrays.
pub(super) struct Filter {
    /// The position of the scatter.
    pub(super) scatter: usize,
    /// Positions of what nobody needs behind the scatter, if nobody else reads it: the map that makes places, the
    /// blank arrays.
    pub(super) beside: Vec<usize>,
    /// The positions of the slices that a partition takes of its scatter.
    pub(super) slices: Vec<usize>,
    /// How many elements there are.
    pub(super) width: SubExp,
    /// Which of them are kept.
    pub(super) flags: Var,
    /// How many that are is counted here.
    pub(super) count: Count,
    /// What is kept, and with a partition what is not.
    pub(super) parts: Vec<Part>,
    /// What must hold for it.
    pub(super) certs: Vec<Var>,
}

/// Those of the elements whose flag is `holds`.
pub(super) struct Part {
    pub(super) holds: bool,
    pub(super) size: SubExp,
    /// The arrays with what they are elements of.
    pub(super) of: Vec<(Var, Var)>,
}

/// What is taken of the scatter of a partition.
struct Slices {
    /// How many elements the first part has.
    kept: SubExp,
    positions: Vec<usize>,
    parts: Vec<Part>,
}

/// Positions of the map that makes numbers of flags, the scan of these, and the statement that reads its last element.
pub(super) struct Count {
    pub(super) ones: usize,
    pub(super) scan: usize,
    pub(super) total: usize,
}

/// How places follow from counts.
struct Places {
    flags: Var,
    upto: Var,
    /// The place of what is not kept is `-1`, or this.
    rest: Option<Poly>,
    /// The index and the count that `rest` is about, and the array of the former.
    index: Option<(Var, Var)>,
    upto_param: Var,
}

/// Looks at one list of statements.
pub(super) struct Finder<'a> {
    pub(super) list: &'a [Stm],
    pub(super) known: &'a SizeFacts,
    pub(super) mentions: &'a Mentions,
}

impl Finder<'_> {
    /// What the scatter at this position filters or partitions, if it does.
    pub(super) fn filter(&self, scatter: usize) -> Option<Filter> {
        let writer = self.list.get(scatter)?;
        let Exp::Soac(Soac::Scatter { width, inputs, dests, lambda }) = &writer.exp else {
            return None;
        };
        if !lambda.body.stms.is_empty() {
            return None;
        }
        // What the lambda passes on.
        let passed = |x: &SubExp| {
            let at = lambda.params.iter().position(|p| SubExp::Var(p.var) == *x)?;
            inputs.get(at).copied()
        };
        let passed: Vec<Var> = lambda.body.result.iter().map(passed).collect::<Option<_>>()?;
        let (indexes, values) = passed.split_at_checked(dests.len())?;
        let index = *indexes.first()?;
        if indexes.iter().any(|i| *i != index) {
            return None;
        }
        let mut beside = vec![self.bound(index)?];
        let mut size = None;
        for (rank, dest) in dests {
            let blank = self.bound(*dest)?;
            let Exp::Scratch { shape, .. } = &self.list.get(blank)?.exp else { return None };
            let outer = *shape.first()?;
            if *rank != 1 || *size.get_or_insert(outer) != outer {
                return None;
            }
            beside.push(blank);
        }
        let size = size?;
        let at = |v: Var| self.list.get(self.bound(v)?);
        let placing = at(index)?;
        let places = self.places(placing, *width)?;
        let scan = self.bound(places.upto)?;
        let counting = self.list.get(scan)?;
        let ones = self.bound(summed(counting, *width)?)?;
        let counted = self.list.get(ones)?;
        if counted_flags(counted, *width)? != places.flags {
            return None;
        }
        let of: Vec<(Var, Var)> =
            writer.pat.iter().map(|p| p.var).zip(values.iter().copied()).collect();
        let Slices { kept, positions: slices, parts } = match &places.rest {
            None => Slices {
                kept: size,
                positions: Vec::new(),
                parts: vec![Part { holds: true, size, of }],
            },
            Some(_) if size == *width => self.slices(scatter, &places, *width, &of)?,
            Some(_) => return None,
        };
        let total = self.bound(kept.var()?)?;
        let last = self.list.get(total)?;
        if !self.is_last(last, places.upto, *width) {
            return None;
        }
        let mut certs: Vec<Var> = Vec::new();
        for s in [writer, placing, counting, counted, last] {
            certs.extend(s.certs.iter().copied());
        }
        certs.sort_unstable();
        certs.dedup();
        let count = Count { ones, scan, total };
        let (width, flags) = (*width, places.flags);
        Some(Filter { scatter, beside, slices, width, flags, count, parts, certs })
    }

    /// Where in the list a variable is bound.
    fn bound(&self, v: Var) -> Option<usize> {
        self.list.iter().position(|s| s.pat.iter().any(|p| p.var == v))
    }

    /// How a map of flags and counts makes places.
    fn places(&self, s: &Stm, n: SubExp) -> Option<Places> {
        let (inputs, lambda) = map_lambda(s, n)?;
        let (condition, yes, no) = choice(&lambda.body)?;
        let ([place], [other]) = (yes.result.as_slice(), no.result.as_slice()) else { return None };
        let param = |v: Var| {
            let at = lambda.params.iter().position(|p| p.var == v)?;
            inputs.get(at).copied()
        };
        let flags = param(condition.var()?)?;
        // Before the count.
        let before = self.known.sum(*place).add(&Poly::constant(1));
        let counts = |p: &&Param| before == Poly::var(p.var);
        let upto_param = lambda.params.iter().find(counts)?.var;
        let upto = param(upto_param)?;
        let arithmetic = |b: &Body| {
            b.stms.iter().all(|s| {
                matches!(s.exp, Exp::BinOp(BinOp::Add(IntType::I64) | BinOp::Sub(IntType::I64), ..))
                    && s.certs.is_empty()
            })
        };
        if !arithmetic(yes) || !arithmetic(no) {
            return None;
        }
        if *other == SubExp::i64(-1) {
            return Some(Places { flags, upto, rest: None, index: None, upto_param });
        }
        let rest = self.known.sum(*other);
        let index = rest.vars().into_iter().find_map(|v| {
            let array = param(v).filter(|_| v != upto_param)?;
            Some((v, array))
        })?;
        Some(Places { flags, upto, rest: Some(rest), index: Some(index), upto_param })
    }

    /// The slices that a partition takes of its scatter.
    fn slices(
        &self,
        scatter: usize,
        places: &Places,
        n: SubExp,
        of: &[(Var, Var)],
    ) -> Option<Slices> {
        let all = self.known.sum(n);
        let mut kept = None;
        let mut slices = Vec::new();
        let mut yes = Part { holds: true, size: n, of: Vec::new() };
        let mut no = Part { holds: false, size: n, of: Vec::new() };
        for (at, s) in self.list.iter().enumerate().skip(scatter + 1) {
            let Exp::Index { array, dims } = &s.exp else { continue };
            let Some((_, source)) = of.iter().find(|(v, _)| v == array) else { continue };
            let ([p], Some(DimIndex::Slice { start, n: size, stride })) =
                (s.pat.as_slice(), dims.first())
            else {
                return None;
            };
            let rows = p.ty.shape().get(1..)?;
            let whole = dims.get(1..)?.iter().zip(rows).all(|(d, m)| {
                *d == DimIndex::Slice { start: SubExp::i64(0), n: *m, stride: SubExp::i64(1) }
            });
            if !whole || *stride != SubExp::i64(1) || !s.certs.is_empty() {
                return None;
            }
            let first = *start == SubExp::i64(0);
            let k = if first { *size } else { *start };
            if *kept.get_or_insert(k) != k
                || (!first && self.known.sum(*size).add(&self.known.sum(k)) != all)
            {
                return None;
            }
            let part = if first { &mut yes } else { &mut no };
            if part.of.is_empty() {
                part.size = *size;
            } else if part.size != *size {
                return None;
            }
            part.of.push((p.var, *source));
            slices.push(at);
        }
        let kept = kept?;
        let here = || slices.iter().filter_map(|at| self.list.get(*at));
        if !of.iter().all(|(v, _)| self.mentions.only_in(*v, here())) {
            return None;
        }
        // Before element `i` there are `i - upto` that are not kept.
        let (i, indexes) = places.index?;
        let iota = &self.list.get(self.bound(indexes)?)?.exp;
        let counts = matches!(iota, Exp::Iota { n: m, start, stride, .. }
            if *m == n && *start == SubExp::i64(0) && *stride == SubExp::i64(1));
        let wanted = self.known.sum(kept).add(&Poly::var(i)).sub(&Poly::var(places.upto_param));
        if !counts || places.rest.as_ref() != Some(&wanted) {
            return None;
        }
        let parts = [yes, no].into_iter().filter(|p| !p.of.is_empty()).collect();
        Some(Slices { kept, positions: slices, parts })
    }

    /// Whether a statement is the last of `upto`, of which there are `n`, or zero if there is none.
    fn is_last(&self, stm: &Stm, upto: Var, n: SubExp) -> bool {
        let last = |exp: &Exp| {
            matches!(exp, Exp::Index { array, dims } if *array == upto
                && matches!(dims.as_slice(), [DimIndex::Fix(at)]
                    if self.known.sum(*at) == self.known.sum(n).sub(&Poly::constant(1))))
        };
        if stm.pat.len() != 1 {
            return false;
        }
        let Exp::Match { scrutinee, cases, default: some } = &stm.exp else {
            return last(&stm.exp);
        };
        let [(Const::Bool(true), none)] = cases.as_slice() else { return false };
        self.known.says_zero(*scrutinee, n)
            && none.result == [SubExp::i64(0)]
            && matches!(some.result.as_slice(), [SubExp::Var(x)] if some.stms.iter().any(|s| {
                matches!(s.pat.as_slice(), [p] if p.var == *x) && last(&s.exp)
            }))
    }
}

/// The lambda and arrays of a map to one array.
fn map_lambda(s: &Stm, n: SubExp) -> Option<(&[Var], &Lambda)> {
    let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &s.exp else {
        return None;
    };
    let map = scans.is_empty() && reduces.is_empty() && s.pat.len() == 1 && *width == n;
    map.then_some((inputs.as_slice(), lambda))
}

/// What a body of one conditional yields: the condition and both sides.
fn choice(body: &Body) -> Option<(SubExp, &Body, &Body)> {
    let [stm] = body.stms.as_slice() else { return None };
    let ([p], Exp::Match { scrutinee, cases, default }) = (stm.pat.as_slice(), &stm.exp) else {
        return None;
    };
    let [(Const::Bool(true), yes)] = cases.as_slice() else { return None };
    (body.result == [SubExp::Var(p.var)]).then_some((*scrutinee, yes, default))
}

/// The flags that a map counts, one for each that is true.
fn counted_flags(s: &Stm, n: SubExp) -> Option<Var> {
    let ([flags], lambda) = map_lambda(s, n)? else { return None };
    let ([f], (condition, yes, no)) = (lambda.params.as_slice(), choice(&lambda.body)?) else {
        return None;
    };
    (condition == SubExp::Var(f.var)
        && yes.result == [SubExp::i64(1)]
        && no.result == [SubExp::i64(0)])
    .then_some(*flags)
}

/// The array whose sums a scan makes.
fn summed(s: &Stm, n: SubExp) -> Option<Var> {
    let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &s.exp else {
        return None;
    };
    let ([array], [scan], [x]) = (inputs.as_slice(), scans.as_slice(), lambda.params.as_slice())
    else {
        return None;
    };
    let ([a, b], [add]) = (scan.op.params.as_slice(), scan.op.body.stms.as_slice()) else {
        return None;
    };
    let Exp::BinOp(BinOp::Add(IntType::I64), p, q) = add.exp else { return None };
    let (a, b): (SubExp, SubExp) = (a.var.into(), b.var.into());
    let adds = ([p, q] == [a, b] || [p, q] == [b, a])
        && matches!(add.pat.as_slice(), [r] if scan.op.body.result == [SubExp::Var(r.var)]);
    (*width == n
        && reduces.is_empty()
        && s.pat.len() == 1
        && adds
        && scan.neutral == [SubExp::i64(0)]
        && lambda.body.stms.is_empty()
        && lambda.body.result == [SubExp::Var(x.var)])
    .then_some(*array)
}
