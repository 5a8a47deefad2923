//! What names mean ([`Env`]).
//!
//! Modules are elaborated away while checking. A parametric module's body is checked once
//! against its parameter's signature, so that errors show where it is defined, and elaborated
//! again at each application with the argument's own definitions and types, which yields
//! definitions of their own without abstraction left in them.

use crate::syntax::ast;
use futc_typed::diet::Diet;
use futc_typed::intrinsics::Over;
use futc_typed::name::Name;
use futc_typed::program::{DefId, TypeId, VarId};
use futc_typed::span::Span;
use futc_typed::types::Type;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A polymorphic type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheme {
    /// Type parameters.
    pub type_params: Vec<(ast::Liftedness, VarId)>,
    /// Size parameters, explicit and implicit, outside in and left to right.
    pub size_params: Vec<VarId>,
    /// The type over them: for a function, curried arrows.
    pub ty: Type,
}

/// What is known of a definition beyond its type, found out with its uniqueness. Of what is only
/// specified nothing is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// How many parameters it has.
    pub arity: usize,
    /// What of its result is free of aliases, even where the type does not say so.
    pub fresh: Diet,
    /// Which parameters are functions that it applies once at most, and to how many arguments.
    pub once: Vec<Option<usize>>,
    /// Its result holds a function that can be applied once.
    pub gives_once: bool,
    /// Its result, or that of a function in it, may be a constant.
    pub gives_constant: bool,
}

impl Conduct {
    /// Whether those who use it have to know.
    pub fn matters(&self) -> bool {
        self.gives_once || self.gives_constant || self.once.iter().any(Option::is_some)
    }
}

/// What a value name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueBinding {
    /// A top-level definition. In the check of a parametric module's body, or of an abstract
    /// module type, definitions of the parameter have ids too, which reach no program.
    Def {
        /// Which.
        id: DefId,
        /// Its type.
        scheme: Arc<Scheme>,
        /// Where it was defined.
        span: Span,
        /// What else is known of it.
        conduct: Arc<Conduct>,
    },
    /// An intrinsic with a type of its own.
    Intrinsic {
        /// Which.
        name: Name,
        /// Its type.
        scheme: Arc<Scheme>,
    },
    /// A built-in operator, overloaded over primitive types.
    Operator {
        /// Which.
        name: Name,
        /// Where it is defined.
        over: Over,
        /// The result is `bool`.
        compares: bool,
    },
}

/// A parameter of a type constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeParamKind {
    /// `[n]`
    Size,
    /// `'t` and its kin.
    Type(ast::Liftedness),
}

/// What a type name means: an abbreviation. A primitive type stands for itself; an abstract one
/// for the [`Type::Opaque`] of its own parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeBinding {
    /// Liftedness of the type itself.
    pub liftedness: ast::Liftedness,
    /// Parameters.
    pub params: Vec<(TypeParamKind, VarId)>,
    /// Existential sizes of the right-hand side (`type~ t = ?[n].[n]i32`).
    pub sizes: Vec<VarId>,
    /// What it stands for.
    pub ty: Type,
    /// Where it was defined.
    pub span: Span,
}

/// What a module name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModBinding {
    /// A plain module.
    Structure(Arc<Env>),
    /// A parametric module.
    Functor(Arc<Functor>),
}

/// What imports provide, by their path as written.
pub type Imports = BTreeMap<String, Arc<Env>>;

/// What a parametric module does once its argument matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctorBody {
    /// Elaborates this; a functor of several parameters has a lambda here. The imports in it mean
    /// what they mean where it is defined, wherever it is applied.
    Source(Arc<ast::ModExp>, Arc<Imports>),
    /// Nothing is known but the ascription: a parameter of another parametric module, while that
    /// is checked.
    Abstract,
    /// Does what another does, seen through a module type. The abstract types that this module
    /// type made stand for what the other knows them as.
    Other(Arc<Functor>, Arc<HashMap<TypeId, TypeFun>>),
}

/// A parametric module: a closure over the scope it was defined in.
#[derive(Clone, Debug)]
pub struct Functor {
    /// The scope of its definition.
    pub scope: Arc<Env>,
    /// The parameter's name, if anything may mention it.
    pub param: Option<Name>,
    /// What the parameter must provide.
    pub param_type: Arc<ModTypeBinding>,
    /// What is ascribed to the result, read in the scope and the parameter.
    pub ascription: Option<Arc<ast::ModTypeExp>>,
    /// The body.
    pub body: FunctorBody,
    /// Checking it alone found nothing wrong. Otherwise, applications say nothing further.
    pub sound: bool,
}

impl PartialEq for Functor {
    /// Scopes hold the scopes of earlier functors, so that looking into them would take time
    /// exponential in their number. They are compared by identity, which errs towards unequal.
    fn eq(&self, other: &Functor) -> bool {
        Arc::ptr_eq(&self.scope, &other.scope)
            && self.param == other.param
            && self.param_type == other.param_type
            && self.ascription == other.ascription
            && self.body == other.body
            && self.sound == other.sound
    }
}

impl Eq for Functor {}

