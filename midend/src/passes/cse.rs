//! Common subexpressions: a pure expression computed twice in scope is computed once.
//!
//! Before: `let a = x + y  let b = y + x  in (a, b)`. After: `let a = x + y  in (a, a)`.
//!
//! What makes a fresh array is merged only if neither is consumed nor becomes a result. Equal
//! conditions are asserted once. Refused: calls, combinators, branches and loops.
//!
//! One walk with a table of what is in scope, keyed by a hash of operator and operands.

use super::alias::Aliases;
use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite};
use crate::ir::varmap::{FastMap, TagHasher};
use crate::ir::{BinOp, CmpOp, Exp, KEEP, Level, Program, SIZE, Stm, SubExp, Var};
use std::hash::{Hash, Hasher};

/// Merges common subexpressions.
pub fn cse(mut program: Program) -> Program {
    if program.level == Level::Mem {
        return program;
    }
    let mut c = Cse {
        aliases: Aliases::of_program(&program),
        subst: Subst::new(),
        known: FastMap::default(),
        log: Vec::new(),
    };
    c.body(&mut program.consts);
    for g in &mut program.globals {
        c.pat_elem(g);
    }
    for f in &mut program.funs {
        c.fun(f);
    }
    program
}

struct Known {
    exp: Exp,
    certs: Vec<Var>,
    var: Var,
    /// The check of a size, which stays.
    size: bool,
}

struct Cse {
    aliases: Aliases,
    subst: Subst,
    known: FastMap<u64, Vec<Known>>,
    /// Keys in order of entry, for leaving scopes.
    log: Vec<u64>,
}

/// How an expression may be merged.
#[derive(PartialEq, Eq)]
enum Kind {
    /// A scalar, a view or a certificate.
    Shared,
    /// A new array.
    Fresh,
    /// Not at all.
    Never,
}

