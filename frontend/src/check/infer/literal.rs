//! Literals, whose values await their types.

use crate::check::infer::checker::Checker;
use crate::check::infer::placeholder::literal_attr;
use crate::check::infer::unknown::{Constraint, PrimSet};
use crate::syntax::ast;
use futc_typed::prim::PrimType;
use futc_typed::program::{Attr, Exp, ExpKind};
use futc_typed::span::Span;
use futc_typed::types::Type;

impl Checker<'_> {
    pub(crate) fn literal(&mut self, literal: &ast::Literal, span: Span) -> Exp {
        let ty = self.literal_type(literal);
        let index = self.literals.len() as i64;
        self.literals.push((literal.clone(), span));
        let attr = Attr::Comp(literal_attr(), vec![Attr::Int(index)]);
        let hole = Exp { kind: ExpKind::Hole, ty: ty.clone(), span };
        Exp { kind: ExpKind::Attr(attr, Box::new(hole)), ty, span }
    }

    /// The type of a literal, as far as it says.
    pub(crate) fn literal_type(&mut self, literal: &ast::Literal) -> Type {
        match literal {
            ast::Literal::Int { suffix: Some(p), .. }
            | ast::Literal::Float { suffix: Some(p), .. } => Type::Prim(*p),
            ast::Literal::Int { .. } => self.fresh_prims(|t| t.is_int() || t.is_float()),
            ast::Literal::Char(_) => self.fresh_prims(|t| t.is_int() || t.is_float()),
            ast::Literal::Float { .. } => self.fresh_prims(PrimType::is_float),
            ast::Literal::Bool(_) => Type::Prim(PrimType::Bool),
        }
    }

    /// One of the primitive types admitted by `f`.
    pub(crate) fn fresh_prims(&mut self, f: impl Fn(PrimType) -> bool) -> Type {
        self.metas.fresh(Constraint::Prims(PrimSet::of(f)))
    }
}
