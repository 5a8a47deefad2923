//! What the variables of Core are called after.

use futc_typed::name::Name;
use futc_typed::program;

/// A name for the leaves of a parameter.
pub(super) fn pat_name(pat: &program::Pat) -> Name {
    match &pat.kind {
        program::PatKind::Var(v) => v.name,
        program::PatKind::Wild
        | program::PatKind::Record(_)
        | program::PatKind::Constr(..)
        | program::PatKind::Lit(_) => Name::new("p"),
    }
}
