//! What patterns bind: that no name is bound twice.

use super::errors::ExpError;
use crate::check::infer::checker::Checker;
use crate::syntax::ast::{Ident, Pat, PatKind, TypeParam};
use futc_typed::name::Name;
use futc_typed::span::Span;
use std::collections::HashMap;

impl Checker<'_> {
    /// Checks the parameters of a function: size parameters share the name space of the others.
    pub(crate) fn distinct_params(&mut self, type_params: &[TypeParam], params: &[Pat]) {
        let mut values = Vec::new();
        let mut types = Vec::new();
        for p in type_params {
            match p {
                TypeParam::Size(n) => values.push(*n),
                TypeParam::Type(_, n) => types.push(*n),
            }
        }
        params.iter().for_each(|p| binders(p, &mut values));
        self.distinct(true, "parameter", &values);
        self.distinct(true, "type parameter", &types);
    }

    /// Checks a pattern and the sizes bound with it.
    pub(crate) fn distinct_names(&mut self, sizes: &[Ident], pat: &Pat) {
        let mut names = sizes.to_vec();
        binders(pat, &mut names);
        self.distinct(false, "name", &names);
    }

    fn distinct(&mut self, of_parameter: bool, what: &'static str, names: &[Ident]) {
        if names.len() < 2 {
            return;
        }
        let mut seen: HashMap<Name, Span> = HashMap::new();
        for name in names {
            if let Some(first) = seen.insert(name.name, name.span) {
                let error = ExpError::BoundTwice { name: name.name, what, first, of_parameter };
                self.report(error.at(name.span));
            }
        }
    }
}

/// The names that a pattern binds, in order.
fn binders(pat: &Pat, out: &mut Vec<Ident>) {
    match &pat.kind {
        PatKind::Var(name) => out.push(*name),
        PatKind::Parens(p) | PatKind::Ascript(p, _) | PatKind::Attr(_, p) => binders(p, out),
        PatKind::Tuple(ps) | PatKind::Constr(_, ps) => ps.iter().for_each(|p| binders(p, out)),
        PatKind::Record(fields) => {
            for (name, p) in fields {
                match p {
                    Some(p) => binders(p, out),
                    None => out.push(*name),
                }
            }
        }
        PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
    }
}
