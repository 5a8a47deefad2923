//! A walk over the syntax tree that knows which names are bound where.
//!
//! It follows the scopes of the language without types or modules: what an `open` or an import
//! brings into scope is not known. A name that may come from there counts both as a use of what
//! was bound before and as free, so that nothing is called unused that is not.

use crate::syntax::ast::*;
use futc_typed::name::Name;
use std::collections::{HashMap, HashSet};

/// A name space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Namespace {
    /// Values, sizes and modules.
    Value,
    /// Types.
    Type,
    /// Module types.
    ModType,
}

/// What kind of thing a name is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// By `let`, `loop` or `match`.
    Local,
    /// The result of `let x[i] = …`.
    Updated,
    /// A field's name in a record pattern, `{x}`.
    Field,
    /// A parameter of a function.
    Param,
    /// A type parameter.
    TypeParam,
    /// A size parameter, or a size bound by `let` or `loop`.
    Size,
    /// A parameter of a parametric module.
    ModParam,
    /// By `local def` and its kin.
    LocalDef,
    /// A definition others may use, or something of which nothing is to be said.
    Public,
}

/// A binding that has gone out of scope, with what was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Closed {
    /// The name, where it was bound.
    pub name: Ident,
    /// What it is.
    pub kind: Kind,
    /// Something uses it.
    pub used: bool,
}

/// One binding hiding another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// The name hidden.
    pub outer: Ident,
    /// What is hidden.
    pub outer_kind: Kind,
    /// What hides it.
    pub inner: Ident,
    /// What hides it.
    pub inner_kind: Kind,
}

/// What the walk over declarations has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Every binding whose scope has ended.
    pub closed: Vec<Closed>,
    /// Local names hiding local names.
    pub hidden: Vec<Hidden>,
    /// Names that are bound outside, or may be.
    pub free: HashSet<(Namespace, Name)>,
    /// Attributes of expressions, patterns, specifications and declarations inside of others.
    pub attributes: Vec<Attr>,
}

/// What a declaration of a file says to those around it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// Names that are bound outside of it, or may be; sorted by their text.
    pub free: Vec<(Namespace, Name)>,
    /// What it binds; an `open` or an import brings names that are not known instead.
    pub binds: Option<(Namespace, Ident, Kind)>,
}

/// Walks over one declaration of a file: what there is inside of it, and what it says to those
/// around it.
pub fn walk(dec: &Dec) -> (Found, Outside) {
    let mut walk = Walk::default();
    walk.dec(&dec.kind, Kind::Public);
    let binds = walk.stack.pop().map(|b| (b.space, b.name, b.kind));
    let mut free: Vec<(Namespace, Name)> = walk.found.free.iter().copied().collect();
    free.sort_unstable_by_key(|(space, name)| (name.as_str(), *space));
    (walk.found, Outside { free, binds })
}

/// What the declarations of a file say to one another, in order: which of the names that they bind
/// are used, and which of those they use come from elsewhere.
pub fn join<'d>(decs: impl IntoIterator<Item = &'d Outside>) -> Found {
    let mut walk = Walk::default();
    let mark = walk.mark();
    for dec in decs {
        dec.free.iter().for_each(|(space, name)| walk.use_name(*space, *name));
        match dec.binds {
            Some((space, name, kind)) => walk.bind(space, name, kind),
            None => walk.opened = walk.stack.len(),
        }
    }
    walk.close(mark);
    walk.found
}

struct Binding {
    space: Namespace,
    name: Ident,
    kind: Kind,
    used: bool,
}

#[derive(Default)]
struct Walk {
    found: Found,
    stack: Vec<Binding>,
    /// Places in the stack of the bindings of a name, innermost last.
    by_name: HashMap<(Namespace, Name), Vec<usize>>,
    /// Bindings below this place in the stack may be hidden by something opened.
    opened: usize,
}

impl Walk {
    fn mark(&self) -> (usize, usize) {
        (self.stack.len(), self.opened)
    }

