//! Programs whose code comes in units (`futc_midend::units`), each from its own LLVM modules, and the
//! module that joins them: it has the tables, the texts of positions, and what sets up the globals.
//!
//! ```text
//! unit u                                  program
//!   futc_entry_f                     ◄──    futc_program
//!   futc_init_unit_u, futc_fini_…    ◄──    futc_init, futc_fini: of each unit with globals
//!   futc_globals_unit_u              ──►    futc_globals, moved on to the unit's globals
//!   futc_position_unit_u_0, …        ──►    constants
//! ```
//!
//! All of these are hidden outside of the program. If there is one unit, it has the names without `_unit_u`,
//! and its globals are those of the program.
//!
//! Positions are numbers in a unit, between marks. Every text with a mark is one of positions; what it
//! says is only known to the program, so a unit is the same wherever its definitions stand.

use crate::abi::Runtime;
use crate::lower::{self, FINI_SYMBOL, INIT_SYMBOL, Outline};
use crate::tables::{self, Description, function};
use crate::{Compiled, Error, Options, ffi, llvm};
use futc_midend::ir::{Fun, Linkage, Program};
use futc_midend::units::MARK;
use inkwell::context::Context;
use inkwell::module::{Linkage as LlvmLinkage, Module};
use inkwell::targets::FileType;
use inkwell::types::FunctionType;
use inkwell::values::{BasicValueEnum, FunctionValue};
use inkwell::{AddressSpace, GlobalVisibility};

type Result<T> = std::result::Result<T, Error>;

/// The code of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UnitCode {
    /// Objects, in order.
    pub objects: Vec<Vec<u8>>,
    /// Its entry points: the function's name, and the symbol.
    pub entries: Vec<(String, String)>,
    /// What to say where a check fails, with numbers for positions.
    pub positions: Vec<String>,
    /// Words of its globals.
    pub words: u64,
}

/// A unit in a program.
#[derive(Debug)]
pub struct Joined<'u> {
    /// What the unit is called.
    pub name: &'u str,
    /// Its code.
    pub code: &'u UnitCode,
    /// What to say where a check fails.
    pub positions: Vec<String>,
}

/// The symbols of one unit.
struct Symbols {
    suffix: String,
}

impl Symbols {
    /// Of a unit of several, if it has a name.
    fn of(name: Option<&str>) -> Symbols {
        Symbols { suffix: name.map_or_else(String::new, |name| format!("_unit_{name}")) }
    }

    fn init(&self) -> String {
        format!("{INIT_SYMBOL}{}", self.suffix)
    }

    fn fini(&self) -> String {
        format!("{FINI_SYMBOL}{}", self.suffix)
    }

    fn globals(&self) -> String {
        format!("{}{}", Runtime::Globals.symbol(), self.suffix)
    }

    fn position(&self, number: usize) -> String {
        format!("futc_position{}_{number}", self.suffix)
    }
}

impl Compiled<'_> {
    /// The code of a program at level mem that is a unit: of this name if it is one of several.
    pub fn unit(&self, name: Option<&str>) -> Result<UnitCode> {
        if self.options.target.kernels.is_some() {
            return Err(Error::bug("kernels are in one table for the whole program"));
        }
        let symbols = Symbols::of(name);
        let mut code = UnitCode::default();
        let objects = self.before_optimisation(
            |context, module, _, _| {
                code = open(context, module, self.program, &symbols, name.is_some())?;
                Ok(())
            },
            |module, machine| self.objects_of(module, machine),
        )?;
        Ok(UnitCode { objects, ..code })
    }
}

/// Lets the rest of the program see what it is to see of a unit.
fn open<'l>(
    context: &'l Context,
    module: &Module<'l>,
    program: &Program,
    symbols: &Symbols,
    one_of_several: bool,
) -> Result<UnitCode> {
    let mut code = UnitCode { words: program.globals.len() as u64, ..UnitCode::default() };
    for (index, fun) in program.funs.iter().enumerate().filter(|(_, f)| f.entry.is_some()) {
        let symbol = lower::mangle(lower::ENTRY_PREFIX, fun.name.as_str(), index);
        export(function(module, &symbol)?, &symbol);
        code.entries.push((fun.name.to_string(), symbol));
    }
    for (index, fun) in program.funs.iter().enumerate() {
        if fun.linkage != Linkage::Internal {
            let symbol = lower::host_symbol(fun, index);
            export(function(module, &symbol)?, &symbol);
        }
    }
    if !one_of_several || code.words > 0 {
        export(function(module, INIT_SYMBOL)?, &symbols.init());
        export(function(module, FINI_SYMBOL)?, &symbols.fini());
    }
    if one_of_several && let Some(globals) = module.get_function(Runtime::Globals.symbol()) {
        export(globals, &symbols.globals());
    }
    let globals: Vec<_> = module.get_globals().collect();
    for global in globals {
        // Tables of numbers may have any bytes.
        if !global.get_name().to_bytes().starts_with(lower::TEXT_PREFIX.as_bytes()) {
            continue;
        }
        let Some(BasicValueEnum::ArrayValue(value)) = global.get_initializer() else { continue };
        let Some(text) = value.is_const_string().then(|| value.as_const_string()).flatten() else {
            continue;
        };
        if !text.contains(&(MARK as u8)) {
            continue;
        }
        let text = text.strip_suffix(&[0]).unwrap_or(text);
        let text = String::from_utf8(text.to_vec()).map_err(Error::bug)?;
        let symbol = symbols.position(code.positions.len());
        // How long it is, is not known.
        let ty = context.i8_type().array_type(0).into();
        // SAFETY: there is no other copy of it in this loop, nor behind it.
        #[allow(unsafe_code, reason = "LLVM frees what is deleted")]
        unsafe {
            ffi::declare_global_as(module, global, ty, &symbol)?;
        }
        code.positions.push(text);
    }
    Ok(code)
}

