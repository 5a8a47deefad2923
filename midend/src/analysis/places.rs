//! Where the arrays of a program lie, at level mem, and how segmented operations go through them.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, Defs, DimIndex, Exp, MemBind, Param, PatElem, Poly, Prim, Program, SegSpace, Stm,
    SubExp, Type, Var,
};

/// So many elements are whole vectors, whatever their type and the machine.
const WHOLE_VECTORS: i64 = 64;

/// The places of all arrays: variables are bound once in a program, so one table serves.
#[derive(Default)]
pub struct Places {
    arrays: VarMap<Place>,
    /// What `i64` variables are made of.
    pub defs: Defs,
    /// Of these, the multiples of [`WHOLE_VECTORS`].
    multiples: VarSet,
}

/// Where an array lies.
#[derive(Clone, Debug)]
pub struct Place {
    /// The element type.
    pub elem: Prim,
    /// Block and LMAD.
    pub mem: MemBind,
}

impl Place {
    /// The distance between neighbours along a dimension, in elements, if it is known.
    pub fn stride(&self, dim: usize) -> Option<i64> {
        Poly::of(&self.mem.lmad.dims.get(dim)?.stride).as_const()
    }

    /// The distance between neighbours along the innermost dimension, if it is known.
    pub fn last_stride(&self) -> Option<i64> {
        self.stride(self.rank().checked_sub(1)?)
    }

    /// The size of a dimension, if it is known.
    pub fn size(&self, dim: usize) -> Option<i64> {
        Poly::leaf(self.mem.lmad.dims.get(dim)?.n).as_const()
    }

    /// How many dimensions it has.
    pub fn rank(&self) -> usize {
        self.mem.lmad.dims.len()
    }

    /// The innermost dimension whose neighbours are neighbours in memory.
    pub fn unit_dim(&self) -> Option<usize> {
        self.mem.lmad.unit_dim()
    }

    /// Its size in bytes, if that is known.
    pub fn bytes(&self) -> Option<i64> {
        self.mem.lmad.known_bytes(self.elem)
    }
}

impl Places {
    /// Of a program at level mem.
    pub fn of_program(program: &Program) -> Places {
        let mut places = Places::default();
        places.body(&program.consts);
        program.globals.iter().for_each(|g| places.pat_elem(g));
        program.funs.iter().for_each(|f| places.fun(f));
        places
    }

    /// The place of an array.
    pub fn of(&self, array: Var) -> Option<&Place> {
        self.arrays.get(&array)
    }

    /// Whether an array is dense and begins where its block does or whole vectors behind that, as parts that
    /// tasks have do, so that its first element is aligned.
    pub fn is_aligned(&self, place: &Place) -> bool {
        let offset = Poly::of(&place.mem.lmad.offset);
        let whole = |(vars, factor): (&[Var], i64)| {
            factor % WHOLE_VECTORS == 0 || vars.iter().any(|v| self.multiples.contains(v))
        };
        offset.monomials().all(whole) && place.mem.lmad.is_contiguous(&self.defs)
    }

    fn is_multiple(&self, x: SubExp) -> bool {
        match x {
            SubExp::Const(c) => c.as_int().is_some_and(|c| c % WHOLE_VECTORS == 0),
            SubExp::Var(v) => self.multiples.contains(&v),
        }
    }

    /// Notes which of the variables that a statement binds are multiples.
    fn learn_multiples(&mut self, s: &Stm) {
        let found: Vec<bool> = match &s.exp {
            Exp::SubExp(x) => vec![self.is_multiple(*x)],
            Exp::BinOp(BinOp::Mul(_) | BinOp::And(_), x, y) => {
                vec![self.is_multiple(*x) || self.is_multiple(*y)]
            }
            Exp::BinOp(BinOp::Add(_) | BinOp::Sub(_) | BinOp::SMin(_) | BinOp::SMax(_), x, y) => {
                vec![self.is_multiple(*x) && self.is_multiple(*y)]
            }
            Exp::Match { cases, default, .. } => {
                let branch = |b: &Body| b.result.iter().map(|x| self.is_multiple(*x)).collect();
                cases.iter().fold(branch(default), |all: Vec<bool>, (_, body)| {
                    all.into_iter().zip(branch(body)).map(|(a, b)| a && b).collect()
                })
            }
            _ => return,
        };
        let of_64_bits = s.pat.iter().zip(found).filter(|(p, found)| *found && p.ty == Type::I64);
        self.multiples.extend(of_64_bits.map(|(p, _)| p.var));
    }

    /// The dimension of a space along which a read goes from neighbour to neighbour in memory.
    pub fn unit_dim(&self, space: &SegSpace, stm: &Stm) -> Option<usize> {
        let Exp::Index { array, dims } = &stm.exp else { return None };
        let place = self.of(*array)?;
        dims.iter().enumerate().find_map(|(k, index)| match index {
            DimIndex::Fix(SubExp::Var(v)) if place.stride(k) == Some(1) => {
                space.dims.iter().position(|(w, _)| w == v)
            }
            _ => None,
        })
    }

    /// The dimension whose neighbours are neighbours in memory, of a reduction along the innermost one that goes from
    /// row to row.
    pub fn columns(&self, space: &SegSpace, stms: &[Stm]) -> Option<usize> {
        let depth = space.dims.len().checked_sub(1).filter(|d| *d > 0)?;
        let along = |s| self.unit_dim(space, s);
        let columns = stms
            .iter()
            .rev()
            .find_map(|s| along(s).filter(|d| *d != depth && reads_along(space, s, depth)))?;
        // What goes along both dimensions had better be read by rows.
        let by_rows =
            stms.iter().any(|s| along(s) == Some(depth) && reads_along(space, s, columns));
        (!by_rows).then_some(columns)
    }

    fn note(&mut self, var: Var, ty: &Type, mem: Option<&MemBind>) {
        if let (Type::Array { elem, .. }, Some(mem)) = (ty, mem) {
            self.arrays.insert(var, Place { elem: *elem, mem: mem.clone() });
        }
    }
}

impl Visit for Places {
    fn stm(&mut self, s: &Stm) {
        self.defs.learn(&s.pat, &s.exp);
        walk::stm(self, s);
        self.learn_multiples(s);
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.note(p.var, &p.ty, p.mem.as_ref());
    }

    fn param(&mut self, p: &Param) {
        self.note(p.var, &p.ty, p.mem.as_ref());
    }
}

/// Whether a read is at an index of this dimension.
pub fn reads_along(space: &SegSpace, stm: &Stm, d: usize) -> bool {
    let (Exp::Index { dims, .. }, Some((v, _))) = (&stm.exp, space.dims.get(d)) else {
        return false;
    };
    dims.contains(&DimIndex::Fix((*v).into()))
}