    /// Ends the scope that began at `mark`.
    fn close(&mut self, mark: (usize, usize)) {
        while self.stack.len() > mark.0 {
            let Some(b) = self.stack.pop() else { break };
            if let Some(places) = self.by_name.get_mut(&(b.space, b.name.name)) {
                places.pop();
            }
            self.found.closed.push(Closed { name: b.name, kind: b.kind, used: b.used });
        }
        self.opened = mark.1;
    }

    fn bind(&mut self, space: Namespace, name: Ident, kind: Kind) {
        let places = self.by_name.entry((space, name.name)).or_default();
        if let Some(outer) = places.last().and_then(|i| self.stack.get(*i)) {
            self.found.hidden.push(Hidden {
                outer: outer.name,
                outer_kind: outer.kind,
                inner: name,
                inner_kind: kind,
            });
        }
        places.push(self.stack.len());
        self.stack.push(Binding { space, name, kind, used: false });
    }

    fn value(&mut self, name: Ident, kind: Kind) {
        self.bind(Namespace::Value, name, kind);
    }

    fn use_name(&mut self, space: Namespace, name: Name) {
        let place = self.by_name.get(&(space, name)).and_then(|places| places.last().copied());
        if let Some(place) = place {
            if let Some(b) = self.stack.get_mut(place) {
                b.used = true;
            }
            if place >= self.opened {
                return;
            }
        }
        self.found.free.insert((space, name));
    }

    /// Of a qualified name, the file sees only the outermost module.
    fn use_qual(&mut self, space: Namespace, name: &QualName) {
        match name.quals.first() {
            Some(module) => self.use_name(Namespace::Value, module.name),
            None => self.use_name(space, name.name.name),
        }
    }

    // Modules.

