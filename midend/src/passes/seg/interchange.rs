//! Scans down columns go along rows.
//!
//! ```text
//! segscan seq (i < m, j < n)            acc₀ = replicate m 0      out₀ = scratch [n][m]
//!     op [0] (\a x → a + x) {           _, out = loop (acc, out = acc₀, out₀) for j < n {
//!   x = xss[j, i]                 →       row = segmap seq (i < m) {
//!   in (return x)                           a = acc[i]   x = xss[j, i]   in (return a + x)
//! }                                       }
//!                                         in row, out with [j] = row
//!                                       }
//!                                       rearrange out (1, 0)
//! ```
//!
//! Every element of a column is in another row, so that of what a processor fetches for it nothing
//! else is used before it is gone, and its pages are more than it keeps track of. All columns at
//! once read what lies together, by vectors. The order in which the elements of a column are
//! combined stays as it was.
//!
//! Taken are scans of scalars over two dimensions whose reads are all down columns, and at least
//! one of which is: then the results, too, are most often wanted by columns, and who wants them by
//! rows transposes them by tiles. At level `seg`, for one thread. Linear.

use super::outside_kernels;
use crate::ir::builder::full_index;
use crate::ir::traverse::{apply_lambda, for_each_block, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{
    Body, Builder, DimIndex, Exp, IntType, KernelBody, KernelResult, Level, LoopForm, NameSource,
    Param, PatElem, Program, Reduction, SegKind, SegLevel, SegOp, SegSpace, Stm, SubExp, Type, Var,
};

/// Fewer columns than this are not worth vectors, if their number is known.
const FEW: i64 = 8;

/// Interchanges the dimensions of scans down columns.
pub fn interchange(mut prog: Program) -> Program {
    if prog.level == Level::Seg {
        let mut b = Builder::new(NameSource::new(prog.next_tag));
        stms(&mut prog.consts.stms, &mut b);
        for f in &mut prog.funs {
            stms(&mut f.body.stms, &mut b);
        }
        prog.next_tag = b.names.next_tag();
    }
    prog
}

fn stms(list: &mut Vec<Stm>, b: &mut Builder) {
    for mut stm in std::mem::take(list) {
        outside_kernels(&mut stm.exp, &mut |inner| stms(inner, b));
        match &stm.exp {
            Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Scan(ops), body })
                if down_columns(space, ops, body) =>
            {
                b.begin();
                rows(&stm, space, ops, body, b);
                list.append(&mut b.end());
            }
            _ => list.push(stm),
        }
    }
}

/// Does a scan of scalars over two dimensions read columns, and nothing else?
fn down_columns(space: &SegSpace, ops: &[Reduction], body: &KernelBody) -> bool {
    let [(i, m), (j, _)] = space.dims.as_slice() else { return false };
    let few = matches!(m, SubExp::Const(c) if c.as_int().is_none_or(|m| m < FEW));
    let scalar = |t: &Type| matches!(t, Type::Prim(_));
    let plain = body.types.iter().all(scalar)
        && ops.iter().all(|r| r.op.ret.iter().all(scalar))
        && body.results.iter().all(|r| matches!(r, KernelResult::Return(_)));
    if few || !plain {
        return false;
    }
    let mut reads = Reads { column: *i, along: VarSet::from_iter([*j]), down: 0, other: false };
    reads.look(&body.stms);
    reads.down > 0 && !reads.other
}

/// How a body reads arrays.
struct Reads {
    /// The index of the column.
    column: Var,
    /// What goes with the index along the column, in any way.
    along: VarSet,
    /// How many reads are of neighbours for neighbouring columns.
    down: usize,
    /// Whether there is another that varies along the column.
    other: bool,
}

impl Reads {
    fn look(&mut self, stms: &[Stm]) {
        for s in stms {
            if let Exp::Index { array: _, dims } = &s.exp {
                let fixed = |d: &DimIndex| match d {
                    DimIndex::Fix(x) => Some(*x),
                    DimIndex::Slice { .. } => None,
                };
                let at: Option<Vec<SubExp>> = dims.iter().map(fixed).collect();
                match at.as_deref().and_then(<[SubExp]>::split_last) {
                    Some((last, before)) => {
                        let along = |x: &SubExp| x.var().is_some_and(|v| self.along.contains(&v));
                        if before.iter().any(along) && *last == SubExp::Var(self.column) {
                            self.down += 1;
                        } else if at.iter().flatten().any(along) {
                            self.other = true;
                        }
                    }
                    None => self.other = true,
                }
            }
            if free_in_stm(s).iter().any(|v| self.along.contains(v)) {
                self.along.extend(s.pat.iter().map(|p| p.var));
            }
            for_each_block(&s.exp, &mut |inner| self.look(inner));
        }
    }
}

