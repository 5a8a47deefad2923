//! An interpreter of level mem that believes nothing.
//!
//! Blocks are bytes with reference counts; arrays are read and written through their LMADs. It
//! reports, as a bug of the compiler: an access outside its block, a use of a block that was
//! freed, a block not freed at the end, an array that a join or call passes on but that does not
//! lie where the receiver says, sources that overlap what is filled from them, and allocations,
//! blocks or reference counts in kernels. Fresh blocks hold garbage, and remember which bytes were
//! written: reading others is an error too, unless the array is only copied.
//!
//! It is the safety net of the back end, not quick: one dispatch per statement and element.

mod seg;

use super::limits::{Limits, WORKERS};
use crate::ir::eval;
use crate::ir::varmap::VarMap;
use crate::ir::{
    Body, Const, DimIndex, Exp, Fun, KernelBody, KernelResult, Lambda, LoopForm, MemBind, MemSpace,
    MsgPart, Param, PatElem, Prim, Program, Reduction, SegOp, SegSpace, Size64, Stm, SubExp, Type,
    Var,
};
use futc_typed::name::Name;
use std::collections::HashMap;
use thiserror::Error;

/// A value from or for the outside.
#[derive(Clone, PartialEq, Debug)]
pub enum MemValue {
    /// A scalar.
    Scalar(Const),
    /// An array, its elements in row-major order.
    Array {
        /// The element type.
        elem: Prim,
        /// The shape.
        shape: Vec<i64>,
        /// As many as the shape says.
        data: Vec<Const>,
    },
}

/// Why a run ended early.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MemError {
    /// The program itself failed: an assertion.
    #[error("{0}")]
    Failed(String),
    /// The program is not what level mem promises.
    #[error("compiler bug: {0}")]
    Bug(String),
    /// Too many steps, or too many bytes at once.
    #[error("out of fuel")]
    Fuel,
}

/// What a run cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MemStats {
    /// Blocks allocated.
    pub allocs: u64,
    /// Elements moved by copies and updates with arrays.
    pub copied: u64,
    /// The most bytes alive at once, arguments included.
    pub peak_bytes: u64,
}

/// The most bytes alive at once.
const MAX_BYTES: u64 = 1 << 28;

type Res<T> = Result<T, MemError>;

fn bug<T>(what: impl Into<String>) -> Res<T> {
    Err(MemError::Bug(what.into()))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockId(usize);

struct Block {
    bytes: Vec<u8>,
    written: Vec<bool>,
    refs: u64,
    local: bool,
}

/// An LMAD with numbers.
#[derive(Clone, Debug)]
struct ConcreteLmad {
    block: BlockId,
    elem: Prim,
    offset: i64,
    dims: Vec<(i64, i64)>,
}

impl ConcreteLmad {
    /// Element offsets in row-major order.
    fn offsets(&self) -> Vec<i64> {
        // However large the other sizes are.
        if self.dims.iter().any(|(n, _)| *n <= 0) {
            return Vec::new();
        }
        let mut out = vec![self.offset];
        for (n, s) in &self.dims {
            out = out.iter().flat_map(|o| (0..*n).map(move |i| o + i * s)).collect();
        }
        out
    }

    fn row(&self, at: &[i64]) -> ConcreteLmad {
        let offset = self.dims.iter().zip(at).fold(self.offset, |o, ((_, s), i)| o + s * i);
        self.with(offset, self.dims[at.len()..].to_vec())
    }

    /// Elsewhere in the same block.
    fn with(&self, offset: i64, dims: Vec<(i64, i64)>) -> ConcreteLmad {
        ConcreteLmad { block: self.block, elem: self.elem, offset, dims }
    }

    /// The same elements in the same order; mostly they are told by the same numbers.
    fn same(&self, other: &ConcreteLmad) -> bool {
        self.block == other.block
            && (self.offset == other.offset && self.dims == other.dims
                || self.offsets() == other.offsets())
    }

    fn shape(&self) -> Vec<i64> {
        self.dims.iter().map(|d| d.0).collect()
    }
}

#[derive(Clone, Debug)]
enum Val {
    Scalar(Const),
    Array(ConcreteLmad),
    Block(BlockId),
    Cert,
}

/// A machine with the globals of a program evaluated.
pub struct Machine<'p> {
    prog: &'p Program,
    funs: HashMap<Name, &'p Fun>,
    blocks: Vec<Block>,
    globals: VarMap<Val>,
    live_bytes: u64,
    fuel: u64,
    in_kernel: bool,
    /// What the tasks of the operation at hand that have asked come to.
    prefix: Option<Vec<Val>>,
    /// Calls under way.
    depth: u32,
    locals: Vec<BlockId>,
    /// What was spent so far.
    pub stats: MemStats,
}

