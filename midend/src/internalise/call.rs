//! Application: inlining, instances of functions, and top-level constants.
//!
//! A call is inlined when it takes or returns functions or when the callee is small with all that
//! would be inlined into it; otherwise an instance is made for the types of the call, once, and
//! called (see `instance`).

use super::error::R;
use super::fun_state::FunState;
use super::instance::Callee;
use super::spec::{Constant, DefInfo, Spec};
use super::value::{Closure, Code, Dim, FrameId, Ty, Value, leaves};
use crate::ir::{PatElem, SubExp, Type};
use futc_typed::name::Name;
use futc_typed::program::{self, ExpKind, FunDef, Inst, LoopForm, RangeEnd};
use futc_typed::types;
use std::rc::Rc;
use std::sync::Arc;

/// Largest function, counted in expressions with all inlined into it, that is inlined.
const SMALL: u32 = 60;
/// The same, of functions that take functions.
const LARGE: u32 = 1500;
/// The same, of local functions used more than once.
const LOCAL: u32 = 150;
/// Nesting of inlined calls beyond which the program is taken not to end.
const DEEPEST: u32 = 3000;

impl Spec<'_> {
    /// Applies a function to some arguments, perhaps fewer or more than it takes.
    pub(super) fn apply(&mut self, f: Value, args: Vec<Value>) -> R<Value> {
        let Value::Fun(closure) = f else { return self.bug("an application of no function") };
        let mut all = closure.args.clone();
        all.extend(args);
        let arity = match &closure.code {
            Code::Def(i) => self.program.defs.get(*i).map_or(0, |d| d.fun.params.len()),
            Code::Local(fun, _) => fun.params.len(),
            Code::Blank(..) => 1,
            Code::Intrinsic(name) => match self.arities.get(name) {
                Some(n) => *n,
                None => return self.bug(format!("unknown intrinsic `{name}`")),
            },
        };
        if all.len() < arity {
            return Ok(Value::Fun(Rc::new(Closure {
                code: closure.code.clone(),
                types: closure.types.clone(),
                sizes: closure.sizes.clone(),
                args: all,
            })));
        }
        let rest = all.split_off(arity);
        let value = match &closure.code {
            Code::Def(i) => self.call_def(*i, &closure.types, &closure.sizes, all)?,
            Code::Local(fun, frame) => {
                let (fun, frame) = (fun.clone(), *frame);
                self.call_local(&fun, frame, &closure.types, &closure.sizes, &all)?
            }
            Code::Blank(arrow, frame) => self.blank_of(&arrow.ret, *frame)?,
            Code::Intrinsic(name) => self.intrinsic(*name, &closure.types, &closure.sizes, &all)?,
        };
        if rest.is_empty() { Ok(value) } else { self.apply(value, rest) }
    }

    /// Evaluates a function's body here.
    pub(super) fn inline(
        &mut self,
        fun: &FunDef,
        parent: Option<FrameId>,
        types: &[Ty],
        sizes: &[Dim],
        args: &[Value],
    ) -> R<Value> {
        if self.inline_depth > DEEPEST {
            return self.limitation("functions nest too deeply, or call themselves with functions");
        }
        let frame = self.frame(parent);
        self.bind_params(fun, frame, types, sizes, args)?;
        self.inline_depth += 1;
        let value = self.eval(&fun.body, frame);
        self.inline_depth -= 1;
        value
    }

    fn bind_params(
        &mut self,
        fun: &FunDef,
        frame: FrameId,
        types: &[Ty],
        sizes: &[Dim],
        args: &[Value],
    ) -> R<()> {
        for (v, t) in fun.type_params.iter().zip(types) {
            self.bind_type(frame, *v, t.clone());
        }
        for (p, a) in fun.params.iter().zip(args) {
            self.match_sizes(&p.pat.ty, a, &fun.size_params, frame)?;
        }
        for (v, d) in fun.size_params.iter().zip(sizes) {
            if let Some(d) = d
                && self.lookup(frame, *v).is_none()
            {
                self.bind(frame, *v, Value::Leaf(*d));
            }
        }
        for (p, a) in fun.params.iter().zip(args) {
            self.bind_pat(&p.pat, a, frame)?;
            if let Some(v) = p.name {
                self.bind(frame, v, a.clone());
            }
        }
        Ok(())
    }

    // ---- definitions

    /// A use of a top-level definition.
    pub(super) fn global(&mut self, def: usize, inst: &Inst, frame: FrameId) -> R<Value> {
        let (types, sizes) = self.close_inst(inst, frame)?;
        let Some(d) = self.program.defs.get(def) else { return self.bug("no such definition") };
        if !d.fun.params.is_empty() {
            let code = Code::Def(def);
            return Ok(Value::Fun(Rc::new(Closure { code, types, sizes, args: Vec::new() })));
        }
        if !d.fun.type_params.is_empty() || !d.fun.size_params.is_empty() || has_arrow(&d.fun.ret) {
            return self.inline_def(def, &types, &sizes, &[]);
        }
        self.global_constant(def)
    }

    fn inline_def(&mut self, def: usize, types: &[Ty], sizes: &[Dim], args: &[Value]) -> R<Value> {
        let program = self.program;
        let Some(d) = program.defs.get(def) else { return self.bug("no such definition") };
        let site = self.fun.span;
        if let Some(s) = site {
            self.fun.sites.push(s);
        }
        let value = self.inline(&d.fun, None, types, sizes, args);
        if site.is_some() {
            self.fun.sites.pop();
        }
        value
    }

    fn call_def(
        &mut self,
        def: usize,
        types: &Rc<[Ty]>,
        sizes: &Rc<[Dim]>,
        args: Vec<Value>,
    ) -> R<Value> {
        let program = self.program;
        let Some(d) = program.defs.get(def) else { return self.bug("no such definition") };
        let returns = has_arrow(&d.fun.ret)
            || types.iter().any(Ty::has_fun) && self.returns_fun(def, types)?;
        let higher = returns || args.iter().any(Value::has_fun);
        if d.recursive {
            if returns || higher && self.fun.in_consts {
                return self.limitation(format!(
                    "`{}` calls itself and takes or returns functions",
                    d.name
                ));
            }
            return self.call_instance(Callee::Def(def), types, sizes, &args);
        }
        let info = self.info(def);
        let attr = |what: &str| {
            d.attrs.iter().any(|a| matches!(a, program::Attr::Name(n) if n.as_str() == what))
        };
        let inline = if higher {
            returns || self.fun.in_consts || info.size <= LARGE || d.fun.params.len() > args.len()
        } else {
            self.fun.in_consts && info.uses_consts
                || !attr("noinline") && (attr("inline") || info.size <= SMALL)
        };
        if inline {
            self.inline_def(def, types, sizes, &args)
        } else {
            self.call_instance(Callee::Def(def), types, sizes, &args)
        }
    }

    fn call_local(
        &mut self,
        fun: &Arc<FunDef>,
        frame: FrameId,
        types: &Rc<[Ty]>,
        sizes: &Rc<[Dim]>,
        args: &[Value],
    ) -> R<Value> {
        let address = Arc::as_ptr(fun) as usize;
        if self.shared.contains(&address)
            && !self.fun.in_consts
            && !has_arrow(&fun.ret)
            && !types.iter().any(Ty::has_fun)
        {
            let callee = Callee::Local(fun.clone(), frame);
            return self.call_instance(callee, types, sizes, args);
        }
        self.inline(fun, Some(frame), types, sizes, args)
    }

    /// Notes whether a local function is large and used more than once: such are not inlined.
    pub(super) fn note_local(
        &mut self,
        fun: &Arc<FunDef>,
        name: program::VarId,
        body: &program::Exp,
    ) {
        let address = Arc::as_ptr(fun) as usize;
        if self.local_info.contains_key(&address) {
            return;
        }
        let size = self.size_of(&fun.body).size;
        self.local_info.insert(address, size);
        if size <= LOCAL {
            return;
        }
        let mut uses = 0;
        visit(body, &mut |e| {
            if matches!(&e.kind, ExpKind::Var(v, _) if *v == name) {
                uses += 1;
            }
        });
        if uses > 1 {
            self.shared.insert(address);
        }
    }

    fn returns_fun(&mut self, def: usize, types: &[Ty]) -> R<bool> {
        let program = self.program;
        let Some(d) = program.defs.get(def) else { return Ok(false) };
        let frame = self.frame(None);
        for (v, t) in d.fun.type_params.iter().zip(types) {
            self.bind_type(frame, *v, t.clone());
        }
        Ok(self.erase(&d.fun.ret, frame)?.has_fun())
    }

    /// Whether a definition needs a constant that must be evaluated.
    pub(super) fn uses_consts(&mut self, def: usize) -> bool {
        self.info(def).uses_consts
    }

    /// What can be said of a definition by looking at it.
    fn info(&mut self, def: usize) -> DefInfo {
        if let Some(i) = self.def_info.get(&def) {
            return *i;
        }
        // For a recursive definition, while it is looked at.
        self.def_info.insert(def, DefInfo { size: SMALL + 1, uses_consts: false });
        let program = self.program;
        let info = match program.defs.get(def) {
            Some(d) => self.size_of(&d.fun.body),
            None => DefInfo { size: 0, uses_consts: false },
        };
        self.def_info.insert(def, info);
        info
    }

    fn size_of(&mut self, body: &program::Exp) -> DefInfo {
        let program = self.program;
        let mut info = DefInfo { size: 0, uses_consts: false };
        let mut used = Vec::new();
        visit(body, &mut |e| {
            info.size = info.size.saturating_add(1);
            if let ExpKind::Global(id, _) = &e.kind {
                used.push(*id);
            }
        });
        for id in used {
            let Some(i) = self.def_index.get(&id).copied() else { continue };
            let Some(u) = program.defs.get(i) else { continue };
            let sub = self.info(i);
            info.uses_consts |= sub.uses_consts;
            let higher = u.fun.params.iter().any(|p| has_arrow(&p.pat.ty));
            if u.fun.params.is_empty() && !has_arrow(&u.fun.ret) {
                info.uses_consts |= !self.cheap(i);
            } else if sub.size <= if higher { LARGE } else { SMALL } {
                info.size = info.size.saturating_add(sub.size);
            }
        }
        info
    }

    /// Whether a constant is a scalar of a few operations, and so repeated where it is used.
    fn cheap(&mut self, def: usize) -> bool {
        fn few(e: &program::Exp, budget: &mut u32) -> bool {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            match &e.kind {
                ExpKind::Lit(_) => true,
                ExpKind::App { fun, args, .. } => {
                    matches!(&fun.kind, ExpKind::Intrinsic(n, _)
                        if !matches!(n.as_str(), "/" | "%" | "//" | "%%" | "**")
                            || matches!(&e.ty, types::Type::Prim(p) if p.is_float()))
                        && args.iter().all(|a| few(a, budget))
                }
                ExpKind::Coerce(e) | ExpKind::Attr(_, e) => few(e, budget),
                _ => false,
            }
        }
        let program = self.program;
        program.defs.get(def).is_some_and(|d| {
            matches!(d.fun.body.ty, types::Type::Prim(_)) && few(&d.fun.body, &mut 8)
        })
    }

    // ---- constants

    /// The value of a constant without type or size parameters.
    pub(super) fn global_constant(&mut self, def: usize) -> R<Value> {
        let direct = self.fun.in_consts && self.fun.base == 0;
        if self.fun.in_consts && !direct || self.cheap(def) {
            return self.inline_def(def, &[], &[], &[]);
        }
        if let Some(c) = self.consts.get(&def) {
            return Ok(if direct { c.inner.clone() } else { c.outer.clone() });
        }
        let program = self.program;
        let Some(d) = program.defs.get(def) else { return self.bug("no such definition") };
        let state = FunState::new(0, true);
        let saved = std::mem::replace(&mut self.fun, state);
        let done = self.scoped(|s| s.inline(&d.fun, None, &[], &[], &[]));
        self.fun = saved;
        let (stms, inner) = done?;
        if inner.has_fun() {
            // Static, then; what it computes on the way is computed where it is used.
            return self.inline_def(def, &[], &[], &[]);
        }
        self.const_stms.extend(stms);
        let ls = leaves(&inner).unwrap_or_default();
        let mut out = Vec::with_capacity(ls.len());
        for l in ls {
            out.push(self.export(l));
        }
        let outer = inner.with_leaves(&mut out.into_iter());
        let value = if direct { inner.clone() } else { outer.clone() };
        self.consts.insert(def, Constant { inner, outer });
        Ok(value)
    }

    /// The global that holds what the constants call `s`.
    fn export(&mut self, s: SubExp) -> SubExp {
        let SubExp::Var(v) = s else { return s };
        if let Some(g) = self.exported.get(&v) {
            return SubExp::Var(*g);
        }
        let ty = match self.ty(s) {
            Type::Array { elem, shape } => {
                Type::array(elem, shape.into_iter().map(|d| self.export(d)).collect())
            }
            t => t,
        };
        let g = self.fresh_at(v.base, ty.clone(), 1);
        self.const_results.push(s);
        self.globals.push(PatElem { var: g, ty, mem: None });
        self.exported.insert(v, g);
        SubExp::Var(g)
    }

    /// A name that no other function has.
    pub(super) fn unique_name(&mut self, base: Name) -> Name {
        let clean: String = base
            .as_str()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
            .collect();
        let mut name = Name::new(&clean);
        loop {
            let n = self.names.entry(name).or_insert(0);
            if *n == 0 {
                *n = 1;
                return name;
            }
            let k = *n;
            *n += 1;
            name = Name::new(&format!("{clean}_{k}"));
        }
    }
}

