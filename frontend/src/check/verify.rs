//! Checks that a typed program is what it is said to be: a test of inference, and of whoever
//! else makes such programs.
//!
//! 1. every variable, in terms and in sizes, is in scope where it is used: sizes are bound by
//!    parameters, patterns, and the nodes that list sizes; they stay in scope in what is evaluated
//!    later, up to the end of the enclosing body;
//! 2. an instantiation has as many types and sizes as what it instantiates;
//! 3. arguments have the types of parameters, branches that of the whole, and so on, where sizes
//!    that are unknown or compound agree with all others, and so do abstract types and those
//!    they may stand for;
//! 4. literals have their types.
//!
//! Cost: linear in the program and the graphs of its types, times the sizes free in a type; but a
//! node that binds sizes has its type walked for each.

use crate::check::print::TypePrinter;
use crate::check::types::subst::{Subst, size_vars_of_type};
use futc_typed::prim::PrimType;
use futc_typed::program::{
    Def, DefId, DimIndex, Exp, ExpKind, FunDef, Inst, LoopForm, Pat, PatKind, Program, RangeEnd,
    VarId,
};
use futc_typed::types::{Size, Type};
use std::collections::HashMap;
use types::Types;

mod types;

/// What is wrong with a program; empty if nothing is.
pub fn verify(program: &Program) -> Vec<String> {
    let defs: HashMap<DefId, &Def> = program.defs.iter().map(|d| (d.id, &**d)).collect();
    let mut wrong = Vec::new();
    for def in &program.defs {
        let mut v = Verifier {
            defs: &defs,
            def,
            scope: HashMap::new(),
            order: Vec::new(),
            printer: TypePrinter::default(),
            types: Types::default(),
            wrong: &mut wrong,
        };
        v.fun(&def.fun);
    }
    wrong
}

/// What a variable in scope is: a function has its parameters.
#[derive(Clone, Copy)]
struct Arity {
    types: usize,
    sizes: usize,
}

struct Verifier<'p> {
    defs: &'p HashMap<DefId, &'p Def>,
    def: &'p Def,
    scope: HashMap<VarId, Arity>,
    order: Vec<VarId>,
    printer: TypePrinter,
    types: Types,
    wrong: &'p mut Vec<String>,
}

