//! Which definitions a program's entry points need. Linear in the program.

use futc_typed::program::{
    Case, Def, DefId, DimIndex, Exp, ExpKind, FunDef, Inst, Loop, LoopForm, Pat, PatKind, Program,
    RangeEnd,
};
use futc_typed::shared::Seen;
use futc_typed::types::{Size, Type, TypeArg};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The program with only those definitions that its entry points reach.
pub fn reachable_from_entries(program: &Program) -> Program {
    let by_id: HashMap<DefId, &Arc<Def>> = program.defs.iter().map(|d| (d.id, d)).collect();
    let mut seen: HashSet<DefId> = HashSet::new();
    let mut todo: Vec<DefId> =
        program.defs.iter().filter(|d| d.entry.is_some()).map(|d| d.id).collect();
    seen.extend(&todo);
    while let Some(id) = todo.pop() {
        let Some(def) = by_id.get(&id) else { continue };
        globals_of_def(def, &mut |used| {
            if seen.insert(used) {
                todo.push(used);
            }
        });
    }
    Program {
        defs: program.defs.iter().filter(|d| seen.contains(&d.id)).cloned().collect(),
        opaques: program.opaques.clone(),
    }
}

/// Calls `f` with every top-level value a definition mentions, also in sizes.
pub fn globals_of_def(def: &Def, f: &mut impl FnMut(DefId)) {
    Walk { f, seen: Seen::default() }.fun(&def.fun);
}

struct Walk<'a, F: FnMut(DefId)> {
    f: &'a mut F,
    seen: Seen,
}

impl<F: FnMut(DefId)> Walk<'_, F> {
    fn fun(&mut self, fun: &FunDef) {
        for param in &fun.params {
            self.pat(&param.pat);
        }
        self.ty(&fun.ret);
        self.exp(&fun.body);
    }

    fn pat(&mut self, pat: &Pat) {
        self.ty(&pat.ty);
        match &pat.kind {
            PatKind::Wild | PatKind::Var(_) | PatKind::Lit(_) => {}
            PatKind::Record(fields) => fields.iter().for_each(|(_, p)| self.pat(p)),
            PatKind::Constr(_, pats) => pats.iter().for_each(|p| self.pat(p)),
        }
    }

    fn size(&mut self, size: &Size) {
        match size {
            Size::Const(_) | Size::Var(_) | Size::Unknown => {}
            Size::Global(d) => (self.f)(*d),
            Size::Exp(e) => self.exp(e),
        }
    }

    fn ty(&mut self, ty: &Type) {
        if self.seen.again(ty, 0) {
            return;
        }
        match ty {
            Type::Prim(_) | Type::Param(_) => {}
            Type::Array { size, elem } => {
                self.size(size);
                self.ty(elem);
            }
            Type::Record(fields) => fields.iter().for_each(|(_, t)| self.ty(t)),
            Type::Sum(constrs) => constrs.iter().flat_map(|(_, ts)| ts).for_each(|t| self.ty(t)),
            Type::Arrow(arrow) => {
                self.ty(&arrow.param);
                self.ty(&arrow.ret);
            }
            Type::Opaque(_, args) => args.iter().for_each(|a| match a {
                TypeArg::Size(s) => self.size(s),
                TypeArg::Type(t) => self.ty(t),
            }),
        }
    }

    fn inst(&mut self, inst: &Inst) {
        inst.types.iter().for_each(|t| self.ty(t));
        inst.sizes.iter().for_each(|s| self.size(s));
    }

    fn exps<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) {
        exps.into_iter().for_each(|e| self.exp(e));
    }

    fn index(&mut self, index: &[DimIndex]) {
        for i in index {
            match i {
                DimIndex::Fix(e) => self.exp(e),
                DimIndex::Slice { start, end, stride } => {
                    self.exps([start, end, stride].into_iter().flatten().map(Box::as_ref));
                }
            }
        }
    }

    fn exp(&mut self, e: &Exp) {
        self.ty(&e.ty);
        match &e.kind {
            ExpKind::Lit(_) | ExpKind::String(_) | ExpKind::Hole => {}
            ExpKind::Var(_, inst) | ExpKind::Intrinsic(_, inst) => self.inst(inst),
            ExpKind::Global(d, inst) => {
                (self.f)(*d);
                self.inst(inst);
            }
            ExpKind::Record(fields) => self.exps(fields.iter().map(|(_, e)| e)),
            ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => self.exps(es),
            ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => self.exp(e),
            ExpKind::Index(a, index) => {
                self.exp(a);
                self.index(index);
            }
            ExpKind::Update { array, index, value } => {
                self.exp(array);
                self.index(index);
                self.exp(value);
            }
            ExpKind::RecordUpdate { record, path: _, value } => {
                self.exp(record);
                self.exp(value);
            }
            ExpKind::Range { start, second, end } => {
                self.exp(start);
                self.exps(second.iter().map(Box::as_ref));
                match end {
                    RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => {
                        self.exp(e);
                    }
                }
            }
            ExpKind::Lambda(fun) => self.fun(fun),
            ExpKind::App { fun, args, sizes: _ } => {
                self.exp(fun);
                self.exps(args);
            }
            ExpKind::And(a, b) | ExpKind::Or(a, b) => {
                self.exp(a);
                self.exp(b);
            }
            ExpKind::Let { sizes: _, pat, rhs, body } => {
                self.pat(pat);
                self.exp(rhs);
                self.exp(body);
            }
            ExpKind::LetFun { name: _, fun, body } => {
                self.fun(fun);
                self.exp(body);
            }
            ExpKind::If { cond, then, otherwise, sizes: _ } => {
                self.exp(cond);
                self.exp(then);
                self.exp(otherwise);
            }
            ExpKind::Match { scrutinee, cases, sizes: _ } => {
                self.exp(scrutinee);
                for Case { pat, body } in cases {
                    self.pat(pat);
                    self.exp(body);
                }
            }
            ExpKind::Loop(l) => self.walk_loop(l),
            ExpKind::Assert { cond, body, text: _ } => {
                self.exp(cond);
                self.exp(body);
            }
        }
    }

    fn walk_loop(&mut self, l: &Loop) {
        self.pat(&l.pat);
        self.exp(&l.init);
        match &l.form {
            LoopForm::For(_, e) | LoopForm::While(e) => self.exp(e),
            LoopForm::ForIn(pat, e) => {
                self.pat(pat);
                self.exp(e);
            }
        }
        self.exp(&l.body);
    }
}
