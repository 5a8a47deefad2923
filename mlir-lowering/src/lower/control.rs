//! Control flow: branches, loops, calls, checks.
//!
//! | Core IR | MLIR |
//! | --- | --- |
//! | `Match` on a `bool` | `scf.if`; `arith.select` where the branches compute nothing |
//! | other `Match` | `scf.index_switch` |
//! | `Loop` with `For` | `scf.for` over the counter's own type |
//! | `Loop` with `While` | `scf.while` |
//! | `Call` | `func.call`, context (or failure record) first |
//! | `Assert` | `scf.if` around what does not return |

use super::function::{Function, Site};
use crate::Error;
use crate::abi::{CType, KERNEL_FAIL, MAX_MESSAGE_VALUES, Runtime};
use crate::dialect::{Predicate, Val};
use crate::types::has_value;
use futc_midend::ir::{
    Body, Const, IntType, Loc, LoopForm, MsgPart, Param, PatElem, Prim, Stm, SubExp, Type,
};
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use melior::ir::ValueLike;

type Result<T> = std::result::Result<T, Error>;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    fn value_types(&self, pat: &[PatElem]) -> Vec<melior::ir::Type<'c>> {
        pat.iter().filter_map(|e| self.b.types().value(&e.ty)).collect()
    }

    /// A branch.
    pub fn match_(
        &mut self,
        pat: &'p [PatElem],
        scrutinee: SubExp,
        cases: &'p [(Const, Body)],
        default: &'p Body,
    ) -> Result<()> {
        let results = self.value_types(pat);
        let types = || pat.iter().map(|e| &e.ty);
        let scrutinee = self.operand(scrutinee)?;
        let values = match cases {
            [] => {
                let values = self.body(default, types())?;
                return self.bind(pat, values);
            }
            [(Const::Bool(on), body)] => {
                let (yes, no) = if *on { (body, default) } else { (default, body) };
                if yes.stms.is_empty() && no.stms.is_empty() {
                    let values = self.selected(scrutinee, yes, no, pat)?;
                    return self.bind(pat, values);
                }
                let yes = self.region(&[], |f, _| f.body(yes, types()))?;
                let no = self.region(&[], |f, _| f.body(no, types()))?;
                self.b.scf_if(scrutinee, &results, yes, no)?
            }
            _ => {
                let mut regions = vec![self.region(&[], |f, _| f.body(default, types()))?];
                let mut keys = Vec::with_capacity(cases.len());
                let mut seen = std::collections::HashSet::new();
                for (c, body) in cases {
                    let key = c.as_int().unwrap_or(i64::from(c.bits() != 0));
                    // The first case counts.
                    if seen.insert(key) {
                        keys.push(key);
                        regions.push(self.region(&[], |f, _| f.body(body, types()))?);
                    }
                }
                let index = self.switch_index(scrutinee, cases, &mut keys)?;
                self.b.scf_index_switch(index, &keys, &results, regions)?
            }
        };
        self.bind(pat, values)
    }

    /// The results of two branches that compute nothing. A region each, made into blocks later,
    /// takes time quadratic in how many there are in a function.
    fn selected(
        &mut self,
        c: Val<'c>,
        yes: &'p Body,
        no: &'p Body,
        pat: &'p [PatElem],
    ) -> Result<Vec<Val<'c>>> {
        let types = || pat.iter().map(|e| &e.ty);
        let (yes, no) = (self.body(yes, types())?, self.body(no, types())?);
        yes.into_iter().zip(no).map(|(yes, no)| self.b.select(c, yes, no)).collect()
    }

    /// The scrutinee as an index, equal to one of the keys or none.
    fn switch_index(
        &self,
        scrutinee: Val<'c>,
        cases: &[(Const, Body)],
        keys: &mut [i64],
    ) -> Result<Val<'c>> {
        let types = self.b.types();
        if let Some((Const::I64(_), _)) = cases.first() {
            // The switch that `scf.index_switch` becomes sees 32 bits only: it is given the number
            // of the case.
            let mut index = self.b.int(types.index, keys.len() as i64)?;
            for (i, key) in keys.iter_mut().enumerate() {
                let equal = self.b.cmpi(Predicate::Eq, scrutinee, self.b.i64(*key)?)?;
                index = self.b.select(equal, self.b.int(types.index, i as i64)?, index)?;
                *key = i as i64;
            }
            return Ok(index);
        }
        let wide = match cases.first().map(|(c, _)| c.prim()) {
            Some(Prim::Bool) => self.b.extui(scrutinee, types.i64)?,
            Some(Prim::Int(_)) => self.b.extsi(scrutinee, types.i64)?,
            Some(Prim::Float(_)) | None => return Err(Error::bug("a match on a float")),
        };
        self.b.index_cast(wide, types.index)
    }

    /// A loop.
    pub fn loop_(
        &mut self,
        pat: &'p [PatElem],
        params: &'p [Param],
        init: &'p [SubExp],
        form: &'p LoopForm,
        body: &'p Body,
    ) -> Result<()> {
        let types = || params.iter().map(|p| &p.ty);
        let init = self.values(init, types())?;
        let results = match form {
            LoopForm::For { var, bound, .. } => {
                let bound = self.operand(*bound)?;
                self.for_carrying(bound, &init, |f, i, carried| {
                    f.env.insert(*var, i);
                    f.bind(params, carried.iter().copied())?;
                    f.body(body, types())
                })?
            }
            LoopForm::While { cond } => {
                let carried: Vec<_> = init.iter().map(|v| v.r#type()).collect();
                // The condition is one of the values carried.
                let position = params
                    .iter()
                    .filter(|p| has_value(&p.ty))
                    .position(|p| p.var == *cond)
                    .ok_or_else(|| Error::bug("a while loop without its condition"))?;
                let before = self.condition_region(&carried, |_, values| {
                    let cond = values.get(position).copied();
                    Ok(cond.into_iter().chain(values.iter().copied()).collect())
                })?;
                let after = self.region(&carried, |f, values| {
                    f.bind(params, values.iter().copied())?;
                    f.body(body, types())
                })?;
                self.b.scf_while(&init, before, after)?
            }
        };
        self.bind(pat, results)
    }

    /// A call.
    pub fn call(&mut self, pat: &'p [PatElem], name: Name, args: &'p [SubExp]) -> Result<()> {
        let fun = self.m.function(name)?;
        let (first, symbol) = match self.site {
            Site::Host(context) => (context, self.m.host_symbol(name)?),
            Site::Device(failure) => (failure, self.m.device_function(name)?),
        };
        let mut operands = vec![first];
        operands.extend(self.values(args, fun.params.iter().map(|p| &p.ty))?);
        let types = self.b.types();
        let results: Vec<_> = fun.results.iter().filter_map(|r| types.value(&r.ty)).collect();
        let values = self.b.func_call(&symbol, &operands, &results)?;
        self.bind(pat, values)
    }

    /// Prints a scalar; an array goes by in silence.
    pub fn trace(&mut self, stm: &'p Stm, x: SubExp) -> Result<()> {
        let Some(element) = stm.pat.first() else { return Ok(()) };
        let Type::Prim(prim) = element.ty else { return self.alias_of_trace(stm, x) };
        let value = self.operand(x)?;
        if let Site::Host(_) = self.site {
            let bits = self.slot_bits(value, prim)?;
            let code = self.b.int(self.b.types().i32, prim_code(prim))?;
            self.runtime(Runtime::Trace, &[code, bits])?;
        }
        self.bind(&stm.pat, [value])
    }

    fn alias_of_trace(&mut self, stm: &'p Stm, x: SubExp) -> Result<()> {
        let target = self.target(&stm.pat)?;
        let source = x.var().ok_or_else(|| Error::bug("an array that is a constant"))?;
        let source = self.array(source)?;
        self.copy_to_other_block(&target, &source)
    }

    /// A scalar as the low bits of a 64-bit word.
    pub fn slot_bits(&self, value: Val<'c>, prim: Prim) -> Result<Val<'c>> {
        let types = self.b.types();
        let bits = match prim {
            Prim::Float(t) => {
                let integer = match t.bits() {
                    16 => types.i16,
                    32 => types.i32,
                    _ => types.i64,
                };
                self.b.bitcast(value, integer)?
            }
            Prim::Bool | Prim::Int(_) => value,
        };
        if bits.r#type() == types.i64 { Ok(bits) } else { self.b.extui(bits, types.i64) }
    }

    /// A check.
    pub fn assert(&mut self, cond: SubExp, msg: &'p [MsgPart], loc: Option<Loc>) -> Result<()> {
        if cond == SubExp::bool(true) {
            return Ok(());
        }
        let cond = self.operand(cond)?;
        let one = self.b.int(self.b.types().i1, 1)?;
        let fails = self.b.xori(cond, one)?;
        self.when(fails, |f| f.fail(msg, loc))
    }

    /// What happens if a check fails.
    fn fail(&mut self, msg: &[MsgPart], loc: Option<Loc>) -> Result<()> {
        let mut format = String::new();
        let mut values = Vec::new();
        for part in msg {
            match part {
                MsgPart::Text(text) => format.push_str(&text.replace('%', "%%")),
                MsgPart::Value(_, _) if values.len() == MAX_MESSAGE_VALUES => format.push('…'),
                MsgPart::Value(x, ty) => {
                    format.push_str(directive(*ty));
                    let x = self.operand(*x)?;
                    values.push(self.message_value(x, *ty)?);
                }
            }
        }
        let loc = loc.map(|l| l.as_str().to_owned());
        self.fail_with(&format, loc.as_deref(), &values)
    }

    /// Ends the entry call, or the thread of a kernel, with an error.
    pub fn fail_with(&mut self, format: &str, loc: Option<&str>, values: &[Val<'c>]) -> Result<()> {
        let types = self.b.types();
        let slots = self.failure_slots()?;
        for (i, value) in values.iter().enumerate() {
            let i = i64::try_from(i).map_err(Error::bug)?;
            self.set_word(slots, i, *value)?;
        }
        match self.site {
            Site::Host(_) => {
                let format = self.m.string(format)?;
                let format = self.b.address_of(&format)?;
                let loc = match loc {
                    Some(loc) => {
                        let loc = self.m.string(loc)?;
                        self.b.address_of(&loc)?
                    }
                    None => self.b.null()?,
                };
                self.runtime(Runtime::Fail, &[format, loc, slots]).map(|_| ())
            }
            Site::Device(record) => {
                let code = self.m.failure_point(format, loc)?;
                let code = self.b.int(types.i32, code)?;
                let slots = self.b.pointer_to(slots)?;
                let parameters = [CType::Ptr, CType::I32, CType::Ptr];
                self.m.declare_device(KERNEL_FAIL, &parameters, None)?;
                self.b.llvm_call(KERNEL_FAIL, &[record, code, slots], None).map(|_| ())
            }
        }
    }

    /// Room for the arguments of messages, one for the whole function and in its first block, so
    /// that loops do not grow the stack.
    fn failure_slots(&mut self) -> Result<Val<'c>> {
        if let Some(slots) = self.failure_slots {
            return Ok(slots);
        }
        let slots = self.block_in_entry(MAX_MESSAGE_VALUES as i64 * 8)?;
        self.failure_slots = Some(slots);
        Ok(slots)
    }

    /// A value as a message shows it, in a word.
    fn message_value(&self, x: Val<'c>, ty: PrimType) -> Result<Val<'c>> {
        let types = self.b.types();
        match ty {
            PrimType::Bool => self.b.extui(x, types.i64),
            PrimType::I64 | PrimType::U64 => Ok(x),
            PrimType::I8 | PrimType::I16 | PrimType::I32 => self.b.extsi(x, types.i64),
            PrimType::U8 | PrimType::U16 | PrimType::U32 => self.b.extui(x, types.i64),
            PrimType::F16 | PrimType::F32 => {
                let wide = self.b.extf(x, types.f64)?;
                self.b.bitcast(wide, types.i64)
            }
            PrimType::F64 => self.b.bitcast(x, types.i64),
        }
    }

    /// `0 ≤ i < n`
    pub fn in_bounds(&self, i: Val<'c>, n: Val<'c>) -> Result<Val<'c>> {
        self.b.cmpi(Predicate::Ult, i, n)
    }
}

/// How the runtime is told to print a value.
fn directive(ty: PrimType) -> &'static str {
    match ty {
        PrimType::Bool => "%b",
        PrimType::I8 | PrimType::I16 | PrimType::I32 | PrimType::I64 => "%d",
        PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64 => "%u",
        PrimType::F16 | PrimType::F32 | PrimType::F64 => "%f",
    }
}

/// `enum futc_prim` of a type without sign.
fn prim_code(prim: Prim) -> i64 {
    match prim {
        Prim::Int(IntType::I8) => 0,
        Prim::Int(IntType::I16) => 1,
        Prim::Int(IntType::I32) => 2,
        Prim::Int(IntType::I64) => 3,
        Prim::Float(t) => match t.bits() {
            16 => 8,
            32 => 9,
            _ => 10,
        },
        Prim::Bool => 11,
    }
}
