//! Attributes as the typed program has them.

use crate::syntax::ast;
use futc_typed::program::Attr;

/// An attribute without its positions.
pub(crate) fn attribute(attr: &ast::Attr) -> Attr {
    match attr {
        ast::Attr::Name(n) => Attr::Name(n.name),
        ast::Attr::Int(i, _) => Attr::Int(*i),
        ast::Attr::Comp(n, args, _) => Attr::Comp(n.name, args.iter().map(attribute).collect()),
    }
}