impl Verifier<'_> {
    fn say(&mut self, message: String) {
        if self.wrong.len() < 1_000 {
            self.wrong.push(format!("{}: {message}", self.def.name));
        }
    }

    fn bind(&mut self, v: VarId) {
        self.bind_known(v, Arity { types: 0, sizes: 0 });
    }

    fn bind_known(&mut self, v: VarId, known: Arity) {
        if self.scope.insert(v, known).is_none() {
            self.order.push(v);
        }
    }

    fn mark(&self) -> usize {
        self.order.len()
    }

    fn undo(&mut self, mark: usize) {
        while self.order.len() > mark {
            if let Some(v) = self.order.pop() {
                self.scope.remove(&v);
            }
        }
    }

    fn sizes_bound(&mut self, ty: &Type, what: &str) {
        for v in self.types.free_sizes(ty) {
            if !self.scope.contains_key(&v) {
                let ty = self.printer.ty(ty);
                self.say(format!("the size {} in {what} {ty} is not in scope", v.name));
            }
        }
    }

    fn same(&mut self, what: &str, a: &Type, b: &Type) {
        if !self.types.agree(a, b) {
            let (a, b) = (self.printer.ty(a), self.printer.ty(b));
            self.say(format!("{what}: {a} and {b} differ"));
        }
    }

    fn fun(&mut self, f: &FunDef) {
        let mark = self.mark();
        f.size_params.iter().for_each(|v| self.bind(*v));
        for p in &f.params {
            self.pat(&p.pat);
        }
        let inner = self.mark();
        self.exp(&f.body);
        self.undo(inner);
        f.ret_sizes.iter().for_each(|v| self.bind(*v));
        self.sizes_bound(&f.ret, "the result");
        let mut unknown = Subst::default();
        for v in &f.ret_sizes {
            unknown.sizes.insert(*v, Size::Unknown);
        }
        self.same("the body and the result", &unknown.ty(&f.ret), &f.body.ty);
        self.undo(mark);
    }

    fn pat(&mut self, p: &Pat) {
        self.sizes_bound(&p.ty, "a pattern");
        match &p.kind {
            PatKind::Wild => {}
            PatKind::Var(v) => self.bind(*v),
            PatKind::Lit(x) => self.same("a literal", &Type::Prim(x.ty()), &p.ty),
            PatKind::Record(fields) => {
                for (_, p) in fields {
                    self.pat(p);
                }
                let ty = Type::Record(fields.iter().map(|(n, p)| (*n, p.ty.clone())).collect());
                self.same("a record pattern", &ty, &p.ty);
            }
            PatKind::Constr(name, ps) => {
                ps.iter().for_each(|p| self.pat(p));
                let Type::Sum(cs) = &p.ty else {
                    return self.say(format!("#{name} matches no sum"));
                };
                match cs.iter().find(|(n, _)| n == name) {
                    Some((_, ts)) if ts.len() == ps.len() => {
                        for (p, t) in ps.iter().zip(ts) {
                            self.same("a payload", &p.ty, t);
                        }
                    }
                    _ => self.say(format!("#{name} is not of its type")),
                }
            }
        }
    }

    fn inst(&mut self, what: &str, inst: &Inst, known: Arity) {
        if inst.types.len() != known.types || inst.sizes.len() != known.sizes {
            self.say(format!(
                "{what} takes {} types and {} sizes, and is given {} and {}",
                known.types,
                known.sizes,
                inst.types.len(),
                inst.sizes.len()
            ));
        }
        for t in &inst.types {
            self.sizes_bound(t, "an instantiation");
        }
        for s in &inst.sizes {
            self.sizes_bound(&Type::unit().array(s.clone()), "an instantiation");
        }
    }

    fn bool(&mut self, e: &Exp) {
        self.exp(e);
        self.same("a condition", &Type::Prim(PrimType::Bool), &e.ty);
    }

    fn dims(&mut self, index: &[DimIndex]) {
        for i in index {
            match i {
                DimIndex::Fix(e) => self.exp(e),
                DimIndex::Slice { start, end, stride } => {
                    for e in [start, end, stride].into_iter().flatten() {
                        self.exp(e);
                        self.same("a slice", &Type::Prim(PrimType::I64), &e.ty);
                    }
                }
            }
        }
    }

    fn node_sizes(&mut self, e: &Exp, sizes: &[VarId]) {
        for v in sizes {
            let mut found = false;
            size_vars_of_type(&e.ty, &mut |w| found |= w == *v);
            if !found {
                self.say(format!("the size {} bound by a node is not in its type", v.name));
            }
            self.bind(*v);
        }
        self.sizes_bound(&e.ty, "the type");
    }

    fn exp(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Lit(x) => self.same("a literal", &Type::Prim(x.ty()), &e.ty),
            ExpKind::String(_) | ExpKind::Hole => {}
            ExpKind::Var(v, inst) => match self.scope.get(v).copied() {
                Some(known) => self.inst(v.name.as_str(), inst, known),
                None => self.say(format!("the variable {} is not in scope", v.name)),
            },
            ExpKind::Global(d, inst) => match self.defs.get(d).copied() {
                Some(def) => {
                    let known = Arity {
                        types: def.fun.type_params.len(),
                        sizes: def.fun.size_params.len(),
                    };
                    self.inst(def.name.as_str(), inst, known);
                }
                // Definitions that no entry point reaches are not in the program.
                None => self.say("a definition that is used is missing".into()),
            },
            ExpKind::Intrinsic(_, inst) => {
                let known = Arity { types: inst.types.len(), sizes: inst.sizes.len() };
                self.inst("an intrinsic", inst, known);
            }
            ExpKind::Record(fields) => {
                fields.iter().for_each(|(_, e)| self.exp(e));
                let mut types: Vec<_> = fields.iter().map(|(n, e)| (*n, e.ty.clone())).collect();
                types.sort_by(|a, b| futc_typed::types::field_order(a.0, b.0));
                self.same("a record", &Type::Record(types.into()), &e.ty);
            }
            ExpKind::ArrayLit(es) => {
                for x in es {
                    self.exp(x);
                    let row = x.ty.clone().array(Size::Const(es.len() as i64));
                    self.same("an array literal", &row, &e.ty);
                }
            }
            ExpKind::Project(r, name) => {
                self.exp(r);
                match &r.ty {
                    Type::Record(fields) => match fields.iter().find(|(n, _)| n == name) {
                        Some((_, t)) => self.same("a projection", t, &e.ty),
                        None => self.say(format!("there is no field {name}")),
                    },
                    _ => self.say(format!("{name} is projected from no record")),
                }
            }
            ExpKind::Constr(name, es) => {
                es.iter().for_each(|e| self.exp(e));
                let Type::Sum(cs) = &e.ty else {
                    return self.say(format!("#{name} is of no sum"));
                };
                match cs.iter().find(|(n, _)| n == name) {
                    Some((_, ts)) if ts.len() == es.len() => {
                        for (e, t) in es.iter().zip(ts) {
                            self.same("a payload", t, &e.ty);
                        }
                    }
                    _ => self.say(format!("#{name} is not of its type")),
                }
            }
            ExpKind::Index(a, index) => {
                self.exp(a);
                self.dims(index);
            }
            ExpKind::Update { array, index, value } => {
                self.exp(array);
                self.dims(index);
                self.exp(value);
                self.same("an update", &array.ty, &e.ty);
            }
            ExpKind::RecordUpdate { record, value, .. } => {
                self.exp(record);
                self.exp(value);
            }
            ExpKind::Range { start, second, end } => {
                self.exp(start);
                second.iter().for_each(|e| self.exp(e));
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.exp(end);
                self.same("a range", &start.ty.clone().array(Size::Unknown), &e.ty);
            }
            ExpKind::Lambda(f) => self.fun(f),
            ExpKind::App { fun, args, sizes } => {
                args.iter().for_each(|e| self.exp(e));
                self.exp(fun);
                self.apply(e, fun, args);
                self.node_sizes(e, sizes);
                return;
            }
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.bool(a);
                self.bool(b);
            }
            ExpKind::Let { sizes, pat, rhs, body } => {
                self.exp(rhs);
                let mark = self.mark();
                for v in sizes {
                    let mut found = false;
                    size_vars_of_type(&pat.ty, &mut |w| found |= w == *v);
                    if !found {
                        self.say(format!("the size {} of a let is not in its pattern", v.name));
                    }
                    self.bind(*v);
                }
                self.pat(pat);
                self.exp(body);
                self.sizes_bound(&e.ty, "the type of a let");
                self.undo(mark);
                return;
            }
            ExpKind::LetFun { name, fun, body } => {
                self.fun(fun);
                let mark = self.mark();
                let known = Arity { types: fun.type_params.len(), sizes: fun.size_params.len() };
                self.bind_known(*name, known);
                self.exp(body);
                self.sizes_bound(&e.ty, "the type of a let");
                self.undo(mark);
                return;
            }
            ExpKind::If { cond, then, otherwise, sizes } => {
                self.bool(cond);
                let mark = self.mark();
                self.exp(then);
                self.undo(mark);
                self.exp(otherwise);
                self.undo(mark);
                let ty = without(&e.ty, sizes);
                self.same("a branch", &ty, &then.ty);
                self.same("a branch", &ty, &otherwise.ty);
                self.node_sizes(e, sizes);
                return;
            }
            ExpKind::Match { scrutinee, cases, sizes } => {
                self.exp(scrutinee);
                let ty = without(&e.ty, sizes);
                let mark = self.mark();
                for case in cases {
                    self.pat(&case.pat);
                    self.exp(&case.body);
                    self.undo(mark);
                    self.same("a case's pattern", &scrutinee.ty, &case.pat.ty);
                    self.same("a case", &ty, &case.body.ty);
                }
                self.node_sizes(e, sizes);
                return;
            }
            ExpKind::Loop(l) => {
                self.exp(&l.init);
                match &l.form {
                    LoopForm::For(_, bound) => self.exp(bound),
                    LoopForm::ForIn(_, array) => self.exp(array),
                    LoopForm::While(_) => {}
                }
                let mark = self.mark();
                for v in &l.sizes {
                    let mut found = false;
                    size_vars_of_type(&l.pat.ty, &mut |w| found |= w == *v);
                    if !found {
                        self.say(format!("the size {} of a loop is not in its pattern", v.name));
                    }
                    self.bind(*v);
                }
                self.pat(&l.pat);
                match &l.form {
                    LoopForm::For(v, _) => self.bind(*v),
                    LoopForm::ForIn(p, _) => self.pat(p),
                    LoopForm::While(cond) => self.bool(cond),
                }
                self.exp(&l.body);
                self.undo(mark);
                let ty = without(&l.pat.ty, &l.sizes);
                self.same("a loop's initial value", &ty, &l.init.ty);
                self.same("a loop's body", &ty, &l.body.ty);
                self.same("a loop", &ty, &without(&e.ty, &l.result_sizes));
                self.node_sizes(e, &l.result_sizes);
                return;
            }
            ExpKind::Assert { cond, body, .. } => {
                self.bool(cond);
                self.exp(body);
                self.same("an assertion", &body.ty, &e.ty);
            }
            ExpKind::Coerce(inner) => self.exp(inner),
            ExpKind::Attr(_, inner) => {
                self.exp(inner);
                self.same("an attribute", &inner.ty, &e.ty);
            }
        }
        // Types of values at hand may be told by bodies within.
        if !matches!(e.kind, ExpKind::Attr(..) | ExpKind::Assert { .. }) {
            self.sizes_bound(&e.ty, "the type");
        }
    }

    /// Arguments against parameters, and the result.
    fn apply(&mut self, e: &Exp, fun: &Exp, args: &[Exp]) {
        let mut ty = fun.ty.clone();
        for a in args {
            let Type::Arrow(arrow) = ty else {
                return self.say(format!("{} is applied", self.printer.ty(&ty)));
            };
            self.same("an argument", &arrow.param, &a.ty);
            let hidden: Vec<VarId> = arrow.ret_sizes.iter().copied().chain(arrow.name).collect();
            ty = without(&arrow.ret, &hidden);
        }
        self.same("a result", &ty, &e.ty);
    }
}

/// The type with some sizes made unknown.
fn without(ty: &Type, sizes: &[VarId]) -> Type {
    if sizes.is_empty() {
        return ty.clone();
    }
    let mut unknown = Subst::default();
    for v in sizes {
        unknown.sizes.insert(*v, Size::Unknown);
    }
    unknown.ty(ty)
}
