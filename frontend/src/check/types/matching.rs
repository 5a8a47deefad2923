//! Whether a value has the type a specification asks for.
//!
//! The value's parameters are to be found ([`Matched::inst`]) and the specification's are given.
//! Existential sizes in results go the other way: the value may say which size it is, and the
//! specification forgets it. In parameters of parameters the roles are exchanged.
//!
//! Types are compared as they stand: the caller has put what the module provides for abstract
//! types. A size [`Size::Unknown`], which a constant of existential size has, agrees with any.
//!
//! What is found for the value's parameters is evaluated before the value is applied. So a size of
//! it must not be one that only the result tells; a type may have such a size, which then is
//! [`Size::Unknown`]: no value of the type is made before.
//! Cost: linear in the types, except that size expressions are compared after the rest.

use crate::check::types::env::Scheme;
use crate::check::types::sizes::free_sizes;
use crate::check::types::subst::{Subst, exp_to_size, size_vars};
use crate::syntax::ast::Liftedness;
use futc_typed::prim::PrimValue;
use futc_typed::program::{DefId, DimIndex, Exp, ExpKind, Inst, VarId};
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::collections::{BTreeMap, HashMap, HashSet};

/// A value's type found to be an instance.
#[derive(Clone, Debug)]
pub struct Matched {
    /// For the value's parameters, over the specification's.
    pub inst: Inst,
    /// The two differ in names only: parameters agree in number and order, and no size is
    /// forgotten.
    pub exact: bool,
}

/// Matches the type of a value, `have`, with a specification, `want`; they share no variables.
pub fn match_schemes(have: &Scheme, want: &Scheme) -> Option<Matched> {
    let mut m = Matcher {
        types: have.type_params.iter().map(|(l, v)| (*v, (*l, None))).collect(),
        sizes: have.size_params.iter().map(|v| (*v, None)).collect(),
        lifted: want.type_params.iter().map(|(l, v)| (*v, *l)).collect(),
        rename: HashMap::new(),
        later: Vec::new(),
        exact: true,
        steps: 0,
        matched: HashSet::new(),
    };
    if !m.ty(&have.ty, &want.ty, true) {
        return None;
    }
    for (a, b) in std::mem::take(&mut m.later) {
        if !m.size_now(&a, &b) {
            return None;
        }
    }
    let (types, sizes) = m.found(have, want)?;
    let exact = m.exact
        && types.len() == want.type_params.len()
        && sizes.len() == want.size_params.len()
        && types.iter().zip(&want.type_params).all(|(t, (_, v))| *t == Type::Param(*v))
        && sizes.iter().zip(&want.size_params).all(|(s, v)| *s == Size::Var(*v));
    Some(Matched { inst: Inst { types, sizes }, exact })
}

/// Whether two types are equal, given variables of the first for variables of the second.
pub fn same_type(have: &Type, want: &Type, params: &[(VarId, VarId)]) -> bool {
    let mut m = Matcher {
        types: params
            .iter()
            .map(|(a, b)| (*a, (Liftedness::Lifted, Some(Type::Param(*b)))))
            .collect(),
        sizes: params.iter().map(|(a, b)| (*a, Some(Size::Var(*b)))).collect(),
        lifted: HashMap::new(),
        rename: HashMap::new(),
        later: Vec::new(),
        exact: true,
        steps: 0,
        matched: HashSet::new(),
    };
    m.ty(have, want, true)
        && std::mem::take(&mut m.later).iter().all(|(a, b)| m.size_now(a, b))
        && m.exact
}

/// The sizes that can be mentioned where a value of this type is applied: its size parameters and
/// the names of its parameters; and those that its result brings into being.
fn told_by_application(scheme: &Scheme) -> (HashSet<VarId>, HashSet<VarId>) {
    let mut before: HashSet<VarId> = scheme.size_params.iter().copied().collect();
    let mut after = HashSet::new();
    let mut ty = &scheme.ty;
    while let Type::Arrow(a) = ty {
        before.extend(a.name);
        after.extend(a.ret_sizes.iter().copied());
        ty = &a.ret;
    }
    (before, after)
}

