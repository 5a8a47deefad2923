//! The type of a constant at its uses: sizes that only its value tells are lengths of parts of it.

use crate::check::infer::checker::Checker;
use crate::check::types::subst::Subst;
use futc_typed::name::Name;
use futc_typed::prim::PrimType;
use futc_typed::program::{DefId, Exp, ExpKind, FunDef, Inst, VarId};
use futc_typed::span::Span;
use futc_typed::types::{Size, Type};
use std::sync::Arc;

/// Finds, for each of `sizes`, an expression of that value over `e`.
fn witness(e: &Exp, sizes: &[VarId], found: &mut Subst) {
    let span = e.span;
    match &e.ty {
        Type::Array { size, elem } => {
            if let Size::Var(v) = size
                && sizes.contains(v)
            {
                found.sizes.entry(*v).or_insert_with(|| length(e, size, elem));
            }
            if let Type::Array { size: inner, elem: row } = &**elem {
                // The outer dimension of the transposed array is the inner one of this.
                let ty = Type::Array {
                    size: inner.clone(),
                    elem: Arc::new(Type::Array { size: size.clone(), elem: row.clone() }),
                };
                let inst =
                    Inst { types: vec![(**row).clone()], sizes: vec![size.clone(), inner.clone()] };
                if let Size::Var(v) = inner
                    && sizes.contains(v)
                {
                    let e = intrinsic("transpose", inst, e.clone(), ty);
                    let elem = Type::Array { size: size.clone(), elem: row.clone() };
                    found.sizes.entry(*v).or_insert_with(|| length(&e, inner, &elem));
                }
            }
        }
        Type::Record(fields) => {
            for (n, t) in fields.iter() {
                let kind = ExpKind::Project(Box::new(e.clone()), *n);
                witness(&Exp { kind, ty: t.clone(), span }, sizes, found);
            }
        }
        _ => {}
    }
}

fn length(e: &Exp, size: &Size, elem: &Type) -> Size {
    let inst = Inst { types: vec![elem.clone()], sizes: vec![size.clone()] };
    Size::Exp(Arc::new(intrinsic("length", inst, e.clone(), Type::Prim(PrimType::I64))))
}

fn intrinsic(name: &str, inst: Inst, arg: Exp, ty: Type) -> Exp {
    let span = arg.span;
    let fun = Exp {
        kind: ExpKind::Intrinsic(Name::new(name), inst),
        ty: crate::check::types::arrow::arrow(arg.ty.clone(), ty.clone()),
        span,
    };
    Exp { kind: ExpKind::App { fun: Box::new(fun), args: vec![arg], sizes: Vec::new() }, ty, span }
}

impl Checker<'_> {
    /// The type of a constant seen from elsewhere: sizes that only its value tells are written as
    /// lengths of parts of it.
    pub(crate) fn constant_sizes(&mut self, id: DefId, fun: &FunDef, ty: &Type) -> Type {
        self.told_by_value(id, &fun.ret, &fun.ret_sizes, ty)
    }

    /// The type at which a constant is used. A specification, `val xs : []i32`, may leave its sizes
    /// to its value.
    pub(crate) fn sizes_of_itself(&mut self, id: DefId, ty: Type) -> Type {
        let mut sizes = Vec::new();
        let named = self.name_unknown(&ty, &mut sizes);
        if sizes.is_empty() {
            return ty;
        }
        self.told_by_value(id, &named, &sizes, &named)
    }

    /// The type with names for its unknown sizes, other than those in functions.
    fn name_unknown(&mut self, ty: &Type, sizes: &mut Vec<VarId>) -> Type {
        match ty {
            Type::Array { size, elem } => {
                let size = match size {
                    Size::Unknown => {
                        let v = self.cx.fresh_var(Name::new("n"));
                        sizes.push(v);
                        Size::Var(v)
                    }
                    size => size.clone(),
                };
                Type::Array { size, elem: Arc::new(self.name_unknown(elem, sizes)) }
            }
            Type::Record(fields) => {
                let named = fields.iter().map(|(n, t)| (*n, self.name_unknown(t, sizes)));
                Type::Record(named.collect())
            }
            Type::Prim(_) | Type::Param(_) | Type::Sum(_) | Type::Arrow(_) | Type::Opaque(..) => {
                ty.clone()
            }
        }
    }

    /// `ty` with lengths of parts of the constant, which is of type `whole`, for `sizes`.
    fn told_by_value(&mut self, id: DefId, whole: &Type, sizes: &[VarId], ty: &Type) -> Type {
        let nowhere = Span::new(self.cx.file, 0, 0);
        let kind = ExpKind::Global(id, Inst::default());
        let whole = Exp { kind, ty: whole.clone(), span: nowhere };
        let mut subst = Subst::default();
        witness(&whole, sizes, &mut subst);
        for v in sizes {
            subst.sizes.entry(*v).or_insert(Size::Unknown);
        }
        // The types inside the witnesses mention the sizes themselves; nobody needs them there.
        let mut hide = Subst::default();
        for v in sizes {
            hide.sizes.insert(*v, Size::Unknown);
        }
        for size in subst.sizes.values_mut() {
            *size = hide.size(size);
        }
        subst.ty(ty)
    }
}