/// The scan, row by row.
fn rows(stm: &Stm, space: &SegSpace, ops: &[Reduction], body: &KernelBody, b: &mut Builder) {
    let [(i, m), (j, n)] = space.dims.as_slice() else { return };
    b.loc = stm.loc;
    let scanned: usize = ops.iter().map(|r| r.op.ret.len()).sum();
    let mut init = Vec::new();
    let mut params = Vec::new();
    for (ne, ty) in ops.iter().flat_map(|r| r.neutral.iter().zip(&r.op.ret)) {
        let ty = ty.outer(*m);
        init.push(
            b.emit_as("acc", ty.clone(), Exp::Replicate { shape: vec![*m], value: *ne }).into(),
        );
        params.push(b.param("acc", ty));
    }
    let mut finals = Vec::new();
    for ty in &body.types {
        let shape = vec![*n, *m];
        let Type::Prim(elem) = ty else { return };
        let ty = Type::Array { elem: *elem, shape: shape.clone() };
        init.push(b.emit_as("out", ty.clone(), Exp::Scratch { elem: *elem, shape }).into());
        params.push(b.param("out", ty.clone()));
        finals.push(b.pat("out", ty));
    }
    let mut pat: Vec<PatElem> =
        params[..scanned].iter().map(|p| b.pat("last", p.ty.clone())).collect();
    pat.extend(finals.iter().cloned());

    b.begin();
    let row = segmap(&params, (*i, *m), ops, body, b);
    let mut next: Vec<SubExp> = row[..scanned].iter().map(|p| p.var.into()).collect();
    for (out, r) in params[scanned..].iter().zip(&row) {
        let dims = full_index(out.ty.shape(), &[(*j).into()]);
        let value = r.var.into();
        next.push(b.emit("out", Exp::Update { array: out.var, dims, value }).into());
    }
    let inner = Body { stms: b.end(), result: next };
    let form = LoopForm::For { var: *j, ty: IntType::I64, bound: *n };
    let exp = Exp::Loop { params, init, form, body: inner };
    b.push(Stm {
        schedule: None,
        pat,
        exp,
        certs: stm.certs.clone(),
        attrs: stm.attrs.clone(),
        loc: stm.loc,
    });
    for (p, out) in stm.pat.iter().zip(finals) {
        b.bind(vec![p.clone()], Exp::Rearrange { array: out.var, perm: vec![1, 0] });
    }
}

/// The next element of every column: of what is scanned, and of all else.
fn segmap(
    accs: &[Param],
    (i, m): (Var, SubExp),
    ops: &[Reduction],
    body: &KernelBody,
    b: &mut Builder,
) -> Vec<PatElem> {
    b.begin();
    b.push_all(body.stms.iter().cloned());
    let mut xs = body.results.iter().filter_map(|r| match r {
        KernelResult::Return(x) => Some(*x),
        KernelResult::Write { .. } => None,
    });
    let mut accs = accs.iter();
    let mut results = Vec::with_capacity(body.results.len());
    for r in ops {
        let k = r.op.ret.len();
        let before: Vec<Var> = accs.by_ref().take(k).map(|p| p.var).collect();
        let mut args: Vec<SubExp> =
            before.into_iter().map(|acc| b.index("acc", acc, &[i.into()]).into()).collect();
        args.extend(xs.by_ref().take(k));
        let applied = apply_lambda(&r.op, &args, &mut b.names);
        b.push_all(applied.stms);
        results.extend(applied.result);
    }
    results.extend(xs);
    let results = results.into_iter().map(KernelResult::Return).collect();
    let types = body.types.clone();
    let row: Vec<PatElem> = types.iter().map(|t| b.pat("row", t.outer(m))).collect();
    let body = KernelBody { stms: b.end(), results, types };
    let space = SegSpace { dims: vec![(i, m)] };
    b.bind(row.clone(), Exp::Seg(SegOp { level: SegLevel::Seq, space, kind: SegKind::Map, body }));
    row
}

#[cfg(test)]
mod tests {
    use super::interchange;
    use crate::ir::parse::parse_program;
    use crate::ir::verify::verify;

    /// A function of `a` [n][m] and `b` [m][n] with a scan for every `i < w` of what is read at `j`.
    fn after(w: &str, read: &str) -> String {
        let text = format!(
            "level seg
fun main (n_1: i64, m_2: i64, a_3: [n_1][m_2]f32, b_4: [m_2][n_1]f32) : (r_5: [{w}][n_1]f32) {{
  let s_6: [{w}][n_1]f32 = segscan seq (i_7 < {w}, j_8 < n_1) op [0.0f32] \\(x_9: f32, y_10: f32) : (f32) {{
    let z_11: f32 = fadd.f32(x_9, y_10)
    in z_11
  }} : (f32) {{
    {read}
    in (return v_12)
  }}
  in s_6
}}"
        );
        let p = parse_program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        let p = interchange(p);
        verify(&p).unwrap_or_else(|e| panic!("{e:?}\n{p}"));
        p.to_string()
    }

    #[test]
    fn columns_go_by_rows() {
        let out = after("m_2", "let v_12: f32 = index a_3[j_8, i_7]");
        assert!(!out.contains("segscan"), "{out}");
        assert!(out.contains("for j_8: i64 < n_1 {"), "{out}");
        assert!(out.contains("segmap seq (i_7 < m_2)"), "{out}");
        assert!(out.contains("let s_6: [m_2][n_1]f32 = rearrange("), "{out}");
        // What is the same along a column may come from anywhere.
        let out = after(
            "m_2",
            "let u_13: f32 = index b_4[i_7, 0] let w_14: f32 = index a_3[j_8, i_7]
             let v_12: f32 = fmul.f32(u_13, w_14)",
        );
        assert!(!out.contains("segscan"), "{out}");
    }

    #[test]
    fn rows_stay() {
        for read in [
            "let v_12: f32 = index b_4[i_7, j_8]",
            "let u_13: f32 = index b_4[i_7, j_8] let w_14: f32 = index a_3[j_8, i_7]
             let v_12: f32 = fmul.f32(u_13, w_14)",
            "let v_12: f32 = index a_3[0, i_7]",
        ] {
            let out = after("m_2", read);
            assert!(out.contains("segscan"), "{out}");
        }
    }

    #[test]
    fn a_few_columns_stay() {
        let out = after("3", "let v_12: f32 = index a_3[j_8, i_7]");
        assert!(out.contains("segscan"), "{out}");
    }
}
