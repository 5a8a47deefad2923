//! Results that a map only hands on: the elements of an input, or what is the same in every round.
//!
//! They do not depend on the rest of the map (docs/safety.md), which is dead if nobody wants its other
//! results. The compiler sees that where it simplifies. Here it is written once more, for this alone, so
//! that a simplifier that drops what is needed does not judge itself.

use futc_midend::ir::traverse::{Rewrite, rewrite};
use futc_midend::ir::{Exp, Lambda, Program, Soac, Stm, SubExp, Var};
use std::collections::HashSet;

/// The program in which such results are copies beside their maps.
pub fn hand_on(mut program: Program) -> Program {
    for f in &mut program.funs {
        HandOn.fun(f);
    }
    program
}

struct HandOn;

impl Rewrite for HandOn {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        let mut out = Vec::with_capacity(stms.len());
        for mut stm in std::mem::take(stms) {
            let beside = taken_out(&mut stm);
            out.push(stm);
            out.extend(beside);
        }
        *stms = out;
    }
}

/// Takes such results out of a map.
fn taken_out(stm: &mut Stm) -> Vec<Stm> {
    let Stm { schedule: _, pat, exp, certs, attrs, loc } = stm;
    let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = exp else {
        return Vec::new();
    };
    let folded: usize = scans.iter().chain(reduces.iter()).map(|r| r.op.ret.len()).sum();
    let inner = bound_in(lambda);
    let mut out = Vec::new();
    for i in (folded..pat.len()).rev() {
        let Some(&x) = lambda.body.result.get(i) else { continue };
        let row = lambda.params.iter().position(|p| SubExp::Var(p.var) == x);
        let exp = match (row.and_then(|j| inputs.get(j)), x) {
            (Some(input), _) => Exp::Copy(*input),
            (None, SubExp::Var(v)) if inner.contains(&v) => continue,
            (None, _) => Exp::Replicate { shape: vec![*width], value: x },
        };
        let pat = vec![pat.remove(i)];
        lambda.body.result.remove(i);
        lambda.ret.remove(i);
        out.push(Stm {
            schedule: None,
            pat,
            exp,
            certs: certs.clone(),
            attrs: attrs.clone(),
            loc: *loc,
        });
    }
    out
}

/// What the lambda binds itself.
fn bound_in(lambda: &Lambda) -> HashSet<Var> {
    let stms = lambda.body.stms.iter().flat_map(|s| s.pat.iter().map(|p| p.var));
    stms.chain(lambda.params.iter().map(|p| p.var)).collect()
}
