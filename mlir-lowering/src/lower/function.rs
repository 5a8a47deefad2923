//! One function (or kernel) under construction: what its variables are in MLIR.
//!
//! Scalars and blocks are SSA values. An array has none: its place in memory is evaluated where
//! the array is bound, so that offset and strides dominate every access. Since a variable is bound
//! once in a program, the tables are flat and never forget.

use super::lowering::Lowering;
use super::memrefs::Memrefs;
use super::nest::LoopHint;
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Builder, InsertionPoint, Ix, Licence, Val};
use crate::ffi;
use crate::ffi::Region;
use crate::types::has_value;
use futc_midend::ir::traverse::free_in_stm;
use futc_midend::ir::varmap::VarMap;
use futc_midend::ir::{
    BinOp, Body, Const, Defs, Exp, IntType, Lmad, LmadDim, Loc, MemBind, Param, PatElem, Prim,
    Size64, Stm, StmAttr, Strategy, SubExp, Type, Var,
};
use melior::ir::attribute::ArrayAttribute;
use melior::ir::block::BlockLike;
use melior::ir::{Attribute, BlockRef, ValueLike};
use std::rc::Rc;

type Result<T> = std::result::Result<T, Error>;

/// An array's place in the terms of the IR, as far as these tell.
#[derive(Clone)]
pub enum Symbolic {
    /// All of it.
    Place(Lmad),
    /// Distances and numbers of elements: where the array begins is a number of the run.
    Layout(Vec<LmadDim>),
    /// Nothing: code generation has made the array of another one.
    Unknown,
}

impl Symbolic {
    /// The place, if all of it is known.
    pub fn place(&self) -> Option<&Lmad> {
        match self {
            Symbolic::Place(lmad) => Some(lmad),
            Symbolic::Layout(_) | Symbolic::Unknown => None,
        }
    }

    /// The distances and numbers of elements, if they are known.
    pub fn dims(&self) -> Option<&[LmadDim]> {
        match self {
            Symbolic::Place(lmad) => Some(&lmad.dims),
            Symbolic::Layout(dims) => Some(dims),
            Symbolic::Unknown => None,
        }
    }

    /// As if the array began with its block: for questions that distances and numbers of elements answer.
    pub fn layout(&self) -> Option<Lmad> {
        let offset = Size64::constant(0);
        self.dims().map(|dims| Lmad { offset, dims: dims.to_vec() })
    }
}

/// An array's place in memory.
#[derive(Clone)]
pub struct Array<'c> {
    /// The element type.
    pub elem: Prim,
    /// The block's variable.
    pub block: Var,
    /// The block.
    pub base: Val<'c>,
    /// The place in the terms of the IR.
    pub symbolic: Symbolic,
    /// The place of element 0.
    pub offset: Ix<'c>,
    /// Distances, in elements.
    pub strides: Vec<Ix<'c>>,
    /// Numbers of elements.
    pub shape: Vec<Ix<'c>>,
    /// What MLIR sees.
    pub memrefs: Rc<Memrefs<'c>>,
}

impl Array<'_> {
    /// The place in the terms of the IR, of arrays that variables stand for.
    pub fn lmad(&self) -> Result<&Lmad> {
        let unknown =
            || Error::bug(format_args!("a part of {} where an array is wanted", self.block));
        self.symbolic.place().ok_or_else(unknown)
    }

    /// Whether this is certainly the array at a place.
    pub fn lies_at(&self, block: Var, lmad: &Lmad, defs: &Defs) -> bool {
        self.block == block && self.symbolic.place().is_some_and(|own| own.same_place(lmad, defs))
    }
}

// Note [Alias scopes]
// -------------------
// Blocks under different names that one operation uses do not overlap, if it writes to one of them:
// an array that is written to is fresh, or consumed, and then no other name of it is used any more;
// what passes put at its place is under the same name. LLVM cannot know that of blocks that loops
// carry or that come from outside. So what an operation writes to is a scope; accesses to that
// block are in it, accesses to all others are declared not to be. The declaration of the scope
// stands where the operation begins: where a loop around it exchanges its blocks from iteration to
// iteration, and LLVM unrolls that loop, every iteration gets a scope of its own.

