//! What names stand for, as far as an editor wants to know.

use crate::db::SourceFile;
use futc_typed::name::Name;
use futc_typed::span::Span;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// A place where a name is bound: the `index`-th of its file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymbolId {
    /// The file.
    pub file: SourceFile,
    /// Number in it.
    pub index: u32,
}

impl std::fmt::Debug for SymbolId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A file is a number of the database, which has to be asked for more.
        write!(f, "SymbolId({})", self.index)
    }
}

/// What kind of thing a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A definition or a `val` of a module type.
    Value,
    /// A variable bound inside a definition.
    Local,
    /// A size.
    Size,
    /// A type.
    Type,
    /// A type parameter.
    TypeParam,
    /// A module or a module parameter.
    Module,
    /// A module type.
    ModuleType,
}

impl SymbolKind {
    /// What a reader calls it.
    pub fn describe(self) -> &'static str {
        match self {
            SymbolKind::Value => "value",
            SymbolKind::Local => "variable",
            SymbolKind::Size => "size",
            SymbolKind::Type => "type",
            SymbolKind::TypeParam => "type parameter",
            SymbolKind::Module => "module",
            SymbolKind::ModuleType => "module type",
        }
    }

    /// The name space it is in: values and modules share one.
    pub fn space(self) -> u8 {
        match self {
            SymbolKind::Value | SymbolKind::Local | SymbolKind::Size | SymbolKind::Module => 0,
            SymbolKind::Type | SymbolKind::TypeParam => 1,
            SymbolKind::ModuleType => 2,
        }
    }

    /// Whether it can be seen only inside of one definition.
    pub fn is_local(self) -> bool {
        matches!(self, SymbolKind::Local | SymbolKind::Size | SymbolKind::TypeParam)
    }
}

/// A name that is bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The name.
    pub name: Name,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Where the name stands.
    pub span: Span,
    /// All of what binds it.
    pub whole: Span,
    /// The documentation comment before it.
    pub doc: Option<Arc<str>>,
}

/// A name where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// Where.
    pub span: Span,
    /// What it stands for.
    pub target: SymbolId,
    /// It is bound here.
    pub binds: bool,
    /// It is also the name of a field: `{a}` for `{a = a}`.
    pub pun: bool,
}

/// The names a module has, or a scope.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// Values.
    pub values: BTreeMap<Name, SymbolId>,
    /// Types.
    pub types: BTreeMap<Name, SymbolId>,
    /// Modules.
    pub modules: BTreeMap<Name, (SymbolId, Module)>,
    /// Module types, with what a module of that type has.
    pub mod_types: BTreeMap<Name, (SymbolId, Module)>,
}

impl Names {
    pub(super) fn open(&mut self, other: &Names) {
        for (name, id) in &other.values {
            self.modules.remove(name);
            self.values.insert(*name, *id);
        }
        for (name, module) in &other.modules {
            self.values.remove(name);
            self.modules.insert(*name, module.clone());
        }
        self.types.extend(other.types.iter().map(|(n, id)| (*n, *id)));
        self.mod_types.extend(other.mod_types.iter().map(|(n, m)| (*n, m.clone())));
    }
}

/// What is in a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Module {
    /// These names.
    Structure(Arc<Names>),
    /// It is parametric.
    Functor(Arc<Functor>),
    /// It could not be found.
    Unknown,
}

/// A parametric module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Functor {
    /// What its parameter has.
    pub param: Module,
    /// What its applications have.
    pub result: Module,
}

/// What is known of the names in a file.
#[derive(Clone, PartialEq, Eq)]
pub struct FileIndex {
    /// What is bound.
    pub symbols: Vec<Symbol>,
    /// Where names stand, in order.
    pub occurrences: Vec<Occurrence>,
    /// What the file provides to importers.
    pub exports: Arc<Names>,
    /// Names that must be the same as others: a module's, and those of the module type it has.
    pub tied: HashSet<SymbolId>,
    /// The strings that name imported files, with these.
    pub imports: Vec<(Span, SourceFile)>,
}

/// What can be named at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    /// Names of modules and of the file; later ones hide earlier ones.
    pub layers: Vec<Arc<Names>>,
    /// Names bound in the definition, outermost first.
    pub locals: Vec<(Name, SymbolId, SymbolKind)>,
}
