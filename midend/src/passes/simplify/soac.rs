//! Rules about array combinators.

use super::simplifier::{Outcome, Rule, Simplifier};
use crate::analysis::bodies::is_accumulated_by_parts;
use crate::ir::varmap::VarMap;
use crate::ir::{Body, CmpOp, Exp, Lambda, PatElem, Prim, Reduction, Soac, Stm, SubExp, Type, Var};
use crate::passes::dead_code::retain;

pub(super) const RULES: &[Rule] = &[
    ("easy_results", easy_results),
    ("no_results", no_results),
    ("operators_of_parts", operators_of_parts),
];

/// Before the lambda is walked: inputs given twice, inputs of equal rows, inputs under another
/// name, and what is known of the rows.
pub(super) fn before(s: &mut Simplifier, stm: &mut Stm) -> bool {
    let Exp::Soac(
        Soac::Screma { width, inputs, lambda, .. }
        | Soac::Hist { width, inputs, lambda, .. }
        | Soac::Scatter { width, inputs, lambda, .. },
    ) = &mut stm.exp
    else {
        return false;
    };
    *width = s.subst.lookup(*width);
    let mut certs = Vec::new();
    let mut seen: VarMap<Var> = VarMap::default();
    let mut keep = vec![true; inputs.len()];
    let mut changed = false;
    for (i, v) in inputs.iter_mut().enumerate() {
        let Some(p) = lambda.params.get(i) else { return changed };
        if let Some(SubExp::Var(w)) = s.subst.get(*v) {
            *v = w;
        }
        if let Some((w, under)) = s.renamed(*v).or_else(|| coerced(s, *v)) {
            *v = w;
            certs.extend(under);
            changed = true;
        }
        let rows = if p.ty.rank() == 0 { None } else { Some(p.var) };
        let consumed = rows.is_some_and(|r| !s.stays(r));
        if let Some((Exp::Iota { n, start, stride, .. }, _)) = s.def(*v)
            && [(start, 0), (stride, 1)]
                .iter()
                .all(|(x, c)| matches!(x, SubExp::Const(d) if d.as_int() == Some(*c)))
            && p.ty == Type::I64
        {
            let n = *n;
            s.facts.below(p.var, n);
        }
        let equal_rows = match s.def(*v) {
            Some((Exp::Replicate { shape, value }, under)) if shape.len() == 1 => {
                Some((*value, under))
            }
            _ => None,
        };
        if let Some((x, under)) = equal_rows {
            let usable = match x {
                SubExp::Var(x) if s.is_array(x.into()) => !consumed && s.stays(x),
                SubExp::Var(_) | SubExp::Const(_) => true,
            };
            if usable {
                s.subst.insert(p.var, x);
                certs.extend(under);
                keep[i] = false;
                continue;
            }
        }
        match seen.get(v) {
            Some(&first) if !consumed => {
                s.subst.insert(p.var, first);
                keep[i] = false;
            }
            _ => {
                seen.insert(*v, p.var);
            }
        }
    }
    if keep.iter().any(|k| !k) {
        retain(inputs, &keep);
        retain(&mut lambda.params, &keep);
        changed = true;
    }
    for c in certs {
        if !stm.certs.contains(&c) {
            stm.certs.push(c);
        }
    }
    changed
}

/// The array of which `v` is another name after a check that the outer sizes agree.
fn coerced(s: &Simplifier, v: Var) -> Option<(Var, Vec<Var>)> {
    let (Exp::Reshape { array, shape }, certs) = s.def(v)? else { return None };
    let old = s.types.get(array)?.shape();
    let (n, m) = (*old.first()?, *shape.first()?);
    if old.len() != shape.len() || old[1..] != shape[1..] {
        return None;
    }
    let checked = |c: &Var| {
        let Some((Exp::Assert { cond, .. }, _)) = s.def(*c) else { return false };
        match s.plain(*cond) {
            Some(Exp::CmpOp(CmpOp::Eq(Prim::I64), a, b)) => {
                (*a, *b) == (n, m) || (*a, *b) == (m, n)
            }
            _ => false,
        }
    };
    certs.iter().any(checked).then_some((*array, certs))
}

