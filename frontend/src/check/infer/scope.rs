//! Names inside of a definition, and what they mean.

use crate::check::infer::checker::{Checker, Local};
use crate::check::types::alike::closest;
use crate::check::types::edit::PRELUDE;
use crate::check::types::env::{Env, ModBinding, Namespace, ValueBinding};
use crate::syntax::ast::{self, Ident};
use futc_typed::name::Name;

/// A value found by name, with fields still to be projected from it.
pub(crate) enum Found<'n> {
    Local(Local, &'n [Ident]),
    Value(ValueBinding, &'n [Ident]),
    UnknownModule(Ident),
    /// The name of a module.
    Module,
    /// A parametric module, where one with definitions in it is needed.
    Parametric(Ident),
    Unknown(Option<Name>),
    /// Its definition was refused.
    Broken,
}

enum FoundOwned {
    Value(ValueBinding),
    Other,
}

impl Checker<'_> {
    /// Where the scope stands, to come back to.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.trail.len(), self.local_types.len())
    }

    /// Ends the scope of all names since `mark`.
    pub(crate) fn undo(&mut self, mark: (usize, usize)) {
        while self.trail.len() > mark.0 {
            if let Some(name) = self.trail.pop()
                && let Some(stack) = self.locals.get_mut(&name)
            {
                stack.pop();
            }
        }
        self.local_types.truncate(mark.1);
    }

    pub(crate) fn push_local(&mut self, name: Name, local: Local) {
        self.locals.entry(name).or_default().push(local);
        self.trail.push(name);
    }

    pub(crate) fn local(&self, name: Name) -> Option<&Local> {
        self.locals.get(&name).and_then(|stack| stack.last())
    }

    pub(crate) fn scope_env(&self) -> &Env {
        match self.opened.last() {
            Some(env) => env,
            None => self.env,
        }
    }

    /// The built-in or defined meaning of an unqualified operator, if it is not a local.
    pub(crate) fn lookup_binding(&self, name: &ast::QualName) -> Option<ValueBinding> {
        if name.quals.is_empty() {
            return match self.local(name.name.name) {
                Some(Local::Binding(b)) => Some(b.clone()),
                Some(_) => None,
                None => self.scope_env().values.get(&name.name.name).cloned(),
            };
        }
        match self.find(name, &mut Vec::new()) {
            FoundOwned::Value(b) => Some(b),
            FoundOwned::Other => None,
        }
    }

    fn find(&self, name: &ast::QualName, parts: &mut Vec<Ident>) -> FoundOwned {
        *parts = name.quals.iter().copied().chain([name.name]).collect();
        match self.resolve(parts) {
            Found::Value(b, []) => FoundOwned::Value(b),
            _ => FoundOwned::Other,
        }
    }

    pub(crate) fn resolve<'n>(&self, parts: &'n [Ident]) -> Found<'n> {
        let Some((first, rest)) = parts.split_first() else { return Found::Unknown(None) };
        if let ([name], Some(prelude)) = (rest, &self.cx.prelude_env)
            && first.name.as_str() == PRELUDE
            && let Some(binding) = prelude.values.get(&name.name)
        {
            return Found::Value(binding.clone(), &[]);
        }
        if let Some(local) = self.local(first.name) {
            return Found::Local(local.clone(), rest);
        }
        let mut env = self.scope_env();
        let mut parts = parts;
        while let Some((first, rest)) = parts.split_first() {
            if !rest.is_empty() {
                if let Some(ModBinding::Structure(inner)) = env.modules.get(&first.name) {
                    env = inner;
                    parts = rest;
                    continue;
                }
                return match env.values.get(&first.name) {
                    Some(b) => Found::Value(b.clone(), rest),
                    None if env.is_broken(Namespace::Value, first.name) => Found::Broken,
                    None if env.modules.contains_key(&first.name) => Found::Parametric(*first),
                    None => Found::UnknownModule(*first),
                };
            }
            return match env.values.get(&first.name) {
                Some(b) => Found::Value(b.clone(), rest),
                None if env.is_broken(Namespace::Value, first.name) => Found::Broken,
                None if env.modules.contains_key(&first.name) => Found::Module,
                None => Found::Unknown(closest(first.name, env.values.keys().copied())),
            };
        }
        Found::Unknown(None)
    }
}
