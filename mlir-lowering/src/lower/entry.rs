//! Entry points, and the globals: where compiled code meets the runtime's calling convention.
//!
//! ```text
//! void futc_entry_NAME(ctx, in, out):
//!   blocks and scalars from slots; sizes from the shapes of arrays
//!   fail if two arrays disagree about a size, or about a constant one
//!   results = call
//!   results into slots
//! void futc_init(ctx, globals):   each global is stored as soon as it is computed
//! void futc_fini(ctx, globals):   blocks of globals are released
//! ```

use super::function::{Array, Function, Site, Symbolic};
use super::memrefs::Memrefs;
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Ix, Predicate, Val};
use futc_midend::ir::{
    EntryPoint, ExtKind, ExtType, Fun, Lmad, MemBind, MemSpace, Param, Prim, Program, Size64,
    SubExp, Type, Var,
};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Error>;

/// The number of leaves of a value seen from outside.
pub fn leaf_count(ty: &ExtType) -> usize {
    match &ty.kind {
        ExtKind::Transparent { .. } => 1,
        ExtKind::Opaque { leaves, .. } => leaves.len(),
    }
}

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Reads a slot, and goes on to the next one.
    fn read_slot(
        &self,
        slots: Val<'c>,
        next: &mut i64,
        ty: melior::ir::Type<'c>,
    ) -> Result<Val<'c>> {
        let value = self.get_word(slots, *next, ty);
        *next += 1;
        value
    }

    /// Reads a scalar from a slot.
    fn scalar_slot(&self, slots: Val<'c>, next: &mut i64, prim: Prim) -> Result<Val<'c>> {
        let word = self.word_of(slots, *next, self.b.types().stored(prim))?;
        *next += 1;
        self.get(word, &[], prim)
    }

    /// Writes a slot, and goes on to the next one.
    fn write_slot(&self, slots: Val<'c>, next: &mut i64, value: Val<'c>) -> Result<()> {
        let written = self.set_word(slots, *next, value);
        *next += 1;
        written
    }

    /// The body of an entry function.
    pub fn entry_function(
        &mut self,
        fun: &'p Fun,
        entry: &'p EntryPoint,
        input: Val<'c>,
        output: Val<'c>,
    ) -> Result<()> {
        let types = self.b.types();
        let count: usize = entry.params.iter().map(|(_, t)| leaf_count(t)).sum();
        let is_leaf = |ty: &Type| matches!(ty, Type::Prim(_) | Type::Array { .. });
        let candidates: Vec<&Param> = fun.params.iter().filter(|p| is_leaf(&p.ty)).collect();
        let leaves = candidates
            .get(candidates.len().saturating_sub(count)..)
            .filter(|l| l.len() == count)
            .ok_or_else(|| Error::bug("an entry point with too few parameters"))?;

        let mut next = 0;
        for leaf in leaves {
            match &leaf.ty {
                Type::Prim(prim) => {
                    let value = self.scalar_slot(input, &mut next, *prim)?;
                    self.env.insert(leaf.var, value);
                }
                Type::Array { shape, .. } => {
                    let block = self.read_slot(input, &mut next, types.block)?;
                    let bind = leaf.mem.as_ref().ok_or_else(|| Error::bug("no place"))?;
                    self.env.insert(bind.block, block);
                    for n in shape {
                        let found = self.read_slot(input, &mut next, types.i64)?;
                        self.input_size(entry, *n, found)?;
                    }
                    self.dense_input(leaf.var, bind)?;
                }
                Type::Cert | Type::Mem(_) => {}
            }
        }

        let mut operands = vec![self.context()?];
        for param in &fun.params {
            if types.value(&param.ty).is_some() {
                operands.push(self.lookup(param.var)?);
            }
        }
        self.bind_arrays(&fun.params)?;
        let results: Vec<_> = fun.results.iter().filter_map(|r| types.value(&r.ty)).collect();
        let symbol = self.m.host_symbol(fun.name)?;
        let values = self.b.func_call(&symbol, &operands, &results)?;
        self.bind(&fun.results, values)?;
        self.entry_results(fun, entry, output)
    }

    fn context(&self) -> Result<Val<'c>> {
        match self.site {
            Site::Host(context) => Ok(context),
            Site::Device(_) => Err(Error::bug("an entry point on the device")),
        }
    }

    /// A size found in an argument: the first gives the parameter its value, others must agree.
    fn input_size(&mut self, entry: &EntryPoint, n: SubExp, found: Val<'c>) -> Result<()> {
        let expected = match n {
            SubExp::Var(v) => match self.env.get(&v) {
                Some(known) => *known,
                None => {
                    self.env.insert(v, found);
                    return Ok(());
                }
            },
            SubExp::Const(_) => self.operand(n)?,
        };
        let differ = self.b.cmpi(Predicate::Ne, found, expected)?;
        let message = format!(
            "Arguments of entry point \"{}\" disagree about a size: %d where %d is expected.",
            entry.name
        );
        self.when(differ, |f| f.fail_with(&message, None, &[found, expected]))
    }

    /// Arguments are dense and begin with their block: variables of their place that are
    /// parameters get their values from that.
    fn dense_input(&mut self, var: Var, bind: &MemBind) -> Result<()> {
        if let Size64::Leaf(SubExp::Var(offset)) = bind.lmad.offset
            && !self.env.contains_key(&offset)
        {
            let zero = self.b.i64(0)?;
            self.env.insert(offset, zero);
        }
        let mut stride = Ix::Const(1);
        for dim in bind.lmad.dims.iter().rev() {
            if let Size64::Leaf(SubExp::Var(v)) = dim.stride
                && !self.env.contains_key(&v)
            {
                let value = self.b.ix(stride)?;
                self.env.insert(v, value);
            }
            let n = self.index(dim.n)?;
            stride = self.b.mul(stride, n)?;
        }
        let parts =
            std::iter::once(&bind.lmad.offset).chain(bind.lmad.dims.iter().map(|d| &d.stride));
        for leaf in parts.flat_map(Size64::leaves) {
            if let SubExp::Var(v) = leaf
                && !self.env.contains_key(&v)
            {
                return Err(Error::bug(format_args!("{v}, of the place of parameter {var}")));
            }
        }
        Ok(())
    }

    fn entry_results(
        &mut self,
        fun: &'p Fun,
        entry: &'p EntryPoint,
        output: Val<'c>,
    ) -> Result<()> {
        let count: usize = entry.results.iter().map(leaf_count).sum();
        let candidates: Vec<_> = fun
            .results
            .iter()
            .filter(|r| matches!(r.ty, Type::Prim(_) | Type::Array { .. }))
            .collect();
        let leaves = candidates
            .get(candidates.len().saturating_sub(count)..)
            .filter(|l| l.len() == count)
            .ok_or_else(|| Error::bug("an entry point with too few results"))?;
        let mut next = 0;
        for leaf in leaves {
            match &leaf.ty {
                Type::Prim(prim) => {
                    let value = self.lookup(leaf.var)?;
                    // The whole word, so that it is the same whatever was there.
                    let bits = self.slot_bits(value, *prim)?;
                    self.write_slot(output, &mut next, bits)?;
                }
                Type::Array { .. } => {
                    let array = self.array(leaf.var)?;
                    let dense = self.dense_result(array)?;
                    self.write_slot(output, &mut next, dense.base)?;
                    for n in &dense.shape {
                        let n = self.b.ix(*n)?;
                        self.write_slot(output, &mut next, n)?;
                    }
                }
                Type::Cert | Type::Mem(_) => {}
            }
        }
        Ok(())
    }

    /// The result as a dense array at the beginning of a block. Where the function returns another
    /// place, a copy, and the function's block loses its reference.
    fn dense_result(&mut self, array: Array<'c>) -> Result<Array<'c>> {
        if array.lmad()?.is_row_major(&self.defs) {
            return Ok(array);
        }
        let mut bytes = Ix::Const(array.elem.bytes());
        for n in &array.shape {
            bytes = self.b.mul(bytes, *n)?;
        }
        let bytes = self.b.ix(bytes)?;
        let base = self.alloc_bytes(bytes, MemSpace::Host)?;
        let mut strides = vec![Ix::Const(1); array.shape.len()];
        let mut stride = Ix::Const(1);
        for (s, n) in strides.iter_mut().zip(&array.shape).rev() {
            *s = stride;
            stride = self.b.mul(stride, *n)?;
        }
        let shape: Vec<_> = array.lmad()?.dims.iter().map(|d| d.n).collect();
        let symbolic = Symbolic::Place(Lmad::row_major(&shape));
        let target = Array {
            base,
            offset: Ix::Const(0),
            strides,
            symbolic,
            elem: array.elem,
            block: array.block,
            shape: array.shape.clone(),
            memrefs: Memrefs::here(&self.b),
        };
        self.copy_elements(&target, &array)?;
        self.runtime(Runtime::Release, &[array.base])?;
        Ok(target)
    }

    /// Loads the globals, so that the function's code finds them.
    pub fn load_globals(&mut self, program: &'p Program) -> Result<()> {
        if program.globals.is_empty() {
            return Ok(());
        }
        let globals =
            self.runtime(Runtime::Globals, &[])?.ok_or_else(|| Error::bug("no globals"))?;
        let mut next = 0;
        for global in &program.globals {
            let value = match &global.ty {
                Type::Prim(prim) => self.scalar_slot(globals, &mut next, *prim)?,
                Type::Mem(_) => self.read_slot(globals, &mut next, self.b.types().block)?,
                Type::Array { .. } | Type::Cert => {
                    next += 1;
                    continue;
                }
            };
            self.env.insert(global.var, value);
        }
        self.bind_arrays(&program.globals)
    }

    /// Evaluates the globals.
    pub fn init_function(&mut self, program: &'p Program, globals: Val<'c>) -> Result<()> {
        // Which slots a variable of the body goes to.
        let mut slots: HashMap<u32, Vec<usize>> = HashMap::new();
        for (i, (x, global)) in program.consts.result.iter().zip(&program.globals).enumerate() {
            match (x, &global.ty) {
                (SubExp::Var(v), Type::Prim(_) | Type::Mem(_)) => {
                    slots.entry(v.tag).or_default().push(i);
                }
                (SubExp::Const(_), Type::Prim(_)) => {
                    let value = self.operand(*x)?;
                    self.store_global(program, globals, i, value)?;
                }
                (_, Type::Array { .. } | Type::Cert) | (SubExp::Const(_), Type::Mem(_)) => {}
            }
        }
        for stm in &program.consts.stms {
            self.stm(stm)?;
            // At once: functions called by later constants read it.
            for element in &stm.pat {
                for i in slots.get(&element.var.tag).cloned().unwrap_or_default() {
                    let value = self.lookup(element.var)?;
                    self.store_global(program, globals, i, value)?;
                }
            }
        }
        Ok(())
    }

    fn store_global(
        &mut self,
        program: &'p Program,
        globals: Val<'c>,
        i: usize,
        value: Val<'c>,
    ) -> Result<()> {
        let slot = i64::try_from(i).map_err(Error::bug)?;
        match program.globals.get(i).map(|g| &g.ty) {
            Some(Type::Prim(prim)) => {
                let word = self.word_of(globals, slot, self.b.types().stored(*prim))?;
                self.set(word, &[], *prim, value)
            }
            Some(Type::Mem(_)) => self.set_word(globals, slot, value),
            Some(Type::Array { .. } | Type::Cert) | None => Ok(()),
        }
    }

    /// Releases the globals.
    pub fn fini_function(&mut self, program: &'p Program, globals: Val<'c>) -> Result<()> {
        for (slot, global) in (0..).zip(&program.globals) {
            if matches!(global.ty, Type::Mem(_)) {
                let block = self.get_word(globals, slot, self.b.types().block)?;
                self.runtime(Runtime::Release, &[block])?;
            }
        }
        Ok(())
    }
}