/// Collected results that need no lambda: the same for every row, or the rows of an input.
fn easy_results(s: &mut Simplifier, stm: &mut Stm, out: &mut Vec<Stm>) -> Outcome {
    let Exp::Soac(Soac::Screma { width, inputs, lambda, scans, reduces }) = &mut stm.exp else {
        return Outcome::Kept;
    };
    let folded: usize = scans.iter().chain(reduces.iter()).map(|r| r.op.ret.len()).sum();
    let inner = bound_in(lambda);
    let mut keep = vec![true; stm.pat.len()];
    let mut made: Vec<(PatElem, Exp)> = Vec::new();
    for (i, p) in stm.pat.iter().enumerate().skip(folded) {
        let Some(&x) = lambda.body.result.get(i) else { return Outcome::Kept };
        let row = lambda.params.iter().position(|q| SubExp::Var(q.var) == x);
        let exp = match (row, x) {
            (Some(j), _) => {
                let (Some(&v), Some(q)) = (inputs.get(j), lambda.params.get(j)) else {
                    return Outcome::Kept;
                };
                if q.ty.rank() > 0 && !s.stays(q.var) {
                    continue;
                }
                Exp::Copy(v)
            }
            (None, SubExp::Var(v)) if inner.contains_key(&v) => continue,
            // A fresh array for each row is more than one for all, so there is no harm in asking
            // whether it stays only here.
            (None, SubExp::Var(v)) if s.is_array(x) && !s.stays(v) => continue,
            (None, SubExp::Var(_) | SubExp::Const(_)) => {
                Exp::Replicate { shape: vec![*width], value: x }
            }
        };
        keep[i] = false;
        made.push((p.clone(), exp));
    }
    if made.is_empty() {
        return Outcome::Kept;
    }
    retain(&mut stm.pat, &keep);
    retain(&mut lambda.body.result, &keep);
    retain(&mut lambda.ret, &keep);
    for (p, exp) in made {
        let new = Stm {
            schedule: None,
            pat: vec![p],
            exp,
            certs: stm.certs.clone(),
            attrs: Vec::new(),
            loc: stm.loc,
        };
        s.define(&new);
        out.push(new);
    }
    Outcome::Changed
}

/// An operator whose results are each accumulated by themselves is several operators, which are known for what they are: sums
/// may be reordered, and minima and maxima have several accumulators.
fn operators_of_parts(_: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    let Exp::Soac(Soac::Screma { reduces, .. }) = &mut stm.exp else { return Outcome::Kept };
    let several = |r: &Reduction| {
        let k = r.neutral.len();
        k > 1 && r.op.body.stms.len() == k && is_accumulated_by_parts(r)
    };
    if !reduces.iter().any(several) {
        return Outcome::Kept;
    }
    let all = std::mem::take(reduces);
    for r in all {
        if several(&r) { reduces.extend(parts(&r)) } else { reduces.push(r) }
    }
    Outcome::Changed
}

/// An operator for each result.
fn parts(r: &Reduction) -> impl Iterator<Item = Reduction> {
    let Lambda { params, body, ret } = &r.op;
    let k = r.neutral.len();
    (0..k).filter_map(move |i| {
        let result = *body.result.get(i)?;
        let made = |s: &&Stm| s.pat.first().is_some_and(|p| SubExp::Var(p.var) == result);
        let stms = vec![body.stms.iter().find(made)?.clone()];
        let op = Lambda {
            params: vec![params.get(i)?.clone(), params.get(k + i)?.clone()],
            body: Body { stms, result: vec![result] },
            ret: vec![ret.get(i)?.clone()],
        };
        let neutral = vec![*r.neutral.get(i)?];
        Some(Reduction { op, neutral, commutative: r.commutative })
    })
}

/// The variables bound directly in the lambda.
fn bound_in(l: &Lambda) -> VarMap<()> {
    let params = l.params.iter().map(|p| (p.var, ()));
    let stms = l.body.stms.iter().flat_map(|s| s.pat.iter().map(|p| (p.var, ())));
    params.chain(stms).collect()
}

/// A map of which nothing is left.
fn no_results(_: &mut Simplifier, stm: &mut Stm, _: &mut Vec<Stm>) -> Outcome {
    match &stm.exp {
        Exp::Soac(Soac::Screma { lambda, .. })
            if stm.pat.is_empty() && lambda.body.stms.is_empty() =>
        {
            Outcome::Gone
        }
        _ => Outcome::Kept,
    }
}