/// Whether `v` is the size of an array in a type, other than of a payload in a sum.
fn size_of_array(ty: &Type, v: VarId) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Sum(_) => false,
        Type::Array { size, elem } => *size == Size::Var(v) || size_of_array(elem, v),
        Type::Record(fields) => fields.iter().any(|(_, t)| size_of_array(t, v)),
        Type::Arrow(a) => size_of_array(&a.param, v) || size_of_array(&a.ret, v),
        Type::Opaque(_, args) => args.iter().any(|arg| match arg {
            TypeArg::Size(s) => *s == Size::Var(v),
            TypeArg::Type(t) => size_of_array(t, v),
        }),
    }
}

struct Matcher {
    /// Type parameters of the value, with what they are found to be.
    types: HashMap<VarId, (Liftedness, Option<Type>)>,
    /// Sizes to be found: of the value, and existential ones.
    sizes: HashMap<VarId, Option<Size>>,
    /// Type parameters of the specification.
    lifted: HashMap<VarId, Liftedness>,
    /// Names of parameters of the value's arrows to those of the specification's.
    rename: HashMap<VarId, Size>,
    /// Size expressions, compared when all else is known.
    later: Vec<(Size, Size)>,
    exact: bool,
    steps: u32,
    /// Places, alive as long as the matcher, that have been matched.
    matched: HashSet<(usize, usize, bool)>,
}

impl Matcher {
    /// What the value's parameters are found to be, if that can be told before it is applied.
    fn found(&self, have: &Scheme, want: &Scheme) -> Option<(Vec<Type>, Vec<Size>)> {
        let (before, mut after) = told_by_application(want);
        after.extend(told_by_application(have).1);
        let told = |v: VarId| before.contains(&v);
        let settled = self.settled();
        let mut types = Vec::with_capacity(have.type_params.len());
        for (liftedness, v) in &have.type_params {
            let ty = self.types.get(v).and_then(|(_, t)| t.clone()).unwrap_or_else(Type::unit);
            let ty = settled.ty(&ty);
            let mut unknown = Subst::default();
            let mut anonymous = false;
            free_sizes(&ty, &mut Vec::new(), &mut |v| {
                if !told(v) {
                    // A size that a function makes anew at each application is not that of a type
                    // which stays the same.
                    anonymous |= !after.contains(&v);
                    unknown.sizes.insert(v, Size::Unknown);
                }
            });
            if anonymous && *liftedness == Liftedness::Unlifted {
                return None;
            }
            types.push(unknown.ty(&ty));
        }
        let mut sizes = Vec::with_capacity(have.size_params.len());
        for v in &have.size_params {
            let size = self.sizes.get(v).cloned().flatten().unwrap_or(Size::Unknown);
            let size = settled.size(&size);
            let mut lost = false;
            size_vars(&size, &mut |v| lost |= !told(v));
            if !lost {
                sizes.push(size);
            } else if size_of_array(&have.ty, *v) {
                return None;
            } else {
                // Of constructors that the value does not use; any size does.
                sizes.push(Size::Const(0));
            }
        }
        Some((types, sizes))
    }

    /// `forward` says that `have` is the value's type, not a parameter's parameter.
    fn ty(&mut self, have: &Type, want: &Type, forward: bool) -> bool {
        if let Type::Param(v) = have
            && let Some((liftedness, found)) = self.types.get(v)
        {
            return match found.clone() {
                // A parameter of the specification, which may look like one of the value.
                Some(Type::Param(found)) => *want == Type::Param(found),
                // Sizes that only the specification leaves open may still be found.
                Some(found) => self.parts(&found, want, forward),
                None => {
                    let liftedness = *liftedness;
                    if self.liftedness(want) > liftedness {
                        return false;
                    }
                    self.types.insert(*v, (liftedness, Some(want.clone())));
                    true
                }
            };
        }
        // What types share is matched once, unless the names of parameters around could matter.
        let places = (std::ptr::from_ref(have).addr(), std::ptr::from_ref(want).addr(), forward);
        if self.rename.is_empty() && self.matched.contains(&places) {
            return true;
        }
        let ok = self.parts(have, want, forward);
        if ok && self.rename.is_empty() {
            self.steps += 1;
            if self.steps > 32 {
                self.matched.insert(places);
            }
        }
        ok
    }

