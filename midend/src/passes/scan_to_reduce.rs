//! Scans of which only the last element is wanted, as reductions.
//!
//! ```text
//! s = scan (+) 0 xs                              k = reduce (+) 0 xs
//! k = if n == 0 then 0 else s[n - 1]      →
//! ```
//!
//! So it goes with how many elements a filter keeps, if nobody wants them. The last element of a
//! scan is what a reduction comes to, which of nothing is the neutral element, so that the question
//! whether there is anything goes as well. All that uses the scan must be such reads.
//!
//! Works at level `soacs`, before fusion. Cost: linear in the program.

use crate::analysis::size_facts::SizeFacts;
use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Const, DimIndex, Exp, Level, Mentions, PatElem, Poly, Program, Soac, Stm, SubExp, Var,
};

/// Makes reductions of scans.
pub fn scan_to_reduce(mut prog: Program) -> Program {
    if prog.level != Level::Soacs {
        return prog;
    }
    let known = SizeFacts::of_program(&prog);
    let mut reads = Reads { known: &known, widths: VarMap::default(), last: VarMap::default() };
    visit(&prog, &mut |b| reads.body(b));
    if reads.last.is_empty() {
        return prog;
    }
    let mentions = Mentions::of_program(&prog);
    let only_last = |v: Var| mentions.count(v) == reads.last.get(&v).copied().unwrap_or(0);
    let mut scans = Scans { only_last: &only_last, found: VarSet::default() };
    visit(&prog, &mut |b| scans.body(b));
    let found = scans.found;
    if found.is_empty() {
        return prog;
    }
    let neutral = VarMap::default();
    let widths = reads.widths;
    let mut reduce = Reduce { known: &known, found, widths, neutral };
    reduce.body(&mut prog.consts);
    for f in &mut prog.funs {
        reduce.body(&mut f.body);
    }
    prog
}

fn visit<'p>(prog: &'p Program, f: &mut dyn FnMut(&'p Body)) {
    f(&prog.consts);
    prog.funs.iter().for_each(|fun| f(&fun.body));
}

/// The arrays that a statement scans.
fn scanned(s: &Stm) -> Option<(SubExp, &[PatElem])> {
    let Exp::Soac(Soac::Screma { width, scans, .. }) = &s.exp else { return None };
    let count = scans.iter().map(|r| r.neutral.len()).sum::<usize>();
    s.pat.get(..count).filter(|p| !p.is_empty()).map(|p| (*width, p))
}

/// Whether indexes begin with that of the last of `n`.
fn is_last(known: &SizeFacts, dims: &[DimIndex], n: SubExp) -> bool {
    matches!(dims.first(), Some(DimIndex::Fix(at))
        if known.sum(*at) == known.sum(n).sub(&Poly::constant(1)))
}

/// How often the last element of each scan is read.
struct Reads<'a> {
    known: &'a SizeFacts,
    widths: VarMap<SubExp>,
    last: VarMap<usize>,
}

impl Visit for Reads<'_> {
    fn stm(&mut self, s: &Stm) {
        if let Some((n, arrays)) = scanned(s) {
            self.widths.extend(arrays.iter().map(|p| (p.var, n)));
        }
        if let Exp::Index { array, dims } = &s.exp
            && let Some(n) = self.widths.get(array)
            && is_last(self.known, dims, *n)
        {
            *self.last.entry(*array).or_default() += 1;
        }
        walk::stm(self, s);
    }
}

/// Finds what becomes a reduction.
struct Scans<'a> {
    only_last: &'a dyn Fn(Var) -> bool,
    found: VarSet,
}

impl Visit for Scans<'_> {
    fn stm(&mut self, s: &Stm) {
        if let Some((_, arrays)) = scanned(s)
            && arrays.iter().all(|p| (self.only_last)(p.var))
        {
            self.found.extend(arrays.iter().map(|p| p.var));
        }
        walk::stm(self, s);
    }
}

struct Reduce<'a> {
    known: &'a SizeFacts,
    found: VarSet,
    widths: VarMap<SubExp>,
    /// What the reductions that are made come to for nothing.
    neutral: VarMap<SubExp>,
}

impl Reduce<'_> {
    /// What a statement that asks whether there is anything before it reads the last elements
    /// yields.
    fn unasked(&self, s: &Stm) -> Option<Vec<SubExp>> {
        let Exp::Match { scrutinee, cases, default: some } = &s.exp else { return None };
        let [(Const::Bool(true), none)] = cases.as_slice() else { return None };
        let yields = |empty: &SubExp, x: &SubExp| {
            let read = some.stms.iter().find(|t| t.pat.iter().any(|p| SubExp::Var(p.var) == *x))?;
            let Exp::Index { array, dims } = &read.exp else { return None };
            let same = dims.len() == 1
                && read.certs.is_empty()
                && self.neutral.get(array) == Some(empty)
                && matches!(self.widths.get(array), Some(n)
                    if self.known.says_zero(*scrutinee, *n) && is_last(self.known, dims, *n));
            same.then_some(SubExp::Var(*array))
        };
        let quiet = none.stms.is_empty()
            && s.certs.is_empty()
            && some.stms.iter().all(|t| matches!(t.exp, Exp::Index { .. } | Exp::BinOp(..)));
        let pairs = none.result.iter().zip(&some.result);
        quiet.then(|| pairs.map(|(empty, x)| yields(empty, x)).collect()).flatten()
    }
}

