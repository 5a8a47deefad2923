//! Copies that nobody could tell from an alias become aliases.
//!
//! Before: `let y = copy(x)  let s = reduce … y`. After: `let y = x  let s = reduce … y`.
//!
//! A copy may go
//!
//! 1. if nothing that shares memory with either side is ever consumed, nor handed to the next round of a
//!    loop that consumes it, and the copy does not become a result of the function (a caller may take results for fresh); or
//! 2. if it becomes a result, but the original is of the function's own making and no result
//!    itself, and neither is consumed; or
//! 3. if nothing that shares memory with the original is used after the copy, nor known outside
//!    the body the copy stands in: then the copy takes the original over, and may be consumed; or
//! 4. if nothing that shares memory with the copy is consumed or known outside of the body it stands in, and nothing
//!    consumes the original up to the last use of the copy: then the copy is over before the original changes.
//!
//! Kept: copies of rearranged arrays, which give an array the layout that its user wants.
//!
//! One walk with [`Aliases`], and one more over each body that has candidates.

use crate::analysis::alias::{Aliases, Class, consumed_by};
use crate::ir::traverse::{Visit, for_each_block_mut, free_in_stm};
use crate::ir::varmap::{FastMap, VarSet};
use crate::ir::{Body, Exp, Fun, Level, Param, PatElem, Program, Stm, SubExp, Var};
use futc_typed::name::Name;

/// Removes copies.
pub fn copy_elim(mut program: Program) -> Program {
    if program.level == Level::Mem {
        return program;
    }
    let aliases = Aliases::of_program(&program);
    let unique = |f: &Fun| (f.name, f.params.iter().map(|p| p.unique).collect());
    let unique = program.funs.iter().map(unique).collect();
    let mut c = Copies { aliases, unique, rearranged: VarSet::default() };
    c.body(&mut program.consts, &[]);
    for f in &mut program.funs {
        c.body(&mut f.body, &f.params);
    }
    program
}

struct Copies {
    aliases: Aliases,
    /// Which parameters functions consume.
    unique: FastMap<Name, Vec<bool>>,
    /// Arrays whose layout is not that of their dimensions.
    rearranged: VarSet,
}

/// What an expression copies as a whole.
pub(super) fn copied(e: &Exp) -> Option<Var> {
    match e {
        Exp::Copy(v) => Some(*v),
        Exp::Replicate { shape, value: SubExp::Var(v) } if shape.is_empty() => Some(*v),
        _ => None,
    }
}

/// An array and its copy, if a statement makes one.
fn copy(s: &Stm) -> Option<(Var, Var)> {
    match s.pat.as_slice() {
        [p] if p.ty.rank() > 0 => Some((copied(&s.exp)?, p.var)),
        _ => None,
    }
}

impl Copies {
    fn body(&mut self, b: &mut Body, params: &[Param]) {
        let result = std::mem::take(&mut b.result);
        self.list(&mut b.stms, &result, params);
        b.result = result;
    }

    fn list(&mut self, stms: &mut [Stm], result: &[SubExp], params: &[Param]) {
        let mut candidates = false;
        for s in stms.iter_mut() {
            self.nested(&mut s.exp);
            if let [p] = s.pat.as_slice() {
                match &s.exp {
                    Exp::Rearrange { .. } => {
                        self.rearranged.insert(p.var);
                    }
                    Exp::SubExp(SubExp::Var(v))
                    | Exp::Index { array: v, .. }
                    | Exp::Opaque(SubExp::Var(v)) => {
                        if self.rearranged.contains(v) {
                            self.rearranged.insert(p.var);
                        }
                    }
                    e => candidates |= copied(e).is_some() && p.ty.rank() > 0,
                }
            }
        }
        if candidates {
            let start = self.start(stms, params);
            let mut last = self.last_uses(stms, result);
            for i in 0..stms.len() {
                let Some((x, y)) = stms.get(i).and_then(copy) else { continue };
                if !self.rearranged.contains(&x)
                    && (self.may_go(i, x, y, start, &last)
                        || self.is_over(stms, i, x, y, start, &last))
                    && let Some(s) = stms.get_mut(i)
                {
                    self.unite(x, y, &mut last);
                    s.exp = Exp::SubExp(x.into());
                }
            }
        }
    }

