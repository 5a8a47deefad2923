//! From memrefs to pointers: the conversions that are ours, between the text of `--emit=mlir` and
//! MLIR's own ([`crate::pipeline`]).
//!
//! | what | becomes | in |
//! | --- | --- | --- |
//! | operations of linalg | loops over memrefs | [`bulk`] |
//! | a memref that is passed about, such as a block | `!llvm.ptr` | [`types`] |
//! | a memref made of another | nothing: its offset and strides are known where it is used | [`views`] |
//! | accesses | address arithmetic, `llvm.getelementptr`, and a load or store | [`accesses`] |
//! | vectors and their lanes | operations of the `llvm` dialect | [`vectors`] |
//! | functions on numbers | intrinsics of LLVM, or calls of the C library | [`functions`] |
//!
//! See Note [Memrefs become bare pointers] in `types.rs`. One walk over the module, outermost
//! operations first; the cost is linear in its size.

mod accesses;
mod bulk;
mod functions;
mod types;
mod vectors;
mod views;

use crate::dialect::{Builder, Ix, Shared, Val, name_of, result_of};
use crate::lower::Machine;
use crate::{Error, Options, ffi, pipeline};
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Module, Type, ValueLike};
use std::collections::{HashMap, HashSet};

type Result<T> = std::result::Result<T, Error>;

/// Where the elements of a memref lie.
#[derive(Clone)]
struct Place<'c> {
    /// The type of an element, which a value that has become a pointer does not tell.
    element: Type<'c>,
    base: Val<'c>,
    offset: Ix<'c>,
    strides: Vec<Ix<'c>>,
    /// What is known of its sizes: of what is passed about, only what its type tells.
    shape: Vec<Option<Ix<'c>>>,
}

struct Conversion<'c, 's> {
    shared: &'s Shared<'c>,
    /// Of memrefs, by the addresses of their values.
    places: HashMap<usize, Place<'c>>,
    /// Pointers, by the numbers that are their addresses.
    addresses: HashMap<usize, Val<'c>>,
    /// What nobody needs once all accesses are converted, in order.
    leftovers: Vec<OperationRef<'c, 'c>>,
    /// The function at hand, and what the module around it declares.
    function: Option<OperationRef<'c, 'c>>,
    declared: HashSet<(usize, &'static str)>,
}

use bulk::to_loops;

/// A conversion of ours.
#[derive(Clone, Copy)]
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    run: for<'c> fn(&Shared<'c>, &Module<'c>, Machine) -> Result<()>,
}

/// All conversions, in order.
pub const STEPS: &[Step] = &[
    Step {
        name: "linalg-to-loops",
        description: "operations on whole arrays become loops, as their attributes say",
        run: |shared, module, machine| to_loops(shared, module, machine),
    },
    Step {
        name: "memref-to-pointers",
        description: "memrefs become bare pointers, accesses address arithmetic",
        run: |shared, module, _| to_pointers(shared, module),
    },
];

/// Runs all conversions.
pub fn run<'c>(shared: &Shared<'c>, module: &Module<'c>, machine: Machine) -> Result<()> {
    STEPS.iter().try_for_each(|step| (step.run)(shared, module, machine))
}

/// Runs conversions by their names over the text of a module, for tests.
pub fn run_on_text(text: &str, names: &[&str], options: &Options) -> Result<String> {
    let context = pipeline::context();
    let shared = Shared::new(&context);
    let module = Module::parse(&context, text).ok_or_else(|| Error::bug("no MLIR module"))?;
    let machine = crate::machine(options)?;
    for name in names {
        let step = STEPS.iter().find(|step| step.name == *name);
        let step = step.ok_or_else(|| Error::bug(format_args!("there is no conversion {name}")))?;
        (step.run)(&shared, &module, machine)?;
    }
    if !module.as_operation().verify() {
        return Err(Error::bug("invalid MLIR"));
    }
    Ok(format!("{}\n", module.as_operation()))
}

/// Makes pointers of the memrefs of a module.
fn to_pointers<'c>(shared: &Shared<'c>, module: &Module<'c>) -> Result<()> {
    shared.forget();
    let mut conversion = Conversion {
        shared,
        places: HashMap::new(),
        addresses: HashMap::new(),
        leftovers: Vec::new(),
        function: None,
        declared: HashSet::new(),
    };
    for operation in ffi::descendants(module.as_operation()) {
        conversion.operation(operation)?;
    }
    for operation in conversion.leftovers.iter().rev() {
        if operation.results().all(|r| !ffi::is_used(r.into())) {
            ffi::erase(*operation);
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

    fn before(&self, operation: OperationRef<'c, 'c>) -> Result<Builder<'c, '_>> {
        Builder::before(self.shared, operation)
    }

    /// Puts a value in the place of the only result of an operation, which is gone then.
    fn replace(&mut self, operation: OperationRef<'c, 'c>, with: Val<'c>) -> Result<()> {
        ffi::replace_uses(result_of(operation, 0)?, with);
        ffi::erase(operation);
        Ok(())
    }

    fn place(&self, memref: Val<'c>) -> Result<Place<'c>> {
        self.places
            .get(&key(memref))
            .cloned()
            .ok_or_else(|| Error::bug(format_args!("a memref of unknown place: {memref}")))
    }
}

/// An operand.
fn operand<'c>(operation: OperationRef<'c, 'c>, i: usize) -> Result<Val<'c>> {
    Ok(ffi::detach_value(operation.operand(i)?))
}

/// All operands from one on.
fn operands<'c>(operation: OperationRef<'c, 'c>, from: usize) -> Result<Vec<Val<'c>>> {
    (from..operation.operand_count()).map(|i| operand(operation, i)).collect()
}

fn key(value: Val<'_>) -> usize {
    ffi::address_of_value(value)
}

/// An index as the `i64` that it was made of.
fn position<'c>(b: &Builder<'c, '_>, index: Val<'c>) -> Result<Ix<'c>> {
    match made_of(b, index)? {
        Some(x) => Ok(x),
        None => b.index_cast(index, b.types().i64).map(Ix::Val),
    }
}

/// The `i64` that an index was made of, if it was.
fn made_of<'c>(b: &Builder<'c, '_>, index: Val<'c>) -> Result<Option<Ix<'c>>> {
    let Some(made_by) = ffi::made_by(index) else { return Ok(None) };
    let name = made_by.name();
    Ok(match name.as_string_ref().as_str() {
        Ok("arith.constant") => {
            let value = IntegerAttribute::try_from(made_by.attribute("value")?)?;
            Some(Ix::Const(value.value()))
        }
        Ok("arith.index_cast") => {
            let source = operand(made_by, 0)?;
            (source.r#type() == b.types().i64).then_some(Ix::Val(source))
        }
        _ => None,
    })
}
