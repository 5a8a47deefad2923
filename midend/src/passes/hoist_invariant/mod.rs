//! Invariant statements move out of loops, combinators and segmented operations.
//!
//! Before: `loop … { let a = n * 2  let v = xs[0:a] … }`. After: both before the loop.
//!
//! Moved is what cannot fail even if the code it stood in never runs: scalar arithmetic and views,
//! under no certificate, also divisions in a branch on whether the divisor is zero; literals of constants that
//! nothing consumes; and maps, scans and reductions that end and make what nothing consumes, as
//! a sum inside of a map would make of `n` steps `n²`, but behind a check only those over as much as
//! arrays have ([`bounded`]). Not moved: divisions by what may be zero,
//! reads of elements, other allocations, what a program says needs no checks (it may be so only
//! where it stands), anything out of a branch, and more than scalars out of `while`, which may not
//! run at all.
//!
//! What costs much and may fail moves out under the condition that the code around runs at all: see
//! [`guarded`].
//!
//! One walk, innermost first, so that a statement leaves several levels at once.

mod bounded;
mod guarded;
mod parameters;

use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Visit, for_each_block, for_each_block_mut, free_in_stm, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Class, CmpOp, Const, DimIndex, Effects, Exp, KernelResult, Level, LoopForm, NameSource,
    PatElem, Prim, Program, SegKind, SegOp, Soac, Stm, StmAttr, SubExp, Type, Var,
};
use bounded::is_bounded;
use parameters::parameters;

/// Moves invariant statements out.
pub fn hoist_invariant(mut program: Program) -> Program {
    if program.level != Level::Mem {
        let mut h = Hoister {
            aliases: Aliases::of_program(&program),
            names: NameSource::new(program.next_tag),
            sizes: Sizes::default(),
            unwritten: VarSet::default(),
            zero_tests: VarMap::default(),
        };
        h.list(&mut program.consts.stms);
        for f in &mut program.funs {
            let outside = h.sizes.mark();
            f.params.iter().for_each(|p| h.sizes.of(&p.ty));
            h.list(&mut f.body.stms);
            h.sizes.forget(outside);
        }
        program.next_tag = h.names.next_tag();
    }
    program
}

/// Variables that are sizes of arrays that exist.
#[derive(Default)]
struct Sizes {
    known: VarSet,
    log: Vec<Var>,
}

impl Sizes {
    fn of(&mut self, ty: &Type) {
        for n in ty.shape().iter().filter_map(|n| n.var()) {
            if self.known.insert(n) {
                self.log.push(n);
            }
        }
    }

    fn mark(&self) -> usize {
        self.log.len()
    }

    fn forget(&mut self, mark: usize) {
        for n in self.log.drain(mark..) {
            self.known.remove(&n);
        }
    }
}

struct Hoister {
    aliases: Aliases,
    names: NameSource,
    sizes: Sizes,
    /// Arrays that may have elements which nobody has written, as the code that reads them is not run
    /// then: see [`guarded`].
    unwritten: VarSet,
    /// What is compared with zero, by the variable that says whether it is.
    zero_tests: VarMap<SubExp>,
}

impl Hoister {
    /// Whether the array that a statement makes may have elements which nobody has written.
    fn note(&mut self, s: &Stm) {
        match &s.exp {
            Exp::CmpOp(CmpOp::Eq(Prim::Int(_)), x, SubExp::Const(c)) if c.as_int() == Some(0) => {
                self.zero_tests.extend(s.pat.iter().map(|p| (p.var, *x)));
            }
            Exp::Match { cases, default, .. } => {
                for b in cases.iter().map(|(_, b)| b).chain([default]) {
                    for (p, x) in s.pat.iter().zip(&b.result) {
                        let unwritten = x.var().is_some_and(|v| {
                            self.unwritten.contains(&v) || makes_unwritten(&b.stms, v)
                        });
                        if unwritten {
                            self.unwritten.insert(p.var);
                        }
                    }
                }
            }
            e if matches!(e.class(), Class::Name | Class::View | Class::Fresh)
                && free_in_stm(s).iter().any(|v| self.unwritten.contains(v)) =>
            {
                self.unwritten.extend(s.pat.iter().map(|p| p.var));
            }
            _ => {}
        }
    }

    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut out = Vec::with_capacity(stms.len());
        let mut noted = 0;
        for mut s in std::mem::take(stms) {
            for_each_block_mut(&mut s.exp, &mut |b| {
                let outside = self.sizes.mark();
                self.list(b);
                self.sizes.forget(outside);
            });
            let aliases = &mut self.aliases;
            if matches!(s.exp, Exp::Loop { .. } | Exp::Soac(_) | Exp::Seg(_)) {
                let mut inside = parameters(&s.exp);
                for_each_block(&s.exp, &mut |b| {
                    inside.extend(b.iter().flat_map(|s| s.pat.iter().map(|p| p.var)));
                });
                let likely = !matches!(s.exp, Exp::Loop { form: LoopForm::While { .. }, .. });
                let (unwritten, zero_tests) = (&self.unwritten, &self.zero_tests);
                let sizes = &self.sizes.known;
                for_each_block_mut(&mut s.exp, &mut |b| {
                    leave(b, &mut inside, &mut out, &mut |s, checked| {
                        cheap(s)
                            || divides_if_it_can(s, zero_tests)
                            || likely
                                && total(s, aliases, unwritten)
                                && (!checked || is_bounded(s, sizes))
                    });
                });
                guarded::leave(&mut s, &mut out, aliases, &mut self.names, &self.sizes.known);
            }
            s.pat.iter().for_each(|p| self.sizes.of(&p.ty));
            out.push(s);
            for s in out.iter().skip(noted) {
                self.note(s);
            }
            noted = out.len();
        }
        *stms = out;
    }
}

