//! Which values may decide what a program does: those that comparisons, conversions to integers and the like see.
//!
//! ```text
//! d = fsub x y    e = fmul d d    s = fadd e z      s, e, d, x, y decide
//! c = flt s 1.0                                     (so does all that they are made of)
//! p = fdiv m s                                      p decides nothing: it is stored
//! ```
//!
//! With `--fast-math`, only what decides nothing is computed with licence: passes make copies of code, which LLVM
//! may optimise in different ways, and rely on all copies to take the same branches; a filter counts in one
//! what it stores in another. So these must see the same bits.
//!
//! A value is followed backwards through operations, branches, loops, operators and arrays, also those of the host: what
//! is read there may have been computed again instead (`rematerialise`), which must be the same. Arrays in
//! one block of memory are taken for one. Arguments and results
//! of functions that are called decide, and so do constants at the top level, which others may look at. One walk, and a closure
//! over the edges that it finds; linear in the size of the program.

use crate::ir::traverse::{Visit, walk};
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{
    Body, CmpOp, Exp, Fun, KernelBody, KernelResult, Lambda, Linkage, Param, PatElem, Prim,
    Program, Reduction, SegKind, SegOp, Stm, SubExp, Type, Var,
};
use futc_typed::name::Name;
use std::collections::HashSet;

/// Variables, at least those of floats, whose values may decide what the program does.
pub fn decisive(program: &Program) -> VarSet {
    let mut called = Called::default();
    called.body(&program.consts);
    program.funs.iter().for_each(|f| called.fun(f));
    let mut d = Decisions::default();
    d.body(&program.consts);
    d.decide(&program.consts.result);
    for f in &program.funs {
        // Of others, what they yield is not known to be looked at by nobody.
        let others = matches!(f.linkage, Linkage::Exported(_)) || called.0.contains(&f.name);
        d.fun(f);
        if f.entry.is_none() || others {
            d.decide(&f.body.result);
        }
    }
    let Decisions { made_of, mut open, .. } = d;
    let mut found = VarSet::default();
    while let Some(v) = open.pop() {
        if found.insert(v) {
            open.extend(made_of.get(&v).into_iter().flatten());
        }
    }
    found
}

/// Functions that are called.
#[derive(Default)]
struct Called(HashSet<Name>);

impl Visit for Called {
    fn exp(&mut self, e: &Exp) {
        if let Exp::Call { fun, .. } = e {
            self.0.insert(*fun);
        }
        walk::exp(self, e);
    }
}

#[derive(Default)]
struct Decisions {
    /// What a variable is made of.
    made_of: VarMap<Vec<Var>>,
    /// What is looked at.
    open: Vec<Var>,
}

impl Decisions {
    fn decide(&mut self, xs: &[SubExp]) {
        self.open.extend(xs.iter().filter_map(|x| x.var()));
    }

    /// If `v` decides, so do these.
    fn make(&mut self, v: Var, of: impl IntoIterator<Item = SubExp>) {
        self.made_of.entry(v).or_default().extend(of.into_iter().filter_map(|x| x.var()));
    }

    fn make_all(&mut self, pat: &[PatElem], of: &[SubExp]) {
        for p in pat {
            self.make(p.var, of.iter().copied());
        }
    }

    fn params(&mut self, params: &[Param], of: &[SubExp]) {
        for p in params {
            self.make(p.var, of.iter().copied());
        }
    }

    /// What is in one decides if what is in the other does.
    fn same(&mut self, a: Var, b: Var) {
        self.make(a, [b.into()]);
        self.make(b, [a.into()]);
    }

    /// The results of a body are what is bound to a pattern.
    fn yields(&mut self, pat: &[PatElem], result: &[SubExp]) {
        for (p, x) in pat.iter().zip(result) {
            self.bound(p.var, &p.ty, *x);
        }
    }

    /// A result under another name.
    fn bound(&mut self, v: Var, ty: &Type, x: SubExp) {
        match (ty, x) {
            (Type::Mem(_), SubExp::Var(block)) => self.same(v, block),
            _ => self.make(v, [x]),
        }
    }

