//! Where a value goes is checked before it is made.
//!
//! ```text
//! a @ m = segscan …                         t = slt i n
//! t = slt i n                               c = assert t
//! c = assert t                      ⟶       a @ m = segscan …
//! e @ d = <c> update d[i] with a            e @ d = <c> update d[i] with a
//! ```
//!
//! A value that is built where it goes is written there before the statement that puts it there:
//! what that statement's certificates say must hold by then. So the assertions, and the scalar
//! operations that they and the place depend on, go before the first statement that mentions the
//! value's block, or binds it where control flow joins. All of them would be executed
//! anyway; of two assertions that fail, another may be reported than before. Where one
//! depends on what cannot move (an element of an array), all stay, and the value is copied.
//!
//! Cost: for every list in which values are put into others, one walk over it.

use super::blocks::Blocks;
use crate::ir::traverse::{Rewrite, Visit, free_in_stm, rewrite};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{DimIndex, Exp, PatElem, Program, Stm, SubExp, Type, Var};

/// Moves checks before what they are about.
pub(super) fn checks_first(prog: &mut Program) {
    let mut c = Checks { blocks: Blocks::of_program(prog) };
    c.body(&mut prog.consts);
    for f in &mut prog.funs {
        c.fun(f);
    }
}

struct Checks {
    blocks: Blocks,
}

impl Rewrite for Checks {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        rewrite::stms(self, stms);
        let made = self.made(stms);
        let mut bound_at: VarMap<usize> = VarMap::default();
        for (at, s) in stms.iter().enumerate() {
            bound_at.extend(s.pat.iter().map(|p| (p.var, at)));
        }
        let mut goes: Vec<usize> = (0..stms.len()).collect();
        for (at, s) in stms.iter().enumerate() {
            let blocks = values(s).into_iter().filter_map(|v| self.blocks.used_by(v));
            let from = blocks.filter_map(|b| made.get(&b)).min().copied().unwrap_or(at);
            if let Some(waits) = waits_for(stms, &bound_at, s, from..at) {
                for w in waits {
                    goes[w] = goes[w].min(from);
                }
            }
        }
        let moved = |at: usize| goes[at] != at;
        if !(0..goes.len()).any(moved) {
            return;
        }
        let order: Vec<(usize, bool)> =
            goes.iter().enumerate().map(|(at, to)| (*to, *to == at)).collect();
        let mut keyed: Vec<((usize, bool), Stm)> =
            order.into_iter().zip(std::mem::take(stms)).collect();
        // Stable, so that what moves to one place keeps its order; it comes before what stays.
        keyed.sort_by_key(|(key, _)| *key);
        stms.extend(keyed.into_iter().map(|(_, s)| s));
    }
}

impl Checks {
    /// For the blocks that a list of statements allocates, the first statement that mentions them;
    /// for those that a join in it binds, the join.
    fn made(&self, stms: &[Stm]) -> VarMap<usize> {
        let mut made: VarMap<usize> = VarMap::default();
        if stms.iter().all(|s| values(s).is_empty()) {
            return made;
        }
        let mut waiting = VarSet::default();
        for (at, s) in stms.iter().enumerate() {
            let blocks = s.pat.iter().filter(|p| matches!(p.ty, Type::Mem(_))).map(|p| p.var);
            match &s.exp {
                Exp::Alloc { .. } => {
                    waiting.extend(blocks);
                    continue;
                }
                Exp::Match { .. } => made.extend(blocks.map(|b| (b, at))),
                _ => {}
            }
            if !waiting.is_empty() {
                for b in self.blocks.used_in(s) {
                    if waiting.remove(&b) {
                        made.insert(b, at);
                    }
                }
            }
        }
        made
    }
}

/// The arrays that a statement puts somewhere.
fn values(s: &Stm) -> Vec<Var> {
    match &s.exp {
        Exp::Update { value, .. } => value.var().into_iter().collect(),
        Exp::Copy(v) => vec![*v],
        Exp::Concat { arrays, .. } => arrays.clone(),
        Exp::ArrayLit { elems, row: Type::Array { .. } } => {
            elems.iter().filter_map(|x| x.var()).collect()
        }
        _ => Vec::new(),
    }
}

