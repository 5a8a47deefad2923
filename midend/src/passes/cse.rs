//! Common subexpressions: a pure expression computed twice in scope is computed once.
//!
//! Before: `let a = x + y  let b = y + x  in (a, b)`. After: `let a = x + y  in (a, a)`.
//!
//! What makes a fresh array is merged only if neither is consumed nor becomes a result. Equal
//! conditions are asserted once. Of equal loops the second is not run, nor are its checks made, which
//! cannot fail any more. Refused: calls, combinators, and branches.
//!
//! One walk with a table of what is in scope, keyed by a hash of operator and operands. Loops are
//! compared with their variables numbered, if they are not too long.

use crate::analysis::alias::Aliases;
use crate::ir::traverse::{Rewrite, Subst, Visit, rewrite, walk};
use crate::ir::varmap::{FastMap, TagHasher, VarMap};
use crate::ir::{
    AssertKind, BinOp, Class, CmpOp, Exp, Level, PatElem, Program, Stm, SubExp, Type, Var,
};
use futc_typed::name::Name;
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

struct Available {
    exp: Exp,
    certs: Vec<Var>,
    pat: Vec<PatElem>,
    /// The check of a size, which stays.
    size: bool,
}

struct Cse {
    aliases: Aliases,
    subst: Subst,
    known: FastMap<u64, Vec<Available>>,
    /// Keys in order of entry, for leaving scopes.
    log: Vec<u64>,
}

/// How an expression may be merged.
#[derive(PartialEq, Eq)]
enum Kind {
    /// A scalar, a view or a certificate.
    Shared,
    /// A new array, or a loop that may make some.
    Fresh,
    /// Not at all.
    Never,
}