    fn parts(&mut self, have: &Type, want: &Type, forward: bool) -> bool {
        match (have, want) {
            (Type::Prim(a), Type::Prim(b)) => a == b,
            (Type::Param(a), Type::Param(b)) => a == b,
            (Type::Array { size: s, elem: a }, Type::Array { size: z, elem: b }) => {
                self.size(s, z) && self.ty(a, b, forward)
            }
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b.iter())
                        .all(|((n, t), (m, u))| n == m && self.ty(t, u, forward))
            }
            (Type::Sum(a), Type::Sum(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b.iter()).all(|((n, ts), (m, us))| {
                        n == m
                            && ts.len() == us.len()
                            && ts.iter().zip(us).all(|(t, u)| self.ty(t, u, forward))
                    })
            }
            (Type::Arrow(a), Type::Arrow(b)) => self.arrow(a, b, forward),
            (Type::Opaque(a, xs), Type::Opaque(b, ys)) => {
                a == b
                    && xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|(x, y)| match (x, y) {
                        (TypeArg::Size(x), TypeArg::Size(y)) => self.size(x, y),
                        (TypeArg::Type(x), TypeArg::Type(y)) => self.ty(x, y, forward),
                        (TypeArg::Size(_), TypeArg::Type(_))
                        | (TypeArg::Type(_), TypeArg::Size(_)) => false,
                    })
            }
            (
                Type::Prim(_)
                | Type::Param(_)
                | Type::Array { .. }
                | Type::Record(_)
                | Type::Sum(_)
                | Type::Arrow(_)
                | Type::Opaque(..),
                _,
            ) => false,
        }
    }

    fn arrow(&mut self, have: &Arrow, want: &Arrow, forward: bool) -> bool {
        if !self.ty(&have.param, &want.param, !forward) {
            return false;
        }
        // `given` makes the promise that `asked` relies on.
        let (given, asked) = if forward { (have, want) } else { (want, have) };
        if given.consumes.exceeds(&asked.consumes, &asked.param) {
            return false;
        }
        if asked.unique_ret.exceeds(&given.unique_ret, &asked.ret) {
            return false;
        }
        match (have.name, want.name) {
            (Some(a), Some(b)) => {
                self.rename.insert(a, Size::Var(b));
            }
            (Some(_), None) => self.exact = false,
            (None, Some(_)) | (None, None) => {}
        }
        for v in &asked.ret_sizes {
            self.sizes.insert(*v, None);
        }
        if !self.ty(&have.ret, &want.ret, forward) {
            return false;
        }
        // Exact if each existential size of one stands for one of the other.
        let mut partners: Vec<Option<Size>> =
            asked.ret_sizes.iter().map(|v| self.sizes.get(v).cloned().flatten()).collect();
        let one_to_one = have.ret_sizes.len() == want.ret_sizes.len()
            && given.ret_sizes.iter().all(|v| {
                match partners.iter().position(|p| *p == Some(Size::Var(*v))) {
                    Some(i) => {
                        partners.swap_remove(i);
                        true
                    }
                    None => false,
                }
            });
        self.exact &= one_to_one;
        true
    }

    fn liftedness(&self, ty: &Type) -> Liftedness {
        match ty {
            Type::Prim(_) | Type::Array { .. } | Type::Opaque(..) => Liftedness::Unlifted,
            Type::Param(v) => self.lifted.get(v).copied().unwrap_or(Liftedness::Unlifted),
            Type::Record(fields) => {
                fields.iter().map(|(_, t)| self.liftedness(t)).max().unwrap_or(Liftedness::Unlifted)
            }
            Type::Sum(constrs) => constrs
                .iter()
                .flat_map(|(_, ts)| ts)
                .map(|t| self.liftedness(t))
                .max()
                .unwrap_or(Liftedness::Unlifted),
            Type::Arrow(_) => Liftedness::Lifted,
        }
    }

    fn size(&mut self, have: &Size, want: &Size) -> bool {
        if matches!(have, Size::Exp(_)) || matches!(want, Size::Exp(_)) {
            // A lone variable takes an expression at once, so that what follows sees it.
            if let Size::Var(v) = have
                && let Some(None) = self.sizes.get(v)
            {
                self.sizes.insert(*v, Some(want.clone()));
                return true;
            }
            self.later.push((have.clone(), want.clone()));
            return true;
        }
        self.size_now(have, want)
    }

    fn size_now(&mut self, have: &Size, want: &Size) -> bool {
        if let Size::Var(v) = have {
            if let Some(known) = self.rename.get(v) {
                let known = known.clone();
                return self.known_size(&known, want);
            }
            match self.sizes.get(v) {
                Some(Some(known)) => {
                    let known = known.clone();
                    return self.known_size(&known, want);
                }
                Some(None) => {
                    self.sizes.insert(*v, Some(want.clone()));
                    return true;
                }
                None => {}
            }
        }
        self.known_size(have, want)
    }

    fn known_size(&mut self, have: &Size, want: &Size) -> bool {
        if let Size::Var(v) = want {
            match self.sizes.get(v) {
                Some(Some(known)) => {
                    let known = known.clone();
                    return equal_sizes(have, &known);
                }
                Some(None) => {
                    self.sizes.insert(*v, Some(have.clone()));
                    return true;
                }
                None => {}
            }
        }
        match (have, want) {
            (Size::Unknown, _) | (_, Size::Unknown) => true,
            (Size::Exp(a), Size::Exp(b)) => {
                let known = self.known();
                equal_sizes(&known.size(have), &known.size(want)) || self.exp(a, b)
            }
            _ => {
                let known = self.known();
                equal_sizes(&known.size(have), &known.size(want))
            }
        }
    }

    /// What is known of sizes, as a substitution.
    fn known(&self) -> Subst {
        let mut subst = Subst::default();
        subst.sizes.extend(self.rename.iter().map(|(v, s)| (*v, s.clone())));
        subst.sizes.extend(self.sizes.iter().filter_map(|(v, s)| Some((*v, s.clone()?))));
        subst
    }

    /// As [`Matcher::known`], where what is known of one size by another is put in.
    fn settled(&self) -> Subst {
        let known = self.known();
        let mut settled = known.clone();
        for _ in 0..4 {
            settled.sizes.values_mut().for_each(|s| *s = known.size(s));
        }
        settled
    }

    /// Expressions of one form, which may find sizes that occur nowhere alone.
    fn exp(&mut self, have: &Exp, want: &Exp) -> bool {
        match (&have.kind, &want.kind) {
            (ExpKind::Var(..), _) => {
                self.size_now(&exp_to_size(have.clone()), &exp_to_size(want.clone()))
            }
            (ExpKind::App { fun: f, args: xs, .. }, ExpKind::App { fun: g, args: ys, .. }) => {
                xs.len() == ys.len()
                    && self.exp(f, g)
                    && xs.iter().zip(ys).all(|(x, y)| self.exp(x, y))
            }
            (ExpKind::Project(x, n), ExpKind::Project(y, m)) => n == m && self.exp(x, y),
            _ => equal_exps(have, want),
        }
    }
}

