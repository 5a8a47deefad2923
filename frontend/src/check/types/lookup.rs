//! What is said of the path of a module that leads nowhere.

use crate::check::types::alike::closest;
use crate::check::types::elab::Elab;
use crate::check::types::env::{Env, ModBinding, Space};
use crate::diag::Diagnostic;
use crate::syntax::ast::Ident;
use futc_typed::span::Span;

/// Reports the use of a parametric module that is not applied.
pub(crate) fn parametric(cx: &mut Elab, span: Span) {
    cx.report(
        Diagnostic::error("module-is-parametric", span, "this module is parametric")
            .hint("apply it to an argument first"),
    );
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
                    let message = format!("{} is a value, and no module", q.name);
                    cx.report(Diagnostic::error("unknown-module", q.span, message));
                } else if !here.is_broken(Space::Value, q.name) {
                    let d = Diagnostic::error(
                        "unknown-module",
                        q.span,
                        format!("there is no module {} here", q.name),
                    );
                    cx.report(match closest(q.name, here.modules.keys().copied()) {
                        Some(like) => d.hint(format!("did you mean {like}?")),
                        None => d,
                    });
                }
                return;
            }
        }
    }
}
