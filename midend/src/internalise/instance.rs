//! Instances: Core functions made of definitions and local functions, for the types of a call.
//!
//! Sizes in those types, sizes that parameters' types mention, and the sizes of arguments that no
//! type names, become parameters of their own, and so does what functions among the arguments, or
//! the callee itself, have captured. Instances are shared between calls of the same types; those
//! with functions in them, between calls with the very same functions.

use super::builder::attr_text;
use super::error::R;
use super::frame::PARAM_DEPTH;
use super::fun_state::FunState;
use super::names::pat_name;
use super::spec::{IdentityPart, Import, Instance, Key, Spec};
use super::value::{Code, Dim, FrameId, Ty, Value, core_prim, leaves};
use crate::ir::traverse::for_each_block_mut;
use crate::ir::{Body, Exp, Fun, Linkage, Param, PatElem, Stm, SubExp, Type, Var};
use futc_typed::name::Name;
use futc_typed::program::{Def, FunDef};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Recursive instances within each other beyond which there is no end to them.
const DEEPEST: usize = 100;

/// What is called.
#[derive(Clone)]
pub(super) enum Callee {
    Def(usize),
    Local(Arc<FunDef>, FrameId),
}

fn identity(v: &Value, out: &mut Vec<IdentityPart>) {
    match v {
        Value::Leaf(s) => out.push(IdentityPart::Leaf(*s)),
        Value::Record(fields) => {
            out.push(IdentityPart::Count(fields.len()));
            fields.iter().for_each(|(_, v)| identity(v, out));
        }
        Value::Sum(ls) => out.extend(ls.iter().map(|s| IdentityPart::Leaf(*s))),
        Value::Constr(n, vs) => {
            out.extend([IdentityPart::Name(*n), IdentityPart::Count(vs.len())]);
            vs.iter().for_each(|v| identity(v, out));
        }
        Value::Fun(c) => {
            out.push(match &c.code {
                Code::Def(i) => IdentityPart::Def(*i),
                Code::Local(f, frame) => IdentityPart::Local(Arc::as_ptr(f) as usize, *frame),
                Code::Intrinsic(n) => IdentityPart::Intrinsic(*n),
                Code::Blank(arrow, frame) => {
                    IdentityPart::Local(Arc::as_ptr(arrow) as usize, *frame)
                }
            });
            out.extend(c.types.iter().cloned().map(IdentityPart::Ty));
            out.extend(c.sizes.iter().copied().map(IdentityPart::Dim));
            out.push(IdentityPart::Count(c.args.len()));
            c.args.iter().for_each(|v| identity(v, out));
        }
    }
}

/// The meaning of parameters and results at a call.
fn subst(s: SubExp, means: &HashMap<Var, SubExp>) -> SubExp {
    match s {
        SubExp::Var(v) => means.get(&v).copied().unwrap_or(s),
        SubExp::Const(_) => s,
    }
}

fn subst_type(ty: &Type, means: &HashMap<Var, SubExp>) -> Type {
    match ty {
        Type::Array { elem, shape } => {
            Type::array(*elem, shape.iter().map(|s| subst(*s, means)).collect())
        }
        t => t.clone(),
    }
}

fn size_param(var: Var) -> Param {
    Param { var, ty: Type::I64, unique: false, mem: None }
}