/// Equality of sizes, wherever their expressions stand in the source: as polynomials over whatever
/// is not a sum or a product.
pub fn equal_sizes(a: &Size, b: &Size) -> bool {
    match (a, b) {
        (Size::Unknown, _) | (_, Size::Unknown) => true,
        (Size::Exp(_), _) | (_, Size::Exp(_)) => {
            let mut atoms = Vec::new();
            polynomial_of_size(a, &mut atoms) == polynomial_of_size(b, &mut atoms)
        }
        _ => a == b,
    }
}

/// Products of atoms, by number, with their coefficients, none of them zero.
type Polynomial = BTreeMap<Vec<usize>, i64>;

fn polynomial_of_size<'e>(size: &'e Size, atoms: &mut Vec<Atom<'e>>) -> Polynomial {
    match size {
        Size::Const(c) => constant(*c),
        Size::Var(v) => atom(Atom::Var(*v), atoms),
        Size::Global(d) => atom(Atom::Global(*d), atoms),
        Size::Exp(e) => polynomial(e, atoms),
        Size::Unknown => atom(Atom::Unknown, atoms),
    }
}

#[derive(Clone, Copy)]
enum Atom<'e> {
    Var(VarId),
    Global(DefId),
    Exp(&'e Exp),
    Unknown,
}