/// Makes a function known to the rest of the program under a name.
fn export(function: FunctionValue<'_>, symbol: &str) {
    function.set_linkage(LlvmLinkage::External);
    let value = function.as_global_value();
    value.set_name(symbol);
    value.set_visibility(GlobalVisibility::Hidden);
}

/// The object that makes a program of units: `entries` are the functions of all entry points, in the
/// order in which the program lists them.
pub fn join(entries: &[&Fun], units: &[Joined<'_>], options: &Options) -> Result<Vec<u8>> {
    let context = Context::create();
    let module = context.create_module("program");
    let machine = llvm::host_machine(options)?;
    llvm::prepare(&module, &machine);
    let ptr = context.ptr_type(AddressSpace::default());
    let several = units.len() > 1;
    let entry_type = context.void_type().fn_type(&[ptr.into(); 3], false);
    let table_type = context.void_type().fn_type(&[ptr.into(); 2], false);
    let mut functions = Vec::new();
    for fun in entries {
        let mut all = units.iter().flat_map(|u| &u.code.entries);
        let symbol = all.find(|(name, _)| name == fun.name.as_str()).map(|(_, symbol)| symbol);
        let symbol = symbol
            .ok_or_else(|| Error::bug(format_args!("no unit has the entry point {}", fun.name)))?;
        functions.push((*fun, declare(&module, symbol, entry_type)));
    }
    for unit in units {
        let symbols = Symbols::of(several.then_some(unit.name));
        for (number, text) in unit.positions.iter().enumerate() {
            let text = context.const_string(text.as_bytes(), true);
            let global = module.add_global(text.get_type(), None, &symbols.position(number));
            global.set_initializer(&text);
            global.set_constant(true);
            global.set_visibility(GlobalVisibility::Hidden);
        }
    }
    let (init, fini) = match several {
        true => globals(&context, &module, units, table_type)?,
        false => {
            (declare(&module, INIT_SYMBOL, table_type), declare(&module, FINI_SYMBOL, table_type))
        }
    };
    let words = units.iter().map(|u| u.code.words).sum();
    let outline = Outline::default();
    let description =
        Description { entries: functions, words, init, fini, outline: &outline, ptx: None };
    tables::add_tables(&context, &module, &description, options)?;
    llvm::emit(&module, &machine, FileType::Object)
}

fn declare<'l>(module: &Module<'l>, symbol: &str, ty: FunctionType<'l>) -> FunctionValue<'l> {
    let function = module.add_function(symbol, ty, Some(LlvmLinkage::External));
    function.as_global_value().set_visibility(GlobalVisibility::Hidden);
    function
}

/// Functions that set up and release the globals of all units, which lie one behind the other; and for
/// each unit the one that tells it where its own are.
fn globals<'l>(
    context: &'l Context,
    module: &Module<'l>,
    units: &[Joined<'_>],
    table_type: FunctionType<'l>,
) -> Result<(FunctionValue<'l>, FunctionValue<'l>)> {
    let ptr = context.ptr_type(AddressSpace::default());
    let builder = context.create_builder();
    let all = [INIT_SYMBOL, FINI_SYMBOL].map(|symbol| {
        let function = module.add_function(symbol, table_type, Some(LlvmLinkage::Internal));
        builder.position_at_end(context.append_basic_block(function, ""));
        function
    });
    let of_program = module.add_function(
        Runtime::Globals.symbol(),
        ptr.fn_type(&[ptr.into()], false),
        Some(LlvmLinkage::External),
    );
    let parameter = |function: FunctionValue<'l>, i: u32| {
        let value = function.get_nth_param(i).map(BasicValueEnum::into_pointer_value);
        value.ok_or_else(|| Error::bug("a function without its parameters"))
    };
    let mut word = 0;
    for unit in units.iter().filter(|u| u.code.words > 0) {
        let symbols = Symbols::of(Some(unit.name));
        let offset = context.i64_type().const_int(word, false);
        let moved = |from| ffi::element(&builder, context.i64_type().into(), from, offset);
        for (function, symbol) in all.iter().zip([symbols.init(), symbols.fini()]) {
            let block = function.get_last_basic_block();
            builder.position_at_end(block.ok_or_else(|| Error::bug("a function without code"))?);
            let of_unit = declare(module, &symbol, table_type);
            let (ctx, globals) = (parameter(*function, 0)?, moved(parameter(*function, 1)?)?);
            builder.build_call(of_unit, &[ctx.into(), globals.into()], "").map_err(Error::bug)?;
        }
        let tells = declare(module, &symbols.globals(), ptr.fn_type(&[ptr.into()], false));
        builder.position_at_end(context.append_basic_block(tells, ""));
        let ctx = parameter(tells, 0)?;
        let called = builder.build_call(of_program, &[ctx.into()], "").map_err(Error::bug)?;
        let globals = called.try_as_basic_value().basic();
        let globals = globals.ok_or_else(|| Error::bug("no globals"))?.into_pointer_value();
        builder.build_return(Some(&moved(globals)?)).map_err(Error::bug)?;
        word += unit.code.words;
    }
    for function in all {
        let block = function.get_last_basic_block();
        builder.position_at_end(block.ok_or_else(|| Error::bug("a function without code"))?);
        builder.build_return(None).map_err(Error::bug)?;
    }
    let [init, fini] = all;
    Ok((init, fini))
}
