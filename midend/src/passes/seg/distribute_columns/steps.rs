//! What is done to each column, as steps over matrices.

use super::super::reorder::reads::reads_across;
use crate::analysis::bodies::{is_straight, results_of, returns};
use crate::analysis::contraction::scalar_code;
use crate::ir::traverse::{Rewrite, Subst, Visit, free_in, free_in_lambda, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    DimIndex, Exp, KernelBody, KernelResult, NameSource, PatElem, Poly, Prim, Reduction, SegKind,
    SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Shorter columns, if their length is known, go by lanes.
const SHORT: i64 = 65;

/// What does the same as a map over columns.
pub(super) struct Steps {
    pub(super) stms: Vec<Stm>,
    /// Of each result of the map.
    pub(super) results: Vec<StepResult>,
    /// How many columns there are.
    pub(super) width: SubExp,
    /// How long what the steps make of a column is, and how long what they read or yield of it.
    pub(super) made: Vec<SubExp>,
    pub(super) bounds: Vec<SubExp>,
}

/// A result of a map, of all columns.
#[derive(Clone, Copy)]
pub(super) enum StepResult {
    /// The columns of a matrix that nothing else lies in.
    Matrix(Var),
    Scalars(Var),
}

/// The steps of a map over columns, if it is one that is taken.
pub(super) fn steps(stm: &Stm, types: &VarMap<Type>, names: &mut NameSource) -> Option<Steps> {
    let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &stm.exp else {
        return None;
    };
    let [(index, width)] = *space.dims.as_slice() else { return None };
    let arrays = body.stms.iter().any(|s| s.pat.iter().any(|p| p.ty.rank() > 0));
    if !arrays || !stm.is_plain() || !returns(body) {
        return None;
    }
    let mut columns = Columns {
        index,
        width,
        certs: &stm.certs,
        types,
        made: Vec::new(),
        bounds: Vec::new(),
        kept: VarMap::default(),
        across: 0,
        names,
        out: Vec::new(),
    };
    for s in &body.stms {
        columns.step(s)?;
    }
    if columns.across == 0 {
        return None;
    }
    let mut used = VarSet::default();
    let mut results = Vec::with_capacity(stm.pat.len());
    for (p, result) in stm.pat.iter().zip(&body.results) {
        let KernelResult::Return(SubExp::Var(v)) = result else { return None };
        results.push(columns.result(p, *v, &mut used)?);
    }
    let Columns { out: stms, made, bounds, .. } = columns;
    Some(Steps { stms, results, width, made, bounds })
}

/// What a step has made of all columns.
#[derive(Clone)]
enum Kept {
    /// A matrix with a row for each place in a column, and whether nothing else may lie where it does.
    Matrix { var: Var, fresh: bool },
    /// A scalar of each column.
    Scalars(Var, Prim),
}

struct Columns<'a> {
    index: Var,
    width: SubExp,
    certs: &'a [Var],
    types: &'a VarMap<Type>,
    made: Vec<SubExp>,
    bounds: Vec<SubExp>,
    kept: VarMap<Kept>,
    /// Reads of neighbours for neighbouring columns.
    across: usize,
    names: &'a mut NameSource,
    out: Vec<Stm>,
}

