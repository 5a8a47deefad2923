//! Fusion of scans into the sequential loops that read them.
//!
//! ```text
//! s = segscan (i < n) op [0] (+) {            r = loop (a = a0, c = 0) for i < n {
//!   x = xs[i]                                   x = xs[i]
//!   in (return x) }                    ⟶        t = c + x
//! r = loop (a = a0) for i < n {                 … t …
//!   t = s[i]                                    in (…, t)
//!   … t … }                                   }
//! ```
//!
//! A loop that comes by all elements of a scan in their order can as well accumulate them: what the
//! scan would have written and the loop read again need not be anywhere. So go what a filter looks
//! at, once it is a loop ([`super::compact`]), and the loops of combinators over arrays.
//!
//! A map that only writes to places it computes is such a loop too, as no processor writes to
//! several of them at a time: the ranks of a radix sort or of a partition go into it.
//!
//! ```text
//! s = segscan (i < n) op [0] (+) { … }        r = loop (a = d, c = 0) for i < n {
//! r = segmap (i < n) {               ⟶          …; t = c + x; j = f t; v = …
//!   j = f s[i]; v = …                           b = if j <u m { update a[j] with v } else { a }
//!   in (write d {[j] = v})                      in (b, t)
//! }                                           }
//! ```
//!
//! The operator must be one of integers, and what it is given no mathematical function: what is
//! left is computed as fast as it is written, several at a time or not.
//!
//! A recurrence stays apart from a filter: without it, the filter goes by vectors, and both go in tasks. Not so those of points,
//! which may be short: for rows of 20 elements, two operations take twice as long as one.
//!
//! The loop must be all that uses the scan, at the elements of its own index, and run as often. What
//! the scan reads must not be consumed anywhere, so that it is the same later. Cost: linear in the
//! program.

use super::in_turn::{
    WritesInTurn, all_read_in_turn, at_counter, elements_for_reads, writes_in_turn,
};
use crate::analysis::alias::Aliases;
use crate::analysis::contraction::accumulation;
use crate::ir::traverse::{Rewrite, Subst, for_each_block_mut, free_in_exp};
use crate::ir::{
    Body, DimIndex, Exp, IntType, KernelBody, KernelResult, Level, LoopForm, Mentions, NameSource,
    Param, PatElem, Prim, Program, Reduction, SegKind, SegLevel, SegOp, Stm, StmAttr, SubExp, Type,
    Var,
};

/// Puts scans into loops.
pub fn fuse_scan(mut prog: Program) -> Program {
    if prog.level != Level::Seg {
        return prog;
    }
    let mut names = NameSource::new(prog.next_tag);
    let mut a = Absorber {
        aliases: Aliases::of_program(&prog),
        mentions: Mentions::of_program(&prog),
        names: &mut names,
        in_points: false,
    };
    a.list(&mut prog.consts.stms);
    for f in &mut prog.funs {
        a.list(&mut f.body.stms);
    }
    prog.next_tag = names.next_tag();
    prog
}

struct Absorber<'n> {
    aliases: Aliases,
    mentions: Mentions,
    names: &'n mut NameSource,
    /// Whether this is the body of an operation.
    in_points: bool,
}