/// The statements of a range that must come first for `s` to know its place; `None` if one cannot
/// move.
fn waits_for(
    stms: &[Stm],
    bound_at: &VarMap<usize>,
    s: &Stm,
    range: std::ops::Range<usize>,
) -> Option<Vec<usize>> {
    if range.is_empty() {
        return None;
    }
    let mut needed = PlaceOperands(s.certs.clone());
    for p in &s.pat {
        needed.pat_elem(p);
    }
    if let Exp::Update { dims, .. } = &s.exp {
        for d in dims {
            match d {
                DimIndex::Fix(i) => needed.subexp(i),
                DimIndex::Slice { start, n, stride } => {
                    [start, n, stride].into_iter().for_each(|x| needed.subexp(x));
                }
            }
        }
    }
    let mut todo = needed.0;
    let mut out: Vec<usize> = Vec::new();
    while let Some(v) = todo.pop() {
        let Some(at) = bound_at.get(&v).copied().filter(|at| range.contains(at)) else { continue };
        if out.contains(&at) {
            continue;
        }
        let s = stms.get(at).filter(|s| is_scalar(s))?;
        out.push(at);
        todo.extend(free_in_stm(s));
    }
    Some(out)
}

/// The variables that a place depends on, its block aside.
struct PlaceOperands(Vec<Var>);

impl Visit for PlaceOperands {
    fn subexp(&mut self, x: &SubExp) {
        self.0.extend(x.var());
    }

    fn pat_elem(&mut self, p: &PatElem) {
        if let Some(m) = &p.mem {
            self.mem_bind(m);
        }
    }
}

/// An assertion, or an operation on scalars.
fn is_scalar(s: &Stm) -> bool {
    matches!(
        s.exp,
        Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::Assert { .. }
    )
}

#[cfg(test)]
mod tests {
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;
    use crate::passes::mem::{in_place, short_circuit};

    /// A copy goes to row `j_11` of an array, if `t_12` holds.
    fn after(check: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64, i_2: i64, m_3: mem.host, xs_4: [n_1]i64 @ m_3 -> {{0; (n_1, 1)}}) : (d_5: mem.host, r_6: [n_1][n_1]i64 @ d_5 -> {{0; (n_1, n_1), (n_1, 1)}}) {{
  let d_7: mem.host = alloc(((n_1 * n_1) * 8), host)
  let e_8: [n_1][n_1]i64 @ d_7 -> {{0; (n_1, n_1), (n_1, 1)}} = replicate([n_1, n_1], 0)
  let b_9: mem.host = alloc((n_1 * 8), host)
  let a_10: [n_1]i64 @ b_9 -> {{0; (n_1, 1)}} = copy(xs_4)
  {check}
  let c_13: cert = assert(t_12, \"too large\")
  let f_14: [n_1][n_1]i64 @ d_7 -> {{0; (n_1, n_1), (n_1, 1)}} = <c_13> update e_8[j_11, 0 :+ n_1 * 1] with a_10
  in (d_7, f_14)
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let p = in_place(short_circuit(p));
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn assertions_come_before_what_is_built_where_they_say() {
        let out = after("let j_11: i64 = add.i64(i_2, 1) let t_12: bool = slt.i64(j_11, n_1)");
        assert!(out.contains("a_10: [n_1]i64 @ d_7"), "{out}");
        assert!(out.find("assert") < out.find("copy(xs_4)"), "{out}");
    }

    #[test]
    fn what_is_checked_too_late_is_copied() {
        // The index is known before, but not whether it is one.
        let out = after(
            "let j_11: i64 = add.i64(i_2, 1) let l_15: i64 = index xs_4[0] let t_12: bool = slt.i64(l_15, n_1)",
        );
        assert!(out.contains("a_10: [n_1]i64 @ b_9"), "{out}");
        assert!(out.find("assert") > out.find("copy(xs_4)"), "{out}");
    }
}