/// Whether the array is made with elements that nobody knows.
fn makes_unwritten(stms: &[Stm], array: Var) -> bool {
    stms.iter().any(|s| s.exp.class() == Class::Unspecified && s.pat.iter().any(|p| p.var == array))
}

/// Moves what can leave the list, of what `may` (which is told whether a check stands before it), to `out`; `inside` is what
/// cannot be named there.
fn leave(
    stms: &mut Vec<Stm>,
    inside: &mut VarSet,
    out: &mut Vec<Stm>,
    may: &mut dyn FnMut(&Stm, bool) -> bool,
) {
    let mut movable = |s: &Stm, inside: &VarSet, checked: bool| {
        free_in_stm(s).iter().all(|v| !inside.contains(v)) && may(s, checked)
    };
    if !stms.iter().any(|s| movable(s, inside, false)) {
        return;
    }
    let mut checked = false;
    for s in std::mem::take(stms) {
        checked |= Effects::of(&s).fails;
        if movable(&s, inside, checked) {
            for p in &s.pat {
                inside.remove(&p.var);
            }
            out.push(s);
        } else {
            stms.push(s);
        }
    }
}

/// A literal of constants, or a map, scan or reduction that ends, fails nowhere, reads what has been written, and whose results
/// nothing consumes nor gives away, so that those of one round may be those of the next.
fn total(s: &Stm, aliases: &mut Aliases, unwritten: &VarSet) -> bool {
    let combinator = match &s.exp {
        Exp::Soac(Soac::Screma { .. }) => true,
        // A table.
        Exp::ArrayLit { elems, .. } => elems.iter().all(|x| x.constant().is_some()),
        Exp::Seg(SegOp {
            kind: SegKind::Map | SegKind::Red(_) | SegKind::Scan(_), body, ..
        }) => body.results.iter().all(|r| matches!(r, KernelResult::Return(_))),
        _ => false,
    };
    let mut shared =
        |p: &PatElem| matches!(p.ty, Type::Prim(_)) || aliases.class(p.var).may_be_shared();
    let written = || free_in_stm(s).iter().all(|v| !unwritten.contains(v));
    combinator && s.pat.iter().all(&mut shared) && written() && {
        let mut total = Total { inside: VarSet::default(), ok: true };
        total.stm(s);
        total.ok
    }
}

/// Looks for what may fail, or not end, if it is run earlier than written.
struct Total {
    /// What depends on a parameter or an index of what is looked at.
    inside: VarSet,
    ok: bool,
}

impl Visit for Total {
    fn bind(&mut self, v: &Var) {
        self.inside.insert(*v);
    }

    fn stm(&mut self, s: &Stm) {
        self.ok &= s.certs.is_empty() && !s.has(StmAttr::Unsafe);
        self.exp(&s.exp);
        if free_in_stm(s).iter().any(|v| self.inside.contains(v)) {
            self.inside.extend(s.pat.iter().map(|p| p.var));
        }
    }

