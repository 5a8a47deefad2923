//! Rows that are only flattened to be written are written where they are made.
//!
//! ```text
//! (is, xs) = segmap (i < n) {                out = segmap (i < n) {
//!   …                                          …
//!   a = array [p, q]  b = array [x, y]         in (write dest {[p] = x, [q] = y})
//!   in (return a, return b)                  }
//! }
//! js = reshape(is, [m])                ⟶
//! ys = reshape(xs, [m])
//! out = segmap (k < m) {
//!   j = js[k]  y = ys[k]
//!   in (write dest {[j] = y})
//! }
//! ```
//!
//! So does a `scatter` of what a `map` has several of, such as both directions of an edge. The writes
//! keep their order.
//!
//! The rows must be literals that nothing else uses, and what they are made of must not be consumed in
//! between, nor be what is written to. The code of the writes stands once for each element of a row,
//! so rows and code are short. Cost: linear in the program.

use super::in_turn::map_of;
use crate::analysis::alias::{Aliases, consumed_by};
use crate::ir::traverse::{Renamer, Rewrite, Subst, Visit, for_each_block_mut, free_in_exp};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, DimIndex, Exp, KernelBody, KernelResult, Level, Mentions, NameSource, Program, SegKind,
    SegOp, Stm, SubExp, Var,
};
use std::cell::Cell;

/// Elements of a row, at most.
const MOST_ELEMENTS: usize = 8;
/// Statements of the writes, once for each element, at most.
const MOST_STATEMENTS: usize = 64;

/// Puts writes of flattened rows into the maps that make the rows.
pub fn unflatten(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut names = NameSource::new(prog.next_tag);
    let mut u = Unflatten {
        aliases: Aliases::of_program(&prog),
        mentions: Mentions::of_program(&prog),
        names: &mut names,
    };
    u.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        u.list(&mut f.body.stms);
    }
    prog.next_tag = names.next_tag();
    prog
}

/// A map of rows, where it is written, and what is between.
struct Found {
    /// Positions of the reshapes.
    flat: Vec<usize>,
    /// That of the writes.
    writer: usize,
    /// The elements of the rows that each flattened array is made of.
    rows: VarMap<Vec<SubExp>>,
    /// The literals.
    literals: VarSet,
    /// How many elements a row has.
    length: usize,
}

struct Unflatten<'n> {
    aliases: Aliases,
    mentions: Mentions,
    names: &'n mut NameSource,
}

