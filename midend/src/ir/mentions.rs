//! How often the variables of a program are mentioned.
//!
//! A mention is a use, whatever for: as an operand, as an array that is read or written to, as a
//! certificate, as a size in a type (of a pattern, a parameter, a result), and in the place in
//! memory of an array, as its block or within its LMAD. To be bound is none.
//!
//! A pass that takes away the only reader of something, or what only one place reads, asks here
//! first. Cost: linear in what is counted.

use super::syntax::{Program, Stm};
use super::traverse::Visit;
use super::types::Var;
use super::varmap::VarMap;

/// How often each variable is mentioned in what this has visited.
#[derive(Clone, Default, Debug)]
pub struct Mentions {
    of: VarMap<usize>,
}

impl Visit for Mentions {
    fn var(&mut self, v: &Var) {
        *self.of.entry(*v).or_default() += 1;
    }
}

impl Mentions {
    /// In constants, globals and functions.
    ///
    /// A global counts once more than it is mentioned: it is made by another body than its readers',
    /// so that the only one to read it must not be taken for all there is.
    pub fn of_program(p: &Program) -> Mentions {
        let mut m = Mentions::default();
        m.body(&p.consts);
        for g in &p.globals {
            m.pat_elem(g);
            m.var(&g.var);
        }
        for f in &p.funs {
            m.fun(f);
        }
        m
    }

    /// Takes away what a statement mentions, which is to go.
    pub fn forget(&mut self, s: &Stm) {
        let mut gone = Mentions::default();
        gone.stm(s);
        for (v, n) in gone.of {
            if let Some(count) = self.of.get_mut(&v) {
                *count = count.saturating_sub(n);
            }
        }
    }

    /// How often `v` is mentioned.
    pub fn count(&self, v: Var) -> usize {
        self.of.get(&v).copied().unwrap_or(0)
    }

    /// How often all of these together are.
    pub fn total(&self, vars: impl IntoIterator<Item = Var>) -> usize {
        vars.into_iter().map(|v| self.count(v)).sum()
    }

    /// Whether these statements, of what was counted and none within another, are all that mentions
    /// `v`.
    pub fn only_in<'s>(&self, v: Var, stms: impl IntoIterator<Item = &'s Stm>) -> bool {
        let mut here = Mentions::default();
        for s in stms {
            here.stm(s);
        }
        here.count(v) == self.count(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn program(text: &str) -> Program {
        let p = parse_program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p
    }

    /// The variable of this name before its number.
    fn named(p: &Program, base: &str) -> Var {
        struct Named<'b>(&'b str, Option<Var>);
        impl Visit for Named<'_> {
            fn bind(&mut self, v: &Var) {
                if v.base.as_str() == self.0 {
                    self.1 = Some(*v);
                }
            }
        }
        let mut n = Named(base, None);
        n.body(&p.consts);
        for g in &p.globals {
            n.pat_elem(g);
        }
        for f in &p.funs {
            n.fun(f);
        }
        n.1.unwrap_or_else(|| panic!("{base} is not bound"))
    }

    fn count(p: &Program, base: &str) -> usize {
        Mentions::of_program(p).count(named(p, base))
    }

    fn seg() -> Program {
        program(
            "level seg
fun main (n_1: i64, xs_2: [n_1]i64, i_3: i64) : (r_4: [n_1]i64) {
  let ok_5: bool = slt.i64(i_3, n_1)
  let c_6: cert = assert(ok_5, \"index \", i_3: i64, \" is too large\")
  let x_7: i64 = <c_6> index xs_2[i_3]
  let unread_8: i64 = add.i64(x_7, x_7)
  let room_9: [n_1]i64 = copy(xs_2)
  let ys_10: [n_1]i64 = segmap seq (k_11 < n_1) : ([n_1]i64) {
    let y_12: i64 = index xs_2[k_11]
    in (write room_9 {[k_11] = y_12})
  }
  in ys_10
}",
        )
    }

    #[test]
    fn operands_certificates_and_destinations() {
        let p = seg();
        let counts = ["xs", "i", "ok", "c", "x", "unread", "room", "ys", "k"].map(|v| count(&p, v));
        assert_eq!(counts, [3, 3, 1, 1, 2, 0, 1, 1, 2]);
    }

    #[test]
    fn sizes_in_types() {
        // Parameter and result, comparison, copy, pattern, space and result of the map.
        assert_eq!(count(&seg(), "n"), 7);
    }

    #[test]
    fn blocks_and_places() {
        let p = program(
            "level mem
fun main (n_1: i64, o_2: i64) : (b_3: mem.host, r_4: [n_1]i64 @ b_3 -> {0; (n_1, 1)}) {
  let a_5: mem.host = alloc((n_1 * 8), host)
  let xs_6: [n_1]i64 @ a_5 -> {o_2; (n_1, 1)} = replicate([n_1], 0)
  let d_7: mem.host = alloc((n_1 * 8), host)
  let ys_8: [n_1]i64 @ d_7 -> {0; (n_1, 1)} = copy(xs_6)
  in (d_7, ys_8)
}",
        );
        assert_eq!(["a", "d", "b", "o", "xs"].map(|v| count(&p, v)), [1, 2, 1, 1, 1]);
    }

    #[test]
    fn a_global_has_more_than_its_reader() {
        let p = program(
            "level seg

global (g_1: i64, h_2: [g_1]i64) = {
  let m_3: i64 = add.i64(1, 2)
  let a_4: [m_3]i64 = replicate([m_3], 0)
  in (m_3, a_4)
}

fun main (i_5: i64) : (x_6: i64) {
  let y_7: i64 = index h_2[i_5]
  in y_7
}",
        );
        // What makes them: the statement's pattern, shape, and the result.
        assert_eq!(["m", "a"].map(|v| count(&p, v)), [3, 1]);
        // The size of the other; the reader.
        assert_eq!(["g", "h"].map(|v| count(&p, v)), [2, 2]);
    }

    #[test]
    fn what_is_forgotten() {
        let p = seg();
        let mut m = Mentions::of_program(&p);
        m.forget(&p.funs[0].body.stms[3]);
        assert_eq!(["x", "xs", "c"].map(|v| m.count(named(&p, v))), [0, 3, 1]);
    }

    #[test]
    fn several_together() {
        let p = seg();
        let m = Mentions::of_program(&p);
        assert_eq!(m.total(["xs", "unread", "x"].map(|v| named(&p, v))), 5);
        assert_eq!(m.total([]), 0);
    }

    #[test]
    fn only_in_some_statements() {
        let p = seg();
        let m = Mentions::of_program(&p);
        let stms = &p.funs[0].body.stms;
        assert!(m.only_in(named(&p, "ok"), &stms[1..2]));
        assert!(m.only_in(named(&p, "xs"), &stms[2..]));
        assert!(!m.only_in(named(&p, "xs"), &stms[2..5]), "there is the map");
        assert!(!m.only_in(named(&p, "ys"), stms), "there is the result");
        assert!(m.only_in(named(&p, "unread"), []));
    }

    #[test]
    fn what_else_is_visited() {
        let p = seg();
        let Some(crate::ir::Exp::Seg(crate::ir::SegOp { body, .. })) =
            p.funs[0].body.stms.last().map(|s| &s.exp)
        else {
            panic!("{p}");
        };
        let mut here = Mentions::default();
        here.kernel_body(body);
        assert_eq!(here.total(["xs", "room", "k"].map(|v| named(&p, v))), 4);
    }
}