    fn decs<'d>(&mut self, decs: impl IntoIterator<Item = &'d Dec>) {
        for dec in decs {
            self.found.attributes.extend_from_slice(&dec.attrs);
            self.dec(&dec.kind, Kind::Public);
        }
    }

    fn dec(&mut self, dec: &DecKind, kind: Kind) {
        match dec {
            DecKind::Val(vb) => {
                self.function(&vb.type_params, &vb.params, vb.ret.as_ref(), &vb.body, |walk| {
                    // A definition may call itself, which does not make it used.
                    walk.value(vb.name, Kind::Public);
                });
                // What the outside calls is used.
                self.value(vb.name, if vb.entry { Kind::Public } else { kind });
            }
            DecKind::Type(bind) => {
                let mark = self.mark();
                self.params_unseen(&bind.params);
                self.type_exp(&bind.ty);
                self.close(mark);
                self.bind(Namespace::Type, bind.name, kind);
            }
            DecKind::ModType(bind) => {
                self.mod_type(&bind.ty);
                self.bind(Namespace::ModType, bind.name, kind);
            }
            DecKind::Mod(bind) => {
                let mark = self.mark();
                for p in &bind.params {
                    self.mod_type(&p.ty);
                    self.value(p.name, Kind::ModParam);
                }
                if let Some(mt) = &bind.ascription {
                    self.mod_type(mt);
                }
                self.module(&bind.body);
                self.close(mark);
                self.value(bind.name, kind);
            }
            DecKind::Open(me) => {
                self.module(me);
                self.opened = self.stack.len();
            }
            DecKind::Import(_) => self.opened = self.stack.len(),
            DecKind::Local(inner) => {
                self.found.attributes.extend_from_slice(&inner.attrs);
                self.dec(&inner.kind, Kind::LocalDef);
            }
        }
    }

    fn module(&mut self, me: &ModExp) {
        match &me.kind {
            ModExpKind::Var(name) => self.use_qual(Namespace::Value, name),
            ModExpKind::Parens(me) => self.module(me),
            ModExpKind::Import(_) => {}
            ModExpKind::Decs(decs) => {
                let mark = self.mark();
                self.decs(decs);
                self.close(mark);
            }
            ModExpKind::Apply(f, arg) => {
                self.module(f);
                self.module(arg);
            }
            ModExpKind::Ascript(me, mt) => {
                self.module(me);
                self.mod_type(mt);
            }
            ModExpKind::Lambda(p, mt, body) => {
                let mark = self.mark();
                self.mod_type(&p.ty);
                self.value(p.name, Kind::ModParam);
                if let Some(mt) = mt {
                    self.mod_type(mt);
                }
                self.module(body);
                self.close(mark);
            }
        }
    }

    fn mod_type(&mut self, mt: &ModTypeExp) {
        match &mt.kind {
            ModTypeExpKind::Var(name) => self.use_qual(Namespace::ModType, name),
            ModTypeExpKind::Parens(mt) => self.mod_type(mt),
            ModTypeExpKind::Specs(specs) => {
                let mark = self.mark();
                for spec in specs {
                    self.found.attributes.extend_from_slice(&spec.attrs);
                    self.spec(&spec.kind);
                }
                self.close(mark);
            }
            ModTypeExpKind::With(mt, refinement) => {
                self.mod_type(mt);
                let mark = self.mark();
                self.params_unseen(&refinement.params);
                self.type_exp(&refinement.ty);
                self.close(mark);
            }
            ModTypeExpKind::Arrow(param, from, to) => {
                self.mod_type(from);
                let mark = self.mark();
                if let Some(param) = param {
                    self.value(*param, Kind::Public);
                }
                self.mod_type(to);
                self.close(mark);
            }
        }
    }

    fn spec(&mut self, spec: &SpecKind) {
        match spec {
            SpecKind::Val { name, type_params, ty } => {
                let mark = self.mark();
                self.params_unseen(type_params);
                self.type_exp(ty);
                self.close(mark);
                self.value(*name, Kind::Public);
            }
            SpecKind::TypeAbbr(bind) => {
                let mark = self.mark();
                self.params_unseen(&bind.params);
                self.type_exp(&bind.ty);
                self.close(mark);
                self.bind(Namespace::Type, bind.name, Kind::Public);
            }
            SpecKind::Type { name, .. } => self.bind(Namespace::Type, *name, Kind::Public),
            SpecKind::Mod(name, mt) => {
                self.mod_type(mt);
                self.value(*name, Kind::Public);
            }
            SpecKind::Include(mt) => {
                self.mod_type(mt);
                self.opened = self.stack.len();
            }
        }
    }

    // Types.

    /// Parameters that are there for their names' sake: a type may have parameters it does not
    /// mention.
    fn params_unseen(&mut self, params: &[TypeParam]) {
        for p in params {
            match p {
                TypeParam::Size(name) => self.value(*name, Kind::Public),
                TypeParam::Type(_, name) => self.bind(Namespace::Type, *name, Kind::Public),
            }
        }
    }

    fn type_exp(&mut self, te: &TypeExp) {
        match &te.kind {
            TypeExpKind::Var(name) => self.use_qual(Namespace::Type, name),
            TypeExpKind::Parens(te) | TypeExpKind::Unique(te) => self.type_exp(te),
            TypeExpKind::Tuple(tes) => tes.iter().for_each(|te| self.type_exp(te)),
            TypeExpKind::Record(fields) => fields.iter().for_each(|(_, te)| self.type_exp(te)),
            TypeExpKind::Array(size, te) => {
                self.size(size);
                self.type_exp(te);
            }
            TypeExpKind::Apply(te, arg) => {
                self.type_exp(te);
                match arg.as_ref() {
                    TypeArg::Size(size) => self.size(size),
                    TypeArg::Type(te) => self.type_exp(te),
                }
            }
            TypeExpKind::Arrow(name, from, to) => {
                self.type_exp(from);
                let mark = self.mark();
                if let Some(name) = name {
                    self.value(*name, Kind::Public);
                }
                self.type_exp(to);
                self.close(mark);
            }
            TypeExpKind::Sum(constrs) => {
                constrs.iter().flat_map(|(_, tes)| tes).for_each(|te| self.type_exp(te));
            }
            TypeExpKind::Exists(names, te) => {
                let mark = self.mark();
                names.iter().for_each(|name| self.value(*name, Kind::Public));
                self.type_exp(te);
                self.close(mark);
            }
            TypeExpKind::Error => {}
        }
    }

    fn size(&mut self, size: &SizeExp) {
        match size {
            SizeExp::Any(_) => {}
            SizeExp::Exp(e) => self.exp(e),
        }
    }

    // Patterns.

    /// Binds what a pattern binds; types in it see the scope before.
    fn pat(&mut self, pat: &Pat, kind: Kind) {
        self.pat_types(pat);
        self.pat_names(pat, kind);
    }

    fn pat_types(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Parens(p) => self.pat_types(p),
            PatKind::Attr(attr, p) => {
                self.found.attributes.push(attr.clone());
                self.pat_types(p);
            }
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => {
                ps.iter().for_each(|p| self.pat_types(p));
            }
            PatKind::Record(fields) => {
                fields.iter().filter_map(|(_, p)| p.as_ref()).for_each(|p| self.pat_types(p));
            }
            PatKind::Ascript(p, te) => {
                self.pat_types(p);
                self.type_exp(te);
            }
            PatKind::Var(_) | PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
        }
    }

    fn pat_names(&mut self, pat: &Pat, kind: Kind) {
        match &pat.kind {
            PatKind::Var(name) => self.value(*name, kind),
            PatKind::Parens(p) | PatKind::Attr(_, p) | PatKind::Ascript(p, _) => {
                self.pat_names(p, kind);
            }
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => {
                ps.iter().for_each(|p| self.pat_names(p, kind));
            }
            PatKind::Record(fields) => {
                for (name, p) in fields {
                    match p {
                        Some(p) => self.pat_names(p, kind),
                        None => self.value(*name, Kind::Field),
                    }
                }
            }
            PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
        }
    }

    // Expressions.

    /// The parts of a function, in a scope of their own. `inner` binds what only the body sees.
    fn function(
        &mut self,
        type_params: &[TypeParam],
        params: &[Pat],
        ret: Option<&TypeExp>,
        body: &Exp,
        inner: impl FnOnce(&mut Walk),
    ) {
        let mark = self.mark();
        inner(self);
        for p in type_params {
            match p {
                TypeParam::Size(name) => self.value(*name, Kind::Size),
                TypeParam::Type(_, name) => self.bind(Namespace::Type, *name, Kind::TypeParam),
            }
        }
        params.iter().for_each(|p| self.pat(p, Kind::Param));
        if let Some(ret) = ret {
            self.type_exp(ret);
        }
        self.exp(body);
        self.close(mark);
    }

    fn exps(&mut self, es: &[Exp]) {
        es.iter().for_each(|e| self.exp(e));
    }

    fn dims(&mut self, dims: &[DimIndex]) {
        for dim in dims {
            match dim {
                DimIndex::Fix(e) => self.exp(e),
                DimIndex::Slice { start, end, stride, .. } => {
                    [start, end, stride].into_iter().flatten().for_each(|e| self.exp(e));
                }
            }
        }
    }

    fn steps(&mut self, path: &[UpdateStep]) {
        for step in path {
            match step {
                UpdateStep::Index(dims, _) => self.dims(dims),
                UpdateStep::Field(_) => {}
            }
        }
    }

    fn exp(&mut self, e: &Exp) {
        let mark = self.mark();
        let mut e = e;
        // Bodies of bindings are where programs are long.
        loop {
            match &e.kind {
                ExpKind::Let { sizes, pat, rhs, body } => {
                    self.exp(rhs);
                    sizes.iter().for_each(|size| self.value(*size, Kind::Size));
                    self.pat(pat, Kind::Local);
                    e = body;
                }
                ExpKind::LetFun { name, type_params, params, ret, rhs, body } => {
                    self.function(type_params, params, ret.as_ref(), rhs, |_| {});
                    self.value(*name, Kind::Local);
                    e = body;
                }
                ExpKind::LetWith { name, path, rhs, body } => {
                    self.use_name(Namespace::Value, name.name);
                    self.steps(path);
                    self.exp(rhs);
                    self.value(*name, Kind::Updated);
                    e = body;
                }
                _ => break,
            }
        }
        self.plain(e);
        self.close(mark);
    }

    fn plain(&mut self, e: &Exp) {
        match &e.kind {
            ExpKind::Let { .. } | ExpKind::LetFun { .. } | ExpKind::LetWith { .. } => self.exp(e),
            ExpKind::Lit(_) | ExpKind::String(_) | ExpKind::SectionProject(_) => {}
            ExpKind::Hole | ExpKind::Error => {}
            ExpKind::Var(name) => self.use_qual(Namespace::Value, name),
            ExpKind::Parens(e) | ExpKind::Project(e, _) | ExpKind::Negate(e) | ExpKind::Not(e) => {
                self.exp(e)
            }
            ExpKind::Attr(attr, e) => {
                self.found.attributes.push(attr.clone());
                self.exp(e);
            }
            ExpKind::QualParens(module, e) => {
                self.use_qual(Namespace::Value, module);
                let opened = std::mem::replace(&mut self.opened, self.stack.len());
                self.exp(e);
                self.opened = opened;
            }
            ExpKind::Tuple(es) | ExpKind::Array(es) | ExpKind::Constr(_, es) => self.exps(es),
            ExpKind::Record(fields) => {
                for field in fields {
                    match field {
                        RecordField::Explicit(_, e) => self.exp(e),
                        RecordField::Implicit(name) => self.use_qual(Namespace::Value, name),
                    }
                }
            }
            ExpKind::Index(e, dims) => {
                self.exp(e);
                self.dims(dims);
            }
            ExpKind::Range { start, second, end, .. } => {
                self.exp(start);
                if let Some(second) = second {
                    self.exp(second);
                }
                self.exp(end);
            }
            ExpKind::Apply(a, b) | ExpKind::Assert(a, b) => {
                self.exp(a);
                self.exp(b);
            }
            ExpKind::BinOp { op, lhs, rhs } => {
                self.use_qual(Namespace::Value, op);
                self.exp(lhs);
                self.exp(rhs);
            }
            ExpKind::Lambda { params, ret, body } => {
                self.function(&[], params, ret.as_ref(), body, |_| {});
            }
            ExpKind::SectionLeft(op, e) | ExpKind::SectionRight(op, e) => {
                self.use_qual(Namespace::Value, op);
                self.exp(e);
            }
            ExpKind::SectionIndex(dims) => self.dims(dims),
            ExpKind::Ascript(e, te) | ExpKind::Coerce(e, te) => {
                self.exp(e);
                self.type_exp(te);
            }
            ExpKind::Update { exp, path, value } => {
                self.exp(exp);
                self.steps(path);
                self.exp(value);
            }
            ExpKind::If(c, t, f) => [c, t, f].into_iter().for_each(|e| self.exp(e)),
            ExpKind::Match(e, cases) => {
                self.exp(e);
                for case in cases {
                    let mark = self.mark();
                    self.pat(&case.pat, Kind::Local);
                    self.exp(&case.body);
                    self.close(mark);
                }
            }
            ExpKind::Loop(l) => self.loop_exp(l),
        }
    }

    fn loop_exp(&mut self, l: &Loop) {
        match &l.init {
            Some(init) => self.exp(init),
            None => self.pat_as_exp(&l.pat),
        }
        match &l.form {
            LoopForm::For(_, e) | LoopForm::ForIn(_, e) => self.exp(e),
            LoopForm::While(_) => {}
        }
        let mark = self.mark();
        l.sizes.iter().for_each(|size| self.value(*size, Kind::Size));
        self.pat(&l.pat, Kind::Local);
        match &l.form {
            LoopForm::For(name, _) => self.value(*name, Kind::Local),
            LoopForm::ForIn(p, _) => self.pat(p, Kind::Local),
            LoopForm::While(e) => self.exp(e),
        }
        self.exp(&l.body);
        self.close(mark);
    }

    /// `loop p` without a value is `loop p = p`.
    fn pat_as_exp(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Var(name) => self.use_name(Namespace::Value, name.name),
            PatKind::Parens(p) | PatKind::Attr(_, p) | PatKind::Ascript(p, _) => {
                self.pat_as_exp(p);
            }
            PatKind::Tuple(ps) | PatKind::Constr(_, ps) => {
                ps.iter().for_each(|p| self.pat_as_exp(p));
            }
            PatKind::Record(fields) => {
                for (name, p) in fields {
                    match p {
                        Some(p) => self.pat_as_exp(p),
                        None => self.use_name(Namespace::Value, name.name),
                    }
                }
            }
            PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
        }
    }
}
