//! What the verifier asks of types, which are graphs: each part is looked at once in a definition.

use crate::check::types::subst::size_vars;
use futc_typed::program::VarId;
use futc_typed::shared::{Lasting, parts, step};
use futc_typed::types::{Arrow, Size, Type, TypeArg};
use std::collections::HashMap;
use std::rc::Rc;

/// What is known of the types of a definition.
#[derive(Default)]
pub(super) struct Types {
    free: Lasting<Rc<[VarId]>>,
    /// The places of types that agree. They are kept, or others could come to stand there.
    agreed: HashMap<(usize, usize), (Type, Type)>,
}

/// Sizes without repetition, in order.
#[derive(Default)]
struct Sizes(Vec<VarId>);

impl Sizes {
    fn add(&mut self, v: VarId) {
        if !self.0.contains(&v) {
            self.0.push(v);
        }
    }

    fn size(&mut self, size: &Size) {
        size_vars(size, &mut |v| self.add(v));
    }
}

impl Types {
    /// The variables in the sizes of a type that no arrow in it binds.
    pub(super) fn free_sizes(&mut self, ty: &Type) -> Vec<VarId> {
        let mut out = Sizes::default();
        self.free(ty, &mut out);
        out.0
    }

    fn free(&mut self, ty: &Type, out: &mut Sizes) {
        step();
        if parts(ty).is_none() {
            return self.free_parts(ty, out);
        }
        if let Some(known) = self.free.get(ty, 0) {
            return known.iter().for_each(|v| out.add(*v));
        }
        let mut own = Sizes::default();
        self.free_parts(ty, &mut own);
        own.0.iter().for_each(|v| out.add(*v));
        self.free.put(ty, 0, own.0.into());
    }

    fn free_parts(&mut self, ty: &Type, out: &mut Sizes) {
        match ty {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Array { size, elem } => {
                out.size(size);
                self.free(elem, out);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.free(t, out)),
            Type::Sum(cs) => cs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.free(t, out)),
            Type::Arrow(a) => self.free_in_arrow(a, out),
            Type::Opaque(_, args) => {
                for arg in args.iter() {
                    match arg {
                        TypeArg::Size(s) => out.size(s),
                        TypeArg::Type(t) => self.free(t, out),
                    }
                }
            }
        }
    }

    fn free_in_arrow(&mut self, a: &Arrow, out: &mut Sizes) {
        self.free(&a.param, out);
        let mut ret = Sizes::default();
        self.free(&a.ret, &mut ret);
        let bound = |v: &VarId| a.name == Some(*v) || a.ret_sizes.contains(v);
        ret.0.into_iter().filter(|v| !bound(v)).for_each(|v| out.add(v));
    }

    /// Whether two types are equal but for sizes, of which only different constants disagree.
    pub(super) fn agree(&mut self, a: &Type, b: &Type) -> bool {
        step();
        let (Some(x), Some(y)) = (parts(a), parts(b)) else { return self.parts_agree(a, b) };
        // A type agrees with itself.
        if x == y || self.agreed.contains_key(&(x, y)) {
            return true;
        }
        let agree = self.parts_agree(a, b);
        if agree {
            self.agreed.insert((x, y), (a.clone(), b.clone()));
        }
        agree
    }

    fn parts_agree(&mut self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Prim(p), Type::Prim(q)) => p == q,
            (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) => {
                !matches!((m, n), (Size::Const(m), Size::Const(n)) if m != n) && self.agree(x, y)
            }
            (Type::Record(xs), Type::Record(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|((m, x), (n, y))| m == n && self.agree(x, y))
            }
            (Type::Sum(xs), Type::Sum(ys)) => {
                xs.len() == ys.len()
                    && xs.iter().zip(ys.iter()).all(|((m, ts), (n, us))| {
                        m == n
                            && ts.len() == us.len()
                            && ts.iter().zip(us).all(|(t, u)| self.agree(t, u))
                    })
            }
            (Type::Arrow(f), Type::Arrow(g)) => {
                self.agree(&f.param, &g.param) && self.agree(&f.ret, &g.ret)
            }
            (Type::Param(v), Type::Param(w)) => v == w,
            (Type::Opaque(i, xs), Type::Opaque(j, ys)) if i == j => {
                xs.iter().zip(ys.iter()).all(|(x, y)| match (x, y) {
                    (TypeArg::Size(_), TypeArg::Size(_)) => true,
                    (TypeArg::Type(t), TypeArg::Type(u)) => self.agree(t, u),
                    _ => false,
                })
            }
            // An ascription makes a type abstract outside of a definition, not within.
            (Type::Opaque(..), _) | (_, Type::Opaque(..)) => true,
            _ => false,
        }
    }
}
