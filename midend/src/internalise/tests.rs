//! Programs built by hand, against the contract alone. Real programs are in `tests/`.

use super::{Options, internalise};
use futc_typed::diet::Diet;
use futc_typed::name::Name;
use futc_typed::prim::{PrimType, PrimValue};
use futc_typed::program::{
    Def, DefId, Entry, EntryParam, EntryType, Exp, ExpKind, FunDef, Inst, Param, Pat, PatKind,
    Program, VarId,
};
use futc_typed::span::{FileId, Locate, Span};
use futc_typed::types::{Arrow, Size, Type};
use std::sync::Arc;

struct Nowhere;
impl Locate for Nowhere {
    fn locate(&self, span: Span) -> String {
        format!("t.fut:{}", span.start)
    }
}

fn span() -> Span {
    Span::new(FileId(0), 1, 2)
}

fn exp(kind: ExpKind, ty: Type) -> Exp {
    Exp { kind, ty, span: span() }
}

fn var(v: VarId, ty: Type) -> Exp {
    exp(ExpKind::Var(v, Inst::default()), ty)
}

fn param(v: VarId, ty: Type) -> Param {
    Param {
        pat: Pat { kind: PatKind::Var(v), ty, span: span() },
        name: Some(v),
        consumes: Diet::Observe,
    }
}

fn id(name: &str, tag: u32) -> VarId {
    VarId { name: Name::new(name), tag }
}

fn i32_() -> Type {
    Type::Prim(PrimType::I32)
}

fn arrow(a: Type, b: Type) -> Type {
    Type::Arrow(Arc::new(Arrow {
        name: None,
        param: a,
        consumes: Diet::Observe,
        ret_sizes: vec![],
        ret: b,
        unique_ret: Diet::Observe,
    }))
}

fn app(fun: Exp, args: Vec<Exp>, ty: Type) -> Exp {
    exp(ExpKind::App { fun: Box::new(fun), args, sizes: vec![] }, ty)
}

/// `def main [n] (xs: [n]i32) : [n]i32 = map (\x -> x / 2) xs`
#[test]
fn map_of_a_lambda() {
    let (n, xs, x) = (id("n", 0), id("xs", 1), id("x", 2));
    let arr = i32_().array(Size::Var(n));
    let div = exp(
        ExpKind::Intrinsic(Name::new("/"), Inst { types: vec![i32_()], sizes: vec![] }),
        arrow(i32_(), arrow(i32_(), i32_())),
    );
    let two = exp(ExpKind::Lit(PrimValue::I32(2)), i32_());
    let lambda = FunDef {
        type_params: vec![],
        size_params: vec![],
        params: vec![param(x, i32_())],
        ret_sizes: vec![],
        ret: i32_(),
        unique_ret: None,
        body: app(div, vec![var(x, i32_()), two], i32_()),
    };
    let lambda = exp(ExpKind::Lambda(Arc::new(lambda)), arrow(i32_(), i32_()));
    let map = exp(
        ExpKind::Intrinsic(
            Name::new("map"),
            Inst { types: vec![i32_(), i32_()], sizes: vec![Size::Var(n)] },
        ),
        Type::unit(),
    );
    let ty = |unique| EntryType { written: Some("[n]i32".into()), unique, ty: arr.clone() };
    let main = Def {
        id: DefId { file: FileId(0), index: 0, name: Name::new("main") },
        name: Name::new("main"),
        fun: FunDef {
            type_params: vec![],
            size_params: vec![n],
            params: vec![param(xs, arr.clone())],
            ret_sizes: vec![],
            ret: arr.clone(),
            unique_ret: None,
            body: app(map, vec![lambda, var(xs, arr.clone())], arr.clone()),
        },
        recursive: false,
        entry: Some(Entry {
            name: Name::new("main"),
            params: vec![EntryParam { name: Name::new("xs"), ty: ty(false) }],
            result: ty(true),
        }),
        attrs: vec![],
        span: span(),
    };
    let program = Program { defs: vec![Arc::new(main)], opaques: vec![] };
    let core = internalise(&program, &Nowhere, &Options::default());
    let text = core.map(|p| p.to_string()).unwrap_or_else(|e| e.to_string());
    assert!(text.contains("screma") || text.contains("map"), "{text}");
    // The divisor is a constant other than zero: no check is made.
    assert!(!text.contains("assert"), "{text}");
    println!("{text}");
}
