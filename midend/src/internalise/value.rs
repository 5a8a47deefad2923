//! What the specialiser computes with: values whose structure is static and whose leaves are
//! operands of the Core IR, and types closed over Core sizes.
//!
//! An array of records is a record of arrays, so indexing, slicing, zipping and the like map
//! over leaves and never rebuild structure. The unit has one leaf, a `bool` of no meaning, so that
//! an array of units keeps its size.

use crate::ir::{FloatType, IntType, Prim, SubExp};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::FunDef;
use futc_typed::types::Arrow;
use std::rc::Rc;
use std::sync::Arc;

/// A scope of local names in the arena of the specialiser.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FrameId(pub u32);

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A scalar, an array of scalars, or the unit.
    Leaf(SubExp),
    /// A record, or an array of records; fields as in its type.
    Record(Rc<[(Name, Value)]>),
    /// A sum, or an array of sums: the tag and the payload leaves, laid out by [`SumLayout`].
    Sum(Rc<[SubExp]>),
    /// A sum with functions in it, which is static altogether.
    Constr(Name, Rc<[Value]>),
    /// A function.
    Fun(Rc<Closure>),
}

/// A function and the first of its arguments.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    pub code: Code,
    pub types: Rc<[Ty]>,
    pub sizes: Rc<[Dim]>,
    pub args: Vec<Value>,
}

/// What a closure runs.
#[derive(Clone, Debug)]
pub(super) enum Code {
    /// The definition of that index in the program.
    Def(usize),
    /// A local or anonymous function in its scope.
    Local(Arc<FunDef>, FrameId),
    /// An intrinsic.
    Intrinsic(Name),
    /// A function of no meaning.
    Blank(Arc<Arrow>, FrameId),
}

/// A size, if known.
pub(super) type Dim = Option<SubExp>;

/// A type closed over Core sizes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ty {
    Prim(PrimType),
    Array(Dim, Rc<Ty>),
    Record(Rc<[(Name, Ty)]>),
    Sum(Rc<[(Name, Vec<Ty>)]>),
    Fun,
}

/// The type of a leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct LeafTy {
    pub prim: PrimType,
    pub dims: Vec<Dim>,
}

/// How the constructors of a sum share leaves. Leaf 0 is the `u8` tag. Scalars of equal type are
/// shared between constructors; arrays are not, for their sizes may differ.
#[derive(Debug)]
pub(super) struct SumLayout {
    /// All leaves, the tag's first.
    pub leaves: Vec<LeafTy>,
    /// For each constructor, the leaf that each leaf of its payload uses.
    pub slots: Vec<Vec<usize>>,
}

impl Value {
    /// The value of type `()`.
    pub fn unit() -> Value {
        Value::Leaf(SubExp::bool(true))
    }

    /// Appends the leaves; `false` if there are functions in the value.
    pub fn leaves_into(&self, out: &mut Vec<SubExp>) -> bool {
        match self {
            Value::Leaf(s) => {
                out.push(*s);
                true
            }
            Value::Record(fields) => fields.iter().all(|(_, v)| v.leaves_into(out)),
            Value::Sum(leaves) => {
                out.extend(leaves.iter().copied());
                true
            }
            Value::Constr(..) | Value::Fun(_) => false,
        }
    }

    /// Whether there are functions in it.
    pub fn has_fun(&self) -> bool {
        match self {
            Value::Leaf(_) | Value::Sum(_) => false,
            Value::Record(fields) => fields.iter().any(|(_, v)| v.has_fun()),
            Value::Constr(..) | Value::Fun(_) => true,
        }
    }

    /// The first leaf, which tells the outer dimensions.
    pub fn first_leaf(&self) -> Option<SubExp> {
        match self {
            Value::Leaf(s) => Some(*s),
            Value::Record(fields) => fields.iter().find_map(|(_, v)| v.first_leaf()),
            Value::Sum(leaves) => leaves.first().copied(),
            Value::Constr(..) | Value::Fun(_) => None,
        }
    }