/// Whether a type has functions in it, as far as can be told without its parameters.
pub(super) fn has_arrow(ty: &types::Type) -> bool {
    match ty {
        types::Type::Prim(_) | types::Type::Param(_) => false,
        types::Type::Opaque(_, args) => args.iter().any(|a| match a {
            types::TypeArg::Size(_) => false,
            types::TypeArg::Type(t) => has_arrow(t),
        }),
        types::Type::Array { elem, .. } => has_arrow(elem),
        types::Type::Record(fields) => fields.iter().any(|(_, t)| has_arrow(t)),
        types::Type::Sum(constrs) => constrs.iter().any(|(_, ts)| ts.iter().any(has_arrow)),
        types::Type::Arrow(_) => true,
    }
}

/// Calls `f` for an expression and all inside it.
pub(crate) fn visit(e: &program::Exp, f: &mut impl FnMut(&program::Exp)) {
    f(e);
    match &e.kind {
        ExpKind::Lit(_)
        | ExpKind::String(_)
        | ExpKind::Var(..)
        | ExpKind::Global(..)
        | ExpKind::Intrinsic(..)
        | ExpKind::Hole => {}
        ExpKind::Record(fields) => fields.iter().for_each(|(_, e)| visit(e, f)),
        ExpKind::ArrayLit(es) | ExpKind::Constr(_, es) => es.iter().for_each(|e| visit(e, f)),
        ExpKind::Project(e, _) | ExpKind::Coerce(e) | ExpKind::Attr(_, e) => visit(e, f),
        ExpKind::Index(e, dims) => {
            visit(e, f);
            visit_dims(dims, f);
        }
        ExpKind::Update { array, index, value } => {
            visit(array, f);
            visit_dims(index, f);
            visit(value, f);
        }
        ExpKind::RecordUpdate { record, value, .. } => {
            visit(record, f);
            visit(value, f);
        }
        ExpKind::Range { start, second, end } => {
            visit(start, f);
            if let Some(s) = second {
                visit(s, f);
            }
            match end {
                RangeEnd::Inclusive(e) | RangeEnd::UpTo(e) | RangeEnd::DownTo(e) => visit(e, f),
            }
        }
        ExpKind::Lambda(fun) => visit(&fun.body, f),
        ExpKind::App { fun, args, .. } => {
            visit(fun, f);
            args.iter().for_each(|e| visit(e, f));
        }
        ExpKind::And(x, y) | ExpKind::Or(x, y) => {
            visit(x, f);
            visit(y, f);
        }
        ExpKind::Let { rhs, body, .. } => {
            visit(rhs, f);
            visit(body, f);
        }
        ExpKind::LetFun { fun, body, .. } => {
            visit(&fun.body, f);
            visit(body, f);
        }
        ExpKind::If { cond, then, otherwise, .. } => {
            visit(cond, f);
            visit(then, f);
            visit(otherwise, f);
        }
        ExpKind::Match { scrutinee, cases, .. } => {
            visit(scrutinee, f);
            cases.iter().for_each(|c| visit(&c.body, f));
        }
        ExpKind::Loop(l) => {
            visit(&l.init, f);
            match &l.form {
                LoopForm::For(_, e) | LoopForm::ForIn(_, e) | LoopForm::While(e) => visit(e, f),
            }
            visit(&l.body, f);
        }
        ExpKind::Assert { cond, body, .. } => {
            visit(cond, f);
            visit(body, f);
        }
    }
}

fn visit_dims(dims: &[program::DimIndex], f: &mut impl FnMut(&program::Exp)) {
    for d in dims {
        match d {
            program::DimIndex::Fix(e) => visit(e, f),
            program::DimIndex::Slice { start, end, stride } => {
                for e in [start, end, stride].into_iter().flatten() {
                    visit(e, f);
                }
            }
        }
    }
}
