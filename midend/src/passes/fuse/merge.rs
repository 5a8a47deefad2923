//! Two combinators become one. Whether that is right has been decided before.

use crate::ir::traverse::{Rewrite, Subst};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Exp, Lambda, Param, PatElem, Reduction, Soac, Stm, StmAttr, SubExp, Type, Var,
};

/// The results of a lambda with what they are bound to, by what becomes of them.
struct Results {
    scanned: Vec<(PatElem, SubExp, Type)>,
    reduced: Vec<(PatElem, SubExp, Type)>,
    mapped: Vec<(PatElem, SubExp, Type)>,
}

fn count(ops: &[Reduction]) -> usize {
    ops.iter().map(|r| r.op.ret.len()).sum()
}

fn results(
    pat: Vec<PatElem>,
    lambda: &mut Lambda,
    scans: &[Reduction],
    reds: &[Reduction],
) -> Results {
    let xs = std::mem::take(&mut lambda.body.result);
    let types = std::mem::take(&mut lambda.ret);
    let mut all = pat.into_iter().zip(xs).zip(types).map(|((p, x), t)| (p, x, t));
    let scanned = all.by_ref().take(count(scans)).collect();
    let reduced = all.by_ref().take(count(reds)).collect();
    Results { scanned, reduced, mapped: all.collect() }
}

/// Merges the producer `p` into `c`; `kept` are its mapped results that stay results.
pub(super) fn merge(p: Stm, mut c: Stm, kept: &VarSet) -> Stm {
    let forced = p.forced();
    let Exp::Soac(Soac::Screma { inputs: p_inputs, mut lambda, scans, reduces, .. }) = p.exp else {
        return c;
    };
    let produced = results(p.pat, &mut lambda, &scans, &reduces);
    let rows: VarMap<SubExp> = produced.mapped.iter().map(|(q, x, _)| (q.var, *x)).collect();
    for cert in p.certs {
        if !c.certs.contains(&cert) {
            c.certs.push(cert);
        }
    }
    c.loc = c.loc.or(p.loc);
    if c.forced().is_none() {
        c.attrs.extend(forced.map(StmAttr::Schedule));
    }
    match &mut c.exp {
        Exp::Soac(Soac::Screma {
            width: _,
            inputs,
            lambda: c_lambda,
            scans: c_scans,
            reduces: c_reduces,
        }) => {
            link(inputs, c_lambda, p_inputs, lambda.params, lambda.body.stms, &rows);
            let own = results(std::mem::take(&mut c.pat), c_lambda, c_scans, c_reduces);
            c_scans.splice(0..0, scans);
            c_reduces.splice(0..0, reduces);
            let mapped = produced.mapped.into_iter().filter(|(q, ..)| kept.contains(&q.var));
            let all = (produced.scanned.into_iter().chain(own.scanned))
                .chain(produced.reduced.into_iter().chain(own.reduced))
                .chain(own.mapped.into_iter().chain(mapped));
            for (q, x, t) in all {
                c.pat.push(q);
                c_lambda.body.result.push(x);
                c_lambda.ret.push(t);
            }
        }
        Exp::Soac(
            Soac::Hist { inputs, lambda: c_lambda, .. }
            | Soac::Scatter { inputs, lambda: c_lambda, .. },
        ) => link(inputs, c_lambda, p_inputs, lambda.params, lambda.body.stms, &rows),
        _ => {}
    }
    c
}

/// Puts the producer's inputs, parameters and statements before the consumer's, and its results
/// in the place of the consumer's parameters for them.
fn link(
    inputs: &mut Vec<Var>,
    lambda: &mut Lambda,
    p_inputs: Vec<Var>,
    p_params: Vec<Param>,
    p_stms: Vec<Stm>,
    rows: &VarMap<SubExp>,
) {
    let mut given = p_inputs;
    let mut params = p_params;
    let mut subst = Subst::new();
    for (v, q) in std::mem::take(inputs).into_iter().zip(std::mem::take(&mut lambda.params)) {
        match rows.get(&v) {
            Some(x) => subst.insert(q.var, *x),
            None => {
                given.push(v);
                params.push(q);
            }
        }
    }
    if !subst.is_empty() {
        subst.body(&mut lambda.body);
    }
    *inputs = given;
    lambda.params = params;
    let Body { stms, result: _ } = &mut lambda.body;
    stms.splice(0..0, p_stms);
}