    /// Whatever an operator is applied to or yields, and what is made by it, may be any of these.
    fn operators<'a>(
        &mut self,
        pat: &[PatElem],
        ops: impl Iterator<Item = &'a Reduction> + Clone,
        values: &[SubExp],
    ) {
        let mut all = values.to_vec();
        for Reduction { op: Lambda { body, .. }, neutral, .. } in ops.clone() {
            all.extend(body.result.iter().chain(neutral));
        }
        self.make_all(pat, &all);
        ops.for_each(|r| self.params(&r.op.params, &all));
    }

    fn segmented(&mut self, pat: &[PatElem], op: &SegOp) {
        let KernelBody { results, .. } = &op.body;
        let mut values = Vec::new();
        for (i, r) in results.iter().enumerate() {
            let of: Vec<SubExp> = match r {
                KernelResult::Return(x) => vec![*x],
                KernelResult::Write { dest, writes } => {
                    writes.iter().map(|(_, x)| *x).chain([SubExp::Var(*dest)]).collect()
                }
            };
            if let (Some(p), SegKind::Map | SegKind::Red(_) | SegKind::Scan(_)) =
                (pat.get(i), &op.kind)
            {
                self.make(p.var, of.iter().copied());
            }
            values.extend(of);
        }
        match &op.kind {
            SegKind::Map => {}
            SegKind::Red(ops) | SegKind::Scan(ops) => self.operators(pat, ops.iter(), &values),
            SegKind::Hist(hists) => {
                let dests = hists.iter().flat_map(|h| &h.dests);
                values.extend(dests.map(|d| SubExp::Var(*d)));
                self.operators(pat, hists.iter().map(|h| &h.op), &values);
            }
        }
    }

    fn looping(&mut self, pat: &[PatElem], params: &[Param], init: &[SubExp], body: &Body) {
        for (i, param) in params.iter().enumerate() {
            for x in init.get(i).into_iter().chain(body.result.get(i)) {
                self.bound(param.var, &param.ty, *x);
                if let Some(p) = pat.get(i) {
                    self.bound(p.var, &p.ty, *x);
                }
            }
        }
    }

    fn scalar_or_array(&mut self, s: &Stm) {
        let float = |p: Prim| matches!(p, Prim::Float(_));
        match &s.exp {
            Exp::SubExp(x) | Exp::UnOp(_, x) | Exp::Opaque(x) | Exp::Trace(x) => {
                self.make_all(&s.pat, &[*x]);
            }
            Exp::BinOp(_, a, b) => self.make_all(&s.pat, &[*a, *b]),
            Exp::CmpOp(CmpOp::Eq(Prim::Float(_)) | CmpOp::FLt(_) | CmpOp::FLe(_), a, b) => {
                self.decide(&[*a, *b]);
            }
            // Of other types: what is made of floats has decided where it was made.
            Exp::CmpOp(..) => {}
            Exp::ConvOp(op, x) => match op.types() {
                (Prim::Float(_), Prim::Float(_)) => self.make_all(&s.pat, &[*x]),
                (Prim::Float(_), _) => self.decide(&[*x]),
                _ => {}
            },
            Exp::Math(f, ty, xs) if float(f.result(*ty)) => self.make_all(&s.pat, xs),
            Exp::Math(_, ty, xs) if float(*ty) => self.decide(xs),
            Exp::Math(..) => {}
            Exp::ArrayLit { elems, .. } => self.make_all(&s.pat, elems),
            Exp::Replicate { value, .. } => self.make_all(&s.pat, &[*value]),
            Exp::Index { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Rearrange { array, .. }
            | Exp::Copy(array) => self.make_all(&s.pat, &[SubExp::Var(*array)]),
            Exp::Update { array, value, .. } => {
                self.make_all(&s.pat, &[SubExp::Var(*array), *value]);
            }
            Exp::FlatUpdate { array, value, .. } => {
                self.make_all(&s.pat, &[SubExp::Var(*array), SubExp::Var(*value)]);
            }
            Exp::Concat { arrays, .. } => {
                let arrays: Vec<SubExp> = arrays.iter().map(|a| SubExp::Var(*a)).collect();
                self.make_all(&s.pat, &arrays);
            }
            Exp::Match { cases, default, .. } => {
                for b in cases.iter().map(|(_, b)| b).chain([default]) {
                    self.yields(&s.pat, &b.result);
                }
            }
            Exp::Loop { params, init, body, .. } => self.looping(&s.pat, params, init, body),
            Exp::Seg(op) => self.segmented(&s.pat, op),
            Exp::Prefix { ops, values } => self.operators(&s.pat, ops.iter(), values),
            Exp::Call { args, .. } => self.decide(args),
            // Combinators are not followed: they are segmented operations where this is asked.
            Exp::Soac(_) => self.open.extend(crate::ir::traverse::free_in_stm(s)),
            Exp::Iota { .. }
            | Exp::Scratch { .. }
            | Exp::Assert { .. }
            | Exp::Workers
            | Exp::Alloc { .. }
            | Exp::Retain(_)
            | Exp::Release(_) => {}
        }
    }
}