/// One function's variables.
type Env = VarMap<Val>;

impl<'p> Machine<'p> {
    /// Evaluates the top-level constants.
    pub fn new(prog: &'p Program, fuel: u64) -> Res<Machine<'p>> {
        let mut m = Machine {
            prog,
            funs: prog.funs.iter().map(|f| (f.name, f)).collect(),
            blocks: Vec::new(),
            globals: VarMap::default(),
            live_bytes: 0,
            fuel,
            in_kernel: false,
            prefix: None,
            depth: 0,
            locals: Vec::new(),
            stats: MemStats::default(),
        };
        let mut env = Env::default();
        m.stms(&mut env, &prog.consts.stms)?;
        let vals = m.operands(&env, &prog.consts.result)?;
        m.end_locals(0)?;
        m.bind_all(&mut env, &prog.globals, vals)?;
        m.globals = env;
        Ok(m)
    }

    /// Calls a function (by its name in the program) with its explicit parameters: all but the
    /// sizes that stand before the first value are given, blocks are made. Checks that nothing
    /// leaks.
    pub fn call_entry(&mut self, name: &str, args: &[MemValue]) -> Res<Vec<MemValue>> {
        let Some(fun) = self.prog.funs.iter().find(|f| f.name.as_str() == name) else {
            return bug(format!("no function {name}"));
        };
        let alive_before = self.alive();
        let values: Vec<&Param> =
            fun.params.iter().filter(|p| !matches!(p.ty, Type::Mem(_))).collect();
        // The sizes come first, and can be read off the arrays.
        let sizes = values.len().saturating_sub(args.len());
        let mut known: VarMap<i64> = VarMap::default();
        for (p, a) in values[sizes..].iter().zip(args) {
            if let MemValue::Array { shape, .. } = a {
                for (n, x) in p.ty.shape().iter().zip(shape) {
                    let expected = match n {
                        SubExp::Var(v) => *known.entry(*v).or_insert(*x),
                        SubExp::Const(c) => c.as_int().unwrap_or(*x),
                    };
                    if expected != *x {
                        let what = format!("an argument of size {x} where {expected} is expected");
                        return Err(MemError::Failed(what));
                    }
                }
            }
        }
        let mut given = args.iter();
        let mut vals = Vec::new();
        let mut borrowed = Vec::new();
        let mut left = sizes;
        for p in &fun.params {
            match &p.ty {
                Type::Mem(_) => {}
                Type::Prim(_) if left > 0 => {
                    left -= 1;
                    vals.push(Val::Scalar(Const::I64(known.get(&p.var).copied().unwrap_or(0))));
                }
                _ => match given.next() {
                    Some(MemValue::Scalar(c)) => vals.push(Val::Scalar(*c)),
                    Some(MemValue::Array { elem, shape, data }) => {
                        let place = self.array_from(*elem, shape, data)?;
                        if !p.unique {
                            borrowed.push(place.block);
                        }
                        vals.push(Val::Block(place.block));
                        vals.push(Val::Array(place));
                    }
                    None => return bug("too few arguments"),
                },
            }
        }
        let results = self.call(fun, vals)?;
        let mut out = Vec::new();
        let mut owned = Vec::new();
        for r in results {
            match r {
                Val::Scalar(c) => out.push(MemValue::Scalar(c)),
                Val::Block(b) => owned.push(b),
                Val::Cert => {}
                Val::Array(p) => {
                    let data = self.load_all(&p)?;
                    out.push(MemValue::Array { elem: p.elem, shape: p.shape(), data });
                }
            }
        }
        for b in owned.into_iter().chain(borrowed) {
            self.release(b)?;
        }
        let alive = self.alive();
        if alive != alive_before {
            return bug(format!("{} blocks leaked by {name}", alive as i64 - alive_before as i64));
        }
        Ok(out)
    }

    fn alive(&self) -> usize {
        self.blocks.iter().filter(|b| b.refs > 0).count()
    }

    fn array_from(&mut self, elem: Prim, shape: &[i64], data: &[Const]) -> Res<ConcreteLmad> {
        let block = self.alloc(elem.bytes() * data.len() as i64)?;
        let mut stride = 1;
        let mut dims: Vec<(i64, i64)> = Vec::new();
        for n in shape.iter().rev() {
            dims.push((*n, stride));
            stride *= n;
        }
        dims.reverse();
        let place = ConcreteLmad { block, elem, offset: 0, dims };
        for (o, c) in place.offsets().into_iter().zip(data) {
            self.store(&place, o, *c)?;
        }
        Ok(place)
    }

    // Blocks.

    fn alloc(&mut self, bytes: i64) -> Res<BlockId> {
        // Negative where a loop that does not run would fill the block.
        let Ok(n) = usize::try_from(bytes.max(0)) else {
            return bug(format!("allocation of {bytes} bytes"));
        };
        self.stats.allocs += 1;
        self.live_bytes += n as u64;
        if self.live_bytes > MAX_BYTES {
            return Err(MemError::Fuel);
        }
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.live_bytes);
        self.blocks.push(Block {
            bytes: vec![0xa5; n],
            written: vec![false; n],
            refs: 1,
            local: false,
        });
        Ok(BlockId(self.blocks.len() - 1))
    }

