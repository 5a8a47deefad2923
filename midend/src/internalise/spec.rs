//! The state of internalisation: what is known of the program, and what has been made of it.

use super::arities::intrinsic_arities;
use super::fun_state::FunState;
use super::value::{Dim, FrameId, Ty, Value};
use crate::ir::{self, Loc, Param, PatElem, SubExp, Type};
use futc_typed::name::Name;
use futc_typed::program::{DefId, Program, TypeId, VarId};
use futc_typed::span::{Locate, Span};
use futc_typed::types;
use std::collections::HashMap;
use std::rc::Rc;

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

/// A scope.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) parent: Option<FrameId>,
    /// What is found beyond this frame is imported there.
    pub(super) boundary: Option<usize>,
    /// The frame that a boundary makes visible, through all others.
    pub(super) origin: Option<FrameId>,
    pub(super) vars: HashMap<VarId, Value>,
    pub(super) types: HashMap<VarId, Ty>,
}

/// What a function under construction has taken from outside.
#[derive(Default)]
pub(super) struct Import {
    pub(super) known: HashMap<SubExp, SubExp>,
    pub(super) frames: HashMap<FrameId, FrameId>,
    /// Operands outside, and the parameters they are inside.
    pub captures: Vec<(SubExp, Param)>,
}

/// A top-level constant that has been evaluated.
pub(super) struct Constant {
    /// As the other constants see it.
    pub(super) inner: Value,
    /// As functions see it.
    pub(super) outer: Value,
}

/// What is known of a definition before it is evaluated.
#[derive(Clone, Copy)]
pub(super) struct DefInfo {
    /// Expressions in it and in all that would be inlined.
    pub(super) size: u32,
    /// It needs a constant that must be evaluated.
    pub(super) uses_consts: bool,
}

/// What tells instances apart: the callee, its types with known sizes masked, which of its sizes
/// are known, and the functions among its arguments.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) code: IdentityPart,
    pub(super) types: Vec<Ty>,
    pub(super) sizes: Vec<bool>,
    pub(super) funs: Vec<IdentityPart>,
    pub(super) in_consts: bool,
}

/// A part of the identity of a static value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum IdentityPart {
    Def(usize),
    Local(usize, FrameId),
    Intrinsic(Name),
    Leaf(SubExp),
    Ty(Ty),
    Dim(Dim),
    Name(Name),
    Count(usize),
}

/// A Core function made of a callee.
pub(super) struct Instance {
    pub(super) name: Name,
    /// Captured first, then sizes known to the caller, then other sizes, then leaves.
    pub(super) params: Vec<Param>,
    pub(super) captures: Vec<SubExp>,
    /// The other sizes: which dimension of which leaf of the arguments each is.
    pub(super) extra: Vec<(usize, usize)>,
    pub(super) results: Vec<PatElem>,
    pub(super) value: Value,
}

/// The specialiser.
pub(super) struct Spec<'p> {
    pub(super) program: &'p Program,
    pub(super) locate: &'p dyn Locate,
    pub(super) options: &'p Options,
    pub(super) def_index: HashMap<DefId, usize>,
    pub(super) opaque_index: HashMap<TypeId, usize>,
    pub(super) expanded: HashMap<(TypeId, Vec<types::TypeArg>), types::Type>,
    /// Type and depth of each variable, by tag.
    pub(super) vars: Vec<(Type, u32)>,
    pub(super) frames: Vec<Frame>,
    pub(super) imports: Vec<Import>,
    /// Sizes of local functions, and whether they are used more than once, by address.
    pub(super) local_info: HashMap<usize, u32>,
    pub(super) shared: std::collections::HashSet<usize>,
    pub(super) fun: FunState,
    pub(super) locs: HashMap<Span, Loc>,
    pub(super) last_loc: Option<(Span, Loc)>,
    // What is made.
    pub(super) const_stms: Vec<ir::Stm>,
    pub(super) const_results: Vec<ir::SubExp>,
    pub(super) globals: Vec<ir::PatElem>,
    pub(super) consts: HashMap<usize, Constant>,
    pub(super) funs: Vec<ir::Fun>,
    pub(super) names: HashMap<Name, u32>,
    pub(super) instances: HashMap<Key, Rc<Instance>>,
    /// Recursive instances whose bodies are being made.
    pub(super) progress: Vec<(Key, Rc<Instance>)>,
    pub(super) def_info: HashMap<usize, DefInfo>,
    pub(super) exported: HashMap<ir::Var, ir::Var>,
    pub(super) arities: HashMap<Name, usize>,
    /// Nesting of inlined calls, to stop what would not end.
    pub(super) inline_depth: u32,
}

impl<'p> Spec<'p> {
    pub(super) fn new(program: &'p Program, locate: &'p dyn Locate, options: &'p Options) -> Self {
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
            arities: intrinsic_arities(),
            inline_depth: 0,
        }
    }

    pub(super) fn finish(self) -> ir::Program {
        ir::Program {
            level: ir::Level::Soacs,
            next_tag: self.vars.len() as u32,
            consts: ir::Body { stms: self.const_stms, result: self.const_results },
            globals: self.globals,
            funs: self.funs,
        }
    }
}