    fn exp(&mut self, e: &Exp) {
        self.ok &= match e {
            // An index from outside may be in bounds only because the code around is run.
            Exp::Index { dims, .. } => dims.iter().all(|d| match d {
                DimIndex::Fix(i) => i.var().is_some_and(|i| self.inside.contains(&i)),
                DimIndex::Slice { .. } => true,
            }),
            Exp::FlatIndex { .. } => false,
            e => {
                let does = e.effects();
                let makes = !matches!(e.class(), Class::Unspecified | Class::Block);
                makes && does == Effects::default() && !e.is_partial()
            }
        };
        if self.ok {
            walk::exp(self, e);
        }
    }
}

/// `if d == 0 then … else … x / d …` of scalars, which cannot fail wherever it stands.
fn divides_if_it_can(s: &Stm, zero_tests: &VarMap<SubExp>) -> bool {
    let Exp::Match { scrutinee: SubExp::Var(test), cases, default } = &s.exp else { return false };
    let ([(Const::Bool(wanted), case)], Some(divisor)) = (cases.as_slice(), zero_tests.get(test))
    else {
        return false;
    };
    let (zero, other) = if *wanted { (case, default) } else { (default, case) };
    let divides = |s: &Stm| match s.exp {
        Exp::BinOp(op, _, d) => {
            s.certs.is_empty() && op.is_partial() && !matches!(op, BinOp::Pow(_)) && d == *divisor
        }
        _ => false,
    };
    let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_)));
    scalars
        && s.certs.is_empty()
        && zero.stms.iter().all(cheap)
        && other.stms.iter().all(|s| cheap(s) || divides(s))
}

/// Costs next to nothing, cannot fail, and relies on no certificate.
pub(super) fn cheap(s: &Stm) -> bool {
    s.certs.is_empty() && s.exp.is_speculable()
}

#[cfg(test)]
mod tests {
    use super::hoist_invariant;
    use crate::passes::testing::{check, pass};

