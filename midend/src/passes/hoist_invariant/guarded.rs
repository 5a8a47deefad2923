//! What costs much and may fail moves out too, if the code around runs at least once.
//!
//! ```text
//!                                          g = slt 0 n
//!                                          (d, ys: [d]i64) = if g {
//! loop … for i < n {                         c' = assert t  (d', ys') = <c'> loop …  in (d', ys')
//!   c = assert t                      ⟶    } else { z = scratch [0]  in (0, z) }
//!   (d, ys: [d]i64) = <c> loop …           loop … for i < n {
//!   … ys …                                   … ys …
//! ```
//!
//! Every statement of the body is executed in the first round, so what is moved fails only if the
//! program failed anyway; where several checks fail, another may be reported than before. What
//! may not end, or goes through more than arrays have, is moved only if no check that stays is before it. Moved are loops, combinators,
//! segmented operations, calls, and branches with such inside, with what they depend on, of which
//! the body keeps a copy if it needs one. Not moved: what is printed, what consumes something from
//! outside or is consumed or given away, what the program says needs no checks, arrays of which it
//! is not known that there may be as large ones if the code around does not run, and anything out of
//! kernels.

use super::bounded::is_bounded;
use super::parameters::parameters;
use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Renamer, Rewrite as _, for_each_block, free_in_stm};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    BinOp, Body, CmpOp, Const, Effects, Exp, IntType, LoopForm, NameSource, PatElem, Prim,
    SegLevel, SegOp, Soac, Stm, SubExp, Type, Var,
};

/// What the code around is told to run at least once by.
enum Guard {
    Positive(IntType, SubExp),
    Holds(SubExp),
}

impl Guard {
    /// Whether it is known.
    fn known(&self) -> Option<bool> {
        match *self {
            Guard::Positive(_, SubExp::Const(c)) => c.as_int().map(|c| c > 0),
            Guard::Holds(SubExp::Const(Const::Bool(b))) => Some(b),
            Guard::Positive(..) | Guard::Holds(_) => None,
        }
    }
}

/// Moves what can leave the code that `s` runs to `out`.
pub(super) fn leave(
    s: &mut Stm,
    out: &mut Vec<Stm>,
    aliases: &mut Aliases,
    names: &mut NameSource,
    sizes: &VarSet,
) {
    let Some(guards) = guards(&s.exp) else { return };
    if guards.iter().any(|g| g.known() == Some(false)) {
        return;
    }
    let certain = guards.iter().all(|g| g.known() == Some(true));
    let inside = parameters(&s.exp);
    let Some(block) = main_block(&mut s.exp) else { return };
    let group = Finder { block, inside, aliases, sizes, certain }.group();
    if group.roots.is_empty() {
        return;
    }
    if certain && group.copied.iter().any(|d| !given_out(&block[*d], aliases)) {
        return;
    }
    let mut moved = Vec::new();
    let mut stays = Vec::new();
    for (at, stm) in std::mem::take(block).into_iter().enumerate() {
        let root = group.roots.contains(&at);
        let copied = group.copied.contains(&at);
        if copied && !certain {
            stays.push(stm.clone());
        }
        if root || copied {
            moved.push((root, stm));
        } else {
            stays.push(stm);
        }
    }
    *block = stays;
    if certain {
        out.extend(moved.into_iter().map(|(_, s)| s));
        return;
    }
    let cond = emit_guards(&guards, out, names);
    let roots = moved.iter().filter(|(root, _)| *root);
    let pat: Vec<PatElem> = roots.flat_map(|(_, s)| s.pat.clone()).collect();
    let loc = moved.iter().rev().find_map(|(root, s)| s.loc.filter(|_| *root));
    let result = pat.iter().map(|p| SubExp::Var(p.var)).collect();
    let mut yes = Body { stms: moved.into_iter().map(|(_, s)| s).collect(), result };
    Renamer::new(names).body(&mut yes);
    let no = nothing(&pat, names);
    let exp = Exp::Match { scrutinee: cond, cases: vec![(Const::Bool(true), yes)], default: no };
    out.push(Stm { loc, ..Stm::new(pat, exp) });
}