impl Unflatten<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        for s in stms.iter_mut() {
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
        }
        let mut at = 0;
        while at < stms.len() {
            match self.find(stms, at).and_then(|f| Some((self.joined(stms, at, &f)?, f))) {
                Some((new, found)) => {
                    if let Some(writer) = stms.get_mut(found.writer) {
                        *writer = new;
                    }
                    let mut here = 0..;
                    stms.retain(|_| {
                        let i = here.next().unwrap_or_default();
                        i != at && !found.flat.contains(&i)
                    });
                }
                None => at += 1,
            }
        }
    }

    /// The map of rows at `at` with what uses it, if it can be put there.
    fn find(&mut self, stms: &[Stm], at: usize) -> Option<Found> {
        let producer = stms.get(at)?;
        let (_, _, body) = map_of(producer)?;
        let mut rows = VarMap::default();
        let mut literals = VarSet::default();
        let mut flat = Vec::new();
        let mut length = None;
        let mut sizes = Vec::new();
        for (p, r) in producer.pat.iter().zip(&body.results) {
            let KernelResult::Return(SubExp::Var(row)) = r else { return None };
            let made = body.stms.iter().find(|s| s.pat.iter().any(|p| p.var == *row))?;
            let Exp::ArrayLit { elems, .. } = &made.exp else { return None };
            let same = *length.get_or_insert(elems.len()) == elems.len();
            let mine = made.certs.is_empty() && self.mentions.count(*row) == 1;
            if !same || !mine || !(1..=MOST_ELEMENTS).contains(&elems.len()) {
                return None;
            }
            let reshaped = (at + 1..stms.len()).find(|i| {
                stms.get(*i).is_some_and(
                    |s| matches!(&s.exp, Exp::Reshape { array, .. } if *array == p.var),
                )
            })?;
            let [q] = stms.get(reshaped)?.pat.as_slice() else { return None };
            let [size] = q.ty.shape() else { return None };
            if self.mentions.count(p.var) != 1 {
                return None;
            }
            sizes.push(*size);
            literals.insert(*row);
            rows.insert(q.var, elems.clone());
            flat.push(reshaped);
        }
        let length = length?;
        let mentions = |s: &Stm| free_in_exp(&s.exp).iter().any(|v| rows.contains_key(v));
        let writer = (at + 1..stms.len()).find(|i| stms.get(*i).is_some_and(mentions))?;
        if flat.iter().any(|i| *i > writer) {
            return None;
        }
        let consumer = stms.get(writer)?;
        let (k, many, writes) = map_of(consumer)?;
        // All of them, and not only the first.
        if sizes.iter().any(|n| *n != many) {
            return None;
        }
        if writes.stms.len() * length > MOST_STATEMENTS
            || !only_elements(k, writes, &rows, &self.mentions)
        {
            return None;
        }
        let reads = free_in_exp(&producer.exp);
        for r in &writes.results {
            let KernelResult::Write { dest, .. } = r else { return None };
            let written = self.aliases.id(*dest)?;
            if reads.iter().any(|v| self.aliases.id(*v) == Some(written)) {
                return None;
            }
        }
        let called = Cell::new(false);
        let unknown = |_| {
            called.set(true);
            Vec::new()
        };
        let between = stms.get(at + 1..writer)?;
        let quiet = between.iter().all(|s| consumed_by(s, &unknown).is_empty()) && !called.get();
        quiet.then_some(Found { flat, writer, rows, literals, length })
    }

    /// The map that writes.
    fn joined(&mut self, stms: &[Stm], at: usize, found: &Found) -> Option<Stm> {
        let (producer, writer) = (stms.get(at)?, stms.get(found.writer)?);
        let Exp::Seg(SegOp { level, space, kind: SegKind::Map, body }) = &producer.exp else {
            return None;
        };
        let (_, _, writes) = map_of(writer)?;
        let mut inner: Vec<Stm> = body
            .stms
            .iter()
            .filter(|s| !s.pat.iter().any(|p| found.literals.contains(&p.var)))
            .cloned()
            .collect();
        let mut results = Vec::with_capacity(writes.results.len());
        for r in &writes.results {
            let KernelResult::Write { dest, .. } = r else { return None };
            results.push(KernelResult::Write { dest: *dest, writes: Vec::new() });
        }
        for element in 0..found.length {
            let mut subst = Subst::new();
            let mut copy = Vec::with_capacity(writes.stms.len());
            for s in &writes.stms {
                match (&s.exp, s.pat.as_slice()) {
                    (Exp::Index { array, .. }, [p]) if found.rows.contains_key(array) => {
                        subst.insert(p.var, *found.rows.get(array)?.get(element)?);
                    }
                    _ => copy.push(s.clone()),
                }
            }
            // The operands of the writes, in a row.
            let mut operands = Vec::new();
            for r in &writes.results {
                let KernelResult::Write { writes, .. } = r else { return None };
                for (indexes, value) in writes {
                    operands.extend(indexes.iter().chain([value]).copied());
                }
            }
            let mut copy = Body { stms: copy, result: operands };
            Renamer::with(self.names, subst).body(&mut copy);
            inner.append(&mut copy.stms);
            let mut operands = copy.result.into_iter();
            for pair in writes.results.iter().zip(&mut results) {
                let (
                    KernelResult::Write { writes: old, .. },
                    KernelResult::Write { writes: new, .. },
                ) = pair
                else {
                    return None;
                };
                for (indexes, _) in old {
                    let indexes = operands.by_ref().take(indexes.len()).collect();
                    new.push((indexes, operands.next()?));
                }
            }
        }
        let body = KernelBody { stms: inner, results, types: writes.types.clone() };
        let mut new = writer.clone();
        new.exp = Exp::Seg(SegOp { level: *level, space: space.clone(), kind: SegKind::Map, body });
        let flat = found.flat.iter().filter_map(|i| stms.get(*i));
        for c in flat.chain([producer]).flat_map(|s| &s.certs) {
            if !new.certs.contains(c) {
                new.certs.push(*c);
            }
        }
        Some(new)
    }
}

