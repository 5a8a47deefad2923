//! Copies of what a `match` yields, in its branches.
//!
//! ```text
//! (m, a @ m) = if c                           a @ d → i·k = if c
//!   then { x = alloc …; r @ x = …; in (x, r) }   then { x = alloc …; r @ x = …
//!                                                       s @ d → i·k = copy r; in s }
//!   else { in (y, q) }                    ⟶      else { t @ d → i·k = copy q; in t }
//! b @ d → i·k = copy a                        b @ d → i·k = copy a    (no code)
//! ```
//!
//! What the branches yield in different blocks lies in a block that the pattern binds. If all that
//! is done with it is to copy it somewhere, every branch can do that itself. Those that have made
//! the array in a block of their own then make it where it goes (the next round of
//! [`super::short_circuit()`] sees to that), and no branch needs to count owners.
//!
//! Which joins these are is found by `short_circuit`; here they are rewritten. Cost: linear.

use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, Exp, Lmad, Loc, MemBind, NameSource, Param, PatElem, Poly, Program, Stm, SubExp, Type,
    Var,
};

/// A join whose branches are to copy.
pub(super) struct Sunk {
    /// The block that it binds.
    pub(super) block: Var,
    /// The block to copy to, and from which element.
    pub(super) target: Var,
    pub(super) offset: Poly,
}

/// Lets branches copy, in the order of `sunk`. What lies in the joins' blocks is not moved.
pub(super) fn copy_in_branches(prog: &mut Program, sunk: Vec<Sunk>) {
    if sunk.is_empty() {
        return;
    }
    let mut arrays = Arrays::default();
    arrays.body(&prog.consts);
    for f in &prog.funs {
        arrays.fun(f);
    }
    let order = sunk.iter().enumerate().map(|(k, s)| (s.block, k)).collect();
    let mut c = Copies { sunk, order, types: arrays.0, names: NameSource::new(prog.next_tag) };
    c.body(&mut prog.consts);
    for f in &mut prog.funs {
        c.fun(f);
    }
    prog.next_tag = c.names.next_tag();
}

struct Copies {
    sunk: Vec<Sunk>,
    /// Which of them a block is.
    order: VarMap<usize>,
    types: VarMap<Type>,
    names: NameSource,
}

impl Rewrite for Copies {
    fn stm(&mut self, s: &mut Stm) {
        rewrite::stm(self, s);
        let Exp::Match { scrutinee: _, cases, default } = &mut s.exp else { return };
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (k, p) in s.pat.iter().enumerate() {
            // A later match may hand on what lies in a block of a join before it.
            let joined = p.mem.as_ref().filter(|m| s.pat.iter().any(|q| q.var == m.block));
            let which = joined.and_then(|m| self.order.get(&m.block));
            found.extend(which.map(|which| (*which, k)));
        }
        if found.is_empty() {
            return;
        }
        found.sort_unstable();
        // The blocks, and the offsets that are bound with them.
        let mut goes = VarSet::default();
        for (_, k) in &found {
            if let Some(m) = s.pat.get(*k).and_then(|p| p.mem.as_ref()) {
                goes.insert(m.block);
                goes.extend(Poly::of(&m.lmad.offset).vars());
            }
        }
        let stays: Vec<bool> = s.pat.iter().map(|p| !goes.contains(&p.var)).collect();
        for b in cases.iter_mut().map(|(_, b)| b).chain([default]) {
            for (which, k) in &found {
                self.copy(b, s.loc, *which, *k);
            }
            keep(&mut b.result, &stays);
        }
        keep(&mut s.pat, &stays);
    }
}

impl Copies {
    /// Result `k` of a branch becomes a copy.
    fn copy(&mut self, b: &mut Body, loc: Option<Loc>, which: usize, k: usize) {
        let Some(SubExp::Var(from)) = b.result.get(k).copied() else { return };
        let (Some(ty), Some(s)) = (self.types.get(&from).cloned(), self.sunk.get(which)) else {
            return;
        };
        let lmad = Lmad::row_major_at(&s.offset, ty.shape());
        let place = MemBind { block: s.target, lmad };
        let to = self.names.like(from);
        self.types.insert(to, ty.clone());
        let copy = Stm::new(vec![PatElem::in_mem(to, ty, place)], Exp::Copy(from));
        b.stms.push(Stm { loc, ..copy });
        if let Some(r) = b.result.get_mut(k) {
            *r = to.into();
        }
    }
}

fn keep<T>(list: &mut Vec<T>, stays: &[bool]) {
    let mut stays = stays.iter();
    list.retain(|_| stays.next().copied().unwrap_or(true));
}

