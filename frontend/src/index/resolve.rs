//! From a syntax tree to what its names stand for.
//!
//! This is apart from the type checker, because it is to work on programs that are being written:
//! it needs no types, and a name that cannot be found is simply left out. The scopes are the
//! checker's (`check::infer::scope`, `check::modules`). A module type hides nothing here: a name of a
//! module with one leads to where the module defines it.

use super::names::{
    FileIndex, Functor, Module, Names, Occurrence, Scope, Symbol, SymbolId, SymbolKind,
};
use crate::db::SourceFile;
use crate::syntax::ast::{
    Dec, DecKind, DimIndex, Exp, ExpKind, File, Ident, Import, Loop, LoopForm, ModExp, ModExpKind,
    ModParam, ModTypeExp, ModTypeExpKind, Pat, PatKind, QualName, RecordField, SizeExp, Span, Spec,
    SpecKind, TypeArg, TypeBind, TypeExp, TypeExpKind, TypeParam, UpdateStep, ValBind,
};
use futc_typed::name::Name;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What imports provide, by the path as written.
pub(super) type Imports = HashMap<String, (SourceFile, Arc<Names>)>;

/// Resolves the names of a file.
pub(super) fn resolve(
    source: SourceFile,
    file: &File,
    prelude: Option<Arc<Names>>,
    imports: &Imports,
) -> FileIndex {
    let mut r = Resolver::new(source, prelude, imports);
    let exports = r.decs(&file.decs, u32::MAX);
    r.occurrences.sort_by_key(|o| (o.span.start, o.span.end));
    FileIndex {
        symbols: r.symbols,
        occurrences: r.occurrences,
        exports: Arc::new(exports),
        tied: r.tied,
        imports: r.links,
    }
}

/// What can be named at the byte `at`; ids of this file's symbols are those of [`resolve`].
pub(super) fn scope_at(
    source: SourceFile,
    file: &File,
    prelude: Option<Arc<Names>>,
    imports: &Imports,
    at: u32,
) -> Scope {
    let mut r = Resolver::new(source, prelude, imports);
    r.probe = Some(at);
    r.decs(&file.decs, u32::MAX);
    r.found
}

/// What names mean at places: of each question, which are in the order of their bytes, the symbol.
pub(super) fn meanings(
    source: SourceFile,
    file: &File,
    prelude: Option<Arc<Names>>,
    imports: &Imports,
    questions: Vec<Question>,
) -> Vec<Option<SymbolId>> {
    let mut r = Resolver::new(source, prelude, imports);
    r.answers = vec![None; questions.len()];
    r.questions = questions;
    r.decs(&file.decs, u32::MAX);
    r.answers
}

/// What does a name mean at a place?
pub(super) struct Question {
    pub(super) at: u32,
    pub(super) name: Name,
    /// Its name space, see [`SymbolKind::space`].
    pub(super) space: u8,
}

struct Resolver<'a> {
    source: SourceFile,
    imports: &'a Imports,
    symbols: Vec<Symbol>,
    occurrences: Vec<Occurrence>,
    tied: HashSet<SymbolId>,
    links: Vec<(Span, SourceFile)>,
    layers: Vec<Arc<Names>>,
    locals: Vec<(Name, SymbolId, SymbolKind)>,
    /// Where the declaration at hand ends, and up to where it may be continued.
    end: (u32, u32),
    probe: Option<u32>,
    found: Scope,
    questions: Vec<Question>,
    answers: Vec<Option<SymbolId>>,
}

