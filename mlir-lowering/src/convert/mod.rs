//! From memrefs to pointers: the conversions that are ours, between the text of `--emit=mlir` and
//! MLIR's own ([`crate::pipeline`]).
//!
//! | what | becomes | in |
//! | --- | --- | --- |
//! | operations of linalg | loops over memrefs | [`bulk`], [`contraction`] |
//! | transpositions by squares that are alike | calls of one function | [`alike`] |
//! | launches of kernels | calls of the runtime | [`launches`] |
//! | functions on numbers in kernels | functions of ours | [`kernel_functions`] |
//! | a memref that is passed about, such as a block | `!llvm.ptr` | [`types`] |
//! | a memref made of another | nothing: its offset and strides are known where it is used | [`views`] |
//! | accesses | address arithmetic, `llvm.getelementptr`, and a load or store | [`accesses`] |
//! | stores of some lanes, side by side | the lanes put together in a register, and a store of all of it | [`compression`] |
//! | gathers from tables of bytes | the table in registers, and permutations | [`lookup`] |
//! | gathers of one or two bytes | gathers of the words around them | [`narrow_gather`] |
//! | vectors and their lanes | operations of the `llvm` dialect | [`vectors`] |
//! | functions on numbers | intrinsics of LLVM, or calls of the C library | [`functions`] |
//!
//! See Note [Memrefs become bare pointers] in `types.rs`. One walk over the module, outermost
//! operations first; the cost is linear in its size.

mod accesses;
mod alike;
mod bulk;
mod compression;
mod contraction;
mod conversion;
mod functions;
mod kernel_functions;
mod launches;
mod lookup;
mod narrow_gather;
mod types;
mod vectors;
mod views;

use crate::dialect::{Shared, name_of};
use crate::host::{Machine, machine};
use crate::{Error, Options, emu, ffi, pipeline};
use bulk::to_loops;
use conversion::{Conversion, Result};
use melior::ir::Module;
use melior::ir::operation::{OperationLike, OperationRef};
use std::collections::{HashMap, HashSet};

/// A conversion of ours.
#[derive(Clone, Copy)]
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    run: for<'c> fn(&Shared<'c>, Machine) -> Result<()>,
}

/// The conversions of every target, in order.
pub const STEPS: &[Step] = &[
    Step {
        name: "linalg-to-loops",
        description: "operations on whole arrays become loops, as their attributes say",
        run: |shared, machine| to_loops(shared, machine),
    },
    Step {
        name: "launches-to-calls",
        description: "launches of kernels become calls of the runtime, which knows kernels by number",
        run: |shared, machine| launches::to_calls(shared, machine),
    },
    Step {
        name: "kernels-to-own-functions",
        description: "mathematical functions of kernels are ours, where ours are as good",
        run: kernel_functions::to_own,
    },
    Step {
        name: "memref-to-pointers",
        description: "memrefs become bare pointers, accesses address arithmetic",
        run: to_pointers,
    },
];

/// Conversions that only some targets want, behind those of [`STEPS`].
pub const OF_TARGETS: &[Step] = &[Step {
    name: "kernels-to-host",
    description: "kernels become functions of the host, which runs their threads",
    run: |shared, _| emu::kernels_to_host(shared),
}];

/// Runs all conversions that every target wants.
pub fn run<'c>(shared: &Shared<'c>, machine: Machine) -> Result<()> {
    STEPS.iter().try_for_each(|step| (step.run)(shared, machine))
}

/// Runs conversions by their names over the text of a module, for tests.
pub fn run_on_text(text: &str, names: &[&str], options: &Options) -> Result<String> {
    let context = pipeline::context();
    let module = Module::parse(&context, text).ok_or_else(|| Error::bug("no MLIR module"))?;
    let machine = machine(options)?;
    let (module, ()) = ffi::building(&context, module, |building| {
        let shared = Shared::new(building);
        for name in names {
            let step = STEPS.iter().chain(OF_TARGETS).find(|step| step.name == *name);
            let step =
                step.ok_or_else(|| Error::bug(format_args!("there is no conversion {name}")))?;
            (step.run)(&shared, machine)?;
        }
        Ok(())
    })?;
    if !module.as_operation().verify() {
        return Err(Error::bug("invalid MLIR"));
    }
    Ok(format!("{}\n", module.as_operation()))
}

/// Makes pointers of the memrefs of a module.
fn to_pointers(shared: &Shared<'_>, machine: Machine) -> Result<()> {
    shared.forget();
    let mut conversion = Conversion {
        shared,
        cpu: machine.cpu,
        by_words: !machine.sanitized,
        places: HashMap::new(),
        addresses: HashMap::new(),
        leftovers: Vec::new(),
        function: None,
        declared: HashSet::new(),
    };
    for operation in ffi::descendants(shared.building.module.as_operation()) {
        conversion.operation(operation)?;
    }
    for operation in conversion.leftovers.iter().rev() {
        if operation.results().all(|r| !ffi::is_used(r.into())) {
            shared.building.erase(*operation)?;
        } else if name_of(*operation).starts_with("memref.") {
            let name = name_of(*operation);
            return Err(Error::bug(format_args!("{name} is left after conversion")));
        }
    }
    Ok(())
}

impl<'c> Conversion<'c, '_> {
    fn operation(&mut self, operation: OperationRef<'c, 'c>) -> Result<()> {
        let name = operation.name();
        let name = name.as_string_ref().as_str().map_err(Error::bug)?;
        let Some((dialect, rest)) = name.split_once('.') else { return Ok(()) };
        match dialect {
            "memref" => self.memref(rest, operation),
            "vector" => self.vector(rest, operation),
            "math" => self.math(rest, operation),
            "arith" => self.arith(rest, operation),
            "llvm" if rest == "inttoptr" => self.inttoptr(operation),
            "ub" => self.poison(operation),
            "func" | "gpu" | "scf" => self.retype(name, operation),
            _ => Ok(()),
        }
    }

    fn arith(&mut self, name: &str, operation: OperationRef<'c, 'c>) -> Result<()> {
        match name {
            "select" => self.select(operation),
            "minnumf" | "maxnumf" => self.extremum(name, operation),
            // Of type `index`: they only made indexes.
            "index_cast" => self.index_cast(operation),
            "constant" | "divui" => {
                self.leftovers.push(operation);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