    fn retain(&mut self, b: BlockId) -> Res<()> {
        let block = self.alive_block(b)?;
        if block.local {
            return bug("the owners of a local block counted");
        }
        block.refs += 1;
        Ok(())
    }

    /// A local block, for as long as the call or thread runs.
    fn alloc_local(&mut self, bytes: i64) -> Res<BlockId> {
        let b = self.alloc(bytes)?;
        self.stats.allocs -= 1;
        self.blocks[b.0].local = true;
        self.locals.push(b);
        Ok(b)
    }

    /// The end of those allocated since there were `mark`.
    fn end_locals(&mut self, mark: usize) -> Res<()> {
        for b in self.locals.split_off(mark) {
            self.alive_block(b)?.local = false;
            self.release(b)?;
        }
        Ok(())
    }

    fn release(&mut self, b: BlockId) -> Res<()> {
        let block = self.alive_block(b)?;
        if block.local {
            return bug("the owners of a local block counted");
        }
        block.refs -= 1;
        if block.refs == 0 {
            let n = block.bytes.len() as u64;
            block.bytes = Vec::new();
            block.written = Vec::new();
            self.live_bytes -= n;
        }
        Ok(())
    }

    fn alive_block(&mut self, b: BlockId) -> Res<&mut Block> {
        match self.blocks.get_mut(b.0) {
            Some(block) if block.refs > 0 => Ok(block),
            _ => bug("use of a block after it was freed"),
        }
    }

    fn bytes_at(
        &mut self,
        block: BlockId,
        elem: Prim,
        offset: i64,
    ) -> Res<(&mut [u8], &mut [bool])> {
        let size = elem.bytes();
        let block = self.alive_block(block)?;
        let len = block.bytes.len() as i64;
        if offset < 0 || (offset + 1) * size > len {
            return bug(format!("element {offset} of {size} bytes in a block of {len}"));
        }
        let range = (offset * size) as usize..((offset + 1) * size) as usize;
        Ok((&mut block.bytes[range.clone()], &mut block.written[range]))
    }

    fn load_raw(&mut self, block: BlockId, elem: Prim, offset: i64) -> Res<(Const, bool)> {
        let (bytes, written) = self.bytes_at(block, elem, offset)?;
        let bits = bytes.iter().rev().fold(0u64, |x, b| x << 8 | u64::from(*b));
        Ok((Const::from_bits(elem, bits), written.iter().all(|w| *w)))
    }

