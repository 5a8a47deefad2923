//! Values of a function that are numbers whenever they are anything, by induction.
//!
//! Of all values of which it might follow that they are numbers it is assumed; those for which it does not follow from
//! the others are dropped, until it does for all that are left. This is the greatest fixed point, as in conditional constant propagation
//! (Wegman and Zadeck 1991). Arrays in the stack that are only read and written here are values, too: numbers if
//! all that is written there are.

use super::calls::{extremum, instructions, intrinsic, operand, reduction};
use crate::ffi;
use inkwell::types::{AnyTypeEnum, BasicTypeEnum, FloatType};
use inkwell::values::{
    AnyValue as _, AnyValueEnum, BasicValue as _, BasicValueEnum, BasicValueUse, FloatValue,
    FunctionValue, InstructionOpcode, InstructionValue, PhiValue,
};
use std::collections::{HashMap, HashSet};

/// The numbers of a function.
pub struct Numbers<'l> {
    known: HashSet<InstructionValue<'l>>,
    /// What is written to an array in the stack.
    written: HashMap<InstructionValue<'l>, Vec<BasicValueEnum<'l>>>,
    /// Which array it is that is read.
    read: HashMap<InstructionValue<'l>, InstructionValue<'l>>,
}

impl<'l> Numbers<'l> {
    pub fn of(function: FunctionValue<'l>) -> Self {
        let mut numbers =
            Self { known: HashSet::new(), written: HashMap::new(), read: HashMap::new() };
        for i in instructions(function) {
            numbers.add_array(i);
        }
        let all: Vec<_> = instructions(function).filter(|i| numbers.may_be(*i)).collect();
        numbers.known = all.iter().copied().collect();
        loop {
            let before = numbers.known.len();
            for i in &all {
                if numbers.known.contains(i) && !numbers.follows(*i) {
                    numbers.known.remove(i);
                }
            }
            if numbers.known.len() == before {
                return numbers;
            }
        }
    }

    pub fn contains(&self, value: BasicValueEnum<'l>) -> bool {
        match value.as_instruction_value() {
            Some(i) => self.known.contains(&i),
            None => is_constant_number(value),
        }
    }

    /// Notes that an instruction takes the place of another.
    pub fn replaced(&mut self, i: InstructionValue<'l>, by: Option<InstructionValue<'l>>) {
        if self.known.remove(&i) {
            self.known.extend(by);
        }
    }

    /// Whether an instruction yields a number if all that are in the set do.
    fn follows(&self, i: InstructionValue<'l>) -> bool {
        use InstructionOpcode::{
            Alloca, Call, ExtractElement, FNeg, InsertElement, Load, Phi, SIToFP, Select,
            ShuffleVector, UIToFP,
        };
        let has = |index| operand(i, index).is_some_and(|x| self.contains(x));
        match i.get_opcode() {
            SIToFP | UIToFP => true,
            FNeg | ExtractElement => has(0),
            InsertElement | ShuffleVector => has(0) && has(1),
            Select => has(1) && has(2),
            Phi => PhiValue::try_from(i)
                .is_ok_and(|phi| phi.get_incomings().all(|(x, _)| self.contains(x))),
            Alloca => self.written.get(&i).is_some_and(|w| w.iter().all(|x| self.contains(*x))),
            Load => self.read.get(&i).is_some_and(|array| self.known.contains(array)),
            Call if extremum(i).is_some() => has(0) || has(1),
            Call => has(0),
            _ => false,
        }
    }

    /// Whether an instruction is one of those that [`Self::follows`] asks about.
    fn may_be(&self, i: InstructionValue<'l>) -> bool {
        use InstructionOpcode::{
            Alloca, Call, ExtractElement, FNeg, InsertElement, Load, Phi, SIToFP, Select,
            ShuffleVector, UIToFP,
        };
        match i.get_opcode() {
            Alloca => self.written.contains_key(&i),
            Load => self.read.contains_key(&i),
            FNeg | SIToFP | UIToFP => true,
            ExtractElement | InsertElement | Phi | Select | ShuffleVector => float(i).is_some(),
            Call => extremum(i).is_some() || intrinsic(i).is_some_and(|name| keeps_numbers(&name)),
            _ => false,
        }
    }

