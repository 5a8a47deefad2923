//! Patterns.

use super::Fmt;
use super::doc::Id;
use crate::syntax::ast::{Pat, PatKind};
use crate::syntax::lexer::TokenKind;

impl Fmt<'_> {
    pub(super) fn pat(&mut self, pat: &Pat) -> Id {
        match &pat.kind {
            // Also `(+)` and `-3`.
            PatKind::Var(_) | PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {
                self.glue(pat.span.end)
            }
            PatKind::Parens(inner) => {
                let open = self.tok();
                let inner = self.pat(inner);
                let inner = self.d.align(inner);
                let close = self.close_parens();
                self.cat(vec![open, inner, close])
            }
            PatKind::Tuple(items) => self.bracketed(items.len(), |f, i| f.pat(&items[i])),
            PatKind::Record(fields) => self.bracketed(fields.len(), |f, i| {
                let mut parts = vec![f.tok()];
                match (&fields[i].1, f.kind()) {
                    (Some(pat), TokenKind::Equals) => {
                        parts.push(f.space());
                        parts.push(f.tok_space());
                        parts.push(f.pat(pat));
                    }
                    // `a: t` is an ascription to the variable that the field binds.
                    (Some(pat), _) => {
                        if let PatKind::Ascript(_, ty) = &pat.kind {
                            parts.push(f.tok_space());
                            parts.push(f.type_exp(ty));
                        }
                    }
                    (None, _) => {}
                }
                f.cat(parts)
            }),
            PatKind::Ascript(inner, ty) => {
                let parts = vec![self.pat(inner), self.tok_space(), self.type_exp(ty)];
                self.cat(parts)
            }
            PatKind::Constr(_, payload) => {
                let mut parts = vec![self.tok()];
                for pat in payload {
                    parts.push(self.space());
                    parts.push(self.pat(pat));
                }
                self.cat(parts)
            }
            PatKind::Attr(attr, inner) => {
                let parts = vec![self.attr(attr), self.space(), self.pat(inner)];
                self.cat(parts)
            }
        }
    }
}