impl Columns<'_> {
    /// Whether something is the same for all columns.
    fn is_outside(&self, x: SubExp) -> bool {
        x.var().is_none_or(|v| v != self.index && !self.kept.contains_key(&v))
    }

    fn emit(&mut self, pat: Vec<PatElem>, exp: Exp, like: &Stm) {
        let certs = like.certs.iter().chain(self.certs).copied().collect();
        self.out.push(Stm { certs, loc: like.loc, ..Stm::new(pat, exp) });
    }

    /// A matrix for an array of a column, from an expression that makes it.
    fn matrix(&mut self, p: &PatElem, exp: Exp, fresh: bool, like: &Stm) -> Option<()> {
        let var = self.all(p, |elem, n, m| Type::array(elem, vec![n, m]))?;
        self.emit(vec![var.clone()], exp, like);
        self.kept.insert(p.var, Kept::Matrix { var: var.var, fresh });
        Some(())
    }

    /// A variable for an array of each column, of a type that is made of element, length and number of columns.
    fn all(&mut self, p: &PatElem, ty: impl Fn(Prim, SubExp, SubExp) -> Type) -> Option<PatElem> {
        let (Some(elem), [n]) = (p.ty.elem(), p.ty.shape()) else { return None };
        let long = Poly::leaf(*n).as_const().is_none_or(|n| n >= SHORT || n == 1);
        let outside = self.is_outside(*n);
        self.made.push(*n);
        (long && outside).then(|| PatElem::new(self.names.like(p.var), ty(elem, *n, self.width)))
    }

    /// A variable for a scalar of each column.
    fn scalars(&mut self, p: &PatElem) -> Option<PatElem> {
        let Type::Prim(elem) = p.ty else { return None };
        let all = PatElem::new(self.names.like(p.var), p.ty.outer(self.width));
        self.kept.insert(p.var, Kept::Scalars(all.var, elem));
        Some(all)
    }

    fn step(&mut self, s: &Stm) -> Option<()> {
        if !s.is_plain() || s.certs.iter().any(|c| !self.is_outside((*c).into())) {
            return None;
        }
        match (&s.exp, s.pat.as_slice()) {
            (Exp::Seg(SegOp { level: SegLevel::Seq, space, kind, body }), _) => {
                self.operation(s, space, kind, body)
            }
            (Exp::Concat { dim: 0, arrays, size }, [p]) => {
                let arrays = arrays.iter().map(|v| self.piece(*v, s)).collect::<Option<_>>()?;
                let exp = Exp::Concat { dim: 0, arrays, size: *size };
                self.matrix(p, exp, true, s)
            }
            (Exp::Index { array, dims }, [p]) if p.ty.rank() == 1 => self.part(p, *array, dims, s),
            (Exp::Reshape { array, shape }, [p]) if shape.len() == 1 => {
                let Kept::Matrix { var, .. } = self.kept.get(array)?.clone() else { return None };
                let shape = vec![*shape.first()?, self.width];
                self.matrix(p, Exp::Reshape { array: var, shape }, false, s)
            }
            (Exp::Copy(array), [p]) => {
                let Kept::Matrix { var, .. } = self.kept.get(array)?.clone() else { return None };
                self.kept.insert(p.var, Kept::Matrix { var, fresh: false });
                Some(())
            }
            (Exp::Replicate { shape, value }, [p])
                if shape.len() == 1 && self.is_outside(*value) =>
            {
                let shape = vec![*shape.first()?, self.width];
                self.matrix(p, Exp::Replicate { shape, value: *value }, true, s)
            }
            (_, [p]) if scalar_code(s) => {
                let body = KernelBody {
                    stms: vec![s.clone()],
                    results: vec![KernelResult::Return(p.var.into())],
                    types: vec![p.ty.clone()],
                };
                let (own, body) = self.entered(&body, None)?;
                let all = self.scalars(p)?;
                let space = SegSpace { dims: vec![(own, self.width)] };
                let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
                self.emit(vec![all], Exp::Seg(op), s);
                Some(())
            }
            _ => None,
        }
    }

    /// A matrix whose columns are an array: what was made of each column, or the same for all.
    fn piece(&mut self, array: Var, like: &Stm) -> Option<Var> {
        match self.kept.get(&array) {
            Some(Kept::Matrix { var, .. }) => return Some(*var),
            Some(Kept::Scalars(..)) => return None,
            None => {}
        }
        let ty = self.types.get(&array)?;
        let (Some(elem), [n]) = (ty.elem(), ty.shape()) else { return None };
        let n = *n;
        self.made.push(n);
        let (i, j) = (self.names.like(self.index), self.names.like(self.index));
        let x = PatElem::new(self.names.like(array), Type::Prim(elem));
        let all = PatElem::new(self.names.like(array), Type::array(elem, vec![n, self.width]));
        let body = KernelBody {
            results: vec![KernelResult::Return(x.var.into())],
            types: vec![x.ty.clone()],
            stms: vec![Stm::new(
                vec![x],
                Exp::Index { array, dims: vec![DimIndex::Fix(j.into())] },
            )],
        };
        let space = SegSpace { dims: vec![(j, n), (i, self.width)] };
        let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
        let var = all.var;
        self.emit(vec![all], Exp::Seg(op), like);
        Some(var)
    }

    /// Some elements of a column, or of an array that a step has made.
    fn part(&mut self, p: &PatElem, array: Var, dims: &[DimIndex], s: &Stm) -> Option<()> {
        let whole =
            DimIndex::Slice { start: SubExp::i64(0), n: self.width, stride: SubExp::i64(1) };
        let outside = |d: &DimIndex| match d {
            DimIndex::Fix(x) => self.is_outside(*x),
            DimIndex::Slice { start, n, stride } => {
                [start, n, stride].iter().all(|x| self.is_outside(**x))
            }
        };
        let (array, before, across) = match (self.kept.get(&array), dims) {
            (Some(Kept::Matrix { var, .. }), [_]) => (*var, dims, 0),
            (None, [before @ .., DimIndex::Fix(i)]) if *i == SubExp::Var(self.index) => {
                (array, before, 1)
            }
            _ => return None,
        };
        if !before.iter().all(outside) {
            return None;
        }
        let dims = before.iter().copied().chain([whole]).collect();
        self.across += across;
        self.bounded(array);
        self.matrix(p, Exp::Index { array, dims }, false, s)
    }

    /// A map, reduction or scan over one dimension.
    fn operation(
        &mut self,
        s: &Stm,
        space: &SegSpace,
        kind: &SegKind,
        body: &KernelBody,
    ) -> Option<()> {
        let [inner] = *space.dims.as_slice() else { return None };
        let same = kind.reductions().iter().all(|r| {
            let operator = free_in_lambda(&r.op);
            operator.iter().all(|v| self.is_outside((*v).into()))
                && r.neutral.iter().all(|x| self.is_outside(*x))
                && r.op.ret.iter().all(|t| matches!(t, Type::Prim(_)))
        });
        if !same || !self.is_outside(inner.1) || !body.stms.iter().all(is_straight) {
            return None;
        }
        let (own, body) = self.entered(body, Some(inner))?;
        let outer = (own, self.width);
        let dims = match kind {
            SegKind::Map => vec![inner, outer],
            SegKind::Red(_) | SegKind::Scan(_) => vec![outer, inner],
            SegKind::Hist(_) => return None,
        };
        if let SegKind::Red(ops) = kind
            && results_of(ops) != s.pat.len()
        {
            return self.stored_and_reduced(s, ops, (inner, outer), body);
        }
        let mut pat = Vec::with_capacity(s.pat.len());
        let mut views = Vec::new();
        for p in &s.pat {
            if matches!(kind, SegKind::Red(_)) {
                pat.push(self.scalars(p)?);
                continue;
            }
            let mut var = self.all(p, |elem, n, m| Type::array(elem, vec![n, m]))?;
            self.kept.insert(p.var, Kept::Matrix { var: var.var, fresh: true });
            if matches!(kind, SegKind::Scan(_)) {
                let columns = self.all(p, |elem, n, m| Type::array(elem, vec![m, n]))?;
                views.push((var, columns.var));
                var = columns;
            }
            pat.push(var);
        }
        let op = SegOp { level: SegLevel::Seq, space: SegSpace { dims }, kind: kind.clone(), body };
        self.emit(pat, Exp::Seg(op), s);
        for (turned, array) in views {
            self.emit(vec![turned], Exp::Rearrange { array, perm: vec![1, 0] }, s);
        }
        Some(())
    }

    /// A reduction that also stores something for each of its points: a map, and a reduction of what that makes.
    fn stored_and_reduced(
        &mut self,
        s: &Stm,
        ops: &[Reduction],
        (inner, outer): ((Var, SubExp), (Var, SubExp)),
        body: KernelBody,
    ) -> Option<()> {
        let (scalars, stored) = s.pat.split_at_checked(results_of(ops))?;
        let mut made: Vec<PatElem> = Vec::with_capacity(s.pat.len());
        for (ty, name) in body.types.iter().zip(&s.pat) {
            let Type::Prim(elem) = *ty else { return None };
            let column = PatElem::new(name.var, Type::array(elem, vec![inner.1]));
            made.push(self.all(&column, |elem, n, m| Type::array(elem, vec![n, m]))?);
        }
        for (p, all) in stored.iter().zip(made.iter().skip(scalars.len())) {
            self.kept.insert(p.var, Kept::Matrix { var: all.var, fresh: true });
        }
        let (own, place) = (self.names.like(outer.0), self.names.like(inner.0));
        let mut reduced = KernelBody { stms: Vec::new(), results: Vec::new(), types: Vec::new() };
        for (at, ty) in body.types.iter().take(scalars.len()).enumerate() {
            // What is reduced may be stored as it is.
            let same = body.results.iter().rposition(|r| Some(r) == body.results.get(at));
            let array = made.get(same.unwrap_or(at))?.var;
            let x = PatElem::new(self.names.like(array), ty.clone());
            reduced.results.push(KernelResult::Return(x.var.into()));
            reduced.types.push(ty.clone());
            let dims = vec![DimIndex::Fix(place.into()), DimIndex::Fix(own.into())];
            reduced.stms.push(Stm::new(vec![x], Exp::Index { array, dims }));
        }
        let level = SegLevel::Seq;
        let space = SegSpace { dims: vec![inner, outer] };
        self.emit(made, Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }), s);
        let pat = scalars.iter().map(|p| self.scalars(p)).collect::<Option<_>>()?;
        let space = SegSpace { dims: vec![(own, outer.1), (place, inner.1)] };
        let kind = SegKind::Red(ops.to_vec());
        self.emit(pat, Exp::Seg(SegOp { level, space, kind, body: reduced }), s);
        Some(())
    }

    /// The body of a step at a point of the columns whose index is new: it reads what earlier steps have made of that column.
    fn entered(
        &mut self,
        body: &KernelBody,
        inner: Option<(Var, SubExp)>,
    ) -> Option<(Var, KernelBody)> {
        let own = self.names.like(self.index);
        let mut subst = Subst::new();
        subst.insert(self.index, own);
        let mut stms = Vec::new();
        for v in free_in(|f| f.kernel_body(body)) {
            if let Some(Kept::Scalars(all, elem)) = self.kept.get(&v) {
                let x = PatElem::new(self.names.like(v), Type::Prim(*elem));
                subst.insert(v, x.var);
                let dims = vec![DimIndex::Fix(own.into())];
                stms.push(Stm::new(vec![x], Exp::Index { array: *all, dims }));
            }
        }
        let mut body = body.clone();
        subst.kernel_body(&mut body);
        let mut entering = Entering { kept: &self.kept, own, fits: true };
        entering.kernel_body(&mut body);
        if !entering.fits {
            return None;
        }
        stms.append(&mut body.stms);
        body.stms = stms;
        if let Some(inner) = inner {
            let mut read = Matrices(Vec::new());
            read.kernel_body(&body);
            read.0.into_iter().for_each(|v| self.bounded(v));
            let space = SegSpace { dims: vec![(own, self.width), inner] };
            self.across += reads_across(&space, &body)?;
        }
        Some((own, body))
    }

    /// A result of the map.
    fn result(&mut self, p: &PatElem, v: Var, used: &mut VarSet) -> Option<StepResult> {
        Some(match self.kept.get(&v)?.clone() {
            Kept::Scalars(var, _) if used.insert(var) => StepResult::Scalars(var),
            Kept::Scalars(var, _) => StepResult::Scalars(self.copied(var, p.ty.clone())),
            Kept::Matrix { var, fresh } => {
                let (Some(elem), [m, n]) = (p.ty.elem(), p.ty.shape()) else { return None };
                self.bounds.push(*n);
                if fresh && used.insert(var) {
                    StepResult::Matrix(var)
                } else {
                    StepResult::Matrix(self.copied(var, Type::array(elem, vec![*n, *m])))
                }
            }
        })
    }

    fn copied(&mut self, array: Var, ty: Type) -> Var {
        let copy = self.names.like(array);
        self.out.push(Stm::new(vec![PatElem::new(copy, ty)], Exp::Copy(array)));
        copy
    }

    /// How long the columns of a matrix are that a step reads.
    fn bounded(&mut self, matrix: Var) {
        if let Some([before @ .., _]) = self.types.get(&matrix).map(Type::shape) {
            self.bounds.extend(before);
        }
    }
}

/// Reads elements of matrices instead of arrays.
struct Entering<'a> {
    kept: &'a VarMap<Kept>,
    own: Var,
    fits: bool,
}

impl Rewrite for Entering<'_> {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Index { array, dims } = e
            && let Some(kept) = self.kept.get(array)
        {
            match (kept, dims.as_slice()) {
                (Kept::Matrix { var, .. }, [DimIndex::Fix(_)]) => {
                    *array = *var;
                    dims.push(DimIndex::Fix(self.own.into()));
                }
                _ => self.fits = false,
            }
            return;
        }
        rewrite::exp(self, e);
    }

    /// Nothing else may be done with what is kept for each column.
    fn var(&mut self, v: &mut Var) {
        self.fits &= !self.kept.contains_key(v);
    }
}

/// Arrays that elements are read of.
struct Matrices(Vec<Var>);

impl Visit for Matrices {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Index { array, .. } = e {
            self.0.push(*array);
        }
        walk::exp(self, e);
    }
}