    /// The same structure with other leaves, taken in order.
    pub fn with_leaves(&self, leaves: &mut impl Iterator<Item = SubExp>) -> Value {
        match self {
            Value::Leaf(s) => Value::Leaf(leaves.next().unwrap_or(*s)),
            Value::Record(fields) => {
                Value::Record(fields.iter().map(|(n, v)| (*n, v.with_leaves(leaves))).collect())
            }
            Value::Sum(old) => {
                Value::Sum(old.iter().map(|s| leaves.next().unwrap_or(*s)).collect())
            }
            Value::Constr(..) | Value::Fun(_) => self.clone(),
        }
    }

    /// A tuple.
    pub fn tuple(values: Vec<Value>) -> Value {
        Value::Record(
            values.into_iter().enumerate().map(|(i, v)| (Name::new(&i.to_string()), v)).collect(),
        )
    }
}

impl Ty {
    /// Whether there are functions in it.
    pub fn has_fun(&self) -> bool {
        match self {
            Ty::Prim(_) => false,
            Ty::Array(_, elem) => elem.has_fun(),
            Ty::Record(fields) => fields.iter().any(|(_, t)| t.has_fun()),
            Ty::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(Ty::has_fun)),
            Ty::Fun => true,
        }
    }

    /// Whether there are sums in it.
    pub fn has_sum(&self) -> bool {
        match self {
            Ty::Prim(_) | Ty::Fun => false,
            Ty::Array(_, elem) => elem.has_sum(),
            Ty::Record(fields) => fields.iter().any(|(_, t)| t.has_sum()),
            Ty::Sum(_) => true,
        }
    }

    /// The leaves of a value of this type.
    pub fn leaves(&self) -> Vec<LeafTy> {
        let mut out = Vec::new();
        self.leaves_into(&mut Vec::new(), &mut out);
        out
    }

    fn leaves_into(&self, outer: &mut Vec<Dim>, out: &mut Vec<LeafTy>) {
        match self {
            Ty::Prim(p) => out.push(LeafTy { prim: *p, dims: outer.clone() }),
            Ty::Array(d, elem) => {
                outer.push(*d);
                elem.leaves_into(outer, out);
                outer.pop();
            }
            Ty::Record(fields) if fields.is_empty() => {
                out.push(LeafTy { prim: PrimType::Bool, dims: outer.clone() });
            }
            Ty::Record(fields) => fields.iter().for_each(|(_, t)| t.leaves_into(outer, out)),
            Ty::Sum(constrs) => out.extend(SumLayout::new(constrs).leaves.into_iter().map(|l| {
                LeafTy { prim: l.prim, dims: outer.iter().copied().chain(l.dims).collect() }
            })),
            Ty::Fun => {}
        }
    }

    /// For each leaf whether `diet` marks it. A leaf that constructors share is marked if any of
    /// them marks it.
    pub fn marked(&self, diet: &Diet) -> Vec<bool> {
        match self {
            Ty::Record(fields) if !fields.is_empty() => {
                fields.iter().flat_map(|(n, t)| t.marked(diet.part(*n))).collect()
            }
            Ty::Sum(constrs) => {
                let layout = SumLayout::new(constrs);
                let mut out = vec![false; layout.leaves.len()];
                for ((constr, payload), slots) in constrs.iter().zip(&layout.slots) {
                    let diet = diet.part(*constr);
                    let mine = payload
                        .iter()
                        .enumerate()
                        .flat_map(|(i, t)| t.marked(diet.part(Name::new(&i.to_string()))));
                    for (slot, marked) in slots.iter().zip(mine) {
                        if let Some(leaf) = out.get_mut(*slot) {
                            *leaf |= marked;
                        }
                    }
                }
                out
            }
            Ty::Prim(_) | Ty::Array(..) | Ty::Record(_) => vec![diet.any(); self.leaves().len()],
            Ty::Fun => Vec::new(),
        }
    }

    /// Rebuilds a value of this type from its leaves.
    pub fn value(&self, leaves: &mut impl Iterator<Item = SubExp>) -> Option<Value> {
        match self {
            Ty::Prim(_) => leaves.next().map(Value::Leaf),
            Ty::Array(_, elem) => elem.value(leaves),
            Ty::Record(fields) if fields.is_empty() => leaves.next().map(Value::Leaf),
            Ty::Record(fields) => {
                let fields: Option<Vec<_>> =
                    fields.iter().map(|(n, t)| Some((*n, t.value(leaves)?))).collect();
                Some(Value::Record(fields?.into()))
            }
            Ty::Sum(constrs) => {
                let n = SumLayout::new(constrs).leaves.len();
                let leaves: Vec<SubExp> = leaves.take(n).collect();
                (leaves.len() == n).then(|| Value::Sum(leaves.into()))
            }
            Ty::Fun => None,
        }
    }

    /// Visits every size, in a fixed order.
    pub fn map_dims(&self, f: &mut impl FnMut(Dim) -> Dim) -> Ty {
        match self {
            Ty::Prim(p) => Ty::Prim(*p),
            Ty::Array(d, elem) => {
                let d = f(*d);
                Ty::Array(d, Rc::new(elem.map_dims(f)))
            }
            Ty::Record(fields) => {
                Ty::Record(fields.iter().map(|(n, t)| (*n, t.map_dims(f))).collect())
            }
            Ty::Sum(constrs) => Ty::Sum(
                constrs
                    .iter()
                    .map(|(n, ts)| (*n, ts.iter().map(|t| t.map_dims(f)).collect()))
                    .collect(),
            ),
            Ty::Fun => Ty::Fun,
        }
    }
}

