//! Modules: parametric ones, applied to modules with types and operators of their own.

use super::Maker;
use super::bound::{Fun, Param};
use crate::parts;
use crate::tree::{Def, Expr};
use crate::types::{INTS, Size, Ty};
use std::sync::Arc;

impl Maker {
    /// A module type, a parametric module over it, and applications of that, whose functions may be
    /// called from then on.
    pub fn module(&mut self) {
        let number = self.defs.len();
        let (signature, functor) =
            (format!("{}s{number}", self.prefix), format!("{}m{number}", self.prefix));
        self.defs.push(Def(parts![format!(
            "module type {signature} = {{\n\
             type t\nval op : t -> t -> t\nval ne : t\nval change : i64 -> t -> t\n}}"
        )]));
        self.defs.push(Def(parts![format!(
            "module {functor} (o: {signature}) = {{\n\
             type t = o.t\n\
             def all [n] (xs: [n]t) : t = reduce o.op o.ne xs\n\
             def running [n] (xs: [n]t) : *[n]t = scan o.op o.ne xs\n\
             def changed [n] (k: i64) (xs: [n]t) : *[n]t =\n\
             map2 (\\i x -> o.change (i - k) x) (iota n) xs\n\
             def fold [n] (xs: [n]t) : t =\n\
             loop acc = o.ne for x in xs do o.op (o.change 1 acc) x\n}}"
        )]));
        for k in 0..1 + self.r.below(2) {
            self.application(&functor, k);
        }
    }

    fn application(&mut self, functor: &str, k: usize) {
        let ty = match self.r.below(4) {
            0 => Ty::BOOL,
            1 => {
                let p = self.r.of(INTS);
                Ty::Tuple(vec![Ty::exact(p), Ty::exact(p)])
            }
            _ => Ty::exact(self.r.of(INTS)),
        };
        let Some((op, ne)) = self.operator(&ty) else { return };
        let change = self.change(&ty);
        let name = format!("{functor}_{k}");
        self.defs.push(Def(parts![
            format!(
                "module {name} = {functor} {{\ntype t = {ty}\n\
                 def op (a: t) (b: t) : t = {op} a b\ndef ne : t = {ne}\n\
                 def change (at: i64) (x: t) : t ="
            ),
            change,
            "\n}"
        ]));
        let n: Arc<str> = Arc::from("n");
        let array = Ty::array(&Size::Name(n.clone()), ty.clone());
        let value = |ty: &Ty| Param::Value { ty: ty.clone(), unique: false };
        let functions = [
            ("all", vec![value(&array)], &ty, false),
            ("running", vec![value(&array)], &array, true),
            ("changed", vec![value(&Ty::I64), value(&array)], &array, true),
            ("fold", vec![value(&array)], &ty, false),
        ];
        for (f, params, result, unique_result) in functions {
            self.funs.push(Fun {
                name: format!("{name}.{f}"),
                sizes: vec![n.clone()],
                types: Vec::new(),
                params,
                result: result.clone(),
                unique_result,
                captured: Vec::new(),
                alive: true,
                work: 12,
            });
        }
    }

    /// An expression of a number `at` and an `x` of the type, and of nothing else but constants.
    fn change(&mut self, ty: &Ty) -> Expr {
        let fuel = std::mem::replace(&mut self.fuel, 8);
        let vars = std::mem::take(&mut self.vars);
        let funs = std::mem::take(&mut self.funs);
        let sizes = std::mem::take(&mut self.sizes);
        self.declare("at", &Ty::I64, Vec::new());
        self.declare("x", ty, Vec::new());
        let limit = std::mem::replace(&mut self.limit, 6);
        let e = self.scoped(1, false, |m| m.expr(ty));
        self.limit = limit;
        self.vars = vars;
        self.funs = funs;
        self.sizes = sizes;
        self.fuel = fuel;
        e
    }
}