    fn load(&mut self, block: BlockId, elem: Prim, offset: i64) -> Res<Const> {
        match self.load_raw(block, elem, offset)? {
            (c, true) => Ok(c),
            (_, false) => bug("read of memory never written"),
        }
    }

    fn store(&mut self, p: &ConcreteLmad, offset: i64, c: Const) -> Res<()> {
        if c.prim() != p.elem {
            return bug(format!("{} stored in an array of {}", c.prim(), p.elem));
        }
        self.store_raw(p, offset, c, true)
    }

    fn store_raw(&mut self, p: &ConcreteLmad, offset: i64, c: Const, is_written: bool) -> Res<()> {
        let (bytes, written) = self.bytes_at(p.block, p.elem, offset)?;
        for (i, b) in bytes.iter_mut().enumerate() {
            *b = (c.bits() >> (8 * i)) as u8;
        }
        written.fill(is_written);
        Ok(())
    }

    fn load_all(&mut self, p: &ConcreteLmad) -> Res<Vec<Const>> {
        p.offsets().into_iter().map(|o| self.load(p.block, p.elem, o)).collect()
    }

    /// Copies, unless the source lies there already.
    fn copy(&mut self, from: &ConcreteLmad, to: &ConcreteLmad) -> Res<()> {
        if from.same(to) {
            return Ok(());
        }
        let (src, dst) = (from.offsets(), to.offsets());
        if src.len() != dst.len() {
            return bug(format!("copy of {} elements to {}", src.len(), dst.len()));
        }
        if from.block == to.block && src.iter().any(|o| dst.contains(o)) {
            return bug("copy between overlapping places");
        }
        self.stats.copied += src.len() as u64;
        for (s, d) in src.into_iter().zip(dst) {
            let (c, written) = self.load_raw(from.block, from.elem, s)?;
            self.store_raw(to, d, c, written)?;
        }
        Ok(())
    }

    /// Stores a scalar or array.
    fn put(&mut self, v: &Val, to: &ConcreteLmad) -> Res<()> {
        match v {
            Val::Scalar(c) if to.dims.is_empty() => self.store(to, to.offset, *c),
            Val::Scalar(c) => {
                for o in to.offsets() {
                    self.store(to, o, *c)?;
                }
                Ok(())
            }
            Val::Array(p) => self.copy(p, to),
            Val::Block(_) | Val::Cert => bug("stored neither scalar nor array"),
        }
    }

    // Operands.

    fn var(&self, env: &Env, v: Var) -> Res<Val> {
        self.peek(env, v).cloned()
    }

    fn peek<'e>(&'e self, env: &'e Env, v: Var) -> Res<&'e Val> {
        match env.get(&v).or_else(|| self.globals.get(&v)) {
            Some(x) => Ok(x),
            None => bug(format!("{v} is not in scope")),
        }
    }

    fn operand(&self, env: &Env, x: SubExp) -> Res<Val> {
        match x {
            SubExp::Var(v) => self.var(env, v),
            SubExp::Const(c) => Ok(Val::Scalar(c)),
        }
    }

    fn operands(&self, env: &Env, xs: &[SubExp]) -> Res<Vec<Val>> {
        xs.iter().map(|x| self.operand(env, *x)).collect()
    }

    fn scalar(&self, env: &Env, x: SubExp) -> Res<Const> {
        match x {
            SubExp::Const(c) => Ok(c),
            SubExp::Var(v) => match self.peek(env, v)? {
                Val::Scalar(c) => Ok(*c),
                Val::Array(_) | Val::Block(_) | Val::Cert => bug("not a scalar"),
            },
        }
    }

    fn int(&self, env: &Env, x: SubExp) -> Res<i64> {
        match self.scalar(env, x)?.as_int() {
            Some(i) => Ok(i),
            None => bug("not an integer"),
        }
    }

    fn ints(&self, env: &Env, xs: &[SubExp]) -> Res<Vec<i64>> {
        xs.iter().map(|x| self.int(env, *x)).collect()
    }

