//! A program on its way to MLIR: what its functions share.

use crate::Error;
use crate::abi::CType;
use crate::dialect::{Builder, Linkage, Shared, symbol_of};
use crate::ffi;
use crate::ffi::Region;
use crate::host::Machine;
use crate::symbols::{HOST_PREFIX, KERNEL_MODULE, TEXT_PREFIX, host_symbol, mangle};
use futc_midend::ir::varmap::{VarMap, VarSet};
use futc_midend::ir::{Fun, Loc, Prim, Program, Stm};
use futc_typed::name::Name;
use melior::ir::block::BlockLike;
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, BlockRef, Location, Type};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

type Result<T> = std::result::Result<T, Error>;

/// The positions seen so far; nothing where none are wanted.
pub type Positions<'c> = Option<HashMap<Loc, Option<Location<'c>>>>;

/// A kernel of the program.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its symbol.
    pub name: String,
    /// Parameters, without the failure record.
    pub num_args: usize,
}

/// A place in a kernel that can fail.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FailurePoint {
    /// The message.
    pub format: String,
    /// The position.
    pub loc: Option<String>,
}

/// What the tables of the object need to know besides the program.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Kernels, by index.
    pub kernels: Vec<Kernel>,
    /// Failure points, by code.
    pub failures: Vec<FailurePoint>,
}

/// A program on its way to MLIR.
pub struct Lowering<'c, 'p, 's> {
    /// Context and types.
    pub shared: &'s Shared<'c>,
    /// The position of the function at hand; unknown if positions are not wanted.
    pub location: Location<'c>,
    pub(super) positions: Positions<'c>,
    /// What the host can do.
    pub machine: Machine,
    /// What must be computed as the program says, if not everything must.
    pub(super) decisive: Option<VarSet>,
    pub(super) program: &'p Program,
    pub(super) has_kernels: bool,
    pub(super) body: BlockRef<'c, 'c>,
    pub(super) device: Option<BlockRef<'c, 'c>>,
    pub(super) declared: HashSet<(bool, String)>,
    /// How many functions there are that run points of which one fails.
    pub(super) failing: usize,
    /// How many functions there are that run an operation of another one.
    pub(super) apart: usize,
    /// What makes integers in the function under construction.
    pub(super) integers: VarMap<&'p Stm>,
    /// How many functions there are that run tasks.
    pub(super) tasks: usize,
    pub(super) strings: HashMap<String, String>,
    /// Symbols of the tables of constants.
    pub(super) tables: HashMap<(Prim, Vec<u8>), String>,
    pub(super) functions: HashMap<Name, (usize, &'p Fun)>,
    pub(super) device_functions: HashSet<Name>,
    pub(super) pending: Vec<Name>,
    pub(super) num_scopes: usize,
    /// Kernels so far.
    pub kernels: Vec<Kernel>,
    pub(super) failures: Vec<FailurePoint>,
    pub(super) failure_codes: HashMap<FailurePoint, i64>,
}

