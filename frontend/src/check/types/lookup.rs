//! What is said of the path of a module that leads nowhere.

use super::errors::TypeError;
use crate::check::types::alike::closest;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, ModBinding, Namespace};
use crate::syntax::ast::Ident;
use futc_typed::span::Span;

/// Reports the use of a parametric module that is not applied.
pub(crate) fn parametric(cx: &mut Elab, span: Span) {
    cx.report(TypeError::Parametric.at(span));
}

/// Reports the first module of a path that is not there, or that is parametric.
pub fn module_not_found(cx: &mut Elab, env: &Env, quals: &[Ident]) {
    let mut here = env;
    for q in quals {
        match here.modules.get(&q.name) {
            Some(ModBinding::Structure(inner)) => here = inner,
            Some(ModBinding::Functor(_)) => return parametric(cx, q.span),
            None => {
                if here.values.contains_key(&q.name) {
                    cx.report(TypeError::ValueAsModule { name: q.name }.at(q.span));
                } else if !here.is_broken(Namespace::Value, q.name) {
                    let like = closest(q.name, here.modules.keys().copied());
                    cx.report(TypeError::UnknownModule { name: q.name, like }.at(q.span));
                }
                return;
            }
        }
    }
}
