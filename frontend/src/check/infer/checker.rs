//! The state of checking one definition, which all of inference shares.

use crate::check::infer::demand::Violation;
use crate::check::infer::metas::Metas;
use crate::check::infer::show::Show;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Conduct, Env, Scheme, ValueBinding};
use crate::check::types::note::NoteKind;
use crate::diag::{Code, Diagnostic};
use crate::syntax::ast::{self, Liftedness};
use futc_typed::name::Name;
use futc_typed::program::{DefId, Exp, ExpKind, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The state of checking one definition.
pub(crate) struct Checker<'a> {
    pub(crate) cx: Elab,
    pub(crate) env: &'a Env,
    /// Environments with modules opened locally, innermost last.
    pub(crate) opened: Vec<Arc<Env>>,
    pub(crate) metas: Metas,
    pub(crate) locals: HashMap<Name, Vec<Local>>,
    /// Names pushed to `locals`, in order.
    pub(crate) trail: Vec<Name>,
    pub(crate) local_types: Vec<(Name, Liftedness, VarId)>,
    /// Variables bound to what is itself a size.
    pub(crate) let_sizes: HashMap<VarId, Size>,
    /// Literals, whose values await their types.
    pub(crate) literals: Vec<(ast::Literal, Span)>,
    /// Size equations to look at again in the end.
    pub(crate) deferred: Vec<(Size, Size, Span)>,
    /// Sum types that are the same but for sizes.
    pub(crate) choices: Vec<Choice>,
    /// Sizes that stood under the binder of an arrow before it was unified with another type.
    pub(crate) unnamed: HashSet<VarId>,
    /// What types differed in when the last unification failed, if something is known of it.
    pub(crate) blame: Option<Blame>,
    /// Where sizes came into being.
    pub(crate) size_sources: HashMap<VarId, (Span, SizeSource)>,
    /// Such sizes that an application of the function made.
    pub(crate) made_by_arguments: HashSet<VarId>,
    /// Sizes that differ are no failure of unification.
    pub(crate) sizes_may_differ: bool,
    /// Where the current equation comes from.
    pub(crate) unify_span: Span,
    /// What has been made equal by it.
    pub(crate) equal: crate::check::infer::equal::Equal,
    /// How many sizes have been given names because they were lost.
    pub(crate) made_sizes: usize,
    /// Variables of which an error has kept the type from being known: they may be used in any way.
    pub(crate) unknown: HashSet<VarId>,
    /// Variables bound by patterns since someone began to collect them.
    pub(crate) bound: Vec<VarId>,
    /// What is known of the definitions used, beyond their types.
    pub(crate) conducts: HashMap<DefId, Arc<Conduct>>,
    /// Types ascribed to expressions: the expression's own, and what is written.
    pub(crate) ascribed: Vec<(Type, Type, Span)>,
    /// An error was reported.
    pub(crate) failed: bool,
    /// An error that may be due to ranks ends the check.
    pub(crate) stop: bool,
    /// It did.
    pub(crate) stopped: bool,
    /// The definition itself, while it is checked.
    pub(crate) own_id: Option<DefId>,
    pub(crate) recursive: bool,
    /// What type parameters in scope may hold.
    pub(crate) rigid: HashMap<VarId, Liftedness>,
    /// A type was found too large.
    pub(crate) too_large: bool,
    /// Why the last unification failed, if not because two types differ.
    pub(crate) violation: Option<Violation>,
    /// Demands on types are not looked at.
    pub(crate) demands_ignored: bool,
    /// Types at places, if they are to be noted.
    pub(crate) noted: Option<Vec<crate::check::infer::checker::Noted>>,
}

/// Two sum types that are the same but for sizes, at least one of them unknown.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) branch: Type,
    pub(crate) whole: Type,
    pub(crate) span: Span,
}

/// What a name inside a definition means.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// A variable of one type.
    Mono(VarId, Type),
    /// A polymorphic function.
    Poly(VarId, Arc<Scheme>),
    /// A value of a module opened here, or the definition itself.
    Binding(ValueBinding),
}