impl Absorber<'_> {
    fn list(&mut self, stms: &mut Vec<Stm>) {
        let in_points = self.in_points;
        for s in stms.iter_mut() {
            self.in_points = in_points || matches!(s.exp, Exp::Seg(_));
            for_each_block_mut(&mut s.exp, &mut |b| self.list(b));
        }
        self.in_points = in_points;
        // From the end, so that a scan of a scan goes into what has taken the outer one.
        for at in (0..stms.len()).rev() {
            let Some((scan, rest)) = stms.get(at..).and_then(<[Stm]>::split_first) else {
                continue;
            };
            if !self.movable(scan) {
                continue;
            }
            let reader = rest.iter().position(|s| self.reads(s, scan));
            let Some(reader) = reader.map(|i| at + 1 + i) else { continue };
            let scan = stms.remove(at);
            let Some(target) = stms.get_mut(reader - 1) else { continue };
            write_in_turn(target, self.names);
            self.fuse_into(target, scan);
        }
    }

    /// A scan of one dimension that makes the same of its arrays wherever it stands.
    fn movable(&mut self, scan: &Stm) -> bool {
        let Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(_), body, .. }) =
            &scan.exp
        else {
            return false;
        };
        space.dims.len() == 1
            && scan.attrs.is_empty()
            && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)))
            && scan.pat.iter().all(|p| p.ty.rank() == 1)
            && free_in_exp(&scan.exp).iter().all(|v| !self.is_consumed(*v))
    }

    fn is_consumed(&mut self, v: Var) -> bool {
        self.aliases.id(v).is_some() && self.aliases.consumed(v)
    }

    /// Whether a statement is a loop, or a map that becomes one, that reads the scan's elements in
    /// their order, and all that uses them.
    fn reads(&self, s: &Stm, scan: &Stm) -> bool {
        let Exp::Seg(SegOp { space, kind: SegKind::Scan(ops), body, .. }) = &scan.exp else {
            return false;
        };
        let quick = ops.iter().all(of_integers)
            && !body.stms.iter().any(|s| matches!(s.exp, Exp::Math(..)));
        let (var, bound) = match &s.exp {
            Exp::Loop {
                form: LoopForm::For { var, ty: IntType::I64, bound },
                params,
                body,
                ..
            } if self.in_points
                || !self.is_recurrence(scan, ops)
                || !puts_side_by_side(params, body) =>
            {
                (var, bound)
            }
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body })
                if quick && only_writes(body) =>
            {
                let [(var, bound)] = space.dims.as_slice() else { return false };
                (var, bound)
            }
            _ => return false,
        };
        if space.dims.first().is_none_or(|(_, n)| n != bound) {
            return false;
        }
        all_read_in_turn(s, *var, scan, &self.mentions)
    }

    /// Whether a scan makes one array by more than one operation for each element, as linear recurrences do and sums that begin
    /// anew. By itself it goes in chunks of vectors and in tasks.
    fn is_recurrence(&self, scan: &Stm, ops: &[Reduction]) -> bool {
        scan.pat.iter().filter(|p| self.mentions.count(p.var) > 0).count() == 1
            && !ops.iter().all(|op| accumulation(op).is_some())
    }

    /// Has the loop compute the scan.
    fn fuse_into(&mut self, target: &mut Stm, scan: Stm) {
        let (
            Exp::Loop { params, init, form: LoopForm::For { var, .. }, body },
            Exp::Seg(SegOp { space, kind: SegKind::Scan(ops), body: mut elements, .. }),
        ) = (&mut target.exp, scan.exp)
        else {
            return;
        };
        at_counter(&mut elements, &space, *var);
        let mut front = elements.stms;
        let mut values: Vec<SubExp> = Vec::with_capacity(scan.pat.len());
        for r in &elements.results {
            if let KernelResult::Return(x) = r {
                values.push(*x);
            }
        }
        let mut at = 0;
        for op in ops {
            let k = op.neutral.len();
            let mut subst = Subst::new();
            let (accumulators, operands) = op.op.params.split_at(k);
            for (p, neutral) in accumulators.iter().zip(&op.neutral) {
                params.push(Param::new(p.var, p.ty.clone()));
                init.push(*neutral);
            }
            for (p, x) in operands.iter().zip(values.iter().skip(at)) {
                subst.insert(p.var, *x);
            }
            let mut lambda = op.op.body;
            subst.body(&mut lambda);
            front.extend(lambda.stms);
            for (p, (value, x)) in
                accumulators.iter().zip(values.iter_mut().skip(at).zip(lambda.result))
            {
                *value = x;
                body.result.push(x);
                target.pat.push(PatElem::new(self.names.like(p.var), p.ty.clone()));
            }
            at += k;
        }
        // What relied on a check of the whole scan relies on it as before.
        for s in &mut front {
            s.certs.extend(scan.certs.iter().copied());
        }
        let elements = scan.pat.iter().map(|p| p.var).zip(values).collect();
        elements_for_reads(elements, &mut body.stms);
        front.append(&mut body.stms);
        body.stms = front;
    }
}

/// Whether a loop writes to places that it counts, as that of a filter.
fn puts_side_by_side(params: &[Param], body: &Body) -> bool {
    let carried = |v: Var| params.iter().any(|p| p.var == v);
    body.stms.iter().any(|s| match &s.exp {
        Exp::Update { array, dims, .. } => {
            matches!(dims.as_slice(), [DimIndex::Fix(SubExp::Var(at))] if carried(*array) && carried(*at))
        }
        _ => false,
    })
}

pub(super) fn of_integers(op: &Reduction) -> bool {
    accumulation(op).is_some() && op.op.ret.iter().all(|t| matches!(t, Type::Prim(Prim::Int(_))))
}

pub(super) fn only_writes(body: &KernelBody) -> bool {
    let writes = |r: &KernelResult| matches!(r, KernelResult::Write { .. });
    !body.results.is_empty() && body.results.iter().all(writes)
}

/// Makes a map that only writes a loop that writes.
fn write_in_turn(s: &mut Stm, names: &mut NameSource) {
    let Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) = &mut s.exp else { return };
    let Some((var, bound)) = space.dims.first().copied() else { return };
    let mut stms = std::mem::take(&mut body.stms);
    let Some(written) = writes_in_turn(&s.pat, &body.results, s.loc, &mut stms, names) else {
        return;
    };
    let form = LoopForm::For { var, ty: IntType::I64, bound };
    let WritesInTurn { params, init, result } = written;
    s.exp = Exp::Loop { params, init, form, body: Body { stms, result } };
    s.attrs.push(StmAttr::Scatters);
}