    /// Notes an array in the stack of which all reads and writes are those of floats of one type, or vectors of them.
    fn add_array(&mut self, array: InstructionValue<'l>) -> Option<()> {
        if array.get_opcode() != InstructionOpcode::Alloca {
            return None;
        }
        let (mut read, mut written, mut of) = (Vec::new(), Vec::new(), None);
        let mut addresses = vec![array];
        while let Some(address) = addresses.pop() {
            for i in users(address) {
                let (i, element) = match i?.get_opcode() {
                    InstructionOpcode::GetElementPtr => {
                        addresses.push(i?);
                        continue;
                    }
                    InstructionOpcode::Call if intrinsic(i?)?.starts_with("lifetime.") => continue,
                    InstructionOpcode::Load => {
                        read.push(i?);
                        (i?, float(i?)?)
                    }
                    InstructionOpcode::Store => {
                        let value = operand(i?, 0)?;
                        written.push(value);
                        (i?, element(value.get_type())?)
                    }
                    _ => return None,
                };
                // An element is written and read as a whole.
                let bytes = element.get_bit_width() / 8;
                if *of.get_or_insert(element) != element || i.get_alignment().ok()? < bytes {
                    return None;
                }
            }
        }
        self.read.extend(read.into_iter().map(|i| (i, array)));
        self.written.insert(array, written);
        Some(())
    }
}

/// What a value is used by; nothing in place of what is no instruction.
fn users<'l>(of: InstructionValue<'l>) -> impl Iterator<Item = Option<InstructionValue<'l>>> {
    let uses = std::iter::successors(of.get_first_use(), |u: &BasicValueUse<'l>| u.get_next_use());
    uses.map(|u| match u.get_user() {
        AnyValueEnum::InstructionValue(i) => Some(i),
        user => BasicValueEnum::try_from(user).ok()?.as_instruction_value(),
    })
}

/// The type of the elements of what an instruction yields, if they are floats.
fn float(i: InstructionValue<'_>) -> Option<FloatType<'_>> {
    match i.get_type() {
        AnyTypeEnum::FloatType(ty) => Some(ty),
        AnyTypeEnum::VectorType(ty) => element(ty.into()),
        _ => None,
    }
}

fn element(ty: BasicTypeEnum<'_>) -> Option<FloatType<'_>> {
    match ty {
        BasicTypeEnum::FloatType(ty) => Some(ty),
        BasicTypeEnum::VectorType(ty) => element(ty.get_element_type()),
        _ => None,
    }
}

/// Whether an intrinsic of one operand that matters yields a number of a number.
fn keeps_numbers(name: &str) -> bool {
    let first = name.split_once('.').map_or(name, |(first, _)| first);
    ["fabs", "copysign", "floor", "ceil", "trunc", "rint", "roundeven"].contains(&first)
        || reduction(name).is_some()
}

/// Constants, and what no value was given to.
fn is_constant_number(value: BasicValueEnum<'_>) -> bool {
    let number = |x: FloatValue<'_>| ffi::constant(x).is_some_and(|x| !x.is_nan());
    if value.is_poison() {
        return true;
    }
    match value {
        BasicValueEnum::FloatValue(x) => number(x),
        BasicValueEnum::VectorValue(v) if v.is_null() => true,
        BasicValueEnum::VectorValue(v) if v.is_constant_data_vector() => {
            (0..v.get_type().get_size())
                .all(|k| matches!(v.get_element_as_constant(k), BasicValueEnum::FloatValue(x) if number(x)))
        }
        _ => false,
    }
}