/// A note in which unknowns remain.
pub(crate) struct Noted {
    pub(crate) span: Span,
    pub(crate) kind: NoteKind,
    pub(crate) scheme: Scheme,
}

/// What two types differ in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Blame {
    /// They are no types of one shape.
    Shapes,
    /// Two sizes.
    Sizes(Size, Size),
    /// Something from outside of the scope of this variable or type parameter would mention it.
    Scope(VarId),
    /// This size of a function's result, which is another one at each application, would be part
    /// of a type that stays the same.
    Anonymous(VarId, Type),
}

/// How a size without a name comes into being.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SizeSource {
    /// By applying a function whose result has it.
    Result,
    /// It is that of an argument which is no size expression.
    Argument,
    /// By taking a slice.
    Slice,
    /// By a range.
    Range,
    /// By branches of different sizes.
    Branches,
    /// By a loop that changes it.
    Loop,
    /// What told it goes out of scope.
    OutOfScope,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(cx: &mut Elab, env: &'a Env) -> Checker<'a> {
        let file = cx.file;
        // The body of a parametric module is noted where it is checked by itself.
        let noted = (cx.notes.is_some() && !cx.applying).then(Vec::new);
        Checker {
            cx: std::mem::replace(cx, Elab::new(file)),
            env,
            opened: Vec::new(),
            metas: Metas::new(file),
            locals: HashMap::new(),
            trail: Vec::new(),
            local_types: Vec::new(),
            let_sizes: HashMap::new(),
            literals: Vec::new(),
            deferred: Vec::new(),
            choices: Vec::new(),
            unnamed: HashSet::new(),
            blame: None,
            size_sources: HashMap::new(),
            made_by_arguments: HashSet::new(),
            sizes_may_differ: false,
            unify_span: Span::new(file, 0, 0),
            equal: crate::check::infer::equal::Equal::default(),
            made_sizes: 0,
            unknown: HashSet::new(),
            bound: Vec::new(),
            conducts: HashMap::new(),
            ascribed: Vec::new(),
            failed: false,
            stop: false,
            stopped: false,
            own_id: None,
            recursive: false,
            rigid: HashMap::new(),
            too_large: false,
            violation: None,
            demands_ignored: false,
            noted,
        }
    }

    pub(crate) fn give_back(self, cx: &mut Elab) {
        *cx = self.cx;
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        self.stopped |= self.stop && may_be_rank_error(diagnostic.code);
        self.cx.report(diagnostic);
    }

    /// The type for people to read.
    pub(crate) fn show(&self, ty: &Type) -> String {
        self.shower().type_text(&self.metas.zonk(ty))
    }

    /// Two types for people to compare: different variables of one name look different.
    pub(crate) fn show_both(&self, a: &Type, b: &Type) -> (String, String) {
        let mut show = self.shower();
        (show.type_text(&self.metas.zonk(a)), show.type_text(&self.metas.zonk(b)))
    }

    pub(crate) fn shower(&self) -> Show<'_> {
        Show::default().with_unknowns(&self.metas, &self.literals).with_env(self.env)
    }

    /// What stands for an expression that is wrong; it fits everywhere.
    pub(crate) fn wrong(&mut self, span: Span) -> Exp {
        self.failed = true;
        Exp { kind: ExpKind::Hole, ty: self.metas.fresh_type(), span }
    }

    /// What is written at `span`, if that is short.
    pub(crate) fn source_text(&self, span: Span) -> Option<&str> {
        if span.file != self.cx.file {
            return None;
        }
        let text = self.cx.text.get(span.start as usize..span.end as usize)?;
        (!text.is_empty() && text.len() <= 40 && !text.contains('\n')).then_some(text)
    }
}

/// Whether an error of this name may be due to ranks that differ.
fn may_be_rank_error(code: Code) -> bool {
    matches!(code, Code::TypeMismatch | Code::NotAnArray)
}
