//! The body of a point as that of a strip: arrays that differ from point to point have a last dimension of points, scalars
//! are computed where they are used.
//!
//! What is the same for all points stays as it is and is done once. So are checks, none of which may differ.

use crate::analysis::bodies::returns;
use crate::ir::traverse::{Renamer, Rewrite, Subst, any_exp, free_in_stm, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, Builder, DimIndex, Exp, IntType, KernelBody, KernelResult, LoopForm, PatElem,
    Poly, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Makes the body of a strip.
pub(super) struct Lines<'a> {
    b: &'a mut Builder,
    point: Var,
    /// Its names.
    points: VarSet,
    /// The first point of the strip, and the number of a point in it.
    first: Var,
    lane: Var,
    width: SubExp,
    varying: &'a VarSet,
    /// What the body binds.
    bound: &'a VarSet,
    /// Arrays of all points of a strip.
    arrays: VarSet,
    /// Scalars that differ and are in scope, with the index of the point.
    scalars: Vec<Stm>,
    /// Bytes of arrays that a point has, each.
    pub(super) sizes: Vec<Poly>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(
        b: &'a mut Builder,
        point: Var,
        first: Var,
        width: i64,
        (varying, bound): (&'a VarSet, &'a VarSet),
    ) -> Lines<'a> {
        let (width, lane) = (SubExp::i64(width), b.names.fresh("lane"));
        Lines {
            b,
            point,
            points: VarSet::from_iter([point]),
            first,
            lane,
            width,
            varying,
            bound,
            arrays: VarSet::default(),
            scalars: Vec::new(),
            sizes: Vec::new(),
        }
    }

    /// The body, and its results with points first. Nothing if it cannot go so.
    pub(super) fn body(&mut self, body: &KernelBody) -> Option<Vec<SubExp>> {
        self.list(&body.stms)?;
        let mut results = Vec::with_capacity(body.results.len());
        for (r, ty) in body.results.iter().zip(&body.types) {
            let KernelResult::Return(SubExp::Var(array)) = r else { return None };
            if !self.varies(*array) || self.types_vary(ty) {
                return None;
            }
            let last = ty.rank();
            let perm = [last].into_iter().chain(0..last).collect();
            let exp = Exp::Rearrange { array: *array, perm };
            results.push(self.b.emit_as("strip", ty.outer(self.width), exp).into());
        }
        Some(results)
    }

    fn varies(&self, v: Var) -> bool {
        self.varying.contains(&v)
    }

    fn operand_varies(&self, x: SubExp) -> bool {
        x.var().is_some_and(|v| self.varies(v))
    }

    fn types_vary(&self, ty: &Type) -> bool {
        ty.shape().iter().any(|n| self.operand_varies(*n))
    }

    /// Makes an array one of all points of a strip.
    fn widen(&mut self, array: Var, ty: &mut Type) -> Option<()> {
        let fixed = !self.types_vary(ty);
        let Type::Array { shape, .. } = ty else { return None };
        shape.push(self.width);
        self.arrays.insert(array);
        fixed.then_some(())
    }

    /// An array that each point has a block for.
    fn takes_room(&mut self, ty: &Type) {
        let bytes = Poly::constant(ty.elem().map_or(1, |e| e.bytes()));
        self.sizes.push(ty.shape().iter().fold(bytes, |all, n| all.mul(&Poly::leaf(*n))));
    }

    fn list(&mut self, stms: &[Stm]) -> Option<()> {
        let outside = self.scalars.len();
        for s in stms {
            if free_in_stm(s).iter().any(|v| self.varies(*v)) {
                self.stm(s)?;
            } else if is_told(s) {
                return None;
            } else {
                self.b.push(s.clone());
            }
        }
        self.scalars.truncate(outside);
        Some(())
    }

    /// A statement that differs from point to point.
    fn stm(&mut self, s: &Stm) -> Option<()> {
        if s.certs.iter().any(|c| self.varies(*c)) {
            return None;
        }
        let mut s = s.clone();
        match &mut s.exp {
            Exp::Loop { .. } => return self.looped(s),
            Exp::Seg(_) => return self.map(s),
            _ => {}
        }
        let [p] = s.pat.as_mut_slice() else { return None };
        if p.ty.rank() == 0 {
            let cheap = match &s.exp {
                Exp::SubExp(x) => {
                    if x.var().is_some_and(|v| self.points.contains(&v)) {
                        self.points.insert(p.var);
                    }
                    true
                }
                Exp::BinOp(..) | Exp::UnOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) => true,
                // What a point makes itself may have changed by the time.
                Exp::Index { array, .. } => !self.bound.contains(array),
                _ => false,
            };
            self.scalars.push(s);
            return cheap.then_some(());
        }
        let of_point = p.ty.clone();
        self.widen(p.var, &mut p.ty)?;
        let all = DimIndex::full(self.width);
        match &mut s.exp {
            Exp::Index { array, dims } if self.varies(*array) => {
                let fixed = dims.iter().flat_map(operands).all(|x| !self.operand_varies(x));
                dims.push(Some(all).filter(|_| fixed)?);
            }
            Exp::Index { .. } => {
                self.takes_room(&of_point);
                return self.rows(s);
            }
            Exp::Copy(_) => self.takes_room(&of_point),
            Exp::SubExp(SubExp::Var(_)) => {}
            Exp::Rearrange { perm, .. } => perm.push(perm.len()),
            Exp::Reshape { shape, .. } => shape.push(self.width),
            Exp::Update { array, dims, value: SubExp::Var(value) }
                if self.varies(*array) && self.varies(*value) =>
            {
                let fixed = dims.iter().flat_map(operands).all(|x| !self.operand_varies(x));
                let rows = dims.iter().any(|d| matches!(d, DimIndex::Slice { .. }));
                dims.push(Some(all).filter(|_| fixed && rows)?);
            }
            _ => return None,
        }
        self.b.push(s);
        Some(())
    }

    /// What each point reads of an array of all: a copy with points last.
    fn rows(&mut self, mut s: Stm) -> Option<()> {
        let Exp::Index { dims, .. } = &mut s.exp else { return None };
        let here =
            |d: &DimIndex| matches!(d, DimIndex::Fix(SubExp::Var(v)) if self.points.contains(v));
        let at = dims.iter().position(here)?;
        let others = dims.iter().enumerate().filter(|(d, _)| *d != at);
        if others.into_iter().flat_map(|(_, d)| operands(d)).any(|x| self.operand_varies(x)) {
            return None;
        }
        let slice =
            DimIndex::Slice { start: self.first.into(), n: self.width, stride: SubExp::i64(1) };
        *dims.get_mut(at)? = slice;
        let before = dims.iter().take(at).filter(|d| matches!(d, DimIndex::Slice { .. })).count();
        let p = s.pat.pop()?;
        let rank = p.ty.rank();
        let perm: Vec<usize> = (0..rank).filter(|d| *d != before).chain([before]).collect();
        let mut shape = p.ty.shape().to_vec();
        shape.pop();
        shape.insert(before, self.width);
        let view = self.b.pat("rows", Type::array(p.ty.elem()?, shape));
        let array = view.var;
        s.pat.push(view);
        let (loc, certs) = (s.loc, s.certs.clone());
        self.b.push(s);
        let view = self.b.emit_as("columns", p.ty.clone(), Exp::Rearrange { array, perm });
        self.b.push(Stm { loc, certs, ..Stm::new(vec![p], Exp::Copy(view)) });
        Some(())
    }

    fn looped(&mut self, mut s: Stm) -> Option<()> {
        let Exp::Loop { params, init, form, body } = &mut s.exp else { return None };
        let control = match form {
            LoopForm::For { bound, .. } => *bound,
            LoopForm::While { cond } => (*cond).into(),
        };
        if self.operand_varies(control) {
            return None;
        }
        let varies: Vec<bool> = params.iter().map(|p| self.varies(p.var)).collect();
        let of_point: Vec<Type> = params.iter().map(|p| p.ty.clone()).collect();
        for ((p, x), _) in params.iter_mut().zip(init).zip(&varies).filter(|(_, v)| **v) {
            *x = self.all_points(*x, &p.ty)?;
            self.widen(p.var, &mut p.ty)?;
        }
        self.b.know_params(params);
        let Body { stms, result } = body;
        self.b.begin();
        let done = self.list(stms);
        let next = done.and_then(|()| self.carried(&of_point, &varies, result));
        body.stms = self.b.end();
        body.result = next?;
        for (p, _) in s.pat.iter_mut().zip(varies).filter(|(_, v)| *v) {
            self.widen(p.var, &mut p.ty)?;
        }
        self.b.push(s);
        Some(())
    }

    /// What a round hands on.
    fn carried(&mut self, types: &[Type], varies: &[bool], next: &[SubExp]) -> Option<Vec<SubExp>> {
        let all = types.iter().zip(next).zip(varies);
        all.map(|((ty, x), varies)| if *varies { self.all_points(*x, ty) } else { Some(*x) })
            .collect()
    }

    /// An array of a point as that of all points of a strip.
    fn all_points(&mut self, x: SubExp, ty: &Type) -> Option<SubExp> {
        let array = x.var()?;
        if self.varies(array) {
            return Some(x);
        }
        let elem = ty.elem().filter(|_| !self.types_vary(ty))?;
        let shape = ty.shape().iter().copied().chain([self.width]).collect();
        self.takes_room(ty);
        self.b.begin();
        let mut dims: Vec<(Var, SubExp)> =
            ty.shape().iter().map(|n| (self.b.fresh("i", Type::I64), *n)).collect();
        let at = dims.iter().map(|(i, _)| DimIndex::Fix((*i).into())).collect();
        let value = self.b.emit_as("x", Type::Prim(elem), Exp::Index { array, dims: at });
        dims.push((self.b.fresh("lane", Type::I64), self.width));
        let results = vec![KernelResult::Return(value.into())];
        let body = KernelBody { stms: self.b.end(), results, types: vec![Type::Prim(elem)] };
        let space = SegSpace { dims };
        let op = SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body };
        Some(self.b.emit_as("xs", Type::array(elem, shape), Exp::Seg(op)).into())
    }

    /// A map inside: a row of points for each of its elements that differ.
    fn map(&mut self, mut s: Stm) -> Option<()> {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) = &mut s.exp
        else {
            return None;
        };
        let scalars = body.types.iter().all(|t| matches!(t, Type::Prim(_)));
        if !scalars || !returns(body) || space.dims.iter().any(|(_, n)| self.operand_varies(*n)) {
            return None;
        }
        let mut results = Vec::with_capacity(body.results.len());
        for ((p, r), ty) in s.pat.iter_mut().zip(&body.results).zip(&mut body.types) {
            let KernelResult::Return(x) = r else { return None };
            let varies = self.varying.contains(&p.var);
            results.push((*x, ty.clone(), varies));
            if varies {
                *ty = ty.outer(self.width);
                self.takes_room(&p.ty);
                self.widen(p.var, &mut p.ty)?;
            }
        }
        if !results.iter().any(|r| r.2) {
            return None;
        }
        let (stms, results) = self.element(&body.stms, &results, &self.scalars.clone())?;
        body.stms = stms;
        body.results = results.into_iter().map(KernelResult::Return).collect();
        self.b.push(s);
        Some(())
    }

    /// One element: what is the same for all points once, then what differs in a map over them. Of the results, some are
    /// rows of points. Statements before it are done in each lane that needs them.
    fn element(
        &mut self,
        stms: &[Stm],
        results: &[(SubExp, Type, bool)],
        before: &[Stm],
    ) -> Option<(Vec<Stm>, Vec<SubExp>)> {
        let mut once = Vec::new();
        let mut lanes = before.to_vec();
        let mut rows: VarMap<Var> = VarMap::default();
        for s in stms {
            let varies = free_in_stm(s).iter().any(|v| self.varies(*v));
            if is_told(s) || s.certs.iter().any(|c| self.varies(*c)) {
                return None;
            }
            match &s.exp {
                _ if !varies => once.push(s.clone()),
                _ if !stays_single(s) => lanes.push(s.clone()),
                Exp::Match { scrutinee, .. } if !self.operand_varies(*scrutinee) => {
                    let of_rows = self.branches(s, &lanes)?;
                    for (p, row) in s.pat.iter().zip(&of_rows.pat) {
                        let at = vec![DimIndex::Fix(self.lane.into())];
                        let exp = Exp::Index { array: row.var, dims: at };
                        lanes.push(Stm { loc: s.loc, ..Stm::new(vec![p.clone()], exp) });
                        rows.insert(p.var, row.var);
                    }
                    once.push(of_rows);
                }
                _ => return None,
            }
        }
        let row = |x: SubExp| x.var().and_then(|v| rows.get(&v).copied());
        let mut values = Vec::new();
        let mut pat = Vec::new();
        let mut out = Vec::with_capacity(results.len());
        for (x, ty, varies) in results {
            out.push(match row(*x) {
                _ if !varies => *x,
                Some(row) => row.into(),
                None => {
                    values.push((*x, ty.clone()));
                    pat.push(self.b.pat("row", ty.outer(self.width)));
                    pat.last()?.var.into()
                }
            });
        }
        if !values.is_empty() {
            once.push(Stm::new(pat, self.lanes(lanes, values)?));
        }
        Some((once, out))
    }

    /// Branches that all points take alike, which yield rows.
    fn branches(&mut self, s: &Stm, before: &[Stm]) -> Option<Stm> {
        let mut s = s.clone();
        let types: Vec<Type> = s.pat.iter().map(|p| p.ty.clone()).collect();
        for p in &mut s.pat {
            let row = p.ty.outer(self.width);
            *p = Some(self.b.pat("row", row)).filter(|_| matches!(p.ty, Type::Prim(_)))?;
        }
        let Exp::Match { cases, default, .. } = &mut s.exp else { return None };
        for body in cases.iter_mut().map(|(_, body)| body).chain([default]) {
            let all = body.result.iter().zip(&types).map(|(x, ty)| (*x, ty.clone(), true));
            let (stms, result) = self.element(&body.stms, &all.collect::<Vec<_>>(), before)?;
            *body = Body { stms, result };
        }
        Some(s)
    }

    /// A map over the points of a strip.
    fn lanes(&mut self, stms: Vec<Stm>, values: Vec<(SubExp, Type)>) -> Option<Exp> {
        let lane = self.b.fresh("lane", Type::I64);
        let sum = Exp::BinOp(BinOp::Add(IntType::I64), self.first.into(), self.lane.into());
        let point = Stm::new(vec![PatElem::new(self.point, Type::I64)], sum);
        let stms = [point].into_iter().chain(stms).collect();
        let (results, types): (Vec<SubExp>, Vec<Type>) = values.into_iter().unzip();
        let results = results.into_iter().map(KernelResult::Return).collect();
        let mut body = KernelBody { stms, results, types };
        let mut reads = OfLane { arrays: &self.arrays, lane: self.lane, others: false };
        reads.kernel_body(&mut body);
        if reads.others {
            return None;
        }
        let subst: Subst = [(self.lane, lane)].into_iter().collect();
        Renamer::with(&mut self.b.names, subst).kernel_body(&mut body);
        let space = SegSpace { dims: vec![(lane, self.width)] };
        Some(Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }))
    }
}