impl Resolver<'_> {
    fn new(source: SourceFile, prelude: Option<Arc<Names>>, imports: &Imports) -> Resolver<'_> {
        Resolver {
            source,
            imports,
            symbols: Vec::new(),
            occurrences: Vec::new(),
            tied: HashSet::new(),
            links: Vec::new(),
            layers: prelude.into_iter().collect(),
            locals: Vec::new(),
            end: (0, u32::MAX),
            probe: None,
            found: Scope::default(),
            questions: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Notes what is in scope, if the place asked for is in `from..=to`. What ends with the
    /// declaration may go on behind it.
    fn probe(&mut self, from: u32, to: u32) {
        let to = if to >= self.end.0 { self.end.1 } else { to };
        if self.probe.is_some_and(|at| from <= at && at <= to) {
            self.found = Scope { layers: self.layers.clone(), locals: self.locals.clone() };
        }
        let first = self.questions.partition_point(|q| q.at < from);
        for i in first..self.questions.len() {
            let q = &self.questions[i];
            if q.at > to {
                break;
            }
            self.answers[i] = lookup(&self.layers, &self.locals, q.name, q.space);
        }
    }

    // Binding.

    fn define(
        &mut self,
        name: Ident,
        kind: SymbolKind,
        whole: Span,
        doc: Option<&str>,
    ) -> SymbolId {
        let id = SymbolId { file: self.source, index: self.symbols.len() as u32 };
        let doc = doc.map(Arc::from);
        self.symbols.push(Symbol { name: name.name, kind, span: name.span, whole, doc });
        self.occurs(name.span, id, true, false);
        id
    }

    fn occurs(&mut self, span: Span, target: SymbolId, binds: bool, pun: bool) {
        self.occurrences.push(Occurrence { span, target, binds, pun });
    }

    fn bind(&mut self, name: Ident, kind: SymbolKind) {
        let id = self.define(name, kind, name.span, None);
        self.locals.push((name.name, id, kind));
    }

    /// Changes the innermost scope of declarations.
    fn here(&mut self, change: impl FnOnce(&mut Names)) {
        if let Some(names) = self.layers.last_mut() {
            change(Arc::make_mut(names));
        }
    }

    // Looking up.

    fn local(&self, name: Name, kinds: u8) -> Option<SymbolId> {
        let found = self.locals.iter().rev().find(|(n, _, k)| *n == name && k.space() == kinds);
        found.map(|(_, id, _)| *id)
    }

    fn global<T>(&self, find: impl Fn(&Names) -> Option<T>) -> Option<T> {
        self.layers.iter().rev().find_map(|names| find(names))
    }

    /// The names of the module at a path, whose parts are noted.
    fn path(&mut self, quals: &[Ident]) -> Option<Arc<Names>> {
        let (first, rest) = quals.split_first()?;
        // A value hides a module of its name, wherever that is.
        let (id, mut module) = self
            .layers
            .iter()
            .rev()
            .find_map(|names| match names.modules.get(&first.name) {
                Some(found) => Some(Some(found.clone())),
                None => names.values.contains_key(&first.name).then_some(None),
            })
            .flatten()?;
        self.occurs(first.span, id, false, false);
        for part in rest {
            let Module::Structure(names) = &module else { return None };
            let (id, inner) = names.modules.get(&part.name)?.clone();
            self.occurs(part.span, id, false, false);
            module = inner;
        }
        match module {
            Module::Structure(names) => Some(names),
            _ => None,
        }
    }

    /// A name used as a value; what follows the value are fields.
    fn value(&mut self, name: &QualName, pun: bool) {
        let parts: Vec<Ident> = name.quals.iter().copied().chain([name.name]).collect();
        let Some(first) = parts.first() else { return };
        if let Some(id) = self.local(first.name, 0) {
            return self.occurs(first.span, id, false, pun);
        }
        if parts.len() == 1 {
            if let Some(id) = self.global(|names| names.values.get(&first.name).copied()) {
                self.occurs(first.span, id, false, pun);
            }
            return;
        }
        // The longest path of modules, then a value in the last of them.
        let mut names: Option<Arc<Names>> = None;
        for (i, part) in parts.iter().enumerate() {
            let found = match &names {
                None => self
                    .layers
                    .iter()
                    .rev()
                    .find_map(|names| found_in(names, part.name, i + 1 < parts.len())),
                Some(names) => found_in(names, part.name, i + 1 < parts.len()),
            };
            match found {
                Some((id, Some(Module::Structure(inner)))) => {
                    self.occurs(part.span, id, false, false);
                    names = Some(inner);
                }
                Some((id, _)) => return self.occurs(part.span, id, false, pun),
                None => return,
            }
        }
    }

    fn type_name(&mut self, name: &QualName) {
        let last = name.name;
        let found = if name.quals.is_empty() {
            self.local(last.name, 1)
                .or_else(|| self.global(|names| names.types.get(&last.name).copied()))
        } else {
            self.path(&name.quals).and_then(|names| names.types.get(&last.name).copied())
        };
        if let Some(id) = found {
            self.occurs(last.span, id, false, false);
        }
    }

    // Declarations.

    /// Declarations in a scope of their own; what they provide. `limit` is where the last may go
    /// on to.
    fn decs(&mut self, decs: &[Dec], limit: u32) -> Names {
        let depth = self.layers.len();
        let outer = self.end;
        self.layers.push(Arc::default());
        let mut out = Names::default();
        for (i, dec) in decs.iter().enumerate() {
            let next = decs.get(i + 1).map_or(limit, |next| next.span.start.saturating_sub(1));
            self.end = (dec.span.end, next);
            self.probe(dec.span.start, dec.span.end);
            self.dec(dec, &dec.kind, dec.doc.as_deref(), Some(&mut out));
        }
        // Behind the last, everything is in scope; but a body that goes on is nearer.
        self.end = outer;
        if decs.is_empty() {
            self.probe(0, limit);
        }
        self.layers.truncate(depth);
        out
    }

    fn dec(&mut self, dec: &Dec, kind: &DecKind, doc: Option<&str>, mut out: Option<&mut Names>) {
        match kind {
            DecKind::Val(bind) => {
                let id = self.define(bind.name, SymbolKind::Value, dec.span, doc);
                self.function(bind, id);
                let name = bind.name.name;
                let add = |names: &mut Names| {
                    names.modules.remove(&name);
                    names.values.insert(name, id);
                };
                self.here(add);
                out.as_deref_mut().map(add);
            }
            DecKind::Type(bind) => {
                let id = self.type_bind(bind, dec.span, doc);
                let add = |names: &mut Names| {
                    names.types.insert(bind.name.name, id);
                };
                self.here(add);
                out.as_deref_mut().map(add);
            }
            DecKind::ModType(bind) => {
                let module = self.mod_type(&bind.ty);
                let id = self.define(bind.name, SymbolKind::ModuleType, dec.span, doc);
                let add = |names: &mut Names| {
                    names.mod_types.insert(bind.name.name, (id, module.clone()));
                };
                self.here(add);
                out.as_deref_mut().map(add);
            }
            DecKind::Mod(bind) => {
                let id = self.define(bind.name, SymbolKind::Module, dec.span, doc);
                let module = self.functor(&bind.params, bind.ascription.as_ref(), &bind.body);
                let name = bind.name.name;
                let add = |names: &mut Names| {
                    names.values.remove(&name);
                    names.modules.insert(name, (id, module.clone()));
                };
                self.here(add);
                out.as_deref_mut().map(add);
            }
            DecKind::Open(me) => {
                if let Module::Structure(names) = self.mod_exp(me) {
                    self.here(|here| here.open(&names));
                    if let Some(out) = out {
                        out.open(&names);
                    }
                }
            }
            DecKind::Import(import) => {
                if let Some(names) = self.import(import) {
                    self.here(|here| here.open(&names));
                }
            }
            DecKind::Local(inner) => {
                let doc = inner.doc.as_deref().or(doc);
                self.dec(dec, &inner.kind, doc, None);
            }
        }
    }

    fn import(&mut self, import: &Import) -> Option<Arc<Names>> {
        let (file, names) = self.imports.get(&import.path)?.clone();
        self.links.push((import.span, file));
        Some(names)
    }

    fn function(&mut self, bind: &ValBind, own: SymbolId) {
        let mark = self.locals.len();
        self.type_params(&bind.type_params);
        for param in &bind.params {
            self.pat(param);
        }
        if let Some(ret) = &bind.ret {
            self.type_exp(ret);
        }
        let name = bind.name.name;
        // What the name meant before goes first. See Note [Own names].
        if !bind.params.is_empty() && lookup(&self.layers, &self.locals, name, 0).is_none() {
            self.locals.push((name, own, SymbolKind::Value));
        }
        // A dot behind the body, say, is not part of it, but will be.
        self.end.0 = self.end.0.min(bind.body.span.end);
        self.exp(&bind.body);
        self.locals.truncate(mark);
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        for param in params {
            match param {
                TypeParam::Size(name) => self.bind(*name, SymbolKind::Size),
                TypeParam::Type(_, name) => self.bind(*name, SymbolKind::TypeParam),
            }
        }
    }

    fn type_bind(&mut self, bind: &TypeBind, whole: Span, doc: Option<&str>) -> SymbolId {
        let id = self.define(bind.name, SymbolKind::Type, whole, doc);
        let mark = self.locals.len();
        self.type_params(&bind.params);
        self.type_exp(&bind.ty);
        self.locals.truncate(mark);
        id
    }

    // Modules.

    fn functor(
        &mut self,
        params: &[ModParam],
        ascription: Option<&ModTypeExp>,
        body: &ModExp,
    ) -> Module {
        let Some((first, rest)) = params.split_first() else {
            let module = self.mod_exp(body);
            return match ascription {
                Some(ty) => {
                    let ty = self.mod_type(ty);
                    self.seal(module, &ty)
                }
                None => module,
            };
        };
        let param = self.mod_type(&first.ty);
        let depth = self.layers.len();
        self.layers.push(Arc::default());
        self.bind_module(first.name, &param);
        let result = self.functor(rest, ascription, body);
        self.layers.truncate(depth);
        Module::Functor(Arc::new(Functor { param, result }))
    }

    fn bind_module(&mut self, name: Ident, module: &Module) {
        let id = self.define(name, SymbolKind::Module, name.span, None);
        self.here(|names| {
            names.values.remove(&name.name);
            names.modules.insert(name.name, (id, module.clone()));
        });
    }

    fn mod_exp(&mut self, me: &ModExp) -> Module {
        match &me.kind {
            ModExpKind::Var(name) => self.module_name(name),
            ModExpKind::Parens(inner) => self.mod_exp(inner),
            ModExpKind::Import(import) => {
                self.import(import).map_or(Module::Unknown, Module::Structure)
            }
            ModExpKind::Decs(decs) => {
                Module::Structure(Arc::new(self.decs(decs, me.span.end.saturating_sub(1))))
            }
            ModExpKind::Apply(f, arg) => {
                let f = self.mod_exp(f);
                let arg = self.mod_exp(arg);
                match f {
                    Module::Functor(f) => {
                        self.tie(&arg, &f.param);
                        f.result.clone()
                    }
                    _ => Module::Unknown,
                }
            }
            ModExpKind::Ascript(inner, ty) => {
                let module = self.mod_exp(inner);
                let ty = self.mod_type(ty);
                self.seal(module, &ty)
            }
            ModExpKind::Lambda(param, ty, body) => {
                self.functor(std::slice::from_ref(param), ty.as_deref(), body)
            }
        }
    }

    fn module_name(&mut self, name: &QualName) -> Module {
        let last = name.name;
        let found = if name.quals.is_empty() {
            self.global(|names| names.modules.get(&last.name).cloned())
        } else {
            self.path(&name.quals).and_then(|names| names.modules.get(&last.name).cloned())
        };
        match found {
            Some((id, module)) => {
                self.occurs(last.span, id, false, false);
                module
            }
            None => Module::Unknown,
        }
    }

    /// A module seen through a module type.
    fn seal(&mut self, module: Module, ty: &Module) -> Module {
        self.tie(&module, ty);
        let (Module::Structure(inner), Module::Structure(wanted)) = (&module, ty) else {
            return module;
        };
        let mut out = Names::default();
        for (name, spec) in &wanted.values {
            out.values.insert(*name, *inner.values.get(name).unwrap_or(spec));
        }
        for (name, spec) in &wanted.types {
            out.types.insert(*name, *inner.types.get(name).unwrap_or(spec));
        }
        for (name, spec) in &wanted.modules {
            out.modules.insert(*name, inner.modules.get(name).unwrap_or(spec).clone());
        }
        Module::Structure(Arc::new(out))
    }

    /// Notes that names of a module and of a module type must agree.
    fn tie(&mut self, module: &Module, ty: &Module) {
        let (Module::Structure(module), Module::Structure(ty)) = (module, ty) else { return };
        for (name, spec) in &ty.values {
            self.tied.insert(*spec);
            self.tied.extend(module.values.get(name));
        }
        for (name, spec) in &ty.types {
            self.tied.insert(*spec);
            self.tied.extend(module.types.get(name));
        }
        for (name, (spec, inner)) in &ty.modules {
            self.tied.insert(*spec);
            if let Some((id, module)) = module.modules.get(name) {
                self.tied.insert(*id);
                self.tie(&module.clone(), &inner.clone());
            }
        }
    }

    fn mod_type(&mut self, ty: &ModTypeExp) -> Module {
        match &ty.kind {
            ModTypeExpKind::Var(name) => {
                let last = name.name;
                let found = if name.quals.is_empty() {
                    self.global(|names| names.mod_types.get(&last.name).cloned())
                } else {
                    self.path(&name.quals)
                        .and_then(|names| names.mod_types.get(&last.name).cloned())
                };
                match found {
                    Some((id, module)) => {
                        self.occurs(last.span, id, false, false);
                        module
                    }
                    None => Module::Unknown,
                }
            }
            ModTypeExpKind::Parens(inner) => self.mod_type(inner),
            ModTypeExpKind::Specs(specs) => {
                let depth = self.layers.len();
                self.layers.push(Arc::default());
                for spec in specs {
                    self.probe(spec.span.start, spec.span.end);
                    self.spec(spec);
                }
                let names = self.layers.get(depth).cloned().unwrap_or_default();
                self.layers.truncate(depth);
                Module::Structure(names)
            }
            ModTypeExpKind::With(base, refinement) => {
                let module = self.mod_type(base);
                if let Module::Structure(names) = &module {
                    let mut names = names.clone();
                    for part in &refinement.name.quals {
                        let Some((id, Module::Structure(inner))) = names.modules.get(&part.name)
                        else {
                            break;
                        };
                        let (id, inner) = (*id, inner.clone());
                        self.occurs(part.span, id, false, false);
                        names = inner;
                    }
                    let last = refinement.name.name;
                    if let Some(id) = names.types.get(&last.name) {
                        self.occurs(last.span, *id, false, false);
                    }
                }
                let mark = self.locals.len();
                self.type_params(&refinement.params);
                self.type_exp(&refinement.ty);
                self.locals.truncate(mark);
                module
            }
            ModTypeExpKind::Arrow(name, param, result) => {
                let param = self.mod_type(param);
                let depth = self.layers.len();
                self.layers.push(Arc::default());
                if let Some(name) = name {
                    self.bind_module(*name, &param);
                }
                let result = self.mod_type(result);
                self.layers.truncate(depth);
                Module::Functor(Arc::new(Functor { param, result }))
            }
        }
    }

    fn spec(&mut self, spec: &Spec) {
        let doc = spec.doc.as_deref();
        match &spec.kind {
            SpecKind::Val { name, type_params, ty } => {
                let id = self.define(*name, SymbolKind::Value, spec.span, doc);
                let mark = self.locals.len();
                self.type_params(type_params);
                self.type_exp(ty);
                self.locals.truncate(mark);
                self.here(|names| {
                    names.values.insert(name.name, id);
                });
            }
            SpecKind::TypeAbbr(bind) => {
                let id = self.type_bind(bind, spec.span, doc);
                self.here(|names| {
                    names.types.insert(bind.name.name, id);
                });
            }
            SpecKind::Type { name, params, .. } => {
                let id = self.define(*name, SymbolKind::Type, spec.span, doc);
                let mark = self.locals.len();
                self.type_params(params);
                self.locals.truncate(mark);
                self.here(|names| {
                    names.types.insert(name.name, id);
                });
            }
            SpecKind::Mod(name, ty) => {
                let module = self.mod_type(ty);
                let id = self.define(*name, SymbolKind::Module, spec.span, doc);
                self.here(|names| {
                    names.modules.insert(name.name, (id, module));
                });
            }
            SpecKind::Include(ty) => {
                if let Module::Structure(names) = self.mod_type(ty) {
                    self.here(|here| here.open(&names));
                }
            }
        }
    }

    // Types.

    fn type_exp(&mut self, ty: &TypeExp) {
        match &ty.kind {
            TypeExpKind::Var(name) => self.type_name(name),
            TypeExpKind::Parens(inner) | TypeExpKind::Unique(inner) => self.type_exp(inner),
            TypeExpKind::Tuple(items) => items.iter().for_each(|t| self.type_exp(t)),
            TypeExpKind::Record(fields) => fields.iter().for_each(|(_, t)| self.type_exp(t)),
            TypeExpKind::Array(size, elem) => {
                self.size(size);
                self.type_exp(elem);
            }
            TypeExpKind::Apply(f, arg) => {
                self.type_exp(f);
                match &**arg {
                    TypeArg::Size(size) => self.size(size),
                    TypeArg::Type(ty) => self.type_exp(ty),
                }
            }
            TypeExpKind::Arrow(name, param, result) => {
                self.type_exp(param);
                let mark = self.locals.len();
                if let Some(name) = name {
                    self.bind(*name, SymbolKind::Local);
                }
                self.type_exp(result);
                self.locals.truncate(mark);
            }
            TypeExpKind::Sum(clauses) => {
                clauses.iter().flat_map(|(_, ts)| ts).for_each(|t| self.type_exp(t));
            }
            TypeExpKind::Exists(names, inner) => {
                let mark = self.locals.len();
                for name in names {
                    self.bind(*name, SymbolKind::Size);
                }
                self.type_exp(inner);
                self.locals.truncate(mark);
            }
            TypeExpKind::Error => {}
        }
    }

    fn size(&mut self, size: &SizeExp) {
        if let SizeExp::Exp(exp) = size {
            self.exp(exp);
        }
    }

    // Patterns.

    fn pat(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Var(name) => self.bind(*name, SymbolKind::Local),
            PatKind::Wild | PatKind::Lit(_) | PatKind::Error => {}
            PatKind::Parens(inner) | PatKind::Attr(_, inner) => self.pat(inner),
            PatKind::Tuple(items) | PatKind::Constr(_, items) => {
                items.iter().for_each(|p| self.pat(p));
            }
            PatKind::Record(fields) => {
                for (name, pat) in fields {
                    match pat {
                        None => self.bind_field(*name),
                        // `{a: t}`
                        Some(Pat { kind: PatKind::Ascript(inner, ty), .. })
                            if inner.span == name.span =>
                        {
                            self.type_exp(ty);
                            self.bind_field(*name);
                        }
                        Some(pat) => self.pat(pat),
                    }
                }
            }
            PatKind::Ascript(inner, ty) => {
                self.type_exp(ty);
                self.pat(inner);
            }
        }
    }

    fn bind_field(&mut self, name: Ident) {
        self.bind(name, SymbolKind::Local);
        if let Some(last) = self.occurrences.last_mut() {
            last.pun = true;
        }
    }

    /// The variables of a loop without an initial value are those outside: they keep their names
    /// together, so that they are one to an editor.
    fn loop_pat(&mut self, pat: &Pat) {
        match &pat.kind {
            PatKind::Var(name) => {
                let var = QualName { quals: Vec::new(), name: *name, span: name.span };
                self.value(&var, false);
            }
            PatKind::Parens(inner) | PatKind::Attr(_, inner) => self.loop_pat(inner),
            PatKind::Tuple(items) => items.iter().for_each(|p| self.loop_pat(p)),
            PatKind::Record(fields) => {
                for (name, pat) in fields {
                    match pat {
                        None => {
                            let var = QualName { quals: Vec::new(), name: *name, span: name.span };
                            self.value(&var, true);
                        }
                        Some(pat) => self.loop_pat(pat),
                    }
                }
            }
            PatKind::Ascript(inner, ty) => {
                self.type_exp(ty);
                self.loop_pat(inner);
            }
            PatKind::Wild | PatKind::Lit(_) | PatKind::Constr(..) | PatKind::Error => {}
        }
    }

    // Expressions.

    fn exp(&mut self, exp: &Exp) {
        let mark = self.locals.len();
        let mut exp = exp;
        // What nests to the right is followed by a loop.
        loop {
            self.probe(exp.span.start, exp.span.end);
            exp = match &exp.kind {
                ExpKind::Let { sizes, pat, rhs, body } => {
                    self.exp(rhs);
                    for size in sizes {
                        self.bind(*size, SymbolKind::Size);
                    }
                    self.pat(pat);
                    self.probe(rhs.span.end + 1, exp.span.end);
                    body
                }
                ExpKind::LetFun { name, type_params, params, ret, rhs, body } => {
                    let inner = self.locals.len();
                    self.type_params(type_params);
                    params.iter().for_each(|p| self.pat(p));
                    ret.iter().for_each(|t| self.type_exp(t));
                    self.exp(rhs);
                    self.locals.truncate(inner);
                    self.bind(*name, SymbolKind::Local);
                    self.probe(rhs.span.end + 1, exp.span.end);
                    body
                }
                ExpKind::LetWith { name, path, rhs, body } => {
                    // The new value keeps the name, so to an editor it is the same variable.
                    let var = QualName { quals: Vec::new(), name: *name, span: name.span };
                    self.value(&var, false);
                    self.steps(path);
                    self.exp(rhs);
                    body
                }
                ExpKind::If(cond, yes, no) => {
                    self.exp(cond);
                    self.exp(yes);
                    no
                }
                ExpKind::Lambda { params, ret, body } => {
                    params.iter().for_each(|p| self.pat(p));
                    ret.iter().for_each(|t| self.type_exp(t));
                    body
                }
                ExpKind::Assert(cond, body) => {
                    self.exp(cond);
                    body
                }
                ExpKind::Attr(_, body) => body,
                ExpKind::Loop(l) => {
                    self.loop_exp(l);
                    break;
                }
                _ => {
                    self.other(exp);
                    break;
                }
            };
        }
        self.locals.truncate(mark);
    }

    fn loop_exp(&mut self, l: &Loop) {
        if let Some(init) = &l.init {
            self.exp(init);
        }
        match &l.form {
            LoopForm::For(_, bound) | LoopForm::ForIn(_, bound) => self.exp(bound),
            LoopForm::While(_) => {}
        }
        for size in &l.sizes {
            self.bind(*size, SymbolKind::Size);
        }
        match l.init {
            Some(_) => self.pat(&l.pat),
            None => self.loop_pat(&l.pat),
        }
        match &l.form {
            LoopForm::For(name, _) => self.bind(*name, SymbolKind::Local),
            LoopForm::ForIn(pat, _) => self.pat(pat),
            LoopForm::While(cond) => self.exp(cond),
        }
        self.exp(&l.body);
    }

    fn steps(&mut self, path: &[UpdateStep]) {
        for step in path {
            if let UpdateStep::Index(dims, _) = step {
                self.dims(dims);
            }
        }
    }

    fn dims(&mut self, dims: &[DimIndex]) {
        for dim in dims {
            match dim {
                DimIndex::Fix(exp) => self.exp(exp),
                DimIndex::Slice { start, end, stride, .. } => {
                    [start, end, stride].into_iter().flatten().for_each(|e| self.exp(e));
                }
            }
        }
    }

    /// What does not bind.
    fn other(&mut self, exp: &Exp) {
        match &exp.kind {
            ExpKind::Var(name) => self.value(name, false),
            ExpKind::Parens(inner) | ExpKind::Negate(inner) | ExpKind::Not(inner) => {
                self.exp(inner);
            }
            ExpKind::Project(inner, _) => self.exp(inner),
            ExpKind::QualParens(module, inner) => {
                let parts: Vec<Ident> = module.quals.iter().copied().chain([module.name]).collect();
                let Some(names) = self.path(&parts) else { return self.exp(inner) };
                // Its values hide locals too.
                let locals = self.locals.clone();
                self.locals.retain(|(name, _, kind)| match kind.space() {
                    0 => !names.values.contains_key(name),
                    _ => !names.types.contains_key(name),
                });
                self.layers.push(names);
                self.exp(inner);
                self.layers.pop();
                self.locals = locals;
            }
            ExpKind::Tuple(items) | ExpKind::Array(items) | ExpKind::Constr(_, items) => {
                items.iter().for_each(|e| self.exp(e));
            }
            ExpKind::Record(fields) => {
                for field in fields {
                    match field {
                        RecordField::Explicit(_, exp) => self.exp(exp),
                        RecordField::Implicit(name) => self.value(name, name.quals.is_empty()),
                    }
                }
            }
            ExpKind::Index(inner, dims) => {
                self.exp(inner);
                self.dims(dims);
            }
            ExpKind::Range { start, second, end, .. } => {
                self.exp(start);
                second.iter().for_each(|e| self.exp(e));
                self.exp(end);
            }
            ExpKind::Apply(..) => {
                // Long applications lean to the left.
                let mut args = Vec::new();
                let mut head = exp;
                while let ExpKind::Apply(f, arg) = &head.kind {
                    args.push(arg);
                    head = f;
                }
                self.exp(head);
                args.into_iter().rev().for_each(|arg| self.exp(arg));
            }
            ExpKind::BinOp { .. } => {
                let mut rest = Vec::new();
                let mut first = exp;
                while let ExpKind::BinOp { op, lhs, rhs } = &first.kind {
                    rest.push((op, rhs));
                    first = lhs;
                }
                self.exp(first);
                for (op, rhs) in rest.into_iter().rev() {
                    self.value(op, false);
                    self.exp(rhs);
                }
            }
            ExpKind::SectionLeft(op, operand) | ExpKind::SectionRight(op, operand) => {
                self.value(op, false);
                self.exp(operand);
            }
            ExpKind::SectionIndex(dims) => self.dims(dims),
            ExpKind::Ascript(inner, ty) | ExpKind::Coerce(inner, ty) => {
                self.exp(inner);
                self.type_exp(ty);
            }
            ExpKind::Update { exp, path, value } => {
                self.exp(exp);
                self.steps(path);
                self.exp(value);
            }
            ExpKind::Match(scrutinee, cases) => {
                self.exp(scrutinee);
                for case in cases {
                    let mark = self.locals.len();
                    self.pat(&case.pat);
                    self.probe(case.pat.span.end + 1, case.span.end);
                    self.exp(&case.body);
                    self.locals.truncate(mark);
                }
            }
            ExpKind::Lit(_)
            | ExpKind::String(_)
            | ExpKind::SectionProject(_)
            | ExpKind::Hole
            | ExpKind::Error
            | ExpKind::Let { .. }
            | ExpKind::LetFun { .. }
            | ExpKind::LetWith { .. }
            | ExpKind::If(..)
            | ExpKind::Lambda { .. }
            | ExpKind::Assert(..)
            | ExpKind::Attr(..)
            | ExpKind::Loop(_) => {}
        }
    }
}

/// A module, if more parts follow, or a value of that name.
fn found_in(names: &Names, name: Name, more: bool) -> Option<(SymbolId, Option<Module>)> {
    if more && let Some((id, module)) = names.modules.get(&name) {
        return Some((*id, Some(module.clone())));
    }
    names.values.get(&name).map(|id| (*id, None))
}

/// What a name means where these scopes are.
fn lookup(
    layers: &[Arc<Names>],
    locals: &[(Name, SymbolId, SymbolKind)],
    name: Name,
    space: u8,
) -> Option<SymbolId> {
    let local = locals.iter().rev().find(|(n, _, k)| *n == name && k.space() == space);
    if let Some((_, id, _)) = local {
        return Some(*id);
    }
    layers.iter().rev().find_map(|names| match space {
        0 => {
            names.values.get(&name).copied().or_else(|| names.modules.get(&name).map(|(id, _)| *id))
        }
        1 => names.types.get(&name).copied(),
        _ => names.mod_types.get(&name).map(|(id, _)| *id),
    })
}