fn kind(e: &Exp) -> Kind {
    match e {
        Exp::UnOp(..)
        | Exp::BinOp(..)
        | Exp::CmpOp(..)
        | Exp::ConvOp(..)
        | Exp::Math(..)
        | Exp::Index { .. }
        | Exp::FlatIndex { .. }
        | Exp::Reshape { .. }
        | Exp::Rearrange { .. }
        | Exp::Assert { .. } => Kind::Shared,
        Exp::ArrayLit { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_) => Kind::Fresh,
        Exp::SubExp(_)
        | Exp::Update { .. }
        | Exp::FlatUpdate { .. }
        | Exp::Scratch { .. }
        | Exp::Opaque(_)
        | Exp::Trace(_)
        | Exp::Match { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Soac(_)
        | Exp::Seg(_)
        | Exp::Alloc { .. }
        | Exp::Retain(_)
        | Exp::Release(_) => Kind::Never,
    }
}

/// The expression as it is compared: operands of commutative operators in order, assertions
/// without their messages, since the second can never be the one to fail.
fn normal(e: &Exp) -> Exp {
    let (x, y) = match e {
        Exp::BinOp(
            BinOp::Add(_)
            | BinOp::Mul(_)
            | BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Xor(_)
            | BinOp::SMin(_)
            | BinOp::SMax(_)
            | BinOp::UMin(_)
            | BinOp::UMax(_)
            | BinOp::FAdd(_)
            | BinOp::FMul(_)
            | BinOp::LogAnd
            | BinOp::LogOr,
            x,
            y,
        )
        | Exp::CmpOp(CmpOp::Eq(_), x, y) => (*x, *y),
        Exp::Assert { cond, msg: _ } => return Exp::Assert { cond: *cond, msg: Vec::new() },
        e => return e.clone(),
    };
    let swap = matches!((x, y), (SubExp::Var(a), SubExp::Var(b)) if b < a);
    let (x, y) = if swap { (y, x) } else { (x, y) };
    match e {
        Exp::BinOp(op, ..) => Exp::BinOp(*op, x, y),
        Exp::CmpOp(op, ..) => Exp::CmpOp(*op, x, y),
        e => e.clone(),
    }
}

fn hash(e: &Exp) -> u64 {
    struct Operands(TagHasher);
    impl Visit for Operands {
        fn var(&mut self, v: &Var) {
            self.0.write_u32(v.tag);
        }
        fn subexp(&mut self, x: &SubExp) {
            x.hash(&mut self.0);
        }
    }
    let mut h = TagHasher::default();
    std::mem::discriminant(e).hash(&mut h);
    match e {
        Exp::UnOp(op, _) => op.hash(&mut h),
        Exp::BinOp(op, ..) => op.hash(&mut h),
        Exp::CmpOp(op, ..) => op.hash(&mut h),
        Exp::ConvOp(op, _) => op.hash(&mut h),
        Exp::Math(f, t, _) => (f, t).hash(&mut h),
        Exp::Rearrange { array: _, perm } => perm.hash(&mut h),
        _ => {}
    }
    let mut o = Operands(h);
    o.exp(e);
    o.0.finish()
}

impl Cse {
    fn may_merge(&mut self, kind: &Kind, a: Var, b: Var) -> bool {
        *kind == Kind::Shared
            || [a, b].into_iter().all(|v| {
                let c = self.aliases.class(v);
                !c.consumed && !c.escapes
            })
    }

    /// Replaces the statement by one before it, or remembers it. True if it is gone.
    fn merge(&mut self, s: &mut Stm) -> bool {
        let kind = kind(&s.exp);
        let [p] = s.pat.as_slice() else { return false };
        if kind == Kind::Never || s.has_attr(KEEP) {
            return false;
        }
        let exp = normal(&s.exp);
        let key = hash(&exp);
        let var = p.var;
        // A check of a size must not come to rely on one that may go.
        let size = s.has_attr(SIZE);
        let earlier = self
            .known
            .get(&key)
            .and_then(|ks| ks.iter().rev().find(|k| k.exp == exp && k.size >= size))
            .map(|k| (k.var, s.certs.iter().all(|c| k.certs.contains(c))));
        if let Some((w, covered)) = earlier
            && self.may_merge(&kind, var, w)
        {
            self.aliases.union(var, w);
            if covered {
                self.subst.insert(var, w);
                return true;
            }
            if !matches!(s.exp, Exp::Assert { .. }) {
                s.exp = Exp::SubExp(w.into());
                return false;
            }
        }
        let entry = Known { exp, certs: s.certs.clone(), var, size };
        self.known.entry(key).or_default().push(entry);
        self.log.push(key);
        false
    }
}

impl Rewrite for Cse {
    fn var(&mut self, v: &mut Var) {
        self.subst.var(v);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }

    fn stms(&mut self, stms: &mut Vec<Stm>) {
        let mark = self.log.len();
        stms.retain_mut(|s| {
            rewrite::stm(self, s);
            s.certs.sort_unstable();
            s.certs.dedup();
            !self.merge(s)
        });
        for key in self.log.drain(mark..) {
            if let Some(ks) = self.known.get_mut(&key) {
                ks.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cse;
    use crate::passes::testing::check;

    fn f(body: &str) -> String {
        format!(
            "fun f (n_1: i64, m_2: i64, c_3: bool, xs_4: [n_1]i32) : (r_5: i64, q_6: i64) {{ {body} }}"
        )
    }

    #[track_caller]
    fn to(before: &str, after: &str) {
        check(cse, &f(before), &f(after));
    }

    #[test]
    fn scalars_in_scope() {
        to(
            "let a_7: i64 = add.i64(n_1, m_2) let b_8: i64 = add.i64(m_2, n_1) in (a_7, b_8)",
            "let a_7: i64 = add.i64(n_1, m_2) in (a_7, a_7)",
        );
        // What a branch computes is not known after it.
        let same = "let a_7: i64 = if c_3 { let b_8: i64 = mul.i64(m_2, n_1) in b_8 } else { in 1 }
            let d_9: i64 = mul.i64(m_2, n_1) in (a_7, d_9)";
        to(same, same);
        to(
            "let d_9: i64 = mul.i64(m_2, n_1) let a_7: i64 = if c_3 { let b_8: i64 = mul.i64(m_2, n_1) in b_8 } else { in 1 } in (a_7, d_9)",
            "let d_9: i64 = mul.i64(m_2, n_1) let a_7: i64 = if c_3 { in d_9 } else { in 1 } in (a_7, d_9)",
        );
    }

    #[test]
    fn assertions_and_what_relies_on_them() {
        to(
            "let e_7: cert = assert(c_3, \"a\") let f_8: cert = assert(c_3, \"b\")
             let a_9: i64 = <e_7> sdiv.i64(n_1, m_2) let b_10: i64 = <f_8> sdiv.i64(n_1, m_2) in (a_9, b_10)",
            "let e_7: cert = assert(c_3, \"a\") let a_9: i64 = <e_7> sdiv.i64(n_1, m_2) in (a_9, a_9)",
        );
    }

    #[test]
    fn arrays_unless_one_is_consumed() {
        to(
            "let a_7: [n_1]i64 = iota.i64(n_1, 0, 1) let b_8: [n_1]i64 = iota.i64(n_1, 0, 1)
             let c_9: i64 = index a_7[0] let d_10: i64 = index b_8[0] in (c_9, d_10)",
            "let a_7: [n_1]i64 = iota.i64(n_1, 0, 1) let c_9: i64 = index a_7[0] in (c_9, c_9)",
        );
        let same = "let a_7: [n_1]i64 = iota.i64(n_1, 0, 1) let b_8: [n_1]i64 = iota.i64(n_1, 0, 1)
             let u_9: [n_1]i64 = update a_7[0] with 5 let c_9: i64 = index u_9[0] let d_10: i64 = index b_8[0] in (c_9, d_10)";
        to(&same.replace("c_9", "c_11"), &same.replace("c_9", "c_11"));
    }
}