    fn nested(&mut self, e: &mut Exp) {
        match e {
            Exp::Match { scrutinee: _, cases, default } => {
                for (_, b) in cases {
                    self.body(b, &[]);
                }
                self.body(default, &[]);
            }
            Exp::Loop { body, .. } => self.body(body, &[]),
            Exp::Soac(_) | Exp::Seg(_) => {
                // Their results are read when the body is done.
                let mut results = Vec::new();
                Results(&mut results).exp(e);
                let mut results = results.into_iter();
                for_each_block_mut(e, &mut |stms| {
                    let result = results.next().unwrap_or_default();
                    self.list(stms, &result, &[]);
                });
            }
            _ => {}
        }
    }

    fn may_go(
        &mut self,
        at: usize,
        x: Var,
        y: Var,
        start: u32,
        last: &FastMap<u32, usize>,
    ) -> bool {
        let (a, b) = (self.aliases.class(x), self.aliases.class(y));
        let kept = |c: &Class| !c.consumed && !c.carried;
        if kept(&a) && kept(&b) && (!b.escapes || !a.foreign && !a.escapes) {
            return true;
        }
        let used_later = match self.aliases.id(x) {
            Some(id) => last.get(&id).is_some_and(|&l| l > at),
            None => true,
        };
        !used_later && !a.foreign && a.since >= start
    }

    /// Whether the copy is used for the last time before anything consumes the original.
    fn is_over(
        &mut self,
        stms: &[Stm],
        at: usize,
        x: Var,
        y: Var,
        start: u32,
        last: &FastMap<u32, usize>,
    ) -> bool {
        let copy = self.aliases.class(y);
        if copy.consumed || copy.carried || copy.escapes || copy.foreign || copy.since < start {
            return false;
        }
        let (Some(x), Some(y)) = (self.aliases.id(x), self.aliases.id(y)) else { return false };
        let end = last.get(&y).map_or(at, |l| *l);
        // Uses by the result come behind all statements.
        let Some(between) = stms.get(at + 1..=end) else { return false };
        between.iter().all(|s| {
            let consumed = consumed_by(s, &|f| self.unique.get(&f).cloned().unwrap_or_default());
            consumed.into_iter().all(|v| self.aliases.id(v).is_some_and(|id| id != x))
        })
    }

    fn unite(&mut self, x: Var, y: Var, last: &mut FastMap<u32, usize>) {
        let uses: Vec<usize> = [x, y]
            .into_iter()
            .filter_map(|v| self.aliases.id(v).and_then(|id| last.get(&id).copied()))
            .collect();
        self.aliases.union(x, y);
        if let (Some(id), Some(&l)) = (self.aliases.id(x), uses.iter().max()) {
            last.insert(id, l);
        }
    }

    /// When the first array was bound that is known in these statements only.
    fn start(&self, stms: &[Stm], params: &[Param]) -> u32 {
        struct First<'a>(&'a Aliases, u32);
        impl First<'_> {
            fn see(&mut self, v: Var) {
                if let Some(at) = self.0.bound_at(v) {
                    self.1 = self.1.min(at);
                }
            }
        }
        impl Visit for First<'_> {
            fn param(&mut self, p: &Param) {
                self.see(p.var);
            }
            fn pat_elem(&mut self, p: &PatElem) {
                self.see(p.var);
            }
        }
        let mut first = First(&self.aliases, u32::MAX);
        for p in params {
            first.param(p);
        }
        for s in stms {
            first.stm(s);
        }
        first.1
    }

    /// The last statement that uses a member of each class; the result counts as one more.
    fn last_uses(&mut self, stms: &[Stm], result: &[SubExp]) -> FastMap<u32, usize> {
        let mut last = FastMap::default();
        for (i, s) in stms.iter().enumerate() {
            for v in free_in_stm(s) {
                if let Some(id) = self.aliases.id(v) {
                    last.insert(id, i);
                }
            }
        }
        for v in result.iter().filter_map(|x| x.var()) {
            if let Some(id) = self.aliases.id(v) {
                last.insert(id, stms.len());
            }
        }
        last
    }
}