/// Whether what a statement makes in one round may be that of the next.
fn given_out(s: &Stm, aliases: &mut Aliases) -> bool {
    s.pat
        .iter()
        .all(|p| !matches!(p.ty, Type::Array { .. }) || aliases.class(p.var).may_be_shared())
}

/// Values of the types of a pattern that nobody looks at. Arrays of sizes that the pattern binds have
/// no elements.
fn nothing(pat: &[PatElem], names: &mut NameSource) -> Body {
    let mut body = Body::default();
    for p in pat {
        let value = match &p.ty {
            Type::Array { elem, shape } => {
                let bound = |x: &SubExp| pat.iter().any(|p| x.var() == Some(p.var));
                let zero = SubExp::Const(Const::zero(Prim::Int(IntType::I64)));
                let shape: Vec<SubExp> =
                    shape.iter().map(|x| if bound(x) { zero } else { *x }).collect();
                let ty = Type::Array { elem: *elem, shape: shape.clone() };
                let v = names.fresh("nothing");
                let exp = Exp::Scratch { elem: *elem, shape };
                body.stms.push(Stm::new(vec![PatElem::new(v, ty)], exp));
                SubExp::Var(v)
            }
            Type::Prim(prim) => SubExp::Const(Const::zero(*prim)),
            Type::Cert | Type::Mem(_) => SubExp::Const(Const::Bool(false)),
        };
        body.result.push(value);
    }
    body
}

fn emit_guards(guards: &[Guard], out: &mut Vec<Stm>, names: &mut NameSource) -> SubExp {
    let mut bind = |exp: Exp| {
        let v = names.fresh("runs");
        out.push(Stm::new(vec![PatElem::new(v, Type::Prim(Prim::Bool))], exp));
        SubExp::Var(v)
    };
    let mut all: Option<SubExp> = None;
    for g in guards.iter().filter(|g| g.known().is_none()) {
        let cond = match *g {
            Guard::Positive(ty, n) => {
                bind(Exp::CmpOp(CmpOp::SLt(ty), SubExp::Const(Const::int(ty, 0)), n))
            }
            Guard::Holds(x) => x,
        };
        all = Some(match all {
            Some(before) => bind(Exp::BinOp(BinOp::LogAnd, before, cond)),
            None => cond,
        });
    }
    all.unwrap_or_else(|| SubExp::bool(true))
}

/// When the main block of an expression is run.
fn guards(e: &Exp) -> Option<Vec<Guard>> {
    Some(match e {
        Exp::Loop { form: LoopForm::For { ty, bound, .. }, .. } => {
            vec![Guard::Positive(*ty, *bound)]
        }
        Exp::Loop { form: LoopForm::While { cond }, params, init, .. } => {
            let at = params.iter().position(|p| p.var == *cond)?;
            vec![Guard::Holds(*init.get(at)?)]
        }
        Exp::Soac(
            Soac::Screma { width, .. } | Soac::Hist { width, .. } | Soac::Scatter { width, .. },
        ) => {
            vec![Guard::Positive(IntType::I64, *width)]
        }
        Exp::Seg(SegOp { level: SegLevel::Seq, space, .. }) => {
            space.dims.iter().map(|(_, n)| Guard::Positive(IntType::I64, *n)).collect()
        }
        _ => return None,
    })
}

/// What an expression runs at every point or in every round.
fn main_block(e: &mut Exp) -> Option<&mut Vec<Stm>> {
    Some(match e {
        Exp::Loop { body, .. } => &mut body.stms,
        Exp::Soac(
            Soac::Screma { lambda, .. } | Soac::Hist { lambda, .. } | Soac::Scatter { lambda, .. },
        ) => &mut lambda.body.stms,
        Exp::Seg(SegOp { body, .. }) => &mut body.stms,
        _ => return None,
    })
}

/// Statements of a block, by their places.
#[derive(Default)]
struct Group {
    /// These leave.
    roots: Vec<usize>,
    /// Copies of these go with them.
    copied: Vec<usize>,
}

/// Looks for what can leave.
struct Finder<'a> {
    block: &'a [Stm],
    /// Parameters of the code around.
    inside: VarSet,
    aliases: &'a mut Aliases,
    /// Variables that sizes of arrays outside are.
    sizes: &'a VarSet,
    /// The code around runs.
    certain: bool,
}