/// A module type.
#[derive(Clone, Debug)]
pub enum ModTypeBinding {
    /// `{ specs }`: an environment in which the abstract types are opaque.
    Signature {
        /// The abstract types, each with its liftedness, parameter kinds and path of names.
        abstract_types: Vec<AbstractType>,
        /// What it has. Value definitions have ids that reach no program.
        env: Arc<Env>,
    },
    /// `(P: S) -> T`
    Functor {
        /// The parameter's name.
        param: Option<Name>,
        /// The parameter's type.
        param_type: Arc<ModTypeBinding>,
        /// The scope in which the result's type is to be read.
        scope: Arc<Env>,
        /// The result's type, which may mention the parameter.
        result: Arc<ast::ModTypeExp>,
    },
}

impl PartialEq for ModTypeBinding {
    /// As for [`Functor`], scopes are compared by identity.
    fn eq(&self, other: &ModTypeBinding) -> bool {
        match (self, other) {
            (
                ModTypeBinding::Signature { abstract_types: a, env: e },
                ModTypeBinding::Signature { abstract_types: b, env: f },
            ) => a == b && e == f,
            (
                ModTypeBinding::Functor { param: p, param_type: t, scope: s, result: r },
                ModTypeBinding::Functor { param: q, param_type: u, scope: z, result: y },
            ) => p == q && t == u && Arc::ptr_eq(s, z) && r == y,
            _ => false,
        }
    }
}

impl Eq for ModTypeBinding {}

/// An abstract type of a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractType {
    /// Its id inside the signature, to be substituted by what a module provides.
    pub id: TypeId,
    /// Where it is in the signature: modules, then the name.
    pub path: Vec<Name>,
    /// Liftedness.
    pub liftedness: ast::Liftedness,
    /// Parameters.
    pub params: Vec<TypeParamKind>,
}

/// A name space. Modules share that of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Namespace {
    /// Values and modules.
    Value,
    /// Types.
    Type,
    /// Module types.
    ModType,
}

/// The four name spaces (guide, "Identifiers and Keywords"; modules and module types are apart
/// from values and types).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Env {
    /// Values and functions.
    pub values: BTreeMap<Name, ValueBinding>,
    /// Types.
    pub types: BTreeMap<Name, TypeBinding>,
    /// Modules.
    pub modules: BTreeMap<Name, ModBinding>,
    /// Module types.
    pub mod_types: BTreeMap<Name, Arc<ModTypeBinding>>,
    /// Names whose definition was refused, and which then mean nothing here: using them is no
    /// further error, also where the module is used.
    pub broken: BTreeSet<(Namespace, Name)>,
    /// A module opened here was refused, or a file imported here cannot be read: any name that is
    /// not here may have come from it.
    pub incomplete: bool,
}

impl Env {
    /// Brings everything of `other` into scope, shadowing what is here (`open`).
    pub fn open(&mut self, other: &Env) {
        self.values.extend(other.values.iter().map(|(k, v)| (*k, v.clone())));
        self.types.extend(other.types.iter().map(|(k, v)| (*k, v.clone())));
        self.modules.extend(other.modules.iter().map(|(k, v)| (*k, v.clone())));
        self.mod_types.extend(other.mod_types.iter().map(|(k, v)| (*k, v.clone())));
        self.incomplete |= other.incomplete;
        for (space, name) in &other.broken {
            if other.is_broken(*space, *name) {
                self.break_name(*space, *name);
            }
        }
    }

    /// Makes a name mean nothing, whose definition was refused. What it would have shadowed is
    /// not what its uses mean.
    pub fn break_name(&mut self, space: Namespace, name: Name) {
        match space {
            Namespace::Value => {
                self.values.remove(&name);
                self.modules.remove(&name);
            }
            Namespace::Type => {
                self.types.remove(&name);
            }
            Namespace::ModType => {
                self.mod_types.remove(&name);
            }
        }
        self.broken.insert((space, name));
    }

    /// Whether a name means nothing because its definition was refused.
    pub fn is_broken(&self, space: Namespace, name: Name) -> bool {
        let defined = match space {
            Namespace::Value => self.values.contains_key(&name) || self.modules.contains_key(&name),
            Namespace::Type => self.types.contains_key(&name),
            Namespace::ModType => self.mod_types.contains_key(&name),
        };
        !defined && (self.incomplete || self.broken.contains(&(space, name)))
    }

    /// Binds a value. Modules share its name space, so one of that name is shadowed.
    pub fn bind_value(&mut self, name: Name, value: ValueBinding) {
        self.modules.remove(&name);
        self.values.insert(name, value);
    }

    /// Binds a module, shadowing a value of that name.
    pub fn bind_module(&mut self, name: Name, module: ModBinding) {
        self.values.remove(&name);
        self.modules.insert(name, module);
    }

    /// The environment of a module, found by path from here.
    pub fn module(&self, quals: &[Name]) -> Option<&Env> {
        let mut env = self;
        for q in quals {
            match env.modules.get(q)? {
                ModBinding::Structure(e) => env = e,
                ModBinding::Functor(_) => return None,
            }
        }
        Some(env)
    }
}

/// What an abstract type is replaced by: a type over parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeFun {
    /// Parameters.
    pub params: Vec<(TypeParamKind, VarId)>,
    /// Existential sizes of the body. Each use has its own: in the result of a function they
    /// become existential there, in a parameter size parameters (`Subst::scheme`).
    pub sizes: Vec<VarId>,
    /// The type.
    pub body: Type,
}