/// The types of arrays.
#[derive(Default)]
struct Arrays(VarMap<Type>);

impl Visit for Arrays {
    fn param(&mut self, p: &Param) {
        self.0.extend(p.mem.is_some().then(|| (p.var, p.ty.clone())));
    }

    fn pat_elem(&mut self, p: &PatElem) {
        self.0.extend(p.mem.is_some().then(|| (p.var, p.ty.clone())));
    }
}

/// The `i64` variables bound by joins that nothing but places mentions.
pub(super) fn only_in_places(prog: &Program) -> VarSet {
    let mut m = Mentions::default();
    m.body(&prog.consts);
    for f in &prog.funs {
        m.fun(f);
    }
    m.bound.into_iter().filter(|v| !m.used.contains(v)).collect()
}

#[derive(Default)]
struct Mentions {
    bound: VarSet,
    used: VarSet,
}

impl Visit for Mentions {
    fn var(&mut self, v: &Var) {
        self.used.insert(*v);
    }

    fn mem_bind(&mut self, _: &MemBind) {}

    fn stm(&mut self, s: &Stm) {
        if let Exp::Match { .. } = &s.exp {
            self.bound.extend(s.pat.iter().filter(|p| p.ty == Type::I64).map(|p| p.var));
        }
        walk::stm(self, s);
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;
    use crate::passes::mem::short_circuit;

    /// What a branch may yield: a new array, the parameter, or a row of the destination.
    fn new(k: i64) -> String {
        format!(
            "let x_{k}: mem.host = alloc((n_2 * 8), host)
let y_{k}: [n_2]i64 @ x_{k} -> {{0; (n_2, 1)}} = replicate([n_2], {k})
in (0, x_{k}, y_{k})"
        )
    }

    const PARAMETER: &str = "in (0, m_4, xs_5)";
    const ROW: &str =
        "let g_6: [n_2]i64 @ d_10 -> {0; (n_2, 1)} = index e_11[0, 0 :+ n_2 * 1] in (0, d_10, g_6)";

    /// A join of two branches, which becomes row `i_3` of an array.
    fn after(then: &str, other: &str, between: &str) -> String {
        let text = format!(
            "level mem
fun main (c_1: bool, n_2: i64, i_3: i64, m_4: mem.host, xs_5: [n_2]i64 @ m_4 -> {{0; (n_2, 1)}}) : (s_7: mem.host, r_8: [n_2][n_2]i64 @ s_7 -> {{0; (n_2, n_2), (n_2, 1)}}) {{
  let d_10: mem.host = alloc(((n_2 * n_2) * 8), host)
  let e_11: [n_2][n_2]i64 @ d_10 -> {{0; (n_2, n_2), (n_2, 1)}} = replicate([n_2, n_2], 0)
  let (o_12: i64, b_13: mem.host, a_14: [n_2]i64 @ b_13 -> {{o_12; (n_2, 1)}}) = if c_1 {{
    {then}
  }} else {{
    {other}
  }}
  {between}
  let f_17: [n_2][n_2]i64 @ d_10 -> {{0; (n_2, n_2), (n_2, 1)}} = update e_11[i_3, 0 :+ n_2 * 1] with a_14
  in (d_10, f_17)
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let p = short_circuit(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn every_branch_builds_or_copies() {
        let out = after(&new(20), PARAMETER, "");
        assert!(out.contains("let a_14: [n_2]i64 @ d_10 -> {(n_2 * i_3); (n_2, 1)} = if"), "{out}");
        assert!(out.contains("d_10 -> {(n_2 * i_3); (n_2, 1)} = replicate([n_2], 20)"), "{out}");
        assert!(out.contains("d_10 -> {(n_2 * i_3); (n_2, 1)} = copy(xs_5)"), "{out}");
        assert!(!out.contains("o_12") && !out.contains("b_13") && !out.contains("x_20"), "{out}");
    }

    #[test]
    fn joins_within_joins_do_too() {
        let inner = format!(
            "let (o_30: i64, b_31: mem.host, a_32: [n_2]i64 @ b_31 -> {{o_30; (n_2, 1)}}) = if c_1 {{
{} }} else {{ {} }} in (o_30, b_31, a_32)",
            new(21),
            new(22)
        );
        let out = after(&new(20), &inner, "");
        assert_eq!(out.matches("alloc").count(), 1, "{out}");
        assert!(out.contains("let a_32: [n_2]i64 @ d_10 -> {(n_2 * i_3); (n_2, 1)} = if"), "{out}");
    }

    #[test]
    fn reading_the_array_between_does_no_harm() {
        let out = after(&new(20), PARAMETER, "let q_40: i64 = index a_14[0]");
        assert!(out.contains("let a_14: [n_2]i64 @ d_10 "), "{out}");
    }

    #[test]
    fn not_if_the_destination_is_read_between_or_yielded() {
        let out = after(&new(20), PARAMETER, "let q_40: i64 = index e_11[0, 0]");
        assert!(out.contains("a_14: [n_2]i64 @ b_13 -> {o_12; (n_2, 1)}) = if"), "{out}");
        let out = after(&new(20), ROW, "");
        assert!(out.contains("a_14: [n_2]i64 @ b_13 -> {o_12; (n_2, 1)}) = if"), "{out}");
    }

    #[test]
    fn not_if_only_a_part_is_copied() {
        let text = "level mem
fun main (c_1: bool, n_2: i64, m_4: mem.host, xs_5: [n_2]i64 @ m_4 -> {0; (n_2, 1)}) : (s_7: mem.host, r_8: [1]i64 @ s_7 -> {0; (1, 1)}) {
  let (b_13: mem.host, a_14: [n_2]i64 @ b_13 -> {0; (n_2, 1)}) = if c_1 {
    let x_20: mem.host = alloc((n_2 * 8), host)
    let y_20: [n_2]i64 @ x_20 -> {0; (n_2, 1)} = replicate([n_2], 20)
    in (x_20, y_20)
  } else {
    in (m_4, xs_5)
  }
  let d_15: mem.host = alloc(8, host)
  let p_16: [1]i64 @ b_13 -> {0; (1, 1)} = index a_14[0 :+ 1 * 1]
  let q_17: [1]i64 @ d_15 -> {0; (1, 1)} = copy(p_16)
  in (d_15, q_17)
}";
        let p = parse_program(text).unwrap_or_else(|e| panic!("{e}"));
        let p = short_circuit(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        let out = p.to_string();
        assert!(out.contains("a_14: [n_2]i64 @ b_13 -> {0; (n_2, 1)}) = if"), "{out}");
    }

    #[test]
    fn matches_that_hand_on_what_lies_in_the_block_stay() {
        let text = "level mem
fun main (c_1: bool, n_2: i64, m_4: mem.host, xs_5: [n_2][3]i64 @ m_4 -> {0; (n_2, 3), (3, 1)}) : (s_7: mem.host, r_8: [n_2][3]i64 @ s_7 -> {0; (n_2, 3), (3, 1)}) {
  let (b_13: mem.host, a_14: [n_2][3]i64 @ b_13 -> {0; (n_2, 3), (3, 1)}) = if c_1 {
    let x_20: mem.host = alloc((n_2 * 24), host)
    let y_20: [n_2][3]i64 @ x_20 -> {0; (n_2, 3), (3, 1)} = replicate([n_2, 3], 20)
    in (x_20, y_20)
  } else {
    in (m_4, xs_5)
  }
  let t_15: [3][n_2]i64 @ b_13 -> {0; (3, 1), (n_2, 3)} = rearrange(a_14, [1, 0])
  let u_16: [3][n_2]i64 @ b_13 -> {0; (3, 1), (n_2, 3)} = if c_1 {
    let w_17: [3][n_2]i64 @ b_13 -> {0; (3, 1), (n_2, 3)} = update t_15[0, 0] with 7
    in w_17
  } else {
    in t_15
  }
  let v_18: [n_2][3]i64 @ b_13 -> {0; (n_2, 3), (3, 1)} = rearrange(u_16, [1, 0])
  let d_21: mem.host = alloc((n_2 * 24), host)
  let q_22: [n_2][3]i64 @ d_21 -> {0; (n_2, 3), (3, 1)} = copy(v_18)
  in (d_21, q_22)
}";
        let p = parse_program(text).unwrap_or_else(|e| panic!("{e}"));
        let p = short_circuit(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        let out = p.to_string();
        assert!(out.contains("a_14: [n_2][3]i64 @ d_21"), "{out}");
        assert!(out.contains("in t_15"), "{out}");
        assert!(!out.contains("{0; (3, n_2), (n_2, 1)} = copy"), "{out}");
    }

    #[test]
    fn not_if_the_offset_is_wanted() {
        let out = after(&new(20), PARAMETER, "let q_40: i64 = add.i64(o_12, 1)");
        assert!(out.contains("a_14: [n_2]i64 @ b_13 -> {o_12; (n_2, 1)}) = if"), "{out}");
    }
}