fn atom<'e>(a: Atom<'e>, atoms: &mut Vec<Atom<'e>>) -> Polynomial {
    let found = atoms.iter().position(|b| match (a, *b) {
        (Atom::Var(x), Atom::Var(y)) => x == y,
        (Atom::Global(x), Atom::Global(y)) => x == y,
        (Atom::Exp(x), Atom::Exp(y)) => equal_exps(x, y),
        _ => false,
    });
    let index = found.unwrap_or_else(|| {
        atoms.push(a);
        atoms.len() - 1
    });
    [(vec![index], 1)].into()
}

fn constant(c: i64) -> Polynomial {
    if c == 0 { Polynomial::new() } else { [(Vec::new(), c)].into() }
}

fn polynomial<'e>(e: &'e Exp, atoms: &mut Vec<Atom<'e>>) -> Polynomial {
    let (op, args) = match &e.kind {
        ExpKind::Lit(PrimValue::I64(c)) => return constant(*c),
        ExpKind::Var(v, _) => return atom(Atom::Var(*v), atoms),
        ExpKind::Global(d, _) => return atom(Atom::Global(*d), atoms),
        ExpKind::Attr(_, e) => return polynomial(e, atoms),
        ExpKind::App { fun, args, .. } => match &fun.kind {
            ExpKind::Intrinsic(op, _) => (op.as_str(), args.as_slice()),
            _ => return atom(Atom::Exp(e), atoms),
        },
        _ => return atom(Atom::Exp(e), atoms),
    };
    match (op, args) {
        ("+", [x, y]) => sum(polynomial(x, atoms), &polynomial(y, atoms), 1),
        ("-", [x, y]) => sum(polynomial(x, atoms), &polynomial(y, atoms), -1),
        ("neg", [x]) => sum(Polynomial::new(), &polynomial(x, atoms), -1),
        ("*", [x, y]) => {
            let (x, y) = (polynomial(x, atoms), polynomial(y, atoms));
            let mut out = Polynomial::new();
            for (p, c) in &x {
                for (q, d) in &y {
                    let mut product = p.clone();
                    product.extend(q);
                    product.sort_unstable();
                    let one: Polynomial = [(product, c.wrapping_mul(*d))].into();
                    out = sum(out, &one, 1);
                }
            }
            out
        }
        _ => atom(Atom::Exp(e), atoms),
    }
}

fn sum(mut x: Polynomial, y: &Polynomial, sign: i64) -> Polynomial {
    for (product, c) in y {
        let slot = x.entry(product.clone()).or_insert(0);
        *slot = slot.wrapping_add(c.wrapping_mul(sign));
        if *slot == 0 {
            x.remove(product);
        }
    }
    x
}

fn equal_exps(a: &Exp, b: &Exp) -> bool {
    let all = |xs: &[Exp], ys: &[Exp]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| equal_exps(x, y))
    };
    match (&a.kind, &b.kind) {
        (ExpKind::Lit(x), ExpKind::Lit(y)) => match (x, y) {
            (PrimValue::I64(x), PrimValue::I64(y)) => x == y,
            _ => x == y,
        },
        (ExpKind::Var(x, _), ExpKind::Var(y, _)) => x == y,
        (ExpKind::Global(x, _), ExpKind::Global(y, _)) => x == y,
        (ExpKind::Intrinsic(x, _), ExpKind::Intrinsic(y, _)) => x == y,
        (ExpKind::Project(x, n), ExpKind::Project(y, m)) => n == m && equal_exps(x, y),
        (ExpKind::App { fun: f, args: xs, .. }, ExpKind::App { fun: g, args: ys, .. }) => {
            equal_exps(f, g) && all(xs, ys)
        }
        (ExpKind::ArrayLit(xs), ExpKind::ArrayLit(ys)) => all(xs, ys),
        (ExpKind::Index(x, is), ExpKind::Index(y, js)) => {
            equal_exps(x, y)
                && is.len() == js.len()
                && is.iter().zip(js).all(|(i, j)| match (i, j) {
                    (DimIndex::Fix(i), DimIndex::Fix(j)) => equal_exps(i, j),
                    _ => i == j,
                })
        }
        _ => a.kind == b.kind,
    }
}