impl Spec<'_> {
    /// Calls an instance, made if there is none yet.
    pub(super) fn call_instance(
        &mut self,
        callee: Callee,
        types: &[Ty],
        sizes: &[Dim],
        args: &[Value],
    ) -> R<Value> {
        let program = self.program;
        let (fun, def, parent, code) = match &callee {
            Callee::Def(i) => {
                let Some(d) = program.defs.get(*i) else { return self.bug("no such definition") };
                (&d.fun, Some(d.as_ref()), None, IdentityPart::Def(*i))
            }
            Callee::Local(f, frame) => (
                f.as_ref(),
                None,
                Some(*frame),
                IdentityPart::Local(Arc::as_ptr(f) as usize, *frame),
            ),
        };
        // What the caller calls the sizes.
        let frame = self.frame(parent);
        for (v, t) in fun.type_params.iter().zip(types) {
            self.bind_type(frame, *v, t.clone());
        }
        for (p, a) in fun.params.iter().zip(args) {
            self.match_sizes(&p.pat.ty, a, &fun.size_params, frame)?;
        }
        let mut dims: Vec<Dim> = Vec::with_capacity(fun.size_params.len());
        for (i, v) in fun.size_params.iter().enumerate() {
            dims.push(match self.lookup(frame, *v) {
                Some(Value::Leaf(s)) => Some(s),
                _ => sizes.get(i).copied().flatten(),
            });
        }
        let mut given: Vec<SubExp> = Vec::new();
        let masked: Vec<Ty> = types
            .iter()
            .map(|t| {
                t.map_dims(&mut |d| {
                    given.extend(d);
                    d.map(|_| SubExp::i64(0))
                })
            })
            .collect();
        given.extend(dims.iter().flatten().copied());
        let uses_consts = match &callee {
            Callee::Def(i) => self.uses_consts(*i),
            Callee::Local(..) => true,
        };
        let mut funs = Vec::new();
        let mut ls = Vec::new();
        for a in args {
            if a.has_fun() {
                identity(a, &mut funs);
            } else {
                a.leaves_into(&mut ls);
            }
        }
        let key = Key {
            code,
            types: masked,
            sizes: dims.iter().map(Option::is_some).collect(),
            funs,
            in_consts: self.fun.in_consts && uses_consts,
        };
        let inst = match self.instances.get(&key) {
            Some(i) => i.clone(),
            None => match self.under_way(&key)? {
                Some(i) => i,
                None => self.build_instance(key, fun, def, parent, args)?,
            },
        };

        for (leaf, d) in &inst.extra {
            let size = ls.get(*leaf).and_then(|l| self.dim(*l, *d));
            given.push(size.unwrap_or(SubExp::i64(0)));
        }
        let mut operands = inst.captures.clone();
        operands.extend(given);
        if operands.len() + ls.len() != inst.params.len() {
            return self.bug("a call does not fit its instance");
        }
        let mut means: HashMap<Var, SubExp> =
            inst.params.iter().zip(&operands).map(|(p, s)| (p.var, *s)).collect();
        let first = operands.len();
        for (l, p) in ls.into_iter().zip(inst.params.iter().skip(first)) {
            let shape: Vec<SubExp> = p.ty.shape().iter().map(|s| subst(*s, &means)).collect();
            let l = self.reshape_to(l, &shape, &[]);
            means.insert(p.var, l);
            operands.push(l);
        }
        let mut pat = Vec::with_capacity(inst.results.len());
        for r in &inst.results {
            let ty = subst_type(&r.ty, &means);
            let var = self.fresh(r.var.base, ty.clone());
            means.insert(r.var, var.into());
            pat.push(PatElem { var, ty, mem: None });
        }
        self.push(pat, Exp::Call { fun: inst.name, args: operands });
        let ls = leaves(&inst.value).unwrap_or_default();
        let value = inst.value.with_leaves(&mut ls.into_iter().map(|s| subst(s, &means)));
        self.check_result(&value);
        Ok(value)
    }

    /// The instance being made that this call goes to: same function arguments, but for their
    /// having been imported into it.
    fn under_way(&mut self, key: &Key) -> R<Option<Rc<Instance>>> {
        if self.progress.is_empty() {
            return Ok(None);
        }
        let key = self.canonical(key);
        let Some((_, inst)) = self.progress.iter().rev().find(|(k, _)| *k == key) else {
            return Ok(None);
        };
        let inst = inst.clone();
        if self.fun.name != Some(inst.name) && !key.funs.is_empty() {
            return self.limitation("a recursive call with functions from a large local function");
        }
        Ok(Some(inst))
    }

    fn canonical(&self, key: &Key) -> Key {
        let part = |p: &IdentityPart| match p {
            IdentityPart::Local(f, frame) => IdentityPart::Local(*f, self.origin(*frame)),
            p => p.clone(),
        };
        Key { code: part(&key.code), funs: key.funs.iter().map(part).collect(), ..key.clone() }
    }

    fn build_instance(
        &mut self,
        key: Key,
        fun: &FunDef,
        def: Option<&Def>,
        parent: Option<FrameId>,
        args: &[Value],
    ) -> R<Rc<Instance>> {
        let mut state = FunState::new(PARAM_DEPTH - 1, key.in_consts);
        state.span = Some(def.map_or(fun.body.span, |d| d.span));
        let saved = std::mem::replace(&mut self.fun, state);
        let depth = std::mem::take(&mut self.inline_depth);
        let inst = self.build_instance_here(key, fun, def, parent, args);
        self.inline_depth = depth;
        self.fun = saved;
        inst
    }

    fn build_instance_here(
        &mut self,
        key: Key,
        fun: &FunDef,
        def: Option<&Def>,
        parent: Option<FrameId>,
        args: &[Value],
    ) -> R<Rc<Instance>> {
        let span = def.map_or(fun.body.span, |d| d.span);
        let name = self.unique_name(def.map_or(Name::new("local"), |d| d.name));
        self.fun.name = Some(name);
        if self.progress.len() > DEEPEST {
            return self.limitation("a function that calls itself with ever new functions");
        }
        let import = self.imports.len();
        self.imports.push(Import::default());
        self.open();
        let depth = self.depth();
        let parent = parent.map(|p| self.boundary(import, p));
        let frame = self.frame(parent);
        let mut known: Vec<Param> = Vec::new();
        for (v, t) in fun.type_params.iter().zip(&key.types) {
            let t = t.map_dims(&mut |d| {
                d.map(|_| {
                    let var = self.fresh_at(Name::new("n"), Type::I64, depth);
                    known.push(size_param(var));
                    var.into()
                })
            });
            self.bind_type(frame, *v, t);
        }
        for (v, is_known) in fun.size_params.iter().zip(&key.sizes) {
            if *is_known {
                let var = self.fresh_at(v.name, Type::I64, depth);
                known.push(size_param(var));
                self.bind(frame, *v, Value::Leaf(var.into()));
            }
        }
        // Everything below may emit size arithmetic, which belongs to the body.
        self.open();
        let mut extra = Vec::new();
        let mut others: Vec<Param> = Vec::new();
        let mut arrays: Vec<Param> = Vec::new();
        for (p, arg) in fun.params.iter().zip(args) {
            let value = if arg.has_fun() {
                self.import(import, arg)
            } else {
                let ty = self.close(&p.pat.ty, frame)?;
                let mut mine = Vec::new();
                for (l, consumed) in ty.leaves().into_iter().zip(ty.marked(&p.consumes)) {
                    let at = arrays.len();
                    let mut shape = Vec::with_capacity(l.dims.len());
                    for (i, d) in l.dims.iter().enumerate() {
                        shape.push(match d {
                            Some(s) if self.visible(*s, depth) => *s,
                            _ => {
                                let var = self.fresh_at(Name::new("n"), Type::I64, depth);
                                others.push(size_param(var));
                                extra.push((at, i));
                                var.into()
                            }
                        });
                    }
                    let unique = consumed && !shape.is_empty();
                    let ty = Type::array(core_prim(l.prim), shape);
                    let var = self.fresh_at(pat_name(&p.pat), ty.clone(), depth);
                    arrays.push(Param { var, ty, unique, mem: None });
                    mine.push(SubExp::Var(var));
                }
                match ty.value(&mut mine.into_iter()) {
                    Some(v) => v,
                    None => return self.bug("a function as the parameter of an instance"),
                }
            };
            self.note_param(&value);
            self.match_sizes(&p.pat.ty, &value, &fun.size_params, frame)?;
            self.bind_pat(&p.pat, &value, frame)?;
            if let Some(v) = p.name {
                self.bind(frame, v, value);
            }
        }
        let mut params = known;
        params.extend(others);
        params.extend(arrays);

        let (body, inst) = if def.is_some_and(|d| d.recursive) {
            let inst = Instance {
                name,
                params,
                captures: Vec::new(),
                extra,
                results: Vec::new(),
                value: Value::unit(),
            };
            self.recursive_body(key, fun, frame, import, inst)?
        } else {
            let branch = self.scoped(|s| s.eval(&fun.body, frame))?;
            let joined = self.join_at(vec![branch], Some((&fun.ret, frame)), false, depth)?;
            let taken = self.imports.get_mut(import).map(|i| std::mem::take(&mut i.captures));
            let (captures, mut all): (Vec<SubExp>, Vec<Param>) =
                taken.unwrap_or_default().into_iter().unzip();
            all.extend(params);
            let inst = Rc::new(Instance {
                name,
                params: all,
                captures,
                extra,
                results: joined.elems,
                value: joined.value,
            });
            self.instances.insert(key, inst.clone());
            let mut stms = self.close_scope();
            let mut result = Vec::new();
            for b in joined.bodies {
                stms.extend(b.stms);
                result = b.result;
            }
            (Body { stms, result }, inst)
        };
        self.close_scope();
        let loc = Some(self.loc_of(span));
        self.funs.push(Fun {
            name,
            entry: None,
            linkage: Linkage::Internal,
            params: inst.params.clone(),
            results: inst.results.clone(),
            body,
            attrs: def
                .map(|d| d.attrs.iter().map(|a| Name::new(&attr_text(a))).collect())
                .unwrap_or_default(),
            loc,
        });
        Ok(inst)
    }

    /// The body of a function that calls itself: its signature stands before the body is known,
    /// and sizes the declared result type does not tell are existential.
    fn recursive_body(
        &mut self,
        key: Key,
        fun: &FunDef,
        frame: FrameId,
        import: usize,
        mut inst: Instance,
    ) -> R<(Body, Rc<Instance>)> {
        let ret = self.close(&fun.ret, frame)?;
        let mut elems = Vec::new();
        let mut where_from = Vec::new();
        let mut arrays = Vec::new();
        for (i, l) in ret.leaves().iter().enumerate() {
            let mut shape = Vec::with_capacity(l.dims.len());
            for (k, s) in l.dims.iter().enumerate() {
                shape.push(match s {
                    Some(s) if self.visible(*s, PARAM_DEPTH) => *s,
                    _ => {
                        let var = self.fresh(Name::new("d"), Type::I64);
                        elems.push(PatElem { var, ty: Type::I64, mem: None });
                        where_from.push((i, k));
                        var.into()
                    }
                });
            }
            let ty = Type::array(core_prim(l.prim), shape);
            arrays.push(PatElem { var: self.fresh(Name::new("r"), ty.clone()), ty, mem: None });
        }
        let outs: Vec<SubExp> = arrays.iter().map(|e| SubExp::Var(e.var)).collect();
        let Some(value) = ret.value(&mut outs.into_iter()) else {
            return self.bug("a recursive function that returns functions");
        };
        elems.extend(arrays.iter().cloned());
        inst.results = elems;
        inst.value = value;
        let mut inst = Rc::new(inst);
        let under_way = self.canonical(&key);
        self.progress.push((under_way, inst.clone()));
        let value = self.eval(&fun.body, frame);
        self.progress.pop();
        let value = value?;
        let Some(ls) = leaves(&value) else { return self.bug("a function as a result") };
        let mut means = HashMap::new();
        let mut result = Vec::new();
        for ((leaf, k), e) in where_from.iter().zip(&inst.results) {
            let s = ls.get(*leaf).and_then(|l| self.dim(*l, *k)).unwrap_or(SubExp::i64(0));
            means.insert(e.var, s);
            result.push(s);
        }
        for (l, e) in ls.into_iter().zip(&arrays) {
            let shape: Vec<SubExp> = e.ty.shape().iter().map(|s| subst(*s, &means)).collect();
            result.push(self.reshape_to(l, &shape, &[]));
        }
        let mut stms = self.close_scope();
        let taken = self.imports.get_mut(import).map(|i| std::mem::take(&mut i.captures));
        let (captures, mut params): (Vec<SubExp>, Vec<Param>) =
            taken.unwrap_or_default().into_iter().unzip();
        if !captures.is_empty() {
            // The calls in the body did not know of the captures.
            let own: Vec<SubExp> = params.iter().map(|p| SubExp::Var(p.var)).collect();
            pass_captures(&mut stms, inst.name, &own);
            params.extend(inst.params.iter().cloned());
            inst = Rc::new(Instance {
                name: inst.name,
                params,
                captures,
                extra: inst.extra.clone(),
                results: inst.results.clone(),
                value: inst.value.clone(),
            });
        }
        self.instances.insert(key, inst.clone());
        Ok((Body { stms, result }, inst))
    }
}

/// Puts operands before those of every call of a function.
fn pass_captures(stms: &mut Vec<Stm>, fun: Name, own: &[SubExp]) {
    for s in stms {
        if let Exp::Call { fun: f, args } = &mut s.exp
            && *f == fun
        {
            args.splice(0..0, own.iter().copied());
        }
        for_each_block_mut(&mut s.exp, &mut |inner| pass_captures(inner, fun, own));
    }
}
