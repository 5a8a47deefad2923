//! What is made of the places that products have left.

use crate::analysis::contraction::scalar_code;
use crate::ir::builder::full_index;
use crate::ir::traverse::{Rewrite, Subst, for_each_block, free_in_stm, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Class, DimIndex, Exp, KernelBody, KernelResult, PatElem, Reduction, SegKind, SegLevel, SegOp,
    SegSpace, Stm, SubExp, Type, Var,
};

/// Arrays outside an operation, a row of which its body has at each point.
#[derive(Clone)]
pub struct Rows {
    /// The point.
    index: Vec<SubExp>,
    /// The array of each row.
    arrays: VarMap<Var>,
    /// Statements that make arrays, and where in the body their rows are made.
    pub made: Vec<(usize, Stm)>,
    /// What arrays are not made of here, but are taken to be there, if that is so.
    pub wanted: Option<Vec<Var>>,
}

impl Rows {
    /// None yet, of an operation over this space.
    pub fn new(space: &SegSpace) -> Rows {
        let index = space.dims.iter().map(|(i, _)| (*i).into()).collect();
        Rows { index, arrays: VarMap::default(), made: Vec::new(), wanted: None }
    }

    /// As [`Rows::new`], where anything that a body makes may be taken for an element of an array
    /// outside.
    pub fn wanting(space: &SegSpace) -> Rows {
        Rows { wanted: Some(Vec::new()), ..Rows::new(space) }
    }

    /// Whether a variable is such a row.
    pub fn contains(&self, row: Var) -> bool {
        self.arrays.contains_key(&row)
    }

    /// The row that a statement makes is one of what `array` makes.
    pub fn insert(&mut self, row: &Stm, array: &Stm) {
        if let ([row], [array]) = (row.pat.as_slice(), array.pat.as_slice()) {
            self.insert_array(row, array.var);
        }
    }

    /// A row of `array`.
    pub fn insert_array(&mut self, row: &PatElem, array: Var) {
        if row.ty.rank() > 0 {
            self.arrays.insert(row.var, array);
        }
    }

    /// Takes what a statement makes for what an array outside has at the point, if anything may be
    /// taken so: the statement that reads it there, if it is a scalar.
    pub fn want(&mut self, made: &PatElem, array: Var) -> Option<Option<Stm>> {
        self.wanted.as_mut()?.push(made.var);
        self.arrays.insert(made.var, array);
        let at = self.index.iter().map(|i| DimIndex::Fix(*i)).collect();
        let read = Stm::new(vec![made.clone()], Exp::Index { array, dims: at });
        match made.ty {
            Type::Prim(_) => Some(Some(read)),
            Type::Array { .. } => Some(None),
            Type::Cert | Type::Mem(_) => None,
        }
    }

    /// As [`Rows::insert`], where the statement `at` is still to be changed.
    pub fn add(&mut self, row: &Stm, array: Stm, at: usize) {
        self.insert(row, &array);
        self.made.push((at, array));
    }

    /// Elements of rows become elements of arrays.
    pub fn read_in_all(&mut self, stms: &mut [Stm]) {
        if !self.arrays.is_empty() {
            stms.iter_mut().for_each(|s| self.stm(s));
        }
    }
}

impl Rewrite for Rows {
    fn exp(&mut self, e: &mut Exp) {
        if let Exp::Index { array, dims } = e
            && let Some(whole) = self.arrays.get(array)
            && dims.iter().all(|d| matches!(d, DimIndex::Fix(_)))
        {
            *array = *whole;
            dims.splice(..0, self.index.iter().map(|i| DimIndex::Fix(*i)));
        }
        rewrite::exp(self, e);
    }
}