    fn bool(&self, env: &Env, x: SubExp) -> Res<bool> {
        match self.scalar(env, x)? {
            Const::Bool(b) => Ok(b),
            _ => bug("not a boolean"),
        }
    }

    fn array<'e>(&'e self, env: &'e Env, v: Var) -> Res<&'e ConcreteLmad> {
        match self.peek(env, v)? {
            Val::Array(p) => Ok(p),
            Val::Scalar(_) | Val::Block(_) | Val::Cert => bug(format!("{v} is no array")),
        }
    }

    fn block(&self, env: &Env, v: Var) -> Res<BlockId> {
        match self.var(env, v)? {
            Val::Block(b) => Ok(b),
            Val::Array(_) | Val::Scalar(_) | Val::Cert => bug(format!("{v} is no block")),
        }
    }

    fn size(&self, env: &Env, s: &Size64) -> Res<i64> {
        Ok(match s {
            Size64::Leaf(x) => self.int(env, *x)?,
            Size64::Add(a, b) => self.size(env, a)?.wrapping_add(self.size(env, b)?),
            Size64::Sub(a, b) => self.size(env, a)?.wrapping_sub(self.size(env, b)?),
            Size64::Mul(a, b) => self.size(env, a)?.wrapping_mul(self.size(env, b)?),
        })
    }

    fn place(&self, env: &Env, ty: &Type, m: &MemBind) -> Res<ConcreteLmad> {
        let Some(elem) = ty.elem() else { return bug("a place for what is no array") };
        let mut dims = Vec::new();
        for (d, n) in m.lmad.dims.iter().zip(ty.shape()) {
            let (a, b) = (self.int(env, d.n)?, self.int(env, *n)?);
            if a != b {
                return bug(format!("a place of size {a} for an array of size {b}"));
            }
            dims.push((a, self.size(env, &d.stride)?));
        }
        if dims.len() != ty.rank() {
            return bug("a place of another rank");
        }
        let offset = self.size(env, &m.lmad.offset)?;
        Ok(ConcreteLmad { block: self.block(env, m.block)?, elem, offset, dims })
    }

    /// Binds results of a join or call: blocks and scalars as they come, arrays where the pattern
    /// says, which must be where they are.
    fn bind_all(&mut self, env: &mut Env, pat: &[PatElem], vals: Vec<Val>) -> Res<()> {
        if pat.len() != vals.len() {
            return bug(format!("{} values for a pattern of {}", vals.len(), pat.len()));
        }
        for (p, v) in pat.iter().zip(vals) {
            self.bind_one(env, p.var, &p.ty, p.mem.as_ref(), v)?;
        }
        Ok(())
    }

    fn bind_one(
        &mut self,
        env: &mut Env,
        var: Var,
        ty: &Type,
        mem: Option<&MemBind>,
        v: Val,
    ) -> Res<()> {
        let v = match (v, mem) {
            (Val::Array(p), Some(m)) => {
                let q = self.place(env, ty, m)?;
                if !p.same(&q) {
                    return bug(format!("{var} is not where it is said to be"));
                }
                Val::Array(q)
            }
            (Val::Array(_), None) => return bug(format!("{var} has no place")),
            (v @ (Val::Scalar(_) | Val::Block(_) | Val::Cert), _) => v,
        };
        env.insert(var, v);
        Ok(())
    }

    /// The places of a pattern; with `dropped`, arrays may have none, which nothing reads.
    fn places(
        &self,
        env: &mut Env,
        pat: &[PatElem],
        dropped: bool,
    ) -> Res<Vec<Option<ConcreteLmad>>> {
        let mut out = Vec::with_capacity(pat.len());
        for p in pat {
            out.push(match (&p.ty, &p.mem) {
                (Type::Array { .. }, Some(m)) => {
                    let place = self.place(env, &p.ty, m)?;
                    env.insert(p.var, Val::Array(place.clone()));
                    Some(place)
                }
                (Type::Array { .. }, None) if !dropped => {
                    return bug(format!("{} has no place", p.var));
                }
                _ => None,
            });
        }
        Ok(out)
    }

    // Code.