/// What an index is made of.
fn operands(d: &DimIndex) -> Vec<SubExp> {
    match d {
        DimIndex::Fix(x) => vec![*x],
        DimIndex::Slice { start, n, stride } => vec![*start, *n, *stride],
    }
}

/// Whether something is told, or may be told, for each point.
fn is_told(s: &Stm) -> bool {
    any_exp(|v| v.stm(s), |e| matches!(e, Exp::Trace(_) | Exp::Call { .. }))
}

/// Whether something in a statement must not be repeated in lanes: a check, or a change of an array in place.
fn stays_single(s: &Stm) -> bool {
    any_exp(
        |v| v.stm(s),
        |e| match e {
            Exp::Assert { .. } | Exp::Update { .. } | Exp::FlatUpdate { .. } => true,
            Exp::Loop { params, .. } => params.iter().any(|p| p.unique),
            Exp::Seg(SegOp { kind, body, .. }) => {
                matches!(kind, SegKind::Hist(_)) || !returns(body)
            }
            _ => false,
        },
    )
}

/// Reads what the lane's point has of arrays of strips.
struct OfLane<'v> {
    arrays: &'v VarSet,
    lane: Var,
    /// Whether they are used in another way.
    others: bool,
}

impl Rewrite for OfLane<'_> {
    fn var(&mut self, v: &mut Var) {
        self.others |= self.arrays.contains(v);
    }

    fn exp(&mut self, e: &mut Exp) {
        match e {
            Exp::Index { array, dims } if self.arrays.contains(array) => {
                let all = std::mem::replace(array, self.lane);
                dims.push(DimIndex::Fix(self.lane.into()));
                rewrite::exp(self, e);
                if let Exp::Index { array, .. } = e {
                    *array = all;
                }
            }
            _ => rewrite::exp(self, e),
        }
    }
}