impl Visit for Decisions {
    fn fun(&mut self, f: &Fun) {
        f.params.iter().for_each(|p| self.param(p));
        walk::body(self, &f.body);
    }

    // Arrays in one block may be one: what tasks write to has another name outside.
    fn pat_elem(&mut self, p: &PatElem) {
        if let Some(mem) = &p.mem {
            self.same(p.var, mem.block);
        }
    }

    fn param(&mut self, p: &Param) {
        if let Some(mem) = &p.mem {
            self.same(p.var, mem.block);
        }
    }

    fn stm(&mut self, s: &Stm) {
        self.scalar_or_array(s);
        s.pat.iter().for_each(|p| self.pat_elem(p));
        walk::exp(self, &s.exp);
    }
}

#[cfg(test)]
mod tests {
    use super::decisive;
    use crate::ir::parse::parse_program;

    /// Names of what decides, in order.
    fn deciding(text: &str) -> Vec<String> {
        let p = match parse_program(&format!("level seg\n{text}")) {
            Ok(p) => p,
            Err(e) => panic!("{e}\n{text}"),
        };
        let mut names: Vec<String> = decisive(&p).iter().map(ToString::to_string).collect();
        names.sort();
        names
    }

    const MAP: &str = "{ let ys_3: [n_0]f32 = segmap seq (i_4 < n_0) : (f32) {
        let x_5: f32 = index xs_2[i_4]
        let y_6: f32 = fmul.f32(x_5, k_1)
        let z_7: f32 = fadd.f32(y_6, 1.0f32)";

    #[test]
    fn what_is_stored_does_not_decide() {
        let head = "fun f (n_0: i64, k_1: f32, xs_2: [n_0]f32) : (r_9: [n_0]f32)
            entry \"f\" (\"k\": \"f32\" f32, \"xs\": \"[]f32\" []f32) -> (\"[]f32\" []f32)";
        assert!(deciding(&format!("{head} {MAP} in (return z_7) }} in ys_3 }}")).is_empty());
        let compared = "let c_8: bool = flt.f32(y_6, 2.0f32)
            let w_9: f32 = if c_8 { in z_7 } else { in k_1 } in (return w_9) } in ys_3 }";
        assert_eq!(deciding(&format!("{head} {MAP} {compared}")), ["k_1", "x_5", "xs_2", "y_6"]);
    }

    #[test]
    fn what_functions_yield_may_decide() {
        let head = "fun f (k_1: f32, x_5: f32) : (r_9: f32)";
        let body = "{ let y_6: f32 = fmul.f32(x_5, k_1) in y_6 }";
        assert_eq!(deciding(&format!("{head} {body}")), ["k_1", "x_5", "y_6"]);
    }

    #[test]
    fn what_a_loop_carries_decides_if_a_later_round_looks() {
        let text = "fun f (k_1: f32) : (r_9: i64)
            entry \"f\" (\"k\": \"f32\" f32) -> (\"i64\" i64)
            { let (s_2: f32, t_3: f32, c_4: bool) =
                loop (s_5: f32 = k_1, t_6: f32 = 1.0f32, c_7: bool = true) while c_7 {
                  let u_8: f32 = fmul.f32(s_5, 2.0f32)
                  let v_9: f32 = fmul.f32(t_6, s_5)
                  let d_10: bool = flt.f32(u_8, 100.0f32) in (u_8, v_9, d_10) }
              in 7 }";
        assert_eq!(deciding(text), ["k_1", "s_5", "u_8"]);
    }

    #[test]
    fn what_operators_look_at_decides() {
        let text = "fun f (n_0: i64, xs_2: [n_0]f32) : (r_9: f32)
            entry \"f\" (\"xs\": \"[]f32\" []f32) -> (\"f32\" f32)
            { let r_3: f32 = segred seq (i_4 < n_0) op [0.0f32] \\(a_7: f32, b_8: f32) : (f32) {
                  let c_9: bool = flt.f32(a_7, b_8)
                  let m_10: f32 = if c_9 { in b_8 } else { in a_7 } in m_10 } : (f32) {
                let x_5: f32 = index xs_2[i_4] let y_6: f32 = fmul.f32(x_5, x_5) in (return y_6) }
              in r_3 }";
        let found = deciding(text);
        assert!(found.iter().any(|v| v == "y_6") && found.iter().any(|v| v == "m_10"), "{found:?}");
    }
}