    fn call(&mut self, fun: &Fun, args: Vec<Val>) -> Res<Vec<Val>> {
        if self.depth >= Limits::default().depth {
            return Err(MemError::Failed(format!("Stack overflow in {}", fun.name)));
        }
        self.depth += 1;
        let results = self.call_within(fun, args);
        self.depth -= 1;
        results
    }

    fn call_within(&mut self, fun: &Fun, args: Vec<Val>) -> Res<Vec<Val>> {
        let mut env = Env::default();
        if fun.params.len() != args.len() {
            return bug(format!("call of {} with {} arguments", fun.name, args.len()));
        }
        for (p, v) in fun.params.iter().zip(args) {
            self.bind_one(&mut env, p.var, &p.ty, p.mem.as_ref(), v)?;
        }
        let mark = self.locals.len();
        let vals = self.body(&mut env, &fun.body)?;
        self.end_locals(mark)?;
        self.bind_all(&mut env, &fun.results, vals)?;
        fun.results.iter().map(|r| self.var(&env, r.var)).collect()
    }

    fn body(&mut self, env: &mut Env, b: &Body) -> Res<Vec<Val>> {
        self.stms(env, &b.stms)?;
        self.operands(env, &b.result)
    }

    fn stms(&mut self, env: &mut Env, stms: &[Stm]) -> Res<()> {
        stms.iter().try_for_each(|s| self.stm(env, s))
    }

