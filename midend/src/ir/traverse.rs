//! The traversal of the IR, and what is made of it: free variables, substitution, renaming.
//!
//! The traversal is written once and expanded twice: [`Visit`] reads, [`Rewrite`] changes in
//! place. Its default does nothing but walk, in the order of scopes: a binder is met before its
//! uses, an operation before the pattern of its statement. Every match is exhaustive, so that a
//! new operation cannot be forgotten.
//!
//! Since a variable is bound once in a whole program, nothing here needs to worry about capture.

use super::builder::NameSource;
use super::syntax::*;
use super::types::{MemBind, Size64, SubExp, Type, Var};
use super::varmap::{OrderedVars, VarMap, VarSet};

macro_rules! traversal {
    ($(#[$doc:meta])* $trait:ident, $walks:ident, $($m:tt)?) => {
        $(#[$doc])*
        pub trait $trait {
            /// A binding occurrence.
            fn bind(&mut self, _var: &$($m)? Var) {}
            /// A use where only a variable may stand.
            fn var(&mut self, _var: &$($m)? Var) {}
            /// An operand.
            fn subexp(&mut self, x: &$($m)? SubExp) {
                $walks::subexp(self, x);
            }
            /// A type.
            fn ty(&mut self, ty: &$($m)? Type) {
                $walks::ty(self, ty);
            }
            /// A symbolic size.
            fn size64(&mut self, x: &$($m)? Size64) {
                $walks::size64(self, x);
            }
            /// A place in memory.
            fn mem_bind(&mut self, m: &$($m)? MemBind) {
                $walks::mem_bind(self, m);
            }
            /// A parameter, with its binding.
            fn param(&mut self, p: &$($m)? Param) {
                $walks::param(self, p);
            }
            /// A pattern element, with its binding.
            fn pat_elem(&mut self, p: &$($m)? PatElem) {
                $walks::pat_elem(self, p);
            }
            /// A statement: certificates, expression, pattern.
            fn stm(&mut self, s: &$($m)? Stm) {
                $walks::stm(self, s);
            }
            /// A list of statements.
            fn stms(&mut self, s: &$($m)? Vec<Stm>) {
                $walks::stms(self, s);
            }
            /// An expression.
            fn exp(&mut self, e: &$($m)? Exp) {
                $walks::exp(self, e);
            }
            /// A body.
            fn body(&mut self, b: &$($m)? Body) {
                $walks::body(self, b);
            }
            /// A lambda.
            fn lambda(&mut self, l: &$($m)? Lambda) {
                $walks::lambda(self, l);
            }
            /// The body of a segmented operation.
            fn kernel_body(&mut self, b: &$($m)? KernelBody) {
                $walks::kernel_body(self, b);
            }
            /// A function.
            fn fun(&mut self, f: &$($m)? Fun) {
                $walks::fun(self, f);
            }
        }

        #[doc = concat!("The default methods of [`", stringify!($trait), "`]: to be called from an")]
        /// overriding method that wants to go on below.
        pub mod $walks {
            use crate::ir::syntax::*;
            use crate::ir::types::*;
            use super::$trait;

            /// Its variable.
            pub fn subexp<V: $trait + ?Sized>(v: &mut V, x: &$($m)? SubExp) {
                match x {
                    SubExp::Var(x) => v.var(x),
                    SubExp::Const(_) => {}
                }
            }

            /// Its sizes.
            pub fn ty<V: $trait + ?Sized>(v: &mut V, ty: &$($m)? Type) {
                match ty {
                    Type::Array { elem: _, shape } => subexps(v, shape),
                    Type::Prim(_) | Type::Cert | Type::Mem(_) => {}
                }
            }

            /// Its leaves.
            pub fn size64<V: $trait + ?Sized>(v: &mut V, x: &$($m)? Size64) {
                match x {
                    Size64::Leaf(x) => v.subexp(x),
                    Size64::Add(a, b) | Size64::Sub(a, b) | Size64::Mul(a, b) => {
                        v.size64(a);
                        v.size64(b);
                    }
                }
            }

            /// Block and LMAD.
            pub fn mem_bind<V: $trait + ?Sized>(v: &mut V, m: &$($m)? MemBind) {
                let MemBind { block, lmad: Lmad { offset, dims } } = m;
                v.var(block);
                v.size64(offset);
                for LmadDim { n, stride } in dims {
                    v.subexp(n);
                    v.size64(stride);
                }
            }

            /// Type, place, variable.
            pub fn param<V: $trait + ?Sized>(v: &mut V, p: &$($m)? Param) {
                let Param { var, ty, unique: _, mem } = p;
                v.ty(ty);
                if let Some(m) = mem {
                    v.mem_bind(m);
                }
                v.bind(var);
            }

            /// Type, place, variable.
            pub fn pat_elem<V: $trait + ?Sized>(v: &mut V, p: &$($m)? PatElem) {
                let PatElem { var, ty, mem } = p;
                v.ty(ty);
                if let Some(m) = mem {
                    v.mem_bind(m);
                }
                v.bind(var);
            }

            /// Certificates, expression, pattern.
            pub fn stm<V: $trait + ?Sized>(v: &mut V, s: &$($m)? Stm) {
                let Stm { pat, exp, certs, attrs: _, loc: _, schedule: _ } = s;
                vars(v, certs);
                v.exp(exp);
                for p in pat {
                    v.pat_elem(p);
                }
            }

            /// Each in turn.
            pub fn stms<V: $trait + ?Sized>(v: &mut V, s: &$($m)? Vec<Stm>) {
                for s in s {
                    v.stm(s);
                }
            }

            /// Statements and result.
            pub fn body<V: $trait + ?Sized>(v: &mut V, b: &$($m)? Body) {
                let Body { stms, result } = b;
                v.stms(stms);
                subexps(v, result);
            }

            /// Parameters, body, result types.
            pub fn lambda<V: $trait + ?Sized>(v: &mut V, l: &$($m)? Lambda) {
                let Lambda { params, body, ret } = l;
                for p in params {
                    v.param(p);
                }
                v.body(body);
                for t in ret {
                    v.ty(t);
                }
            }

            /// Statements, results and their types.
            pub fn kernel_body<V: $trait + ?Sized>(v: &mut V, b: &$($m)? KernelBody) {
                let KernelBody { stms, results, types } = b;
                v.stms(stms);
                for r in results {
                    match r {
                        KernelResult::Return(x) => v.subexp(x),
                        KernelResult::Write { dest, writes } => {
                            v.var(dest);
                            for (at, x) in writes {
                                subexps(v, at);
                                v.subexp(x);
                            }
                        }
                    }
                }
                for t in types {
                    v.ty(t);
                }
            }

            /// Parameters, result pattern, body.
            pub fn fun<V: $trait + ?Sized>(v: &mut V, f: &$($m)? Fun) {
                let Fun { name: _, entry: _, linkage: _, params, results, body, attrs: _, loc: _ } = f;
                for p in params {
                    v.param(p);
                }
                for r in results {
                    v.pat_elem(r);
                }
                v.body(body);
            }

            fn subexps<V: $trait + ?Sized>(v: &mut V, xs: &$($m)? Vec<SubExp>) {
                for x in xs {
                    v.subexp(x);
                }
            }

            fn vars<V: $trait + ?Sized>(v: &mut V, xs: &$($m)? Vec<Var>) {
                for x in xs {
                    v.var(x);
                }
            }

            fn dim_indexes<V: $trait + ?Sized>(v: &mut V, dims: &$($m)? Vec<DimIndex>) {
                for d in dims {
                    match d {
                        DimIndex::Fix(i) => v.subexp(i),
                        DimIndex::Slice { start, n, stride } => {
                            v.subexp(start);
                            v.subexp(n);
                            v.subexp(stride);
                        }
                    }
                }
            }

            fn reduction<V: $trait + ?Sized>(v: &mut V, r: &$($m)? Reduction) {
                let Reduction { op, neutral, commutative: _ } = r;
                subexps(v, neutral);
                v.lambda(op);
            }

            fn hist_op<V: $trait + ?Sized>(v: &mut V, h: &$($m)? HistOp) {
                let HistOp { shape, dests, op } = h;
                subexps(v, shape);
                vars(v, dests);
                reduction(v, op);
            }

            fn soac<V: $trait + ?Sized>(v: &mut V, s: &$($m)? Soac) {
                match s {
                    Soac::Screma { width, inputs, lambda, scans, reduces } => {
                        v.subexp(width);
                        vars(v, inputs);
                        v.lambda(lambda);
                        for r in scans {
                            reduction(v, r);
                        }
                        for r in reduces {
                            reduction(v, r);
                        }
                    }
                    Soac::Hist { width, inputs, ops, lambda } => {
                        v.subexp(width);
                        vars(v, inputs);
                        for h in ops {
                            hist_op(v, h);
                        }
                        v.lambda(lambda);
                    }
                    Soac::Scatter { width, inputs, dests, lambda } => {
                        v.subexp(width);
                        vars(v, inputs);
                        for (_, d) in dests {
                            v.var(d);
                        }
                        v.lambda(lambda);
                    }
                }
            }

            fn seg_space<V: $trait + ?Sized>(v: &mut V, s: &$($m)? SegSpace) {
                for (i, n) in &$($m)? s.dims {
                    v.subexp(n);
                    v.bind(i);
                }
            }

            fn seg_op<V: $trait + ?Sized>(v: &mut V, s: &$($m)? SegOp) {
                let SegOp { level: _, space, kind, body } = s;
                seg_space(v, space);
                match kind {
                    SegKind::Map => {}
                    SegKind::Red(ops) | SegKind::Scan(ops) => {
                        for r in ops {
                            reduction(v, r);
                        }
                    }
                    SegKind::Hist(ops) => {
                        for h in ops {
                            hist_op(v, h);
                        }
                    }
                }
                v.kernel_body(body);
            }

            /// Operands, then whatever is nested.
            pub fn exp<V: $trait + ?Sized>(v: &mut V, e: &$($m)? Exp) {
                match e {
                    Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => v.subexp(x),
                    Exp::UnOp(_, x) | Exp::ConvOp(_, x) => v.subexp(x),
                    Exp::BinOp(_, x, y) | Exp::CmpOp(_, x, y) => {
                        v.subexp(x);
                        v.subexp(y);
                    }
                    Exp::Math(_, _, xs) => subexps(v, xs),
                    Exp::ArrayLit { elems, row } => {
                        subexps(v, elems);
                        v.ty(row);
                    }
                    Exp::Index { array, dims } => {
                        v.var(array);
                        dim_indexes(v, dims);
                    }
                    Exp::Update { array, dims, value } => {
                        v.var(array);
                        dim_indexes(v, dims);
                        v.subexp(value);
                    }
                    Exp::FlatIndex { array, offset, dims } => {
                        v.var(array);
                        v.subexp(offset);
                        for (n, s) in dims {
                            v.subexp(n);
                            v.subexp(s);
                        }
                    }
                    Exp::FlatUpdate { array, offset, dims, value } => {
                        v.var(array);
                        v.subexp(offset);
                        for (n, s) in dims {
                            v.subexp(n);
                            v.subexp(s);
                        }
                        v.var(value);
                    }
                    Exp::Iota { n, start, stride, ty: _ } => {
                        v.subexp(n);
                        v.subexp(start);
                        v.subexp(stride);
                    }
                    Exp::Replicate { shape, value } => {
                        subexps(v, shape);
                        v.subexp(value);
                    }
                    Exp::Scratch { elem: _, shape } => subexps(v, shape),
                    Exp::Workers => {}
                    Exp::Reshape { array, shape } => {
                        v.var(array);
                        subexps(v, shape);
                    }
                    Exp::Rearrange { array, perm: _ } => v.var(array),
                    Exp::Concat { dim: _, arrays, size } => {
                        vars(v, arrays);
                        v.subexp(size);
                    }
                    Exp::Copy(x) | Exp::Retain(x) | Exp::Release(x) => v.var(x),
                    Exp::Prefix { ops, values } => {
                        subexps(v, values);
                        for r in ops {
                            reduction(v, r);
                        }
                    }
                    Exp::Assert { kind: _, cond, msg } => {
                        v.subexp(cond);
                        for m in msg {
                            match m {
                                MsgPart::Text(_) => {}
                                MsgPart::Value(x, _) => v.subexp(x),
                            }
                        }
                    }
                    Exp::Match { scrutinee, cases, default } => {
                        v.subexp(scrutinee);
                        for (_, b) in cases {
                            v.body(b);
                        }
                        v.body(default);
                    }
                    Exp::Loop { params, init, form, body } => {
                        subexps(v, init);
                        for p in params {
                            v.param(p);
                        }
                        match form {
                            LoopForm::For { var, ty: _, bound } => {
                                v.subexp(bound);
                                v.bind(var);
                            }
                            LoopForm::While { cond } => v.var(cond),
                        }
                        v.body(body);
                    }
                    Exp::Call { fun: _, args } => subexps(v, args),
                    Exp::Soac(s) => soac(v, s),
                    Exp::Seg(s) => seg_op(v, s),
                    Exp::Alloc { bytes, space: _ } => v.size64(bytes),
                }
            }
        }
    };
}

traversal! {
    /// Reads the IR.
    Visit, walk,
}

traversal! {
    /// Changes the IR in place.
    Rewrite, rewrite, mut
}

/// Calls `f` on every statement list directly below `e` (not on those below them).
pub fn for_each_block<'a>(e: &'a Exp, f: &mut dyn FnMut(&'a Vec<Stm>)) {
    match e {
        Exp::Match { scrutinee: _, cases, default } => {
            for (_, b) in cases {
                f(&b.stms);
            }
            f(&default.stms);
        }
        Exp::Loop { params: _, init: _, form: _, body } => f(&body.stms),
        Exp::Soac(s) => match s {
            Soac::Screma { width: _, inputs: _, lambda, scans, reduces } => {
                f(&lambda.body.stms);
                for r in scans.iter().chain(reduces) {
                    f(&r.op.body.stms);
                }
            }
            Soac::Hist { width: _, inputs: _, ops, lambda } => {
                for h in ops {
                    f(&h.op.op.body.stms);
                }
                f(&lambda.body.stms);
            }
            Soac::Scatter { width: _, inputs: _, dests: _, lambda } => f(&lambda.body.stms),
        },
        Exp::Prefix { ops, values: _ } => ops.iter().for_each(|r| f(&r.op.body.stms)),
        Exp::Seg(s) => {
            match &s.kind {
                SegKind::Map => {}
                SegKind::Red(ops) | SegKind::Scan(ops) => {
                    for r in ops {
                        f(&r.op.body.stms);
                    }
                }
                SegKind::Hist(ops) => {
                    for h in ops {
                        f(&h.op.op.body.stms);
                    }
                }
            }
            f(&s.body.stms);
        }
        Exp::SubExp(_)
        | Exp::UnOp(..)
        | Exp::BinOp(..)
        | Exp::CmpOp(..)
        | Exp::ConvOp(..)
        | Exp::Math(..)
        | Exp::ArrayLit { .. }
        | Exp::Index { .. }
        | Exp::Update { .. }
        | Exp::FlatIndex { .. }
        | Exp::FlatUpdate { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::Reshape { .. }
        | Exp::Rearrange { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::Opaque(_)
        | Exp::Workers
        | Exp::Trace(_)
        | Exp::Assert { .. }
        | Exp::Call { .. }
        | Exp::Alloc { .. }
        | Exp::Retain(_)
        | Exp::Release(_) => {}
    }
}

/// Calls `f` on every statement list directly below `e`, to be changed.
pub fn for_each_block_mut(e: &mut Exp, f: &mut dyn FnMut(&mut Vec<Stm>)) {
    struct Blocks<'f>(&'f mut dyn FnMut(&mut Vec<Stm>));
    impl Rewrite for Blocks<'_> {
        fn stms(&mut self, s: &mut Vec<Stm>) {
            (self.0)(s);
        }
    }
    Blocks(f).exp(e);
}

// Free variables.

#[derive(Default)]
struct Free {
    bound: VarSet,
    used: OrderedVars,
}

impl Visit for Free {
    fn bind(&mut self, var: &Var) {
        self.bound.insert(*var);
    }

    fn var(&mut self, var: &Var) {
        self.used.insert(*var);
    }
}

impl Free {
    fn finish(self) -> Vec<Var> {
        let bound = self.bound;
        self.used.into_vec().into_iter().filter(|v| !bound.contains(v)).collect()
    }
}

/// The variables that what `walk` walks over uses and does not bind, in order of first use.
///
/// ```ignore
/// free_in(|v| v.body(&body))
/// ```
pub fn free_in(walk: impl FnOnce(&mut dyn Visit)) -> Vec<Var> {
    let mut free = Free::default();
    walk(&mut free);
    free.finish()
}

/// Free variables of an expression.
pub fn free_in_exp(e: &Exp) -> Vec<Var> {
    free_in(|v| v.exp(e))
}

/// Free variables of a statement: of its expression, certificates, and pattern types.
pub fn free_in_stm(s: &Stm) -> Vec<Var> {
    free_in(|v| v.stm(s))
}

/// Free variables of a body.
pub fn free_in_body(b: &Body) -> Vec<Var> {
    free_in(|v| v.body(b))
}

/// Free variables of a lambda.
pub fn free_in_lambda(l: &Lambda) -> Vec<Var> {
    free_in(|v| v.lambda(l))
}

/// Free variables of a function: the globals it uses.
pub fn free_in_fun(f: &Fun) -> Vec<Var> {
    free_in(|v| v.fun(f))
}

/// The variables that what is visited binds.
#[derive(Default)]
pub struct Binders(pub VarSet);

impl Visit for Binders {
    fn bind(&mut self, v: &Var) {
        self.0.insert(*v);
    }
}

/// Whether an expression, at any depth of what is walked, is one of these.
///
/// ```text
/// any_exp(|v| v.body(b), |e| matches!(e, Exp::Call { .. }))
/// ```
pub fn any_exp(walked: impl FnOnce(&mut dyn Visit), is: impl FnMut(&Exp) -> bool) -> bool {
    struct AnyExp<F>(F, bool);
    impl<F: FnMut(&Exp) -> bool> Visit for AnyExp<F> {
        fn exp(&mut self, e: &Exp) {
            self.1 = self.1 || (self.0)(e);
            if !self.1 {
                walk::exp(self, e);
            }
        }
    }
    let mut any = AnyExp(is, false);
    walked(&mut any);
    any.1
}

// Substitution.

/// A substitution of operands for variables. Uses only; binders stay.
#[derive(Default, Clone, Debug)]
pub struct Subst {
    map: VarMap<SubExp>,
}

impl Subst {
    /// Of nothing.
    pub fn new() -> Subst {
        Subst::default()
    }

    /// `with` for `var`. What is put in place of an array, a block or a certificate must be a
    /// variable.
    pub fn insert(&mut self, var: Var, with: impl Into<SubExp>) {
        self.map.insert(var, with.into());
    }

    /// What stands for `var`, if anything.
    pub fn get(&self, var: Var) -> Option<SubExp> {
        self.map.get(&var).copied()
    }

    /// What stands for the operand: itself if nothing else.
    pub fn lookup(&self, x: SubExp) -> SubExp {
        match x {
            SubExp::Var(v) => self.get(v).unwrap_or(x),
            SubExp::Const(_) => x,
        }
    }

    /// Does nothing?
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The type with its sizes substituted.
    pub fn in_type(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.ty(&mut ty);
        ty
    }
}

impl<S: Into<SubExp>> FromIterator<(Var, S)> for Subst {
    fn from_iter<I: IntoIterator<Item = (Var, S)>>(pairs: I) -> Subst {
        Subst { map: pairs.into_iter().map(|(v, s)| (v, s.into())).collect() }
    }
}

impl Rewrite for Subst {
    fn var(&mut self, var: &mut Var) {
        if let Some(SubExp::Var(w)) = self.map.get(var) {
            *var = *w;
        }
    }

    fn subexp(&mut self, x: &mut SubExp) {
        *x = self.lookup(*x);
    }
}

// Renaming.

/// Gives every binder in what it is applied to a new tag: what a second copy of code needs.
pub struct Renamer<'n> {
    names: &'n mut NameSource,
    subst: Subst,
}

impl<'n> Renamer<'n> {
    /// With nothing renamed yet.
    pub fn new(names: &'n mut NameSource) -> Renamer<'n> {
        Renamer { names, subst: Subst::new() }
    }

    /// Which also puts `subst` in place of free variables, as for the parameters of a function
    /// that is inlined.
    pub fn with(names: &'n mut NameSource, subst: Subst) -> Renamer<'n> {
        Renamer { names, subst }
    }

    /// The new names so far.
    pub fn subst(&self) -> &Subst {
        &self.subst
    }
}

impl Rewrite for Renamer<'_> {
    fn bind(&mut self, var: &mut Var) {
        let new = self.names.like(*var);
        self.subst.insert(*var, new);
        *var = new;
    }

    fn var(&mut self, var: &mut Var) {
        self.subst.var(var);
    }

    fn subexp(&mut self, x: &mut SubExp) {
        self.subst.subexp(x);
    }
}

/// A copy of the lambda with new binders.
pub fn rename_lambda(l: &Lambda, names: &mut NameSource) -> Lambda {
    let mut l = l.clone();
    Renamer::new(names).lambda(&mut l);
    l
}

/// A copy of the body with new binders.
pub fn rename_body(b: &Body, names: &mut NameSource) -> Body {
    let mut b = b.clone();
    Renamer::new(names).body(&mut b);
    b
}

/// A copy of the reduction with new binders.
pub fn rename_reduction(r: &Reduction, names: &mut NameSource) -> Reduction {
    let mut r = r.clone();
    Renamer::new(names).lambda(&mut r.op);
    r
}

/// A copy of the expression with new binders inside.
pub fn rename_exp(e: &Exp, names: &mut NameSource) -> Exp {
    let mut e = e.clone();
    Renamer::new(names).exp(&mut e);
    e
}

/// The body of a lambda as statements, with operands for its parameters and new binders.
pub fn apply_lambda(l: &Lambda, args: &[SubExp], names: &mut NameSource) -> Body {
    let subst = l.params.iter().map(|p| p.var).zip(args.iter().copied()).collect();
    let mut body = l.body.clone();
    Renamer::with(names, subst).body(&mut body);
    body
}