fn kind(e: &Exp) -> Kind {
    match e.class() {
        Class::Scalar | Class::Element | Class::View | Class::Check => Kind::Shared,
        Class::Fresh => Kind::Fresh,
        Class::Loop if repeats(e) => Kind::Fresh,
        Class::Name
        | Class::Unspecified
        | Class::InPlace
        | Class::Hidden
        | Class::Trace
        | Class::Branch
        | Class::Loop
        | Class::Call
        | Class::Combinator
        | Class::Prefix
        | Class::Block => Kind::Never,
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
        Exp::Assert { cond, .. } => {
            let kind = AssertKind::Guard;
            return Exp::Assert { kind, cond: *cond, msg: Vec::new() };
        }
        Exp::Loop { .. } => {
            let mut e = e.clone();
            Numbered::default().exp(&mut e);
            return e;
        }
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

/// Longer loops are not compared.
const MOST_STATEMENTS: usize = 200;

/// Whether a loop is the same again: it prints nothing, and is not too long.
fn repeats(e: &Exp) -> bool {
    struct Look {
        left: usize,
        ok: bool,
    }
    impl Visit for Look {
        fn stm(&mut self, s: &Stm) {
            self.ok &= self.left > 0;
            if self.ok {
                self.left -= 1;
                walk::stm(self, s);
            }
        }
        fn exp(&mut self, e: &Exp) {
            // What is called may print.
            self.ok &= !matches!(e.class(), Class::Trace | Class::Hidden | Class::Call);
            walk::exp(self, e);
        }
    }
    let mut look = Look { left: MOST_STATEMENTS, ok: true };
    look.exp(e);
    look.ok
}

/// Gives variables numbers in order of appearance, and forgets where statements come from.
#[derive(Default)]
struct Numbered(VarMap<Var>);

impl Rewrite for Numbered {
    fn bind(&mut self, v: &mut Var) {
        // No program has so many.
        let tag = u32::MAX - self.0.len() as u32;
        let number = Var { base: Name::new("bound"), tag };
        self.0.insert(*v, number);
        *v = number;
    }
    fn var(&mut self, v: &mut Var) {
        if let Some(number) = self.0.get(v) {
            *v = *number;
        }
    }
    fn stm(&mut self, s: &mut Stm) {
        s.loc = None;
        if let Exp::Assert { msg, .. } = &mut s.exp {
            msg.clear();
        }
        rewrite::stm(self, s);
        s.certs.sort_unstable();
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
    fn may_merge(&mut self, kind: &Kind, a: &[PatElem], b: &[PatElem]) -> bool {
        *kind == Kind::Shared
            || a.iter()
                .chain(b)
                .all(|p| matches!(p.ty, Type::Prim(_)) || self.aliases.class(p.var).may_be_shared())
    }

    /// Replaces the statement by one before it, or remembers it. True if it is gone.
    fn merge(&mut self, s: &mut Stm) -> bool {
        let kind = kind(&s.exp);
        if kind == Kind::Never || s.is_assert(AssertKind::Kept) {
            return false;
        }
        let exp = normal(&s.exp);
        let key = hash(&exp);
        // A check of a size must not come to rely on one that may go.
        let size = s.is_assert(AssertKind::Size);
        let earlier = self
            .known
            .get(&key)
            .and_then(|ks| ks.iter().rev().find(|k| k.exp == exp && k.size >= size))
            .map(|k| (k.pat.clone(), s.certs.iter().all(|c| k.certs.contains(c))));
        if let Some((before, covered)) = earlier
            && self.may_merge(&kind, &s.pat, &before)
        {
            for (p, w) in s.pat.iter().zip(&before) {
                self.aliases.union(p.var, w.var);
            }
            if covered {
                for (p, w) in s.pat.iter().zip(&before) {
                    self.subst.insert(p.var, w.var);
                }
                return true;
            }
            if let (false, [w]) = (matches!(s.exp, Exp::Assert { .. }), before.as_slice()) {
                s.exp = Exp::SubExp(w.var.into());
                return false;
            }
        }
        let entry = Available { exp, certs: s.certs.clone(), pat: s.pat.clone(), size };
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

    /// A loop with a result of a size that it makes, under these names.
    fn growing(d: u32, ys: u32, inside: u32, message: &str) -> String {
        let v = |k: u32| inside + k;
        format!(
            "let (d_{d}: i64, ys_{ys}: [d_{d}]i64) = loop (e_{}: i64 = 0, zs_{}: [e_{}]i64 = none_90)
               for i_{}: i64 < n_1 {{
               let t_{}: bool = slt.i64(i_{}, m_2)
               let g_{}: cert = assert(t_{}, \"{message}\")
               let one_{}: [1]i64 = <g_{}> array [i_{}] of i64
               let f_{}: i64 = add.i64(e_{}, 1)
               let ws_{}: [f_{}]i64 = concat(0, [zs_{}, one_{}], f_{})
               in (f_{}, ws_{}) }}",
            v(0), v(1), v(0), v(2), v(3), v(2), v(4), v(3), v(5), v(4), v(2), v(6), v(0), v(7),
            v(6), v(1), v(5), v(6), v(6), v(7),
        )
    }

    #[test]
    fn loops_are_run_once() {
        let none = "let none_90: [0]i64 = array [] of i64";
        let twice = |ys: &str| {
            format!(
                "{none} {} {} let a_60: i64 = index {ys}[0] in (d_50, a_60)",
                growing(50, 51, 10, "a"),
                growing(52, 53, 30, "b"),
            )
        };
        let once = format!(
            "{none} {} let a_60: i64 = index ys_51[0] in (d_50, a_60)",
            growing(50, 51, 10, "a")
        );
        to(&twice("ys_53"), &once);
        // What is written to is not shared.
        let written = twice("us_61")
            .replace("let a_60", "let us_61: [d_52]i64 = update ys_53[0] with 5 let a_60");
        to(&written, &written);
        // Another bound, another loop.
        let other = twice("ys_53").replacen("i64 < n_1", "i64 < m_2", 1);
        to(&other, &other);
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