#[cfg(test)]
mod tests {
    use super::fuse_scan;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    const SUM: &str = "let c_10: i32 = add.i32(a_8, b_9)
    in c_10";

    const RECURRENCE: &str = "let e_11: i32 = mul.i32(a_8, 3i32)
    let c_10: i32 = add.i32(e_11, b_9)
    in c_10";

    fn after(body: &str) -> String {
        after_scan_by(SUM, body)
    }

    fn after_scan_by(op: &str, body: &str) -> String {
        let text = format!(
            "level seg
fun main (n_1: i64, m_2: i64, xs_3: [n_1]i32) : (r_5: i32) {{
  let s_6: [n_1]i32 = segscan seq (i_7 < n_1) op [0i32] \\(a_8: i32, b_9: i32) : (i32) {{
    {op}
  }} : (i32) {{
    let x_11: i32 = index xs_3[i_7]
    let y_12: i32 = mul.i32(x_11, x_11)
    in (return y_12)
  }}
{body}
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}"));
        let p = fuse_scan(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    const READER: &str = "let r_13: i32 = loop (p_14: i32 = 0i32) for j_15: i64 < n_1 {
    let t_16: i32 = index s_6[j_15]
    let q_17: i32 = xor.i32(p_14, t_16)
    in q_17
  }";

    #[test]
    fn the_loop_accumulates() {
        let out = after(&format!("  {READER}\n  in r_13"));
        assert!(!out.contains("segscan"), "{out}");
        assert!(out.contains("index xs_3["), "{out}");
        assert!(out.contains("i32 = 0i32, a_"), "{out}");
    }

    #[test]
    fn other_readers_want_the_array() {
        let out = after(&format!(
            "  {READER}\n  let z_18: i32 = index s_6[0]\n  let w_19: i32 = add.i32(z_18, r_13)\n  in w_19"
        ));
        assert!(out.contains("segscan"), "{out}");
        let elsewhere = READER
            .replace("index s_6[j_15]", "index s_6[p_20]")
            .replace("let t_16", "let p_20: i64 = sub.i64(n_1, j_15)\n    let t_16");
        assert!(after(&format!("  {elsewhere}\n  in r_13")).contains("segscan"));
        let shorter = READER.replace("j_15: i64 < n_1", "j_15: i64 < m_2");
        assert!(after(&format!("  {shorter}\n  in r_13")).contains("segscan"));
    }

    const WRITER: &str = "let d_30: [m_2]i32 = replicate([m_2], 0i32)
  let r_31: [m_2]i32 = segmap seq (j_15 < n_1) : ([m_2]i32) {
    let t_16: i32 = index s_6[j_15]
    let q_17: i64 = sext.i32.i64(t_16)
    in (write d_30 {[q_17] = t_16})
  }
  let z_18: i32 = index r_31[0]
  in z_18";

    #[test]
    fn recurrences_stay_apart_from_filters() {
        let filter = "let b_30: [n_1]i32 = scratch(i32, [n_1])
  let (k_31: i64, f_32: [n_1]i32) = loop (c_33: i64 = 0, o_34: [n_1]i32 = b_30) for j_15: i64 < n_1 {
    let t_16: i32 = index s_6[j_15]
    let u_35: [n_1]i32 = update o_34[c_33] with t_16
    let p_36: bool = slt.i32(0i32, t_16)
    let g_37: i64 = if p_36 {
      in 1
    } else {
      in 0
    }
    let c_38: i64 = add.i64(c_33, g_37)
    in (c_38, u_35)
  }
  let r_13: i32 = index f_32[0]
  in r_13";
        assert!(!after(filter).contains("segscan"), "a sum goes into it");
        assert!(after_scan_by(RECURRENCE, filter).contains("segscan"));
        assert!(!after_scan_by(RECURRENCE, &format!("  {READER}\n  in r_13")).contains("segscan"));
    }

    #[test]
    fn maps_that_only_write_accumulate() {
        let out = after(WRITER);
        assert!(!out.contains("segscan") && !out.contains("segmap"), "{out}");
        assert!(out.contains("ult.i64(q_17, m_2)"), "{out}");
        assert!(out.contains("= d_30, a_"), "{out}");
    }

    #[test]
    fn maps_that_yield_elements_stay() {
        let out = after(
            &WRITER
                .replace("write d_30 {[q_17] = t_16}", "return t_16")
                .replace("[m_2]i32 = seg", "[n_1]i32 = seg")
                .replace(": ([m_2]i32) {", ": (i32) {"),
        );
        assert!(out.contains("segscan") && out.contains("segmap"), "{out}");
    }

    #[test]
    fn maps_over_less_stay() {
        let out = after(&WRITER.replace("(j_15 < n_1)", "(j_15 < m_2)"));
        assert!(out.contains("segscan") && out.contains("segmap"), "{out}");
    }
}
