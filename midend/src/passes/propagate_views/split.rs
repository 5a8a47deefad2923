//! A map whose rows are reduced before they are mapped, as two maps.
//!
//! ```text
//! ys = map(n, [xss], \xs ->            ss = map(n, [xss], \xs -> reduce(m, [xs], op))
//!        s = reduce(m, [xs], op)   →   ys = map(n, [xss, ss], \xs s -> map(m, [xs], f(s)))
//!        map(m, [xs], f(s)))
//! ```
//!
//! The second is a nest that can be transposed. By itself that is no gain, as rows are read twice.

use super::maps::plain_map;
use crate::ir::traverse::{free_in_stm, rename_lambda};
use crate::ir::{
    Body, Effects, Exp, Lambda, NameSource, Param, PatElem, Soac, Stm, SubExp, Type, Var,
};

/// The two, if rows are made of scalars that statements without effects yield, and of what was a row before.
pub(super) fn split(s: &Stm, names: &mut NameSource) -> Option<[Stm; 2]> {
    let (n, arrays, lambda) = plain_map(s)?;
    let (row, before) = lambda.body.stms.split_last()?;
    let pure = |s: &Stm| Effects::of(s).is_none() && s.attrs.is_empty();
    if before.is_empty() || !before.iter().all(pure) {
        return None;
    }
    let read = free_in_stm(row);
    let made: Vec<&PatElem> =
        before.iter().flat_map(|s| &s.pat).filter(|p| read.contains(&p.var)).collect();
    if made.is_empty() || !made.iter().all(|p| matches!(p.ty, Type::Prim(_))) {
        return None;
    }
    let map = |inputs: Vec<Var>, lambda: Lambda| {
        let (scans, reduces) = (Vec::new(), Vec::new());
        Exp::Soac(Soac::Screma { width: n, inputs, lambda, scans, reduces })
    };
    let of_rows = Lambda {
        params: lambda.params.clone(),
        ret: made.iter().map(|p| p.ty.clone()).collect(),
        body: Body {
            stms: before.to_vec(),
            result: made.iter().map(|p| SubExp::Var(p.var)).collect(),
        },
    };
    let each: Vec<PatElem> =
        made.iter().map(|p| PatElem::new(names.fresh("of_row"), p.ty.outer(n))).collect();
    let mut inputs = arrays.to_vec();
    inputs.extend(each.iter().map(|p| p.var));
    let mut rest = lambda.clone();
    rest.body.stms = vec![row.clone()];
    rest.params.extend(made.iter().map(|p| Param::new(p.var, p.ty.clone())));
    let first = map(arrays.to_vec(), rename_lambda(&of_rows, names));
    Some([Stm { pat: each, exp: first, ..s.clone() }, Stm { exp: map(inputs, rest), ..s.clone() }])
}