impl SumLayout {
    /// The layout of a sum of these constructors.
    pub fn new(constrs: &[(Name, Vec<Ty>)]) -> SumLayout {
        let mut leaves = vec![LeafTy { prim: PrimType::U8, dims: Vec::new() }];
        let mut slots = Vec::with_capacity(constrs.len());
        for (_, payload) in constrs {
            let mut used = vec![false; leaves.len()];
            let mut mine = Vec::new();
            for leaf in payload.iter().flat_map(Ty::leaves) {
                let free = leaves.iter().enumerate().skip(1).position(|(i, l)| {
                    leaf.dims.is_empty()
                        && l.dims.is_empty()
                        && l.prim == leaf.prim
                        && used.get(i) == Some(&false)
                });
                let slot = match free {
                    Some(i) => i + 1,
                    None => {
                        leaves.push(leaf);
                        used.push(false);
                        leaves.len() - 1
                    }
                };
                if let Some(u) = used.get_mut(slot) {
                    *u = true;
                }
                mine.push(slot);
            }
            slots.push(mine);
        }
        SumLayout { leaves, slots }
    }
}

/// The Core type of a source scalar.
pub(super) fn core_prim(t: PrimType) -> Prim {
    match t {
        PrimType::I8 | PrimType::U8 => Prim::Int(IntType::I8),
        PrimType::I16 | PrimType::U16 => Prim::Int(IntType::I16),
        PrimType::I32 | PrimType::U32 => Prim::Int(IntType::I32),
        PrimType::I64 | PrimType::U64 => Prim::Int(IntType::I64),
        PrimType::F16 => Prim::Float(FloatType::F16),
        PrimType::F32 => Prim::Float(FloatType::F32),
        PrimType::F64 => Prim::Float(FloatType::F64),
        PrimType::Bool => Prim::Bool,
    }
}

/// The Core integer type of a source integer.
pub(super) fn core_int(t: PrimType) -> Option<IntType> {
    match core_prim(t) {
        Prim::Int(i) => Some(i),
        Prim::Bool | Prim::Float(_) => None,
    }
}

/// One value per leaf, in order.
pub(super) fn leaves(value: &Value) -> Option<Vec<SubExp>> {
    let mut out = Vec::new();
    value.leaves_into(&mut out).then_some(out)
}