/// What each body directly below an expression yields, in the order of its statement lists.
struct Results<'r>(&'r mut Vec<Vec<SubExp>>);

impl Visit for Results<'_> {
    fn body(&mut self, b: &Body) {
        self.0.push(b.result.clone());
    }

    fn kernel_body(&mut self, b: &crate::ir::KernelBody) {
        use crate::ir::KernelResult;
        self.0.push(
            b.results
                .iter()
                .flat_map(|r| match r {
                    KernelResult::Return(x) => vec![*x],
                    KernelResult::Write { dest, writes } => {
                        let values = writes.iter().map(|w| w.1);
                        std::iter::once(SubExp::Var(*dest)).chain(values).collect()
                    }
                })
                .collect(),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::copy_elim;
    use crate::passes::testing::check;

    fn f(body: &str) -> String {
        format!("fun f (n_1: i64, xs_2: [n_1]i32, *ys_3: [n_1]i32) : (r_4: [n_1]i32) {{ {body} }}")
    }

    #[track_caller]
    fn goes(before: &str, after: &str) {
        check(copy_elim, &f(before), &f(after));
    }

    #[track_caller]
    fn stays(body: &str) {
        check(copy_elim, &f(body), &f(body));
    }

    const MAP: &str =
        "map(n_1, [a_9], \\(x_10: i32) : (i32) { let y_11: i32 = add.i32(x_10, 1i32) in y_11 })";

    #[test]
    fn of_what_is_only_read() {
        goes(
            &format!("let a_9: [n_1]i32 = copy(xs_2) let b_12: [n_1]i32 = {MAP} in b_12"),
            &format!("let a_9: [n_1]i32 = xs_2 let b_12: [n_1]i32 = {MAP} in b_12"),
        );
    }

    #[test]
    fn not_of_a_parameter_that_becomes_a_result_or_is_updated() {
        stays("let a_9: [n_1]i32 = copy(xs_2) in a_9");
        stays(
            "let a_9: [n_1]i32 = copy(xs_2) let b_10: [n_1]i32 = update a_9[0] with 1i32 in b_10",
        );
    }

    #[test]
    fn not_of_what_the_next_round_consumes() {
        stays(
            "let v_9: [n_1]i32 = replicate([n_1], 1i32)
             let c_10: [n_1]i32 = copy(v_9)
             let o_11: [n_1]i32 = loop (p_12: [n_1]i32 = c_10) for i_13: i64 < n_1 {
               let u_14: [n_1]i32 = update p_12[0] with 2i32
               let w_15: [n_1]i32 = copy(v_9) in w_15 }
             in o_11",
        );
    }

    #[test]
    fn not_of_what_a_loop_may_have_left_as_it_was() {
        // Without a round the result is what stands outside of the map, which was another array's
        // before that was updated.
        stays(
            "let u_9: [n_1]i32 = update ys_3[0] with 1i32
             let m_10: [n_1][n_1]i32 = map(n_1, [xs_2], \\(x_11: i32) : ([n_1]i32) {
               let o_12: [n_1]i32 = loop (p_13: [n_1]i32 = u_9) for i_14: i64 < n_1 {
                 let q_15: [n_1]i32 = replicate([n_1], x_11) in q_15 }
               let c_16: [n_1]i32 = copy(o_12)
               let d_17: [n_1]i32 = update c_16[0] with x_11 in d_17 })
             let r_18: [n_1]i32 = index m_10[0, 0 :+ n_1 * 1] in r_18",
        );
    }

    #[test]
    fn of_what_is_dead_after_it() {
        goes(
            "let a_9: [n_1]i32 = copy(ys_3) let b_10: [n_1]i32 = update a_9[0] with 1i32 in b_10",
            "let a_9: [n_1]i32 = ys_3 let b_10: [n_1]i32 = update a_9[0] with 1i32 in b_10",
        );
        goes(
            "let z_8: [n_1]i32 = replicate([n_1], 0i32) let a_9: [n_1]i32 = copy(z_8)
             let b_10: [n_1]i32 = loop (c_11: [n_1]i32 = a_9) for i_12: i64 < n_1 {
               let d_13: [n_1]i32 = update c_11[i_12] with 1i32 in d_13 } in b_10",
            "let z_8: [n_1]i32 = replicate([n_1], 0i32) let a_9: [n_1]i32 = z_8
             let b_10: [n_1]i32 = loop (c_11: [n_1]i32 = a_9) for i_12: i64 < n_1 {
               let d_13: [n_1]i32 = update c_11[i_12] with 1i32 in d_13 } in b_10",
        );
    }

    #[test]
    fn of_what_changes_after_the_last_use() {
        goes(
            &format!(
                "let a_9: [n_1]i32 = copy(ys_3) let b_12: [n_1]i32 = {MAP} let c_13: i32 = index b_12[0]
                 let d_14: [n_1]i32 = update ys_3[0] with c_13 in d_14"
            ),
            &format!(
                "let a_9: [n_1]i32 = ys_3 let b_12: [n_1]i32 = {MAP} let c_13: i32 = index b_12[0]
                 let d_14: [n_1]i32 = update ys_3[0] with c_13 in d_14"
            ),
        );
        // A part of the copy is used in the update, behind it, or after what a loop does.
        stays(
            "let a_9: [n_1]i32 = copy(ys_3) let p_12: [n_1]i32 = index a_9[0 :+ n_1 * 1]
             let d_14: [n_1]i32 = update ys_3[0 :+ n_1 * 1] with p_12 in d_14",
        );
        stays(
            "let a_9: [n_1]i32 = copy(ys_3) let p_12: [n_1]i32 = index a_9[0 :+ n_1 * 1]
             let d_14: [n_1]i32 = update ys_3[0] with 1i32 let c_13: i32 = index p_12[0]
             let e_15: [n_1]i32 = update d_14[1] with c_13 in e_15",
        );
        stays(
            "let a_9: [n_1]i32 = copy(ys_3)
             let d_14: [n_1]i32 = loop (q_16: [n_1]i32 = ys_3) for i_17: i64 < n_1 {
               let c_13: i32 = index a_9[i_17] let r_18: [n_1]i32 = update q_16[0] with c_13 in r_18 }
             in d_14",
        );
        // What a branch yields lives on.
        stays(
            "let c_8: bool = slt.i64(n_1, 5)
             let b_12: [n_1]i32 = if c_8 { let a_9: [n_1]i32 = copy(ys_3) in a_9 } else { in xs_2 }
             let d_14: [n_1]i32 = update ys_3[0] with 1i32 let c_13: i32 = index b_12[0]
             let e_15: [n_1]i32 = update d_14[1] with c_13 in e_15",
        );
    }

    #[test]
    fn not_of_what_is_read_after_the_copy_changed() {
        stays(
            "let a_9: [n_1]i32 = copy(ys_3) let b_10: [n_1]i32 = update a_9[0] with 1i32
             let c_11: i32 = index ys_3[0] let d_12: [n_1]i32 = update b_10[1] with c_11 in d_12",
        );
    }

    #[test]
    fn not_in_a_loop_whose_next_round_reads_it_again() {
        stays(
            "let z_8: [n_1]i32 = replicate([n_1], 0i32)
             let b_10: [n_1]i32 = loop (c_11: [n_1]i32 = z_8) for i_12: i64 < n_1 {
               let e_14: [n_1]i32 = copy(ys_3)
               let d_13: [n_1]i32 = update e_14[i_12] with 1i32 in d_13 } in b_10",
        );
    }

    #[test]
    fn layouts_stay() {
        check(
            copy_elim,
            "fun f (n_1: i64, xs_2: [n_1][n_1]i32) : (r_4: i32) {
               let t_5: [n_1][n_1]i32 = rearrange(xs_2, [1, 0]) let c_6: [n_1][n_1]i32 = copy(t_5)
               let e_7: i32 = index c_6[0, 1] in e_7 }",
            "fun f (n_1: i64, xs_2: [n_1][n_1]i32) : (r_4: i32) {
               let t_5: [n_1][n_1]i32 = rearrange(xs_2, [1, 0]) let c_6: [n_1][n_1]i32 = copy(t_5)
               let e_7: i32 = index c_6[0, 1] in e_7 }",
        );
    }
}