impl Rewrite for Reduce<'_> {
    fn stms(&mut self, list: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(list.len());
        for mut s in std::mem::take(list) {
            match self.unasked(&s) {
                Some(values) => {
                    out.extend(s.pat.iter().zip(values).map(|(p, x)| Stm {
                        pat: vec![p.clone()],
                        exp: Exp::SubExp(x),
                        ..s.clone()
                    }));
                }
                None => {
                    self.stm(&mut s);
                    out.push(s);
                }
            }
        }
        *list = out;
    }

    fn stm(&mut self, s: &mut Stm) {
        match &mut s.exp {
            Exp::Index { array, dims } if self.found.contains(array) => {
                dims.remove(0);
                if dims.is_empty() {
                    s.exp = Exp::SubExp((*array).into());
                }
            }
            Exp::Soac(Soac::Screma { scans, reduces, .. })
                if s.pat.first().is_some_and(|p| self.found.contains(&p.var))
                    && !scans.is_empty() =>
            {
                let types = scans.iter().flat_map(|r| r.op.ret.iter().zip(&r.neutral));
                for (p, (ty, ne)) in s.pat.iter_mut().zip(types) {
                    p.ty = ty.clone();
                    self.neutral.insert(p.var, *ne);
                }
                scans.append(reduces);
                std::mem::swap(scans, reduces);
            }
            _ => {}
        }
        rewrite::stm(self, s);
    }
}

#[cfg(test)]
mod tests {
    use super::scan_to_reduce;
    use crate::passes::testing::check;

    fn f(results: &str, body: &str) -> String {
        format!("fun f (n_1: i64, xs_2: [n_1]i64, xss_3: [n_1][4]i64) : ({results}) {{ {body} }}")
    }

    #[track_caller]
    fn reduced(results: &str, before: &str, after: &str) {
        check(scan_to_reduce, &f(results, before), &f(results, after));
    }

    #[track_caller]
    fn stays(results: &str, body: &str) {
        reduced(results, body, body);
    }

    const SUM: &str =
        "op [0] \\(a_90: i64, b_91: i64) : (i64) { let c_92: i64 = add.i64(a_90, b_91) in c_92 }";

    fn scan() -> String {
        format!("let s_10: [n_1]i64 = scan(n_1, [xs_2], \\(x_11: i64) id, {SUM})")
    }

    fn reduce() -> String {
        format!("let s_10: i64 = reduce(n_1, [xs_2], \\(x_11: i64) id, {SUM})")
    }

    fn guarded(condition: &str, empty: &str) -> String {
        format!(
            "let e_12: bool = {condition}
             let k_13: i64 = if e_12 {{ in {empty} }} else {{
               let i_14: i64 = sub.i64(n_1, 1)
               let l_15: i64 = index s_10[i_14]
               in l_15
             }}"
        )
    }

    #[test]
    fn the_last_of_none_is_the_neutral_element() {
        reduced(
            "r_5: i64",
            &format!("{} {} in k_13", scan(), guarded("eq.i64(n_1, 0)", "0")),
            &format!("{} let e_12: bool = eq.i64(n_1, 0) let k_13: i64 = s_10 in k_13", reduce()),
        );
    }

    #[test]
    fn what_else_stands_for_the_last_of_none_stays() {
        let kept = |guard: String| guard.replace("index s_10[i_14]", "s_10");
        for (condition, empty) in [("eq.i64(n_1, 0)", "1"), ("eq.i64(n_1, 7)", "0")] {
            let guard = guarded(condition, empty);
            reduced(
                "r_5: i64",
                &format!("{} {guard} in k_13", scan()),
                &format!("{} {} in k_13", reduce(), kept(guard)),
            );
        }
    }

    #[test]
    fn widths_that_are_sums() {
        let of = |make: &str, read: &str| {
            format!(
                "let m_20: i64 = add.i64(n_1, -1) let ys_21: [m_20]i64 = iota.i64(m_20, 0, 1)
                 {make} let j_22: i64 = add.i64(n_1, -2) let l_23: i64 = {read} in l_23"
            )
        };
        let over = |what: &str| what.replace("n_1, [xs_2]", "m_20, [ys_21]");
        reduced(
            "r_5: i64",
            &of(&over(&scan()).replace("[n_1]", "[m_20]"), "index s_10[j_22]"),
            &of(&over(&reduce()), "s_10"),
        );
    }

    #[test]
    fn other_readers_want_the_array() {
        stays(
            "r_5: i64, q_6: [n_1]i64",
            &format!("{} {} in (k_13, s_10)", scan(), guarded("eq.i64(n_1, 0)", "0")),
        );
        stays("r_5: i64", &format!("{} let l_23: i64 = index s_10[0] in l_23", scan()));
    }

    #[test]
    fn rows() {
        let op = "op [z_30] \\(a_90: [4]i64, b_91: [4]i64) : ([4]i64) {
            let c_92: [4]i64 = map(4, [a_90, b_91], \\(p_93: i64, q_94: i64) : (i64) {
              let t_95: i64 = add.i64(p_93, q_94) in t_95 }) in c_92 }";
        let zero = "let z_30: [4]i64 = replicate([4], 0) let j_22: i64 = sub.i64(n_1, 1)";
        reduced(
            "r_5: i64",
            &format!(
                "{zero} let s_10: [n_1][4]i64 = scan(n_1, [xss_3], \\(x_11: [4]i64) id, {op}) let l_23: i64 = index s_10[j_22, 2] in l_23"
            ),
            &format!(
                "{zero} let s_10: [4]i64 = reduce(n_1, [xss_3], \\(x_11: [4]i64) id, {op}) let l_23: i64 = index s_10[2] in l_23"
            ),
        );
    }
}
