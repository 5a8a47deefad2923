//! Placeholders of literals in the typed program, while their types are not known: an attribute with the
//! literal's number.

use futc_typed::name::Name;
use futc_typed::program::{Attr, Exp, ExpKind};

pub(crate) fn literal_attr() -> Name {
    Name::new("$literal")
}

/// The number of the literal that `e` is a placeholder for.
pub(crate) fn literal_index(e: &Exp) -> Option<usize> {
    match &e.kind {
        ExpKind::Attr(Attr::Comp(name, args), _) if *name == literal_attr() => match args[..] {
            [Attr::Int(i)] => usize::try_from(i).ok(),
            _ => None,
        },
        _ => None,
    }
}
