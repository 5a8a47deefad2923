//! Sinking: maps move into the one consumer that reads their elements by index.
//!
//! ```text
//! ys = segmap (i < n) {                     zs = segmap (k < n + 2) {
//!   x = xs[i]                                 m = smax(k - 1, 0)
//!   y = 2 * x                                 j = smin(m, n - 1)
//!   in (return y) }                    →      x' = xs[j]
//! zs = segmap (k < n + 2) {                   y = 2 * x'
//!   m = smax(k - 1, 0)                        in (return y) }
//!   j = smin(m, n - 1)
//!   y = ys[j]
//!   in (return y) }
//! ```
//!
//! A map whose elements are read where they are made goes into its reader long before
//! ([`fuse`](crate::passes::fuse)). One that is read at other places, as when a rim is put around an
//! array or it is turned around, is computed there if that is no more work and reads memory in the same
//! order: it is read at one place only, by a map over as many points but for a rim, where each index is
//! made of the same dimension's index.
//!
//! Refused are maps with several results, with loops, math functions or elements in no order in them,
//! which go better by themselves, and with many statements; with checks, as an element that nobody reads
//! must fail, too; indexes that are themselves read; and whatever is read from arrays that are consumed,
//! as it may be other by then.
//!
//! Stands after [`collapse`](super::collapse), when a nest is one map. Cost: linear in the program
//! and in what is moved.

use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Renamer, Rewrite, Subst, for_each_block, for_each_block_mut};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Defs, DimIndex, Exp, KernelResult, Level, Mentions, NameSource, Poly, Program, SegKind,
    SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Larger maps stay.
const MOST_STATEMENTS: usize = 80;
/// A reader may have this many points more along a dimension.
const RIM: i64 = 16;

/// Moves maps into their readers.
pub fn sink(mut program: Program) -> Program {
    if program.level != Level::Seg {
        return program;
    }
    let mut g = Gather {
        aliases: Aliases::of_program(&program),
        mentions: Mentions::of_program(&program),
        sums: Defs::of_program(&program),
        names: NameSource::new(program.next_tag),
    };
    g.list(&mut program.consts.stms);
    for f in &mut program.funs {
        g.list(&mut f.body.stms);
    }
    program.next_tag = g.names.next_tag();
    program
}

/// A map that may move.
struct Producer {
    /// Where it stands in its list.
    at: usize,
    level: SegLevel,
    dims: Vec<(Var, SubExp)>,
}

struct Gather {
    aliases: Aliases,
    mentions: Mentions,
    sums: Defs,
    names: NameSource,
}

impl Gather {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let mut producers: VarMap<Producer> = VarMap::default();
        let mut moved = VarSet::default();
        for at in 0..stms.len() {
            let (before, rest) = stms.split_at_mut(at);
            let Some(s) = rest.first_mut() else { continue };
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
            if let Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }) = &mut s.exp {
                while let Some(array) = self.read(*level, space, &body.stms, &producers) {
                    let Some(p) = producers.remove(&array) else { break };
                    let Some(producer) = before.get(p.at) else { break };
                    self.insert(producer, array, &mut body.stms);
                    moved.insert(array);
                }
            }
            producers.extend(self.producer(s, at));
        }
        stms.retain(|s| !s.pat.iter().any(|p| moved.contains(&p.var)));
    }

    /// The array of a map that may move, which stands `at` some place of its list.
    fn producer(&mut self, s: &Stm, at: usize) -> Option<(Var, Producer)> {
        let Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }) = &s.exp else {
            return None;
        };
        let ([p], [KernelResult::Return(SubExp::Var(_))]) =
            (s.pat.as_slice(), body.results.as_slice())
        else {
            return None;
        };
        if self.mentions.count(p.var) != 1 || p.ty.rank() != space.dims.len() {
            return None;
        }
        let none = VarMap::default();
        let mut r = Reads {
            producers: &none,
            found: Vec::new(),
            made_of: indexes(space),
            scattered: false,
        };
        r.list(&body.stms);
        let mut left = MOST_STATEMENTS;
        let plain = !r.scattered && self.plain(&body.stms, &mut left);
        let producer = Producer { at, level: *level, dims: space.dims.clone() };
        plain.then_some((p.var, producer))
    }

    /// Whether statements are scalar code of what is never consumed, and not more than are `left`.
    fn plain(&mut self, stms: &[Stm], left: &mut usize) -> bool {
        stms.iter().all(|s| {
            let scalars = s.pat.iter().all(|p| matches!(p.ty, Type::Prim(_) | Type::Cert));
            if !scalars || *left == 0 {
                return false;
            }
            *left -= 1;
            match &s.exp {
                Exp::SubExp(_)
                | Exp::UnOp(..)
                | Exp::BinOp(..)
                | Exp::CmpOp(..)
                | Exp::ConvOp(..) => true,
                Exp::Index { array, .. } => !self.aliases.consumed(*array),
                Exp::Match { cases, default, .. } => {
                    cases.iter().map(|c| &c.1).chain([default]).all(|b| self.plain(&b.stms, left))
                }
                _ => false,
            }
        })
    }

    /// An array that the body of a map over `space` reads and that can be computed there: by as many
    /// threads as before, or more.
    fn read(
        &self,
        level: SegLevel,
        space: &SegSpace,
        stms: &[Stm],
        producers: &VarMap<Producer>,
    ) -> Option<Var> {
        if producers.is_empty() {
            return None;
        }
        let made_of = indexes(space);
        let mut r = Reads { producers, found: Vec::new(), made_of, scattered: false };
        r.list(stms);
        r.found.into_iter().find(|array| {
            producers.get(array).is_some_and(|p| {
                let extra = |((_, n), (_, m)): (&(Var, SubExp), &(Var, SubExp))| {
                    let difference = Poly::leaf(*n).sub(&Poly::leaf(*m));
                    self.sums.expand(&difference).as_const().is_some_and(|c| c <= RIM)
                };
                let as_parallel = p.level == level || p.level.is_sequential();
                as_parallel
                    && p.dims.len() == space.dims.len()
                    && space.dims.iter().zip(&p.dims).all(extra)
            })
        })
    }

    /// Computes an element where it is read.
    fn insert(&mut self, producer: &Stm, array: Var, stms: &mut Vec<Stm>) {
        let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &producer.exp else { return };
        let Some(at) = stms.iter().position(|s| reads(s, array)) else {
            for s in stms {
                for_each_block_mut(&mut s.exp, &mut |b| self.insert(producer, array, b));
            }
            return;
        };
        let Some(Exp::Index { dims, .. }) = stms.get(at).map(|s| s.exp.clone()) else { return };
        let mut subst = Subst::new();
        for ((i, _), d) in space.dims.iter().zip(&dims) {
            if let DimIndex::Fix(x) = d {
                subst.insert(*i, *x);
            }
        }
        let mut copy = body.stms.clone();
        let mut renamer = Renamer::with(&mut self.names, subst);
        Rewrite::stms(&mut renamer, &mut copy);
        let [KernelResult::Return(x)] = body.results.as_slice() else { return };
        let made = renamer.subst().lookup(*x);
        if let Some(read) = stms.get_mut(at) {
            for s in &mut copy {
                s.certs.extend(producer.certs.iter().chain(&read.certs).copied());
            }
            read.exp = Exp::SubExp(made);
            read.certs.extend(producer.certs.iter().copied());
        }
        stms.splice(at..at, copy);
    }
}

