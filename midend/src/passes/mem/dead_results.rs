//! Dead results: no memory for results of segmented operations that nothing reads.
//!
//! ```text
//! m = alloc (n * 4)
//! (f @ m -> {0; (n, 1)}, s @ k -> …) = segscan …   ⟶   (f, s @ k -> …) = segscan …
//! ```
//!
//! A scan over tuples makes all of its results, as one is needed for the next; but who scans segments
//! has no use for the flags. A result that is not read anywhere, in a block of its own, gets no place: what has none
//! is not stored.
//!
//! Cost: linear.

use crate::ir::traverse::{Rewrite, Visit, rewrite, walk};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Level, Mentions, Program, SegKind, SegLevel, SegOp, Stm, Type};

/// Takes the memory from results that nothing reads.
pub fn dead_results(mut prog: Program) -> Program {
    if prog.level != Level::Mem {
        return prog;
    }
    let mut allocated = Allocated::default();
    allocated.body(&prog.consts);
    for f in &prog.funs {
        allocated.fun(f);
    }
    let mut d = Discard {
        mentions: Mentions::of_program(&prog),
        allocated: allocated.0,
        unused: VarSet::default(),
    };
    d.body(&mut prog.consts);
    for f in &mut prog.funs {
        d.fun(f);
    }
    let mut remove = Remove(d.unused);
    remove.body(&mut prog.consts);
    for f in &mut prog.funs {
        remove.fun(f);
    }
    prog
}

/// The blocks that are allocated.
#[derive(Default)]
struct Allocated(VarSet);

impl Visit for Allocated {
    fn stm(&mut self, s: &Stm) {
        if let (Exp::Alloc { .. }, [p]) = (&s.exp, s.pat.as_slice()) {
            self.0.insert(p.var);
        }
        walk::stm(self, s);
    }
}

struct Discard {
    mentions: Mentions,
    allocated: VarSet,
    /// The blocks that nothing lies in any more.
    unused: VarSet,
}

impl Rewrite for Discard {
    fn stm(&mut self, s: &mut Stm) {
        if let Exp::Seg(SegOp { level: SegLevel::Seq, kind: SegKind::Scan(ops), .. }) = &s.exp {
            let scanned = ops.iter().map(|op| op.neutral.len()).sum();
            for p in s.pat.iter_mut().take(scanned) {
                let (Type::Array { .. }, Some(m)) = (&p.ty, &p.mem) else { continue };
                // Mentioned by this result alone.
                let alone = self.mentions.count(m.block) == 1 && self.mentions.count(p.var) == 0;
                if alone && self.allocated.contains(&m.block) {
                    self.unused.insert(m.block);
                    p.mem = None;
                }
            }
        }
        rewrite::stm(self, s);
    }
}

/// Removes allocations.
struct Remove(VarSet);

impl Rewrite for Remove {
    fn stms(&mut self, stms: &mut Vec<Stm>) {
        stms.retain(|s| {
            let unused = s.pat.first().is_some_and(|p| self.0.contains(&p.var));
            !(unused && matches!(s.exp, Exp::Alloc { .. }))
        });
        rewrite::stms(self, stms);
    }
}

#[cfg(test)]
mod tests {
    use super::dead_results;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(results: &str) -> String {
        let text = format!(
            "level mem
fun main (n_1: i64, m_2: mem.host, xs_3: [n_1]f32 @ m_2 -> {{0; (n_1, 1)}}) : (b_4: mem.host, r_5: [n_1]f32 @ b_4 -> {{0; (n_1, 1)}}) {{
  let f_6: mem.host = alloc((n_1 * 4), host)
  let s_7: mem.host = alloc((n_1 * 4), host)
  let (u_8: [n_1]f32 @ f_6 -> {{0; (n_1, 1)}}, v_9: [n_1]f32 @ s_7 -> {{0; (n_1, 1)}}) = segscan seq (i_10 < n_1) op [1.0f32, 0.0f32] \\(a_11: f32, b_12: f32, c_13: f32, d_14: f32) : (f32, f32) {{
    let e_15: f32 = fmul.f32(a_11, c_13)
    let g_16: f32 = fmul.f32(c_13, b_12)
    let h_17: f32 = fadd.f32(g_16, d_14)
    in (e_15, h_17)
  }} : (f32, f32) {{
    let x_18: f32 = index xs_3[i_10]
    in (return x_18, return x_18)
  }}
  {results}
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = dead_results(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn results_of_scans_that_nobody_reads() {
        let out = after("in (s_7, v_9)");
        assert!(!out.contains("f_6"), "{out}");
        assert!(out.contains("(u_8: [n_1]f32, v_9"), "{out}");
        assert!(out.contains("v_9: [n_1]f32 @ s_7 -> {0; (n_1, 1)}"), "{out}");
    }

    #[test]
    fn what_is_read_has_room() {
        let out = after(
            "let y_19: f32 = index u_8[0] let z_20: [n_1]f32 @ s_7 -> {0; (n_1, 1)} = update v_9[0] with y_19 in (s_7, z_20)",
        );
        assert!(out.contains("u_8: [n_1]f32 @ f_6 -> {0; (n_1, 1)}"), "{out}");
    }
}