impl Finder<'_> {
    fn group(&mut self) -> Group {
        if !self.block.iter().any(is_expensive) {
            return Group::default();
        }
        let block = self.block;
        // Of each statement: whether it may leave, if what it depends on does.
        let effects: Vec<Effects> = block.iter().map(Effects::of).collect();
        let mut bound_at: VarMap<usize> = VarMap::default();
        for (at, stm) in block.iter().enumerate() {
            bound_at.extend(stm.pat.iter().map(|p| (p.var, at)));
        }
        // What it depends on directly, if it may leave.
        let mut needs: Vec<Option<Vec<usize>>> = Vec::with_capacity(block.len());
        for (stm, effects) in block.iter().zip(&effects) {
            let mut all = Vec::new();
            let mut movable = !effects.pinned;
            for v in free_in_stm(stm) {
                movable &= !self.inside.contains(&v);
                if let Some(at) = bound_at.get(&v) {
                    movable &= needs.get(*at).is_some_and(Option::is_some);
                    all.push(*at);
                }
            }
            needs.push(movable.then_some(all));
        }
        let mut group = Group::default();
        for (at, stm) in block.iter().enumerate() {
            if !is_expensive(stm) || needs.get(at).is_none_or(Option::is_none) {
                continue;
            }
            let below = all_below(at, &needs);
            let roots = with_sizes(block, at, &below);
            if self.may_leave(at, &roots, &below, &effects) {
                group.roots.extend(roots);
                group.copied.extend(below);
            }
        }
        group.roots.sort_unstable();
        group.roots.dedup();
        group.copied.retain(|d| !group.roots.contains(d));
        group
    }

    fn may_leave(
        &mut self,
        at: usize,
        roots: &[usize],
        below: &[usize],
        effects: &[Effects],
    ) -> bool {
        let ends = below
            .iter()
            .chain([&at])
            .all(|d| !effects[*d].diverges && is_bounded(&self.block[*d], self.sizes));
        let fails_before =
            (0..at).any(|d| effects[d].fails && !below.contains(&d) && !roots.contains(&d));
        if !ends && fails_before {
            return false;
        }
        let bound: Vec<Var> =
            roots.iter().flat_map(|r| self.block[*r].pat.iter().map(|p| p.var)).collect();
        if !roots.iter().all(|r| given_out(&self.block[*r], self.aliases)) {
            return false;
        }
        for p in roots.iter().flat_map(|r| &self.block[*r].pat) {
            match &p.ty {
                Type::Prim(_) => {}
                Type::Array { shape, .. } => {
                    // If the code around does not run, there is an array all the same.
                    let empty = shape.iter().any(|n| n.var().is_some_and(|n| bound.contains(&n)));
                    let known = |n: &SubExp| n.var().is_none_or(|n| self.sizes.contains(&n));
                    if !self.certain && !empty && !shape.iter().all(known) {
                        return false;
                    }
                }
                Type::Cert | Type::Mem(_) => return false,
            }
        }
        // What is consumed must be of the group.
        let mut consumes = below.iter().chain([&at]).any(|d| effects[*d].writes);
        if consumes {
            let made: VarSet = below
                .iter()
                .chain([&at])
                .flat_map(|d| self.block[*d].pat.iter().map(|p| p.var))
                .collect();
            consumes = false;
            for d in below.iter().chain([&at]) {
                for v in free_in_stm(&self.block[*d]) {
                    consumes |= !made.contains(&v)
                        && self.aliases.id(v).is_some()
                        && self.aliases.consumed(v);
                }
            }
        }
        !consumes
    }
}

/// What leaves with a statement: of what it depends on, what is expensive, and what binds sizes in
/// the types of what leaves.
fn with_sizes(block: &[Stm], at: usize, below: &[usize]) -> Vec<usize> {
    let sizes = |s: &Stm| -> VarSet {
        s.pat.iter().flat_map(|p| p.ty.shape()).filter_map(|n| n.var()).collect()
    };
    let mut wanted = sizes(&block[at]);
    let mut roots = vec![at];
    // Backwards, as what binds a size is before what has it.
    for &d in below.iter().rev() {
        let s = &block[d];
        if is_expensive(s) || s.pat.iter().any(|q| wanted.contains(&q.var)) {
            wanted.extend(sizes(s));
            roots.push(d);
        }
    }
    roots
}

