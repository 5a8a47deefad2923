//! Maps with one result, and nothing else.

use crate::ir::{Exp, Lambda, Soac, Stm, SubExp, Var};

/// The width, the inputs and the lambda, if the statement is such a map.
pub(super) fn plain_map(s: &Stm) -> Option<(SubExp, &[Var], &Lambda)> {
    match &s.exp {
        Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces })
            if scans.is_empty()
                && reduces.is_empty()
                && s.attrs.is_empty()
                && s.schedule.is_none()
                && s.pat.len() == 1 =>
        {
            Some((*width, inputs, lambda))
        }
        _ => None,
    }
}