    fn stm(&mut self, env: &mut Env, s: &Stm) -> Res<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(MemError::Fuel)?;
        for c in &s.certs {
            self.peek(env, *c)?;
        }
        let is_block = |p: &PatElem| matches!(p.ty, Type::Mem(MemSpace::Host | MemSpace::Device));
        if self.in_kernel && s.pat.iter().any(is_block) {
            return bug("a block bound in a kernel");
        }
        let scalar = |env: &mut Env, c: Option<Const>| match (c, s.pat.as_slice()) {
            (Some(c), [p]) => {
                env.insert(p.var, Val::Scalar(c));
                Ok(())
            }
            (None, _) => bug("an operation without meaning on its operands"),
            (Some(_), _) => bug("a scalar for several variables"),
        };
        match &s.exp {
            Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => {
                let v = self.operand(env, *x)?;
                self.bind_all(env, &s.pat, vec![v])
            }
            Exp::UnOp(op, x) => {
                let c = eval::un_op(*op, self.scalar(env, *x)?);
                scalar(env, c)
            }
            Exp::BinOp(op, x, y) => {
                let c = eval::bin_op(*op, self.scalar(env, *x)?, self.scalar(env, *y)?);
                scalar(env, c)
            }
            Exp::CmpOp(op, x, y) => {
                let c = eval::cmp_op(*op, self.scalar(env, *x)?, self.scalar(env, *y)?);
                scalar(env, c.map(Const::Bool))
            }
            Exp::ConvOp(op, x) => {
                let c = eval::conv_op(*op, self.scalar(env, *x)?);
                scalar(env, c)
            }
            Exp::Math(f, ty, xs) => {
                let xs: Vec<Const> = xs.iter().map(|x| self.scalar(env, *x)).collect::<Res<_>>()?;
                scalar(env, eval::math_fn(*f, *ty, &xs))
            }
            Exp::Assert { kind: _, cond, msg } => {
                if !self.bool(env, *cond)? {
                    return Err(MemError::Failed(self.message(env, msg)?));
                }
                for p in &s.pat {
                    env.insert(p.var, Val::Cert);
                }
                Ok(())
            }
            Exp::Index { array, dims } => {
                let to = self.slice(env, self.array(env, *array)?, dims)?;
                if to.dims.is_empty() {
                    let c = self.load(to.block, to.elem, to.offset)?;
                    scalar(env, Some(c))
                } else {
                    self.bind_all(env, &s.pat, vec![Val::Array(to)])
                }
            }
            Exp::FlatIndex { array, offset, dims } => {
                let v = self.flat(env, self.array(env, *array)?, *offset, dims)?;
                self.bind_all(env, &s.pat, vec![Val::Array(v)])
            }
            Exp::Rearrange { array, perm } => {
                let p = self.array(env, *array)?;
                let v = p.with(p.offset, perm.iter().map(|i| p.dims[*i]).collect());
                self.bind_all(env, &s.pat, vec![Val::Array(v)])
            }
            Exp::Reshape { array, shape } => {
                // The pattern says where; that it is the same sequence of elements is checked.
                let p = self.array(env, *array)?.clone();
                let shape = self.ints(env, shape)?;
                let places = self.places(env, &s.pat, false)?;
                match places.first() {
                    Some(Some(q))
                        if q.block == p.block
                            && q.shape() == shape
                            && q.offsets() == p.offsets() =>
                    {
                        Ok(())
                    }
                    _ => bug("a reshape that moves elements"),
                }
            }
            Exp::Update { array, dims, value } => {
                let p = self.array(env, *array)?.clone();
                let v = self.operand(env, *value)?;
                let to = self.slice(env, &p, dims)?;
                self.put(&v, &to)?;
                self.bind_all(env, &s.pat, vec![Val::Array(p)])
            }
            Exp::FlatUpdate { array, offset, dims, value } => {
                let p = self.array(env, *array)?.clone();
                let to = self.flat(env, &p, *offset, dims)?;
                let from = self.array(env, *value)?.clone();
                self.copy(&from, &to)?;
                self.bind_all(env, &s.pat, vec![Val::Array(p)])
            }
            Exp::ArrayLit { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_) => {
                let places = self.places(env, &s.pat, false)?;
                match places.first() {
                    Some(Some(to)) => self.fill(env, &s.exp, to),
                    _ => bug("a fresh array without a place"),
                }
            }
            Exp::Match { scrutinee, cases, default } => {
                let c = self.scalar(env, *scrutinee)?;
                let b = cases.iter().find(|(k, _)| *k == c).map_or(default, |(_, b)| b);
                let vals = self.body(env, b)?;
                self.bind_all(env, &s.pat, vals)
            }
            Exp::Loop { params, init, form, body } => {
                let mut vals = self.operands(env, init)?;
                let mut i = 0;
                loop {
                    if params.len() != vals.len() {
                        return bug("a loop with another number of values than parameters");
                    }
                    for (p, v) in params.iter().zip(vals.drain(..)) {
                        self.bind_one(env, p.var, &p.ty, p.mem.as_ref(), v)?;
                    }
                    let go = match form {
                        LoopForm::For { var, ty, bound } => {
                            let go = i < self.int(env, *bound)?;
                            env.insert(*var, Val::Scalar(Const::int(*ty, i)));
                            go
                        }
                        LoopForm::While { cond } => self.bool(env, (*cond).into())?,
                    };
                    if !go {
                        break;
                    }
                    i += 1;
                    vals = self.body(env, body)?;
                }
                let last =
                    params.iter().map(|p| self.var(env, p.var)).collect::<Res<Vec<Val>>>()?;
                self.bind_all(env, &s.pat, last)
            }
            Exp::Call { fun, args } => {
                let Some(f) = self.funs.get(fun).copied() else {
                    return bug(format!("no function {fun}"));
                };
                if self.in_kernel {
                    return bug("a call in a kernel");
                }
                let args = self.operands(env, args)?;
                let vals = self.call(f, args)?;
                self.bind_all(env, &s.pat, vals)
            }
            Exp::Soac(_) => bug("a combinator at level mem"),
            Exp::Seg(op) => self.seg(env, &s.pat, op),
            Exp::Prefix { ops, values } => {
                let start = match self.prefix.take() {
                    Some(prefix) => prefix,
                    None => self.neutral(env, ops)?,
                };
                let values = self.operands(env, values)?;
                self.prefix = Some(self.combine(env, ops, &start, values)?);
                self.bind_all(env, &s.pat, start)
            }
            Exp::Workers => self.bind_all(env, &s.pat, vec![Val::Scalar(Const::I64(WORKERS))]),
            Exp::Alloc { bytes, space } => {
                let n = self.size(env, bytes)?;
                let b = match space {
                    MemSpace::Host | MemSpace::Device => self.alloc(n)?,
                    MemSpace::Local => self.alloc_local(n)?,
                };
                self.bind_all(env, &s.pat, vec![Val::Block(b)])
            }
            Exp::Retain(b) | Exp::Release(b) if self.in_kernel => {
                bug(format!("the owners of {b} counted in a kernel"))
            }
            Exp::Retain(b) => {
                let b = self.block(env, *b)?;
                self.retain(b)
            }
            Exp::Release(b) => {
                let b = self.block(env, *b)?;
                self.release(b)
            }
        }
    }

    fn message(&self, env: &Env, msg: &[MsgPart]) -> Res<String> {
        let mut out = String::new();
        for m in msg {
            match m {
                MsgPart::Text(t) => out.push_str(t),
                MsgPart::Value(x, _) => out.push_str(&self.scalar(env, *x)?.to_string()),
            }
        }
        Ok(out)
    }

    fn slice(&self, env: &Env, p: &ConcreteLmad, dims: &[DimIndex]) -> Res<ConcreteLmad> {
        let mut to = p.with(p.offset, Vec::new());
        for ((n, s), d) in p.dims.iter().zip(dims) {
            let within = |i: i64| {
                if (0..*n).contains(&i) { Ok(()) } else { bug(format!("index {i} below {n}")) }
            };
            match d {
                DimIndex::Fix(i) => {
                    let i = self.int(env, *i)?;
                    within(i)?;
                    to.offset += s * i;
                }
                DimIndex::Slice { start, n, stride } => {
                    let (i, k, t) =
                        (self.int(env, *start)?, self.int(env, *n)?, self.int(env, *stride)?);
                    if k > 0 {
                        within(i)?;
                        within(i + (k - 1) * t)?;
                    }
                    to.offset += s * i;
                    to.dims.push((k, s * t));
                }
            }
        }
        Ok(to)
    }

    fn flat(
        &self,
        env: &Env,
        p: &ConcreteLmad,
        offset: SubExp,
        dims: &[(SubExp, SubExp)],
    ) -> Res<ConcreteLmad> {
        let unit = p.dims.first().map_or(1, |d| d.1);
        let dims = dims
            .iter()
            .map(|(n, s)| Ok((self.int(env, *n)?, unit * self.int(env, *s)?)))
            .collect::<Res<_>>()?;
        let offset = p.offset + unit * self.int(env, offset)?;
        Ok(p.with(offset, dims))
    }

    /// A fresh array.
    fn fill(&mut self, env: &Env, e: &Exp, to: &ConcreteLmad) -> Res<()> {
        match e {
            Exp::Scratch { .. } => Ok(()),
            Exp::Copy(v) => {
                let from = self.array(env, *v)?.clone();
                self.copy(&from, to)
            }
            Exp::ArrayLit { elems, row: _ } => {
                for (i, x) in elems.iter().enumerate() {
                    let v = self.operand(env, *x)?;
                    self.put(&v, &to.row(&[i as i64]))?;
                }
                Ok(())
            }
            Exp::Iota { n, start, stride, ty } => {
                let (n, mut x) = (self.int(env, *n)?, self.int(env, *start)?);
                let step = self.int(env, *stride)?;
                for i in 0..n {
                    self.store(to, to.row(&[i]).offset, Const::int(*ty, x))?;
                    x = x.wrapping_add(step);
                }
                Ok(())
            }
            Exp::Replicate { shape, value } => {
                let v = self.operand(env, *value)?;
                let k = shape.len();
                let outer = to.with(to.offset, to.dims[..k].to_vec());
                for offset in outer.offsets() {
                    let row = to.with(offset, to.dims[k..].to_vec());
                    self.put(&v, &row)?;
                }
                Ok(())
            }
            Exp::Concat { dim, arrays, size } => {
                let size = self.int(env, *size)?;
                let mut at = 0;
                for a in arrays {
                    let from = self.array(env, *a)?.clone();
                    let mut part = to.clone();
                    part.offset += at * part.dims[*dim].1;
                    part.dims[*dim].0 = from.dims[*dim].0;
                    at += from.dims[*dim].0;
                    self.copy(&from, &part)?;
                }
                if at == size { Ok(()) } else { bug(format!("{at} of {size} concatenated")) }
            }
            _ => bug("not an operation that makes an array"),
        }
    }
}