/// The body of an operation of one thread, and how many of its results are folded.
pub fn points(exp: &mut Exp) -> Option<(&SegSpace, usize, &mut KernelBody)> {
    let folded = |ops: &[Reduction]| ops.iter().map(|r| r.neutral.len()).sum();
    match exp {
        Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }) => {
            Some((space, 0, body))
        }
        Exp::Seg(SegOp {
            level: SegLevel::Seq,
            space,
            kind: SegKind::Red(ops) | SegKind::Scan(ops),
            body,
        }) => Some((space, folded(ops), body)),
        _ => None,
    }
}

/// What an operation collects at each point, if it is but the element of an array from outside at
/// that point, is that array, or a row of it: its pattern and the array. The operation no longer
/// collects it.
pub fn returned(
    stm: &mut Stm,
    around: &[SubExp],
    arrays: &VarMap<Type>,
    mut may: impl FnMut(&PatElem) -> bool,
) -> Vec<(PatElem, Var)> {
    let Some((space, folded, body)) = points(&mut stm.exp) else { return Vec::new() };
    // Checks are made even if nothing is collected.
    if folded == 0 && !body.stms.iter().all(value) {
        return Vec::new();
    }
    let point: Vec<SubExp> =
        around.iter().copied().chain(space.dims.iter().map(|d| d.0.into())).collect();
    let mut out: Vec<(PatElem, Var)> = Vec::new();
    for at in (folded..body.results.len()).rev() {
        let (Some(p), Some(KernelResult::Return(SubExp::Var(v)))) =
            (stm.pat.get(at), body.results.get(at))
        else {
            continue;
        };
        let read = body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == *v));
        let Some(Exp::Index { array, dims }) = read.map(|s| &s.exp) else { continue };
        let Some(ty) = arrays.get(array) else { continue };
        let same = *dims == full_index(ty.shape(), &point)
            && ty.shape().get(around.len()..) == Some(p.ty.shape());
        if same && out.iter().all(|(_, a)| a != array) && may(p) {
            out.push((p.clone(), *array));
            stm.pat.remove(at);
            body.results.remove(at);
            body.types.remove(at);
        }
    }
    out
}

/// Whether a statement does nothing but make values.
pub fn value(stm: &Stm) -> bool {
    has_no(stm, &[Class::Check, Class::Call, Class::Trace])
}

/// As [`value`], but that it may make checks.
pub fn checked_value(stm: &Stm) -> bool {
    has_no(stm, &[Class::Call, Class::Trace])
}

fn has_no(stm: &Stm, classes: &[Class]) -> bool {
    let mut below = true;
    for_each_block(&stm.exp, &mut |b| below &= b.iter().all(|s| has_no(s, classes)));
    below && !classes.contains(&stm.exp.class())
}

/// As [`value`], of what is not looked into.
fn scalar_value(stm: &Stm) -> bool {
    scalar_code(stm) || matches!(stm.exp, Exp::Index { .. })
}

/// Gives an array another name.
pub fn rename(stms: &mut [Stm], array: Var, name: Var) {
    let mut subst: Subst = [(array, name)].into_iter().collect();
    for s in stms {
        subst.stm(s);
        for p in s.pat.iter_mut().filter(|p| p.var == array) {
            p.var = name;
        }
    }
}

/// Removes rows and scalars that nothing uses any more.
pub fn tidy(body: &mut KernelBody) {
    let mut used = VarSet::default();
    for r in &body.results {
        match r {
            KernelResult::Return(x) => used.extend(x.var()),
            KernelResult::Write { dest, writes } => {
                used.insert(*dest);
                let operands = writes.iter().flat_map(|(at, x)| at.iter().chain([x]));
                used.extend(operands.filter_map(|x| x.var()));
            }
        }
    }
    used.extend(body.types.iter().flat_map(Type::shape).filter_map(|n| n.var()));
    let mut kept = Vec::with_capacity(body.stms.len());
    for s in std::mem::take(&mut body.stms).into_iter().rev() {
        let needed = s.pat.iter().any(|p| used.contains(&p.var));
        if needed || !scalar_value(&s) {
            used.extend(free_in_stm(&s));
            kept.push(s);
        }
    }
    kept.reverse();
    body.stms = kept;
}
