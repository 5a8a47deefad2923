//! Internalisation: from the typed program to Core IR at level soacs.
//!
//! One partial evaluator does what is usually four passes. It walks definitions on demand from
//! the entry points with an environment of [`value::Value`]s. Functions are static values, since
//! the source never returns them from conditionals or loops nor keeps them in arrays, so applying
//! one either inlines it or calls an instance of it for these types (defunctionalisation and
//! monomorphisation). Records and sums are static structure over leaves (arrays of records become
//! records of arrays). Sizes are operands: those of a parameter are read off the argument's shape,
//! those of a result are existential results.
//!
//! Refused: what the checker should have refused. The cost is linear in the Core program made.
//!
//! | file | concern |
//! | --- | --- |
//! | `value` | values, closed types, layout of sums |
//! | `builder` | statements, scopes, positions, certificates |
//! | `frame` | what local names stand for |
//! | `sized` | checks of sizes, which arrays rely on even where nobody reads them |
//! | `sizes` | types in frames, sizes, matching types with shapes |
//! | `expr` | expressions |
//! | `control` | conditionals, `match`, loops, joining of results |
//! | `call` | application, inlining, constants |
//! | `instance` | Core functions made of definitions and local functions |
//! | `index` | indexing, slices, ranges, with their checks |
//! | `update` | in-place updates |
//! | `scalar` | scalar intrinsics |
//! | `array` | array intrinsics |
//! | `soac` | second-order intrinsics |
//! | `equality` | `==` at any type |
//! | `entry` | entry points |

mod array;
mod builder;
mod call;
mod control;
mod entry;
mod equality;
mod expr;
mod frame;
mod index;
mod instance;
mod scalar;
mod sized;
mod sizes;
mod soac;
mod update;
mod value;

#[cfg(test)]
mod tests;

use crate::ir::{self, Loc, Type};
use builder::FunState;
pub(crate) use call::visit;
use futc_typed::name::Name;
use futc_typed::program::{DefId, Program, TypeId};
use futc_typed::span::{Locate, Span};
use futc_typed::types;
use std::collections::HashMap;
use std::rc::Rc;
use value::Value;

/// What to make of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Definitions to treat as entry points although they are not declared so.
    pub extra_entries: Vec<Name>,
    /// If given, only these entry points are kept.
    pub only: Option<Vec<Name>>,
    /// `#[unsafe]` is ignored.
    pub safe: bool,
}

/// Why there is no Core program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// Something we cannot compile yet.
    #[error("limitation at {loc}: {what}")]
    Limitation {
        /// Where.
        loc: String,
        /// What.
        what: String,
    },
    /// Something that must not happen.
    #[error("compiler bug at {loc}: {what}")]
    Bug {
        /// Where.
        loc: String,
        /// What.
        what: String,
    },
}

type R<T> = Result<T, Error>;

/// Makes Core IR of what the entry points of `program` reach.
pub fn internalise(
    program: &Program,
    locate: &dyn Locate,
    options: &Options,
) -> Result<ir::Program, Error> {
    let mut spec = Spec::new(program, locate, options);
    spec.entry_points()?;
    Ok(spec.finish())
}

/// The specialiser.
struct Spec<'p> {
    program: &'p Program,
    locate: &'p dyn Locate,
    options: &'p Options,
    def_index: HashMap<DefId, usize>,
    opaque_index: HashMap<TypeId, usize>,
    expanded: HashMap<(TypeId, Vec<types::TypeArg>), types::Type>,
    /// Type and depth of each variable, by tag.
    vars: Vec<(Type, u32)>,
    frames: Vec<frame::Frame>,
    imports: Vec<frame::Import>,
    /// Sizes of local functions, and whether they are used more than once, by address.
    local_info: HashMap<usize, u32>,
    shared: std::collections::HashSet<usize>,
    fun: FunState,
    locs: HashMap<Span, Loc>,
    last_loc: Option<(Span, Loc)>,
    // What is made.
    const_stms: Vec<ir::Stm>,
    const_results: Vec<ir::SubExp>,
    globals: Vec<ir::PatElem>,
    consts: HashMap<usize, call::Constant>,
    funs: Vec<ir::Fun>,
    names: HashMap<Name, u32>,
    instances: HashMap<instance::Key, Rc<instance::Instance>>,
    /// Recursive instances whose bodies are being made.
    progress: Vec<(instance::Key, Rc<instance::Instance>)>,
    def_info: HashMap<usize, call::DefInfo>,
    exported: HashMap<ir::Var, ir::Var>,
    arities: HashMap<Name, usize>,
    /// Nesting of inlined calls, to stop what would not end.
    inline_depth: u32,
}

impl<'p> Spec<'p> {
    fn new(program: &'p Program, locate: &'p dyn Locate, options: &'p Options) -> Self {
        Spec {
            program,
            locate,
            options,
            def_index: program.defs.iter().enumerate().map(|(i, d)| (d.id, i)).collect(),
            opaque_index: program.opaques.iter().enumerate().map(|(i, o)| (o.id, i)).collect(),
            expanded: HashMap::new(),
            vars: Vec::new(),
            frames: Vec::new(),
            imports: Vec::new(),
            local_info: HashMap::new(),
            shared: std::collections::HashSet::new(),
            fun: FunState::default(),
            locs: HashMap::new(),
            last_loc: None,
            const_stms: Vec::new(),
            const_results: Vec::new(),
            globals: Vec::new(),
            consts: HashMap::new(),
            funs: Vec::new(),
            names: HashMap::new(),
            instances: HashMap::new(),
            progress: Vec::new(),
            def_info: HashMap::new(),
            exported: HashMap::new(),
            arities: call::intrinsic_arities(),
            inline_depth: 0,
        }
    }

    fn finish(self) -> ir::Program {
        ir::Program {
            level: ir::Level::Soacs,
            next_tag: self.vars.len() as u32,
            consts: ir::Body { stms: self.const_stms, result: self.const_results },
            globals: self.globals,
            funs: self.funs,
        }
    }
}

/// One value per leaf, in order.
fn leaves(value: &Value) -> Option<Vec<ir::SubExp>> {
    let mut out = Vec::new();
    value.leaves_into(&mut out).then_some(out)
}
