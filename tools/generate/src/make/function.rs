//! Functions, at top level and local, and constants.

use super::Maker;
use super::bound::{BORROWED, Fun, Param, Var};
use crate::parts;
use crate::tree::{Block, Def, Expr, Part, Stm};
use crate::types::{Size, Ty};
use std::sync::Arc;

impl Maker {
    /// A function at top level: size- and type-parametric, of values and functions.
    pub fn function(&mut self) {
        let name = format!("{}f{}", self.prefix, self.defs.len());
        let outer: Vec<Var> = std::mem::take(&mut self.vars);
        let outer_sizes = std::mem::take(&mut self.sizes);
        let constants = outer.clone();
        self.vars = constants;
        let sizes: Vec<Arc<str>> =
            (0..self.r.below(3)).map(|_| Arc::from(self.name("n"))).collect();
        for n in &sizes {
            self.sizes.push((Size::Name(n.clone()), 6));
        }
        let types: Vec<Arc<str>> =
            (0..usize::from(self.r.one_in(4))).map(|_| Arc::from("t")).collect();
        let mut params = Vec::new();
        let mut text = String::new();
        let funs = self.funs.len();
        let owned = self.owned_from;
        self.owned_from = self.next_group + 1;
        for n in &sizes {
            // So that a call tells the size.
            let elem = match types.first() {
                Some(t) if self.r.one_in(2) => Ty::Param(t.clone()),
                _ => self.some_scalar(),
            };
            self.value_param(&Ty::array(&Size::Name(n.clone()), elem), &mut params, &mut text);
        }
        for t in &types {
            self.value_param(&Ty::Param(t.clone()), &mut params, &mut text);
        }
        for _ in 0..1 + self.r.below(3) {
            let t = self.some_type();
            self.value_param(&t, &mut params, &mut text);
        }
        if self.r.one_in(3) {
            let f = self.name("fun");
            let a = match types.first() {
                Some(t) => Ty::Param(t.clone()),
                None => self.some_scalar(),
            };
            let r = if self.r.one_in(2) { a.clone() } else { self.some_scalar() };
            text.push_str(&format!(" ({f}: {a} -> {r})"));
            params.push(Param::Function(vec![a.clone()], r.clone()));
            self.funs.push(Fun {
                name: f,
                sizes: Vec::new(),
                types: Vec::new(),
                params: vec![Param::Value { ty: a, unique: false }],
                result: r,
                unique_result: false,
                captured: vec![BORROWED],
                alive: true,
                work: 2,
            });
        }
        let result = match types.first() {
            Some(t) if self.r.one_in(2) => match self.r.below(2) {
                0 => Ty::Param(t.clone()),
                _ => Ty::array(&self.size_of_params(&sizes), Ty::Param(t.clone())),
            },
            _ => self.some_type(),
        };
        let spent = std::mem::replace(&mut self.spent, 1);
        let work = std::mem::replace(&mut self.work, 1);
        let limit = std::mem::replace(&mut self.limit, 60);
        let count = self.r.below(5);
        let unique = matches!(result, Ty::Array(..)) && self.r.one_in(2);
        let depth = std::mem::replace(&mut self.depth, 1);
        let body = self.body(&result, count, unique);
        self.depth = depth;
        let cost = self.spent.max(1);
        self.spent = spent;
        self.work = work;
        self.limit = limit;
        self.owned_from = owned;
        self.vars = outer;
        self.sizes = outer_sizes;
        self.funs.truncate(funs);
        let sizes_text: Vec<String> = sizes.iter().map(|n| format!(" [{n}]")).collect();
        let types_text: Vec<String> = types.iter().map(|t| format!(" '{t}")).collect();
        let attribute = self.r.of(["", "", "", "#[noinline] ", "#[inline] "]);
        let star = if unique { "*" } else { "" };
        let (sizes_text, types_text) = (sizes_text.concat(), types_text.concat());
        let head =
            format!("{attribute}def {name}{sizes_text}{types_text}{text} : {star}{result} =\n");
        self.defs.push(Def(parts![head, body]));
        self.funs.push(Fun {
            name,
            sizes,
            types,
            params,
            result,
            unique_result: unique,
            captured: Vec::new(),
            alive: true,
            work: cost,
        });
    }

    fn size_of_params(&mut self, sizes: &[Arc<str>]) -> Size {
        match self.r.pick(sizes) {
            Some(n) => Size::Name(n.clone()),
            None => Size::Const(3),
        }
    }

    fn value_param(&mut self, ty: &Ty, params: &mut Vec<Param>, text: &mut String) {
        let unique = matches!(ty, Ty::Array(..)) && self.r.one_in(4);
        let x = self.name("x");
        text.push_str(&format!(" ({x}: {}{ty})", if unique { "*" } else { "" }));
        let groups = if unique { Vec::new() } else { vec![BORROWED] };
        self.declare(&x, ty, groups);
        params.push(Param::Value { ty: ty.clone(), unique });
    }

    /// The body of a function; its result is nobody else's if it is to be unique.
    fn body(&mut self, result: &Ty, count: usize, unique: bool) -> Block {
        let stms = self.statements(count);
        let e = if unique {
            match self.take_var(|t| t == result) {
                Some((x, _)) => Expr::new(result, parts![x]),
                None => self.fresh(result),
            }
        } else {
            let e = self.expr(result);
            self.returned(e)
        };
        Block { stms, result: Box::new(e) }
    }

    /// A function inside of an expression, which sees what is around it.
    pub fn local_function(&mut self) -> Option<Stm> {
        let name = self.name("fun");
        let mut text = String::new();
        let mut params = Vec::new();
        let tys: Vec<Ty> = (0..1 + self.r.below(2)).map(|_| self.some_type()).collect();
        let result = self.some_type();
        let seen = self.touched.len();
        let spent = std::mem::replace(&mut self.spent, 1);
        let work = std::mem::replace(&mut self.work, 1);
        let limit = std::mem::replace(&mut self.limit, 30);
        let body = self.scoped(1, false, |m| {
            for t in &tys {
                let x = m.name("x");
                text.push_str(&format!(" ({x}: {t})"));
                m.declare(&x, t, vec![BORROWED]);
                params.push(Param::Value { ty: t.clone(), unique: false });
            }
            let count = m.r.below(3);
            m.block_here(&result, count)
        });
        let cost = self.spent;
        self.spent = spent.max(self.work);
        self.work = work;
        self.limit = limit;
        let captured = self.touched_since(seen);
        self.funs.push(Fun {
            name: name.clone(),
            sizes: Vec::new(),
            types: Vec::new(),
            params,
            result: result.clone(),
            unique_result: false,
            captured,
            alive: true,
            work: cost,
        });
        Some(Stm(vec![Part::from(format!("let {name}{text} : {result} =\n")), Part::Block(body)]))
    }

    /// A constant at top level.
    pub fn constant(&mut self) {
        let name = format!("{}c{}", self.prefix, self.defs.len());
        let n = Size::Const(self.r.of([1, 3, 5, 17]));
        let ty = match self.r.below(3) {
            0 => self.some_scalar(),
            _ => Ty::array(&n, self.some_scalar()),
        };
        let e = self.expr(&ty);
        self.defs.push(Def(parts![format!("def {name} : {ty} =\n"), e]));
        self.declare(&name, &ty, Vec::new());
        self.constants = self.next_group;
    }

    /// The result of a function, which must not be a part of a constant.
    pub fn returned(&mut self, e: Expr) -> Expr {
        if e.groups.iter().any(|g| (1..=self.constants).contains(g)) { self.own(e) } else { e }
    }
}
