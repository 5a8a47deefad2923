//! Results over what is read for the last time.
//!
//! ```text
//! b = alloc 8·n                                       b = alloc 8·n
//! s @ b → (n,1) = segscan …                           s @ b → (n,1) = segscan …
//! m = alloc 8·n
//! r @ m → (n,1) = segmap (i < n) {                    r @ b → (n,1) = segmap (i < n) {
//!   x = index s[i]                            ⟶         x = index s[i]
//!   … }                                                 … }
//! … r …                                               … r …
//! ```
//!
//! A map or scan that reads an array element by element, each at the point where it makes its own,
//! and that is the last to need the array, may leave its result there: half the memory, and half of it
//! in the cache already. Offsets from sums, `map2 (-) (scan (+) 0 xs) xs`, are made so.
//!
//! Both blocks must be allocated in the same list of statements and be of one size; that of the array
//! must hold nothing else that is wanted later, and not be passed on. Bodies that go by lanes
//! ([`crate::analysis::lanes`]) keep a block of their own, since their last strip computes points twice.
//!
//! Cost: for every result that could be so, one walk over the statements after it.

use super::blocks::Blocks;
use super::section::Sections;
use crate::analysis::lanes::expected_lanes;
use crate::ir::traverse::{Rewrite, Subst, Visit, for_each_block, rewrite, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, DimIndex, Exp, KernelBody, KernelResult, Level, MemSpace, PatElem, Poly, Program,
    SegKind, SegLevel, SegOp, SegSpace, Size64, Stm, SubExp, Type, Var,
};

/// Puts results over what dies.
pub fn reuse(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mut r = Reuse {
        blocks: Blocks::of_program(&prog),
        sections: Sections::of_program(&prog),
        over: VarMap::default(),
    };
    r.body(&prog.consts);
    for f in &prog.funs {
        r.fun(f);
    }
    if r.over.is_empty() {
        return prog;
    }
    // A result over a result that is itself over something.
    let last = |mut v: Var| {
        while let Some(w) = r.over.get(&v) {
            v = *w;
        }
        v
    };
    let mut subst: Subst = r.over.keys().map(|v| (*v, last(*v))).collect();
    let gone: VarSet = r.over.keys().copied().collect();
    let mut remove = Remove(gone);
    remove.body(&mut prog.consts);
    subst.body(&mut prog.consts);
    for f in &mut prog.funs {
        remove.fun(f);
        subst.fun(f);
    }
    prog
}

/// An allocation in a list of statements.
#[derive(Clone, Copy)]
struct Alloc<'p> {
    at: usize,
    bytes: &'p Size64,
    space: MemSpace,
}

struct Reuse {
    blocks: Blocks,
    sections: Sections,
    /// Which block takes the place of which.
    over: VarMap<Var>,
}