    #[test]
    fn through_several_levels() {
        check(
            hoist_invariant,
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i64) : (r_4: [n_1]i64) {
               let r_5: [n_1]i64 = map(n_1, [xs_3], \\(x_6: i64) : (i64) {
                 let s_7: i64 = loop (a_8: i64 = x_6) for i_9: i64 < m_2 {
                   let b_10: i64 = mul.i64(n_1, 2) let c_11: i64 = add.i64(b_10, x_6)
                   let d_12: i64 = add.i64(c_11, a_8) let e_13: i64 = sdiv.i64(d_12, m_2) in e_13 }
                 in s_7 }) in r_5 }",
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i64) : (r_4: [n_1]i64) {
               let b_10: i64 = mul.i64(n_1, 2)
               let r_5: [n_1]i64 = map(n_1, [xs_3], \\(x_6: i64) : (i64) {
                 let c_11: i64 = add.i64(b_10, x_6)
                 let s_7: i64 = loop (a_8: i64 = x_6) for i_9: i64 < m_2 {
                   let d_12: i64 = add.i64(c_11, a_8) let e_13: i64 = sdiv.i64(d_12, m_2) in e_13 }
                 in s_7 }) in r_5 }",
        );
    }

    /// What reads an array that may not have been written leaves only if it is read.
    #[test]
    fn what_nobody_has_written_is_read_under_a_condition() {
        for (other, guarded) in [("scratch(i64, [n_1])", true), ("replicate([n_1], 7)", false)] {
            let text = format!(
                "fun f (n_1: i64, m_2: i64, c_3: bool, xs_4: [n_1]i64) : (r_5: i64) {{
                   let a_6: [n_1]i64 = if c_3 {{ in xs_4 }} else {{
                     let d_8: [n_1]i64 = {other} in d_8 }}
                   let r_5: i64 = loop (s_9: i64 = 0) for i_10: i64 < m_2 {{
                     let t_11: i64 = reduce(n_1, [a_6], \\(z_12: i64) : (i64) {{ in z_12 }},
                       commutative op [0] \\(x_13: i64, y_14: i64) : (i64) {{
                         let w_15: i64 = add.i64(x_13, y_14) in w_15 }})
                     let u_16: i64 = add.i64(s_9, t_11) in u_16 }}
                   in r_5 }}"
            );
            let out = pass(hoist_invariant, &text).to_string();
            let (before, _) = out.split_once("loop").unwrap_or_default();
            assert!(before.contains("reduce"), "{out}");
            assert_eq!(before.contains("runs_"), guarded, "{out}");
        }
    }

    /// A sum, and what a map makes of it for every element.
    fn sums(before: &str, inside: &str) -> String {
        format!(
            "fun f (n_1: i64, m_2: i64, xs_3: [n_1]i64) : (r_4: [n_1]i64) {{
               {before}
               let r_9: [n_1]i64 = map(n_1, [xs_3], \\(x_10: i64) : (i64) {{
                 {inside} let y_11: i64 = mul.i64(s_5, x_10) in y_11 }}) in r_9 }}"
        )
    }

    fn sum_of(made: &str, x: &str) -> String {
        format!(
            "let s_5: i64 = reduce(n_1, [xs_3], \\(z_12: i64) : (i64) {{ {made} in {x} }},
               commutative op [0] \\(a_6: i64, b_7: i64) : (i64) {{
                 let c_8: i64 = add.i64(a_6, b_7) in c_8 }})"
        )
    }

    #[test]
    fn sums_leave_maps() {
        for (made, x) in [
            ("let q_13: i64 = mul.i64(z_12, m_2)", "q_13"),
            ("let q_13: i64 = sdiv.i64(z_12, 7)", "q_13"),
        ] {
            let sum = sum_of(made, x);
            check(hoist_invariant, &sums("", &sum), &sums(&sum, ""));
        }
    }

    #[test]
    fn sums_that_may_fail_stay() {
        for (made, x) in [
            // If there are no elements, `m` may be zero, or nothing be at `m`.
            ("let q_13: i64 = sdiv.i64(z_12, m_2)", "q_13"),
            ("let q_13: i64 = index xs_3[m_2]", "q_13"),
            ("let p_13: i64 = add.i64(m_2, 1) let q_14: i64 = index xs_3[p_13]", "q_14"),
            ("let q_13: i64 = #[unsafe] index xs_3[z_12]", "q_13"),
            (
                "let c_13: bool = slt.i64(z_12, 0) let d_14: cert = assert(c_13, \"no\") let q_15: i64 = <d_14> z_12",
                "q_15",
            ),
        ] {
            let stays = |s: &crate::ir::Stm| matches!(s.exp, crate::ir::Exp::Soac(_));
            let p = crate::passes::testing::pass(hoist_invariant, &sums("", &sum_of(made, x)));
            let outside = p.funs.iter().flat_map(|f| &f.body.stms).filter(|s| stays(s)).count();
            assert_eq!(outside, 1, "{p}");
        }
    }

    #[test]
    fn arrays_leave_loops_if_nobody_writes_to_them() {
        let scan = "let s_5: [n_1]i64 = scan(n_1, [xs_3], \\(z_12: i64) id,
            op [0] \\(a_6: i64, b_7: i64) : (i64) { let c_8: i64 = add.i64(a_6, b_7) in c_8 })";
        let head = "fun f (n_1: i64, xs_3: [n_1]i64) : (r_4: i64) {";
        let round =
            "let x_10: i64 = index s_5[i_9] let y_11: i64 = add.i64(a_8, x_10) in y_11 } in r_13 }";
        let rounds = "let r_13: i64 = loop (a_8: i64 = 0) for i_9: i64 < n_1 {";
        check(
            hoist_invariant,
            &format!("{head} {rounds} {scan} {round}"),
            &format!("{head} {scan} {rounds} {round}"),
        );
        // The loop may not run at all.
        let rounds =
            "let (r_13: i64, g_14: bool) = loop (a_8: i64 = 0, g_15: bool = false) while g_15 {";
        let round = "let x_10: i64 = index s_5[a_8] let g_16: bool = slt.i64(x_10, 9) in (x_10, g_16) } in r_13 }";
        let same = format!("{head} {rounds} {scan} {round}");
        check(hoist_invariant, &same, &same);
        // The next round would find what this one wrote.
        let round = "let w_10: [n_1]i64 = update s_5[i_9] with a_8 let y_11: i64 = index w_10[0] in y_11 } in r_13 }";
        let rounds = "let r_13: i64 = loop (a_8: i64 = 0) for i_9: i64 < n_1 {";
        let same = format!("{head} {rounds} {scan} {round}");
        check(hoist_invariant, &same, &same);
    }

    #[test]
    fn what_may_fail_stays() {
        let text = "fun f (n_1: i64, m_2: i64, c_3: bool, xs_4: [n_1]i64) : (r_5: i64) {
            let s_7: i64 = loop (a_8: i64 = 0) for i_9: i64 < m_2 {
              let q_10: i64 = sdiv.i64(n_1, m_2) let e_11: cert = assert(c_3, \"no\")
              let x_12: i64 = <e_11> index xs_4[0] let y_13: i64 = index xs_4[1]
              let b_14: i64 = add.i64(q_10, x_12) let d_15: i64 = add.i64(b_14, y_13) in d_15 }
            in s_7 }";
        check(hoist_invariant, text, text);
    }
}