/// Whether a body reads nothing of these arrays but the elements at its index, uses that for nothing
/// else, and is all that mentions them.
fn only_elements(
    index: Var,
    body: &KernelBody,
    rows: &VarMap<Vec<SubExp>>,
    mentions: &Mentions,
) -> bool {
    let mut here = Mentions::default();
    here.kernel_body(body);
    let mut reads = 0;
    for s in &body.stms {
        if let Exp::Index { array, dims } = &s.exp
            && rows.contains_key(array)
        {
            if *dims != [DimIndex::Fix(index.into())] || !s.certs.is_empty() {
                return false;
            }
            reads += 1;
        }
    }
    reads == mentions.total(rows.keys().copied()) && here.count(index) == reads
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::unflatten;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    /// What becomes of edges that are written in both directions, after something in between, by
    /// these statements.
    fn after(between: &str, element: &str) -> String {
        written(between, "m_12", element)
    }

    /// The same of so many writes.
    fn written(between: &str, many: &str, element: &str) -> String {
        let text = format!(
            "level seg
fun main (n_1: i64, *as_2: [n_1]i64, d_3: [n_1]i64, e_20: [n_1]i64) : (r_4: [n_1]i64, s_5: [n_1]i64) {{
  let (is_6: [n_1][2]i64, xs_7: [n_1][2]i64) = segmap seq (i_8 < n_1) : ([2]i64, [2]i64) {{
    let a_9: i64 = index as_2[i_8]
    let b_10: [2]i64 = array [a_9, i_8] of i64
    let c_11: [2]i64 = array [i_8, a_9] of i64
    in (return b_10, return c_11)
  }}
  let m_12: i64 = mul.i64(n_1, 2)
  let js_13: [m_12]i64 = reshape(is_6, [m_12])
  let ys_14: [m_12]i64 = reshape(xs_7, [m_12])
{between}
  let f_30: [n_1]i64 = copy(d_3)
  let o_15: [n_1]i64 = segmap seq (k_16 < {many}) : ([n_1]i64) {{
    let j_17: i64 = index js_13[k_16]
    let y_18: i64 = index ys_14[{element}]
    let z_19: i64 = mul.i64(y_18, y_18)
    in (write f_30 {{[j_17] = z_19}})
  }}
  in (o_15, e_20)
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let p = unflatten(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn rows_are_written_where_they_are_made() {
        let out = after("", "k_16");
        assert_eq!(
            (out.matches("segmap").count(), out.matches("reshape").count()),
            (1, 0),
            "{out}"
        );
        assert_eq!(out.matches("mul.i64(").count(), 3, "{out}");
        let write = out.lines().find(|l| l.contains("write")).unwrap();
        assert_eq!(write.matches("] = z_").count(), 2, "{out}");
        assert!(write.find("[a_9]").unwrap() < write.find("[i_8]").unwrap(), "{out}");
    }

    #[test]
    fn what_else_uses_them_wants_the_arrays() {
        assert_eq!(after("  let w_21: i64 = index js_13[0]", "k_16").matches("segmap").count(), 2);
        assert_eq!(
            after("  let w_21: i64 = index is_6[0, 0]", "k_16").matches("segmap").count(),
            2
        );
        assert_eq!(after("", "0").matches("segmap").count(), 2);
    }

    #[test]
    fn some_of_them_want_the_arrays() {
        assert_eq!(written("", "n_1", "k_16").matches("segmap").count(), 2);
    }

    #[test]
    fn nothing_is_made_of_what_has_been_consumed() {
        let update = "  let as_21: [n_1]i64 = update as_2[0] with n_1";
        assert_eq!(after(update, "k_16").matches("segmap").count(), 2);
    }
}