/// What the indexes of a space are made of: themselves.
fn indexes(space: &SegSpace) -> VarMap<Option<u64>> {
    let bit = |d: usize| u32::try_from(d).ok().and_then(|d| 1_u64.checked_shl(d));
    space.dims.iter().enumerate().map(|(d, (i, _))| (*i, bit(d))).collect()
}

fn reads(s: &Stm, array: Var) -> bool {
    matches!(&s.exp, Exp::Index { array: a, .. } if *a == array)
}

/// Looks for elements that are read, outside of loops.
struct Reads<'r> {
    producers: &'r VarMap<Producer>,
    found: Vec<Var>,
    /// The dimensions whose indexes a number is made of, as bits; none if of other things too that vary.
    made_of: VarMap<Option<u64>>,
    /// An index was of other things.
    scattered: bool,
}

impl Reads<'_> {
    fn of(&self, x: SubExp) -> Option<u64> {
        // What is not known here is the same for every point.
        x.var().map_or(Some(0), |v| self.made_of.get(&v).copied().unwrap_or(Some(0)))
    }

    fn all(&self, xs: &[SubExp]) -> Option<u64> {
        xs.iter().try_fold(0, |all, x| Some(all | self.of(*x)?))
    }

    fn list(&mut self, stms: &[Stm]) {
        for s in stms {
            let of = match &s.exp {
                Exp::SubExp(x) | Exp::UnOp(_, x) | Exp::ConvOp(_, x) => self.of(*x),
                Exp::BinOp(_, x, y) | Exp::CmpOp(_, x, y) => self.all(&[*x, *y]),
                Exp::Match { scrutinee, cases, default } => {
                    for_each_block(&s.exp, &mut |b| self.list(b));
                    let results = cases.iter().map(|c| &c.1).chain([default]);
                    let results: Vec<SubExp> = results
                        .flat_map(|b| b.result.iter().copied())
                        .chain([*scrutinee])
                        .collect();
                    self.all(&results)
                }
                Exp::Index { array, dims } => {
                    if self.producers.contains_key(array) && self.in_order(dims) {
                        self.found.push(*array);
                    }
                    self.scattered |= dims.iter().any(|d| match d {
                        DimIndex::Fix(x) => self.of(*x).is_none(),
                        DimIndex::Slice { .. } => true,
                    });
                    None
                }
                _ => None,
            };
            for p in &s.pat {
                self.made_of.insert(p.var, of);
            }
        }
    }

    /// Whether each index is made of the index of the same dimension.
    fn in_order(&self, dims: &[DimIndex]) -> bool {
        dims.iter().enumerate().all(|(d, i)| match i {
            DimIndex::Fix(x) => self.of(*x).is_some_and(|bits| bits & !(1 << d) == 0),
            DimIndex::Slice { .. } => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    fn after(body: &str) -> String {
        let text = format!(
            "level seg
fun main (n_1: i64, xs_2: [n_1]i64, is_3: [n_1]i64) : (r_4: [n_1]i64) {{
  let m_5: i64 = add.i64(n_1, 2)
  let t_6: i64 = sub.i64(n_1, 1)
{body}
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = sink(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    const DOUBLE: &str = "  let ys_10: [n_1]i64 = segmap seq (i_11 < n_1) : (i64) {
    let x_12: i64 = index xs_2[i_11]
    let y_13: i64 = mul.i64(x_12, 2)
    in (return y_13)
  }
";

    #[test]
    fn a_rim_is_computed_with_what_it_is_put_around() {
        let out = after(&format!(
            "{DOUBLE}  let zs_20: [m_5]i64 = segmap seq (k_21 < m_5) : (i64) {{
    let a_22: i64 = sub.i64(k_21, 1)
    let b_23: i64 = smax.i64(a_22, 0)
    let c_24: i64 = smin.i64(b_23, t_6)
    let y_25: i64 = index ys_10[c_24]
    in (return y_25)
  }}
  let r_30: [n_1]i64 = index zs_20[1 :+ n_1 * 1]
  in r_30"
        ));
        assert!(!out.contains("ys_10"), "{out}");
        assert!(out.contains("index xs_2[c_24]"), "{out}");
    }

    #[test]
    fn what_is_read_twice_is_made_once() {
        let out = after(&format!(
            "{DOUBLE}  let zs_20: [n_1]i64 = segmap seq (k_21 < n_1) : (i64) {{
    let a_22: i64 = sub.i64(t_6, k_21)
    let y_23: i64 = index ys_10[a_22]
    let y_24: i64 = index ys_10[k_21]
    let y_25: i64 = add.i64(y_23, y_24)
    in (return y_25)
  }}
  in zs_20"
        ));
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }

    #[test]
    fn checks_are_done_whoever_reads() {
        let out = after(
            "  let ys_10: [n_1]i64 = segmap seq (i_11 < n_1) : (i64) {
    let x_12: i64 = index xs_2[i_11]
    let b_13: bool = slt.i64(0, x_12)
    let c_14: cert = assert(b_13, \"no\")
    let y_15: i64 = <c_14> mul.i64(x_12, 2)
    in (return y_15)
  }
  let zs_20: [n_1]i64 = segmap seq (k_21 < n_1) : (i64) {
    let a_22: i64 = smin.i64(k_21, 0)
    let y_23: i64 = index ys_10[a_22]
    in (return y_23)
  }
  in zs_20",
        );
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }

    #[test]
    fn what_is_read_in_no_order_is_made_in_order() {
        let out = after(&format!(
            "{DOUBLE}  let zs_20: [n_1]i64 = segmap seq (k_21 < n_1) : (i64) {{
    let a_22: i64 = index is_3[k_21]
    let y_23: i64 = index ys_10[a_22]
    in (return y_23)
  }}
  in zs_20"
        ));
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }

    #[test]
    fn what_is_itself_made_of_elements_in_no_order_stays() {
        let out = after(
            "  let ys_10: [n_1]i64 = segmap seq (i_11 < n_1) : (i64) {
    let k_9: i64 = index is_3[i_11]
    let x_12: i64 = index xs_2[k_9]
    in (return x_12)
  }
  let zs_20: [n_1]i64 = segmap seq (k_21 < n_1) : (i64) {
    let a_22: i64 = sub.i64(t_6, k_21)
    let y_23: i64 = index ys_10[a_22]
    in (return y_23)
  }
  in zs_20",
        );
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }

    #[test]
    fn what_is_read_over_and_over_is_made_once() {
        let out = after(&format!(
            "{DOUBLE}  let l_7: i64 = mul.i64(n_1, 2)
  let zs_20: [l_7]i64 = segmap seq (k_21 < l_7) : (i64) {{
    let a_22: i64 = smin.i64(k_21, t_6)
    let y_23: i64 = index ys_10[a_22]
    in (return y_23)
  }}
  let r_30: [n_1]i64 = index zs_20[0 :+ n_1 * 1]
  in r_30"
        ));
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }

    #[test]
    fn what_is_made_of_arrays_that_change_is_made_before() {
        let out = after(
            "  let ws_9: [n_1]i64 = copy(xs_2)
  let ys_10: [n_1]i64 = segmap seq (i_11 < n_1) : (i64) {
    let x_12: i64 = index ws_9[i_11]
    in (return x_12)
  }
  let us_14: [n_1]i64 = update ws_9[0] with 5
  let zs_20: [n_1]i64 = segmap seq (k_21 < n_1) : (i64) {
    let a_22: i64 = sub.i64(t_6, k_21)
    let y_23: i64 = index ys_10[a_22]
    let u_24: i64 = index us_14[k_21]
    let y_25: i64 = add.i64(y_23, u_24)
    in (return y_25)
  }
  in zs_20",
        );
        assert!(out.contains("index ys_10[a_22]"), "{out}");
    }
}