// Note [Independent points]
// -------------------------
// A map may write in the block that it reads: the passes have seen to it that no point reads what
// another writes. Scopes cannot say so, as they tell blocks apart, and LLVM would compare addresses
// at run time, or give up. So where the body is without loops and without arrays of its own (which
// all points would share), its accesses are a group of which the loops are said to carry nothing.

/// More scopes than this are not worth their compile time.
const MOST_SCOPES: usize = 16;

/// Where code runs.
#[derive(Clone, Copy)]
pub enum Site<'c> {
    /// On the host, with the context.
    Host(Val<'c>),
    /// In a kernel, or a function called by one, with the failure record.
    Device(Val<'c>),
}

/// What surrounds code that is a function of its own, such as a kernel: where variables come from that it
/// does not bind itself.
pub struct Outer<'c, 'm> {
    /// Scalars and blocks of the host function.
    pub env: &'m VarMap<Val<'c>>,
    /// Arrays of the host function.
    pub arrays: &'m VarMap<Array<'c>>,
    /// The first block; among its parameters are the captured variables.
    pub entry: BlockRef<'c, 'c>,
    /// Parameters in front of these, such as the context, which conversions expect to be the first one.
    pub others: usize,
    /// Or, in tasks, words of a block, in which these values are.
    pub room: Option<Val<'c>>,
    /// Whether integers of the host's are made again here. See `captured.rs`.
    pub remakes: bool,
    /// The host's values for them.
    pub captured: Vec<Val<'c>>,
}

impl<'c, 'm> Outer<'c, 'm> {
    /// What surrounds a function whose first block is `entry`.
    pub fn new(
        env: &'m VarMap<Val<'c>>,
        arrays: &'m VarMap<Array<'c>>,
        entry: BlockRef<'c, 'c>,
    ) -> Outer<'c, 'm> {
        Outer { env, arrays, entry, others: 0, room: None, remakes: false, captured: Vec::new() }
    }
}

/// A function under construction.
pub struct Function<'c, 'p, 's, 'm> {
    /// The program under construction.
    pub m: &'m mut Lowering<'c, 'p, 's>,
    /// Where operations go.
    pub b: Builder<'c, 's>,
    /// The first block.
    pub entry: BlockRef<'c, 'c>,
    /// Scalars and blocks.
    pub env: VarMap<Val<'c>>,
    /// Arrays.
    pub arrays: VarMap<Array<'c>>,
    /// What is known of `i64` variables.
    pub defs: Defs,
    /// Where it runs.
    pub site: Site<'c>,
    /// Float operations of the operator at hand may be reassociated.
    pub reassociate: bool,
    /// What may be done with float operations of the statement at hand, if they decide nothing.
    pub licence: Licence,
    /// Everything is to be computed to the last bit as in a lane of vectors of so many: without
    /// reassociation, and by the same mathematical functions.
    pub as_lane_of: Option<i64>,
    /// It is asked for operations that stand in no other whether there is anything to do. See Note [Empty results].
    pub in_points: bool,
    /// Room for the arguments of an error message.
    pub failure_slots: Option<Val<'c>>,
    /// Blocks that the operations at hand write to, with the scopes of what lies in them; and scopes
    /// of room on the stack.
    pub scopes: Vec<(Option<Var>, Attribute<'c>)>,
    /// In a map whose points do not read what others write: the group of its accesses, and the
    /// annotation of its loops. See Note [Independent points].
    pub independent: Option<(Attribute<'c>, Attribute<'c>)>,
    /// What is said of the next loops, which are over the points of a nest, up to the body of a point.
    pub loop_hint: LoopHint,
    /// The strategies of the copies that the statement at hand makes.
    pub copies: &'p [Strategy],
    /// Room on the stack for the private arrays of points that go by lanes, with its bytes. Nests that go by lanes
    /// are not in one another, so they can share: the first block of a nest takes the first, and so on.
    pub shared_room: Vec<(Val<'c>, i64)>,
    /// Scalars that points write outside of results go to the dummy slot.
    pub writes_anywhere: bool,
    /// Where writes go that are not to be seen.
    pub dummy_slot: Option<Val<'c>>,
    /// The same of the runtime's, for narrow elements.
    pub runtime_dummy_slot: Option<Val<'c>>,
    /// Of tasks that wait for one another: what the runtime knows of them, and the index of a task.
    pub chain: Option<(Val<'c>, Var)>,
    /// Of a function with many maps, its statements. See `apart.rs`.
    pub many: &'p [Stm],
    /// In a task, how many of them there are.
    pub tasks: Option<SubExp>,
    /// Of a kernel, or other code that was taken out of a function.
    pub outer: Option<Outer<'c, 'm>>,
}

impl<'c, 'p, 's, 'm> Function<'c, 'p, 's, 'm> {
    /// A function whose code begins in `entry`.
    pub fn new(
        m: &'m mut Lowering<'c, 'p, 's>,
        entry: BlockRef<'c, 'c>,
        site: Site<'c>,
    ) -> Function<'c, 'p, 's, 'm> {
        let b = Builder::new(m.shared, entry, m.location);
        Function {
            m,
            b,
            entry,
            env: VarMap::default(),
            arrays: VarMap::default(),
            defs: Defs::default(),
            site,
            reassociate: false,
            licence: Licence::None,
            as_lane_of: None,
            in_points: false,
            failure_slots: None,
            scopes: Vec::new(),
            independent: None,
            loop_hint: LoopHint::None,
            copies: &[],
            shared_room: Vec::new(),
            writes_anywhere: false,
            dummy_slot: None,
            runtime_dummy_slot: None,
            chain: None,
            many: &[],
            tasks: None,
            outer: None,
        }
    }

    /// The value of a scalar or block variable.
    pub fn lookup(&mut self, v: Var) -> Result<Val<'c>> {
        if let Some(value) = self.env.get(&v) {
            return Ok(*value);
        }
        match self.made_again(v)? {
            Some(value) => Ok(value),
            None => self.handed_over(v),
        }
    }

    /// The value of a variable from around this code.
    pub(super) fn handed_over(&mut self, v: Var) -> Result<Val<'c>> {
        let outer = self
            .outer
            .as_ref()
            .and_then(|o| o.env.get(&v))
            .ok_or_else(|| Error::bug(format_args!("{v} is not in scope")))?;
        let argument = self.capture(*outer)?;
        self.env.insert(v, argument);
        Ok(argument)
    }

    /// The place of an array.
    pub fn array(&mut self, v: Var) -> Result<Array<'c>> {
        if let Some(array) = self.arrays.get(&v) {
            return Ok(array.clone());
        }
        let missing = || Error::bug(format_args!("{v} is not an array in scope"));
        let outer = self.outer.as_ref().ok_or_else(missing)?;
        let array = outer.arrays.get(&v).ok_or_else(missing)?;
        let bind = MemBind { block: array.block, lmad: array.lmad()?.clone() };
        let elem = array.elem;
        // Where the kernel begins, so that all of it may use the place.
        let here = self.b.go(InsertionPoint::at_end(self.entry));
        let array = self.place(elem, &bind);
        self.b.go(here);
        let array = array?;
        self.arrays.insert(v, array.clone());
        Ok(array)
    }

    /// Makes known here what a statement uses that comes from around this code: before environments are put
    /// aside, and for functions that take it from here.
    pub fn bring_in(&mut self, stm: &Stm) -> Result<()> {
        let Some(outer) = &self.outer else { return Ok(()) };
        let (env, arrays) = (outer.env, outer.arrays);
        let mut wanted = free_in_stm(stm);
        for v in &wanted {
            if !self.arrays.contains_key(v) && arrays.contains_key(v) {
                self.array(*v)?;
            }
        }
        let places = wanted.iter().filter_map(|v| self.arrays.get(v)).collect::<Vec<_>>();
        let used = |a: &&Array<'c>| {
            let leaves = a.symbolic.place().map(Lmad::leaves).unwrap_or_default();
            let leaves = leaves.into_iter().filter_map(|x| x.var());
            std::iter::once(a.block).chain(leaves).collect::<Vec<_>>()
        };
        let used: Vec<Var> = places.iter().flat_map(used).collect();
        wanted.extend(used);
        for v in wanted {
            if !self.env.contains_key(&v) && env.contains_key(&v) {
                self.lookup(v)?;
            }
        }
        Ok(())
    }

    /// The value of a scalar operand.
    pub fn operand(&mut self, x: SubExp) -> Result<Val<'c>> {
        match x {
            SubExp::Var(v) => self.lookup(v),
            SubExp::Const(c) => self.b.constant(c),
        }
    }

    /// The value of an `i64` operand.
    pub fn index(&mut self, x: SubExp) -> Result<Ix<'c>> {
        match x {
            SubExp::Var(v) => self.lookup(v).map(Ix::Val),
            SubExp::Const(Const::I64(x)) => Ok(Ix::Const(x)),
            SubExp::Const(c) => Err(Error::bug(format_args!("a size of type {}", c.prim()))),
        }
    }

    /// The value of a symbolic size.
    pub fn size(&mut self, x: &Size64) -> Result<Ix<'c>> {
        match x {
            Size64::Leaf(x) => self.index(*x),
            Size64::Add(a, b) => {
                let (a, b) = (self.size(a)?, self.size(b)?);
                self.b.add(a, b)
            }
            Size64::Sub(a, b) => {
                let (a, b) = (self.size(a)?, self.size(b)?);
                self.b.sub(a, b)
            }
            Size64::Mul(a, b) => {
                let (a, b) = (self.size(a)?, self.size(b)?);
                self.b.mul(a, b)
            }
        }
    }

    /// Evaluates a place here.
    pub fn place(&mut self, elem: Prim, bind: &MemBind) -> Result<Array<'c>> {
        let base = self.lookup(bind.block)?;
        let offset = self.size(&bind.lmad.offset)?;
        let mut strides = Vec::with_capacity(bind.lmad.dims.len());
        let mut shape = Vec::with_capacity(bind.lmad.dims.len());
        for dim in &bind.lmad.dims {
            strides.push(self.size(&dim.stride)?);
            shape.push(self.index(dim.n)?);
        }
        let symbolic = Symbolic::Place(bind.lmad.clone());
        let memrefs = Memrefs::here(&self.b);
        Ok(Array { elem, block: bind.block, base, symbolic, offset, strides, shape, memrefs })
    }

    /// The part of an array that another LMAD in its block describes.
    pub fn view(&mut self, array: &Array<'c>, lmad: Lmad) -> Result<Array<'c>> {
        self.place(array.elem, &MemBind { block: array.block, lmad })
    }

    /// Binds the variables of a pattern or parameter list: first those with values, then arrays.
    pub fn bind(
        &mut self,
        binders: &[impl Binder],
        values: impl IntoIterator<Item = Val<'c>>,
    ) -> Result<()> {
        let mut values = values.into_iter();
        for binder in binders.iter().filter(|b| has_value(b.ty())) {
            let value = values.next().ok_or_else(|| Error::bug("too few values for a pattern"))?;
            self.env.insert(binder.var(), value);
        }
        self.bind_arrays(binders)
    }

    /// Evaluates the places of the arrays of a pattern; what is not stored has none.
    pub fn bind_arrays(&mut self, binders: &[impl Binder]) -> Result<()> {
        for binder in binders {
            if let (Type::Array { elem, .. }, Some(bind)) = (binder.ty(), binder.mem()) {
                let array = self.place(*elem, bind)?;
                self.arrays.insert(binder.var(), array);
            }
        }
        Ok(())
    }

    /// The place of the array that a statement binds first.
    pub fn target(&mut self, pat: &[PatElem]) -> Result<Array<'c>> {
        self.bind_arrays(pat)?;
        let element =
            pat.first().ok_or_else(|| Error::bug("an array operation without a pattern"))?;
        self.array(element.var)
    }

    /// The values that operands contribute, given what they are bound to.
    pub fn values<'a>(
        &mut self,
        operands: &[SubExp],
        types: impl IntoIterator<Item = &'a Type>,
    ) -> Result<Vec<Val<'c>>> {
        let mut values = Vec::new();
        for (x, ty) in operands.iter().zip(types) {
            if has_value(ty) {
                values.push(self.operand(*x)?);
            }
        }
        Ok(values)
    }

    /// Statements in order.
    pub fn stms(&mut self, stms: &'p [Stm]) -> Result<()> {
        stms.iter().try_for_each(|stm| self.stm(stm))
    }

    /// A body and the values it yields, given what they are bound to.
    pub fn body<'a>(
        &mut self,
        body: &'p Body,
        types: impl IntoIterator<Item = &'a Type>,
    ) -> Result<Vec<Val<'c>>> {
        self.stms(&body.stms)?;
        self.values(&body.result, types)
    }

    /// Runs `f` with operations going into a new block, which yields the values that `f` returns.
    pub fn region(
        &mut self,
        arguments: &[melior::ir::Type<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Region<'c>> {
        self.block(arguments, f, |b, values| b.scf_yield(values))
    }

    /// The region of a `linalg.generic`: what is computed of an element of each operand.
    pub fn linalg_region(
        &mut self,
        arguments: &[melior::ir::Type<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Region<'c>> {
        self.block(arguments, f, |b, values| b.linalg_yield(values))
    }

    /// The region of a `scf.while` that says whether the loop goes on, and what it carries.
    pub fn condition_region(
        &mut self,
        arguments: &[melior::ir::Type<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Region<'c>> {
        self.block(arguments, f, |b, values| b.scf_condition(values))
    }

    fn block(
        &mut self,
        arguments: &[melior::ir::Type<'c>],
        f: impl FnOnce(&mut Self, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
        end: impl FnOnce(&Builder<'c, 's>, &[Val<'c>]) -> Result<()>,
    ) -> Result<Region<'c>> {
        let (region, block) = ffi::region_with_block(arguments, self.b.location);
        let mut values = Vec::with_capacity(arguments.len());
        for i in 0..arguments.len() {
            values.push(ffi::detach_value(block.argument(i)?.into()));
        }
        let here = self.b.go(InsertionPoint::at_end(block));
        let results = f(self, &values).and_then(|r| end(&self.b, &r));
        self.b.go(here);
        results?;
        Ok(region)
    }

    /// `for i < n`, carrying values.
    pub fn for_carrying(
        &mut self,
        n: Val<'c>,
        init: &[Val<'c>],
        f: impl FnOnce(&mut Self, Val<'c>, &[Val<'c>]) -> Result<Vec<Val<'c>>>,
    ) -> Result<Vec<Val<'c>>> {
        let counter = n.r#type();
        let carried: Vec<_> = init.iter().map(|v| v.r#type()).collect();
        let arguments: Vec<_> = std::iter::once(counter).chain(carried.iter().copied()).collect();
        let region = self.region(&arguments, |fun, values| {
            let (i, carried) =
                values.split_first().ok_or_else(|| Error::bug("a loop without a counter"))?;
            f(fun, *i, carried)
        })?;
        let independent = self.independent.filter(|_| init.is_empty());
        let annotation = match (self.loop_hint, independent) {
            (LoopHint::Scalar, _) => Some(self.b.loop_annotation(&["vectorize", "unroll"])?),
            (LoopHint::Rolled, _) => Some(self.b.loop_annotation(&["unroll"])?),
            (LoopHint::Outer, _) => Some(self.b.loop_annotation(&["vectorize"])?),
            (LoopHint::None, Some((_, annotation))) => Some(annotation),
            (LoopHint::None, None) => None,
        };
        self.b.scf_for(n, init, annotation, region)
    }

    /// Runs `f` with such a [`Function::loop_hint`].
    pub fn with_loop_hint<T>(&mut self, hint: LoopHint, f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.loop_hint, hint);
        let done = f(self);
        self.loop_hint = outside;
        done
    }

    /// `for i < n`; of a single iteration, no loop.
    pub fn for_each(
        &mut self,
        n: Ix<'c>,
        f: impl FnOnce(&mut Self, Ix<'c>) -> Result<()>,
    ) -> Result<()> {
        match n {
            Ix::Const(n) if n <= 0 => Ok(()),
            Ix::Const(1) => f(self, Ix::Const(0)),
            Ix::Const(_) | Ix::Val(_) => {
                let n = self.b.ix(n)?;
                self.for_carrying(n, &[], |fun, i, _| f(fun, Ix::Val(i)).map(|()| Vec::new()))?;
                Ok(())
            }
        }
    }

    /// Nested loops over a shape, outermost first.
    pub fn nest(
        &mut self,
        shape: &[Ix<'c>],
        f: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        self.nest_from(shape, &mut Vec::new(), f)
    }

    /// The same, of loops that are not to become vectors, as those inside are.
    pub fn nest_outside(
        &mut self,
        shape: &[Ix<'c>],
        f: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        let inside = self.loop_hint;
        self.with_loop_hint(LoopHint::Outer, |fun| {
            fun.nest(shape, &mut |fun, at| fun.with_loop_hint(inside, |fun| f(fun, at)))
        })
    }

    /// The same, with the loop of one dimension inside of the others'.
    pub fn nest_around(
        &mut self,
        shape: &[Ix<'c>],
        innermost: usize,
        f: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        let mut moved = shape.to_vec();
        let last = moved.remove(innermost);
        moved.push(last);
        self.nest(&moved, &mut |fun, indexes| {
            let mut indexes = indexes.to_vec();
            let last = indexes.pop().ok_or_else(|| Error::bug("a copy of scalars"))?;
            indexes.insert(innermost, last);
            f(fun, &indexes)
        })
    }

    fn nest_from(
        &mut self,
        shape: &[Ix<'c>],
        outer: &mut Vec<Ix<'c>>,
        f: &mut dyn FnMut(&mut Self, &[Ix<'c>]) -> Result<()>,
    ) -> Result<()> {
        match shape.split_first() {
            None => f(self, outer),
            Some((n, inner)) => self.for_each(*n, |fun, i| {
                outer.push(i);
                let result = fun.nest_from(inner, outer, f);
                outer.pop();
                result
            }),
        }
    }

    /// `if c { f }`
    pub fn when(&mut self, c: Val<'c>, f: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let then = self.region(&[], |fun, _| f(fun).map(|()| Vec::new()))?;
        self.b.scf_when(c, then)
    }

    /// What is known of the block of an array. See Note [Alias scopes].
    pub fn access(&self, array: &Array<'c>) -> Vec<(&'static str, Attribute<'c>)> {
        let scopes = |inside: bool| {
            let chosen =
                self.scopes.iter().filter(|(block, _)| (*block == Some(array.block)) == inside);
            chosen.map(|(_, scope)| *scope).collect::<Vec<_>>()
        };
        [("futc.alias_scopes", scopes(true)), ("futc.noalias_scopes", scopes(false))]
            .into_iter()
            .filter(|(_, scopes)| !scopes.is_empty())
            .chain(self.independent.map(|(group, _)| ("futc.access_groups", vec![group])))
            .map(|(name, scopes)| {
                (name, ArrayAttribute::new(self.b.shared.context, &scopes).into())
            })
            .collect()
    }

    /// Emits an operation that writes to the blocks of these arrays.
    pub fn writing<T>(
        &mut self,
        arrays: &[Array<'c>],
        f: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = self.scopes.len();
        for array in arrays {
            if outside < MOST_SCOPES && self.scopes.iter().all(|(b, _)| *b != Some(array.block)) {
                self.open_scope(Some(array.block))?;
            }
        }
        let result = f(self);
        self.scopes.truncate(outside);
        result
    }

    /// A scope for a block, or for room on the stack, until `scopes` are as they were.
    pub fn open_scope(&mut self, block: Option<Var>) -> Result<Attribute<'c>> {
        let scope = self.m.alias_scope()?;
        self.b.noalias_scope(scope)?;
        self.scopes.push((block, scope));
        Ok(scope)
    }

    /// Binds the single value of a statement; of an unused one, nothing.
    fn bind_one(&mut self, stm: &'p Stm, value: Val<'c>) -> Result<()> {
        self.bind(&stm.pat, [value])
    }

    /// A statement.
    pub fn stm(&mut self, stm: &'p Stm) -> Result<()> {
        // So that equal places are seen to be equal.
        self.defs.learn(&stm.pat, &stm.exp);
        let copies = match (&stm.exp, &stm.schedule) {
            (_, None) => Default::default(),
            (Exp::Seg(_), Some(schedule)) => schedule.rows.as_slice(),
            (_, Some(schedule)) => schedule.strategies.as_slice(),
        };
        let outer = std::mem::replace(&mut self.copies, copies);
        let done = self.at(stm.loc, |f| f.licensed(stm, |f| f.expression(stm)));
        self.copies = outer;
        done
    }

    /// Runs `f` with the licence that the operations of a statement have.
    pub fn licensed<T>(&mut self, stm: &Stm, f: impl FnOnce(&mut Self) -> T) -> T {
        let licence = match self.m.decisive.as_ref() {
            Some(decisive) if stm.pat.iter().all(|p| !decisive.contains(&p.var)) => Licence::Fast,
            _ if self.reassociate => Licence::Reassociate,
            _ => Licence::None,
        };
        let outer = std::mem::replace(&mut self.licence, licence);
        let done = f(self);
        self.licence = outer;
        done
    }

    /// Runs `f` at a position, or where we are if there is none.
    pub fn at<T>(&mut self, loc: Option<Loc>, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.b.location;
        self.b.location = self.m.position(loc).unwrap_or(outer);
        let result = f(self);
        self.b.location = outer;
        result
    }

    pub(super) fn expression(&mut self, stm: &'p Stm) -> Result<()> {
        match &stm.exp {
            Exp::SubExp(x) | Exp::Opaque(x) => self.alias(stm, *x),
            Exp::UnOp(op, x) => {
                let x = self.operand(*x)?;
                let value = self.un_op(*op, x)?;
                self.bind_one(stm, value)
            }
            Exp::BinOp(op, a, b) => {
                let value = match op {
                    BinOp::Add(IntType::I64) if stm.has(StmAttr::Index) && is_natural(*b) => {
                        let (k, first) = (self.operand(*a)?, self.operand(*b)?);
                        self.b.add_indexes(k, first)?
                    }
                    _ => self.bin_op(*op, *a, *b)?,
                };
                self.bind_one(stm, value)
            }
            Exp::CmpOp(op, a, b) => {
                let (a, b) = (self.operand(*a)?, self.operand(*b)?);
                let value = self.cmp_op(*op, a, b)?;
                self.bind_one(stm, value)
            }
            Exp::ConvOp(op, x) => {
                let x = self.operand(*x)?;
                let value = self.conv_op(*op, x)?;
                self.bind_one(stm, value)
            }
            Exp::Math(function, ty, xs) => {
                let xs = xs.iter().map(|x| self.operand(*x)).collect::<Result<Vec<_>>>()?;
                let value = self.math(*function, *ty, &xs)?;
                self.bind_one(stm, value)
            }
            Exp::ArrayLit { elems, .. } => self.array_literal(&stm.pat, elems),
            Exp::Index { array, dims } => self.index_array(stm, *array, dims),
            Exp::Update { array, dims, value } => self.update(&stm.pat, *array, dims, *value),
            Exp::FlatIndex { array, offset, dims } => {
                self.flat_index(&stm.pat, *array, *offset, dims)
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                self.flat_update(&stm.pat, *array, *offset, dims, *value)
            }
            Exp::Iota { start, stride, ty, .. } => self.iota(&stm.pat, *start, *stride, *ty),
            Exp::Replicate { shape, value } => self.replicate(&stm.pat, shape, *value),
            Exp::Scratch { .. } => self.bind_arrays(&stm.pat),
            Exp::Reshape { array, .. } => self.reshape(&stm.pat, *array),
            Exp::Rearrange { array, perm } => self.rearrange(&stm.pat, *array, perm),
            Exp::Concat { dim, arrays, .. } => self.concat(&stm.pat, *dim, arrays),
            Exp::Copy(array) => {
                let target = self.target(&stm.pat)?;
                let source = self.array(*array)?;
                self.copy(&target, &source)
            }
            Exp::Trace(x) => self.trace(stm, *x),
            Exp::Assert { kind: _, cond, msg } => self.assert(*cond, msg, stm.loc),
            Exp::Match { scrutinee, cases, default } => {
                self.match_(&stm.pat, *scrutinee, cases, default)
            }
            Exp::Loop { params, init, form, body } => match self.copies {
                [Strategy::Compress { lanes }, ..] => self.compress(stm, *lanes),
                _ => self.loop_(&stm.pat, params, init, form, body),
            },
            Exp::Call { fun, args } => self.call(&stm.pat, *fun, args),
            Exp::Soac(_) => Err(Error::bug("an array combinator at level mem")),
            Exp::Seg(op) => self.segmented(stm, op),
            Exp::Prefix { values, .. } => self.prefix(stm, values),
            Exp::Workers => {
                let workers = self.runtime(Runtime::Workers, &[])?;
                self.bind(&stm.pat, workers)
            }
            Exp::Alloc { bytes, space } => self.alloc(&stm.pat, bytes, *space),
            Exp::Retain(block) => self.reference(Runtime::Retain, *block),
            Exp::Release(block) => self.reference(Runtime::Release, *block),
        }
    }

    /// An operand under another name.
    fn alias(&mut self, stm: &'p Stm, x: SubExp) -> Result<()> {
        let Some(element) = stm.pat.first() else { return Ok(()) };
        match &element.ty {
            Type::Prim(_) | Type::Mem(_) => {
                let value = self.operand(x)?;
                self.bind_one(stm, value)
            }
            Type::Array { .. } => {
                let target = self.target(&stm.pat)?;
                let source = x.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
                let source = self.array(source)?;
                self.copy_to_other_block(&target, &source)
            }
            Type::Cert => Ok(()),
        }
    }
}

/// What binds a variable.
pub trait Binder {
    /// The variable.
    fn var(&self) -> Var;
    /// Its type.
    fn ty(&self) -> &Type;
    /// Its place.
    fn mem(&self) -> Option<&MemBind>;
}

impl Binder for PatElem {
    fn var(&self) -> Var {
        self.var
    }
    fn ty(&self) -> &Type {
        &self.ty
    }
    fn mem(&self) -> Option<&MemBind> {
        self.mem.as_ref()
    }
}

impl Binder for Param {
    fn var(&self) -> Var {
        self.var
    }
    fn ty(&self) -> &Type {
        &self.ty
    }
    fn mem(&self) -> Option<&MemBind> {
        self.mem.as_ref()
    }
}

/// Whether a value may be an index: it is not known to be negative.
fn is_natural(x: SubExp) -> bool {
    match x {
        SubExp::Const(c) => c.as_int().is_none_or(|c| c >= 0),
        SubExp::Var(_) => true,
    }
}