impl Reuse {
    fn list(&mut self, stms: &[Stm], result: &[SubExp]) {
        let mut allocs: VarMap<Alloc<'_>> = VarMap::default();
        for (at, s) in stms.iter().enumerate() {
            match (&s.exp, s.pat.as_slice()) {
                (Exp::Alloc { bytes, space }, [p]) => {
                    allocs.insert(p.var, Alloc { at, bytes, space: *space });
                }
                (Exp::Seg(op), pat) => {
                    let Some((space, body)) = pointwise(op) else { continue };
                    let mut taken = VarSet::default();
                    for (p, r) in pat.iter().zip(&body.results) {
                        if matches!(r, KernelResult::Return(_))
                            && let Some((m, b)) =
                                self.over(stms, result, at, (s, space, p), &allocs, &taken)
                        {
                            taken.insert(b);
                            self.over.insert(m, b);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The block of a result of statement `at`, and the one whose place it may take.
    fn over(
        &self,
        stms: &[Stm],
        result: &[SubExp],
        at: usize,
        (s, space, p): (&Stm, &SegSpace, &PatElem),
        allocs: &VarMap<Alloc<'_>>,
        taken: &VarSet,
    ) -> Option<(Var, Var)> {
        let place = p.mem.as_ref()?;
        let m = place.block;
        let own = allocs.get(&m)?;
        let elem = p.ty.elem()?;
        let fresh = stms.get(own.at + 1..at)?;
        if self.over.contains_key(&m)
            || fresh.iter().any(|s| self.blocks.used_in(s).contains(&m))
            || s.pat.iter().filter(|q| q.mem.as_ref().is_some_and(|x| x.block == m)).count() > 1
        {
            return None;
        }
        let mut reads = Reads { blocks: &self.blocks, of: Vec::new(), mentions: VarMap::default() };
        reads.exp(&s.exp);
        let later = stms.get(at + 1..)?;
        let dies = |b: Var| {
            let mentioned = |v: &Var| self.blocks.used_by(*v) == Some(b);
            !later.iter().any(|s| self.blocks.used_in(s).contains(&b))
                && !result.iter().filter_map(|x| x.var()).any(|v| mentioned(&v))
        };
        let point: Vec<DimIndex> =
            space.dims.iter().map(|(i, _)| DimIndex::Fix((*i).into())).collect();
        let mut tried = VarSet::default();
        for (array, _) in &reads.of {
            let Some((ty, from)) = self.sections.place(*array) else { continue };
            let b = from.block;
            if !tried.insert(b) || taken.contains(&b) {
                continue;
            }
            let Some(other) = allocs.get(&b) else { continue };
            let mentioned = reads.mentions.get(&b).copied().unwrap_or(0);
            let in_place = reads.of.iter().filter(|(a, dims)| {
                let Some((t, x)) = self.sections.place(*a) else { return false };
                x.block == b
                    && t.elem().is_some_and(|e| e.bytes() == elem.bytes())
                    && **dims == *point
                    && x.lmad.same_place(&place.lmad, &self.sections.defs)
            });
            let defs = &self.sections.defs;
            if ty.elem().is_some_and(|e| e.bytes() == elem.bytes())
                && b != m
                && in_place.count() == mentioned
                && other.space == own.space
                && !self.blocks.escaped.contains(&b)
                && defs.equal(&Poly::of(other.bytes), &Poly::of(own.bytes))
                && dies(b)
            {
                return Some((m, b));
            }
        }
        None
    }
}

/// An operation whose points are gone through one by one, or in any order, and make one element each.
fn pointwise(op: &SegOp) -> Option<(&SegSpace, &KernelBody)> {
    let (space, body) = match op {
        SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body } => {
            let (index, _) = space.dims.last()?;
            if expected_lanes(*index, body, true).is_some() {
                return None;
            }
            (space, body)
        }
        SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(_), body, .. } => (space, body),
        _ => return None,
    };
    body.types.iter().all(|ty| matches!(ty, Type::Prim(_))).then_some((space, body))
}

/// The elements that an operation reads, and how often it mentions each block.
struct Reads<'p> {
    blocks: &'p Blocks,
    of: Vec<(Var, &'p [DimIndex])>,
    mentions: VarMap<usize>,
}

impl<'p> Reads<'p> {
    fn exp(&mut self, e: &'p Exp) {
        struct Mentions<'m>(&'m Blocks, &'m mut VarMap<usize>);
        impl Visit for Mentions<'_> {
            fn var(&mut self, v: &Var) {
                if let Some(b) = self.0.used_by(*v) {
                    *self.1.entry(b).or_default() += 1;
                }
            }
        }
        Mentions(self.blocks, &mut self.mentions).exp(e);
        self.elements(e);
    }

    fn elements(&mut self, e: &'p Exp) {
        for_each_block(e, &mut |stms| {
            for s in stms {
                if let Exp::Index { array, dims } = &s.exp {
                    self.of.push((*array, dims));
                }
                self.elements(&s.exp);
            }
        });
    }
}

impl Visit for Reuse {
    fn body(&mut self, b: &Body) {
        self.list(&b.stms, &b.result);
        walk::body(self, b);
    }
}

/// Removes the allocations that have become superfluous.
struct Remove(VarSet);

impl Rewrite for Remove {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        stms.retain(|s| {
            !matches!((&s.exp, s.pat.as_slice()), (Exp::Alloc { .. }, [p]) if self.0.contains(&p.var))
        });
        rewrite::stms(self, stms);
    }
}

#[cfg(test)]
mod tests {
    use super::reuse;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(index: &str, later: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64, m_2: mem.host, xs_3: [n_1]i64 @ m_2 -> {{0; (n_1, 1)}}) : (c_4: mem.host, r_5: [n_1]i64 @ c_4 -> {{0; (n_1, 1)}}) {{
  let b_6: mem.host = alloc((n_1 * 8), host)
  let s_7: [n_1]i64 @ b_6 -> {{0; (n_1, 1)}} = segscan seq (i_8 < n_1) op [0] \\(a_9: i64, d_10: i64) : (i64) {{
    let e_11: i64 = add.i64(a_9, d_10)
    in e_11
  }} : (i64) {{
    let x_12: i64 = index xs_3[i_8]
    in (return x_12)
  }}
  let m_13: mem.host = alloc((n_1 * 8), host)
  let t_14: [n_1]i64 @ m_13 -> {{0; (n_1, 1)}} = segmap seq (i_15 < n_1) : (i64) {{
    let y_16: i64 = index xs_3[i_15]
    let k_17: i64 = sub.i64(n_1, i_15)
    let z_18: i64 = index s_7[{index}]
    let w_19: i64 = sub.i64(z_18, y_16)
    in (return w_19)
  }}
  {later}
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = reuse(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn of_what_is_read_for_the_last_time() {
        let out = after("i_15", "in (m_13, t_14)");
        assert!(!out.contains("m_13"), "{out}");
        assert!(out.contains("t_14: [n_1]i64 @ b_6"), "{out}");
        assert!(out.contains("in (b_6, t_14)"), "{out}");
    }

    #[test]
    fn not_of_what_is_read_elsewhere_or_later() {
        assert!(after("k_17", "in (m_13, t_14)").contains("t_14: [n_1]i64 @ m_13"));
        let later = "let u_20: i64 = index s_7[0]
  let v_21: [n_1]i64 @ m_13 -> {0; (n_1, 1)} = update t_14[0] with u_20
  in (m_13, v_21)";
        assert!(after("i_15", later).contains("t_14: [n_1]i64 @ m_13"));
    }
}