impl<'c, 'p, 's> Lowering<'c, 'p, 's> {
    /// Of no program: for code that is put into a module that is there.
    pub fn bare(
        shared: &'s Shared<'c>,
        program: &'p Program,
        machine: Machine,
    ) -> Lowering<'c, 'p, 's> {
        let body = shared.building.module.body();
        let mut declared = HashSet::new();
        let mut next = body.first_operation();
        while let Some(operation) = next {
            next = operation.next_in_block();
            declared.extend(symbol_of(operation).map(|symbol| (false, symbol)));
        }
        Lowering {
            shared,
            location: Location::unknown(shared.context),
            positions: None,
            machine,
            decisive: None,
            program,
            has_kernels: false,
            body,
            device: None,
            declared,
            failing: 0,
            apart: 0,
            integers: VarMap::default(),
            tasks: 0,
            strings: HashMap::new(),
            tables: HashMap::new(),
            functions: HashMap::new(),
            device_functions: HashSet::new(),
            pending: Vec::new(),
            num_scopes: 0,
            kernels: Vec::new(),
            failures: Vec::new(),
            failure_codes: HashMap::new(),
        }
    }

    /// Whether device operations become kernels.
    pub fn has_kernels(&self) -> bool {
        self.has_kernels
    }

    /// Appends to the module.
    pub fn builder(&self) -> Builder<'c, 's> {
        Builder::new(self.shared, self.body, self.location)
    }

    /// Appends to the `gpu.module`, which begins to exist when it is first used.
    pub fn device_builder(&mut self) -> Result<Builder<'c, 's>> {
        let block = match self.device {
            Some(block) => block,
            None => {
                let (region, block) = ffi::region_with_block(&[], self.location);
                self.builder().gpu_module(KERNEL_MODULE, region)?;
                self.device = Some(block);
                block
            }
        };
        Ok(Builder::new(self.shared, block, self.location))
    }

    /// Declares a C function once, on the host or in the `gpu.module`.
    pub(super) fn declare(
        &mut self,
        device: bool,
        symbol: &'static str,
        parameters: &[CType],
        result: Option<CType>,
    ) -> Result<()> {
        if !self.declared.insert((device, symbol.to_owned())) {
            return Ok(());
        }
        let types = self.shared.types;
        let parameters: Vec<_> = parameters.iter().map(|t| types.of_c(*t)).collect();
        let result = result.map(|t| types.of_c(t));
        let builder = if device { self.device_builder()? } else { self.builder() };
        if parameters.contains(&types.block) || result == Some(types.block) {
            let results: Vec<_> = result.into_iter().collect();
            builder.func(symbol, &parameters, &results, Linkage::External, Region::new())?;
            return Ok(());
        }
        builder.llvm_func(symbol, &parameters, result)
    }

    /// Declares a C function in the `gpu.module`.
    pub fn declare_device(
        &mut self,
        symbol: &'static str,
        parameters: &[CType],
        result: Option<CType>,
    ) -> Result<()> {
        self.declare(true, symbol, parameters, result)
    }

    /// The symbol of a table of constants, and its type. The same constants are one table.
    pub fn table(&mut self, elem: Prim, bytes: &[u8]) -> Result<(String, Type<'c>)> {
        let (builder, element) = (self.builder(), self.shared.types.stored(elem));
        let n = i64::try_from(bytes.len()).map_err(Error::bug)? / elem.bytes();
        let ty = builder.dense_memref(element, &[n]);
        let count = self.tables.len();
        let symbol = match self.tables.entry((elem, bytes.to_vec())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => {
                let symbol = format!("table_{count}");
                builder.memref_global(&symbol, element, bytes, elem.bytes())?;
                new.insert(symbol).clone()
            }
        };
        Ok((symbol, ty))
    }

    /// The symbol of a text.
    pub fn string(&mut self, text: &str) -> Result<String> {
        if let Some(symbol) = self.strings.get(text) {
            return Ok(symbol.clone());
        }
        let symbol = format!("{TEXT_PREFIX}{}", self.strings.len());
        self.builder().llvm_bytes(&symbol, format!("{text}\0").as_bytes(), None)?;
        self.strings.insert(text.to_owned(), symbol.clone());
        Ok(symbol)
    }

    /// A new scope for what lies in one block and no other.
    pub fn alias_scope(&mut self) -> Result<Attribute<'c>> {
        let id = self.num_scopes;
        self.num_scopes += 1;
        self.builder().alias_scope(id)
    }

    /// A new group of accesses, and the annotation of a loop of which no iteration reads what
    /// another writes by accesses of that group.
    pub fn parallel(&self) -> Result<(Attribute<'c>, Attribute<'c>)> {
        self.builder().parallel_accesses()
    }

    /// The code of a failure in a kernel.
    pub fn failure_point(&mut self, format: &str, loc: Option<&str>) -> Result<i64> {
        let point = FailurePoint { format: format.to_owned(), loc: loc.map(str::to_owned) };
        if let Some(code) = self.failure_codes.get(&point) {
            return Ok(*code);
        }
        let code = i64::try_from(self.failures.len()).map_err(Error::bug)?;
        self.failures.push(point.clone());
        self.failure_codes.insert(point, code);
        Ok(code)
    }

    /// A function of the program.
    pub fn function(&self, name: Name) -> Result<&'p Fun> {
        self.functions
            .get(&name)
            .map(|(_, f)| *f)
            .ok_or_else(|| Error::bug(format_args!("there is no function {name}")))
    }

    pub(super) fn symbol(&self, prefix: &str, name: Name) -> Result<String> {
        let (i, fun) = self
            .functions
            .get(&name)
            .ok_or_else(|| Error::bug(format_args!("there is no function {name}")))?;
        Ok(match prefix {
            HOST_PREFIX => host_symbol(fun, *i),
            _ => mangle(prefix, name.as_str(), *i),
        })
    }

    /// The symbol of a function on the host.
    pub fn host_symbol(&self, name: Name) -> Result<String> {
        self.symbol(HOST_PREFIX, name)
    }

    /// The symbol of a function in the `gpu.module`, which is lowered there if it has not been.
    pub fn device_function(&mut self, name: Name) -> Result<String> {
        if self.device_functions.insert(name) {
            self.pending.push(name);
        }
        self.symbol("dev", name)
    }

    pub(super) fn result_types(&self, fun: &Fun) -> Vec<Type<'c>> {
        fun.results.iter().filter_map(|r| self.shared.types.value(&r.ty)).collect()
    }

    pub(super) fn parameter_types(&self, fun: &Fun) -> Vec<Type<'c>> {
        let types = self.shared.types;
        std::iter::once(types.ptr)
            .chain(fun.params.iter().filter_map(|p| types.value(&p.ty)))
            .collect()
    }
}