/// All that a statement depends on, in order.
fn all_below(at: usize, needs: &[Option<Vec<usize>>]) -> Vec<usize> {
    let direct = |at: usize| needs.get(at).into_iter().flatten().flatten().copied();
    let mut seen = std::collections::BTreeSet::new();
    let mut open: Vec<usize> = direct(at).collect();
    while let Some(d) = open.pop() {
        if seen.insert(d) {
            open.extend(direct(d));
        }
    }
    seen.into_iter().collect()
}

/// Has loops inside, or is one.
fn is_expensive(s: &Stm) -> bool {
    match &s.exp {
        Exp::Loop { .. } | Exp::Soac(_) | Exp::Seg(_) | Exp::Call { .. } => true,
        Exp::Match { .. } => {
            let mut inside = false;
            for_each_block(&s.exp, &mut |b| inside |= b.iter().any(is_expensive));
            inside
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Exp, Program, Stm};
    use crate::passes::hoist_invariant::hoist_invariant;
    use crate::passes::testing::{check, pass};

    const HEAD: &str = "fun f (n_1: i64, m_2: i64, k_3: i64, xs_4: [n_1]i64) : (r_5: i64) {";

    /// A loop with a result of a size that it makes, under certificate 6, if there is one.
    fn growing(cert: &str) -> String {
        format!(
            "let (d_10: i64, ys_11: [d_10]i64) = {cert} loop (e_12: i64 = 0, zs_13: [e_12]i64 = none_9)
               for i_14: i64 < k_3 {{
               let x_15: i64 = index xs_4[i_14]
               let one_16: [1]i64 = array [x_15] of i64
               let g_17: i64 = add.i64(e_12, 1)
               let ws_18: [g_17]i64 = concat(0, [zs_13, one_16], g_17)
               in (g_17, ws_18) }}"
        )
    }

    const CHECK: &str =
        "let t_6: bool = slt.i64(k_3, n_1) let c_7: cert = assert(t_6, \"too far\")";
    const NONE: &str = "let none_9: [0]i64 = array [] of i64";
    const USE: &str = "let y_20: i64 = index ys_11[0] let s_21: i64 = add.i64(a_22, y_20) in s_21";
    const FOR: &str = "let r_23: i64 = loop (a_22: i64 = 0) for j_24: i64 < m_2";

    #[test]
    fn loops_that_may_fail_leave_loops_that_run() {
        check(
            hoist_invariant,
            &format!("{HEAD} {NONE} {FOR} {{ {CHECK} {} {USE} }} in r_23 }}", growing("<c_7>")),
            &format!(
                "{HEAD} {NONE} let t_6: bool = slt.i64(k_3, n_1) let runs_30: bool = slt.i64(0, m_2)
                 let (d_31: i64, ys_32: [d_31]i64) = if runs_30 {{
                   let c_7: cert = assert(t_6, \"too far\")
                   {} in (d_10, ys_11) }} else {{
                   let nothing_33: [0]i64 = scratch(i64, [0]) in (0, nothing_33) }}
                 {FOR} {{
                   let c_25: cert = assert(t_6, \"too far\")
                   let y_20: i64 = index ys_32[0] let s_21: i64 = add.i64(a_22, y_20) in s_21 }}
                 in r_23 }}",
                growing("<c_7>")
            ),
        );
    }

    #[test]
    fn loops_that_certainly_run_need_no_branch() {
        let rounds = FOR.replace("m_2", "7");
        check(
            hoist_invariant,
            &format!("{HEAD} {NONE} {rounds} {{ {CHECK} {} {USE} }} in r_23 }}", growing("<c_7>")),
            &format!("{HEAD} {NONE} {CHECK} {} {rounds} {{ {USE} }} in r_23 }}", growing("<c_7>")),
        );
    }

    /// Whether the loop that makes what the body names is still below another.
    fn stays(p: &Program) -> bool {
        fn loops(stms: &[Stm], depth: usize) -> bool {
            stms.iter().any(|s| match &s.exp {
                Exp::Loop { body, .. } => {
                    depth > 0 && s.pat.len() == 2 || loops(&body.stms, depth + 1)
                }
                Exp::Match { default, cases, .. } => {
                    loops(&default.stms, depth) || cases.iter().any(|c| loops(&c.1.stms, depth))
                }
                _ => false,
            })
        }
        p.funs.iter().any(|f| loops(&f.body.stms, 0))
    }

    #[track_caller]
    fn left_alone(text: &str) {
        let p = pass(hoist_invariant, text);
        assert!(stays(&p), "{p}");
    }

    #[test]
    fn what_is_written_to_or_unchecked_stays() {
        // Each round writes to an array of its own.
        let written = USE.replace(
            "let y_20: i64 = index ys_11[0]",
            "let us_19: [d_10]i64 = update ys_11[0] with a_22 let y_20: i64 = index us_19[0]",
        );
        left_alone(&format!("{HEAD} {FOR} {{ {NONE} {} {written} }} in r_23 }}", growing("")));
        left_alone(&format!("{HEAD} {NONE} {FOR} {{ {} {USE} }} in r_23 }}", growing("#[unsafe]")));
        // In a branch of the loop, which may not be taken.
        let branch = format!(
            "let b_40: bool = slt.i64(a_22, 5)
             let s_41: i64 = if b_40 {{ {} let y_20: i64 = index ys_11[0] in y_20 }} else {{ in 1 }}
             in s_41",
            growing("")
        );
        left_alone(&format!("{HEAD} {NONE} {FOR} {{ {branch} }} in r_23 }}"));
    }

    /// A size that only the type of something in between has leaves with it.
    #[test]
    fn sizes_in_types_of_all_that_leaves_leave_too() {
        let rows =
            "let (d_50: i64, w_51: bool) = loop (p_52: i64 = k_3, q_53: bool = true) while q_53 {
              let p_54: i64 = add.i64(p_52, 2) let q_55: bool = slt.i64(p_54, n_1) in (p_54, q_55) }
             let t_56: i64 = mul.i64(n_1, d_50)
             let is_57: [t_56]i64 = iota.i64(t_56, 0, 1)
             let rows_58: [t_56][d_50]i64 = map(t_56, [is_57], \\(i_59: i64) : ([d_50]i64) {
               let row_60: [d_50]i64 = replicate([d_50], i_59) in row_60 })";
        // The loop may not end, so it overtakes the check only if that leaves, too.
        let sum = "let s_61: i64 = reduce(t_56, [rows_58], \\(row_62: [d_50]i64) : (i64) {
               let y_63: i64 = index row_62[x_8] in y_63 },
               commutative op [0] \\(a_64: i64, b_65: i64) : (i64) {
                 let c_66: i64 = add.i64(a_64, b_65) in c_66 })
             let z_67: i64 = add.i64(a_22, s_61) in z_67";
        let text = format!(
            "{HEAD} {FOR} {{ {CHECK} let x_8: i64 = <c_7> index xs_4[k_3] {rows} {sum} }} in r_23 }}"
        );
        // `pass` verifies what it makes.
        let p = pass(hoist_invariant, &text);
        assert!(!stays(&p), "{p}");
    }

    #[test]
    fn what_may_not_end_does_not_overtake_checks() {
        let endless = "let (v_50: i64, w_51: bool) = loop (p_52: i64 = k_3, q_53: bool = true) while q_53 {
              let p_54: i64 = add.i64(p_52, 2) let q_55: bool = slt.i64(p_54, n_1) in (p_54, q_55) }";
        let uses = "let s_21: i64 = add.i64(a_22, v_50) in s_21";
        let check = "let t_6: bool = slt.i64(a_22, n_1) let c_7: cert = assert(t_6, \"too far\")
             let y_20: i64 = <c_7> index xs_4[a_22]";
        left_alone(&format!(
            "{HEAD} {FOR} {{ {check} {endless} let s_21: i64 = add.i64(y_20, v_50) in s_21 }} in r_23 }}"
        ));
        let p = pass(hoist_invariant, &format!("{HEAD} {FOR} {{ {endless} {uses} }} in r_23 }}"));
        assert!(!stays(&p), "{p}");
    }
}
