//! Which files of a crate import which, and which call methods that are defined in which.
//!
//! An import is a `use`, or a path in the code, of what another file of the crate defines, wherever it is
//! re-exported on the way. Declaring a child is none, and neither is naming a module: what is taken from it
//! is. A `pub use` of what the file itself does not use is no import either: a folder's `mod.rs` may show
//! what its files define, while they use what it defines.
//!
//! Methods are found without an import, so that a type's methods may stand in files above it. A call is
//! noted where the type of the receiver can be told from the text: `self`, parameters, what a constructor
//! returns, and their fields. Calls count for layers, not for cycles: files of one layer may be parts of one
//! recursion.

use super::modules::{ModuleId, Modules, Named, Use, flatten};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, HashMap, HashSet};
use syn::visit::{self, Visit};

/// That one file needs another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Import {
    /// The file that needs.
    pub from: usize,
    /// The file that is needed.
    pub to: usize,
    /// The line, from 1.
    pub line: usize,
    /// What it needs, for messages.
    pub what: String,
    /// It calls a method.
    pub call: bool,
}

/// A type by the module that defines it, and its name.
type TypeKey = (ModuleId, String);

/// The types of a crate, as far as they are needed to tell what a call reaches.
#[derive(Default)]
struct Types {
    /// In which modules a type has methods of a name.
    methods: HashMap<TypeKey, HashMap<String, Vec<ModuleId>>>,
    /// The types of fields.
    fields: HashMap<TypeKey, HashMap<String, TypeKey>>,
}

/// All imports between files of a crate, the first of each pair and thing.
pub fn imports(modules: &Modules) -> Vec<Import> {
    let types = Types::read(modules);
    let mut found = BTreeMap::new();
    for (id, module) in modules.all.iter().enumerate() {
        let mut reader = Reader::new(modules, &types, id);
        for item in &module.body {
            reader.visit_item(item);
        }
        let Reader { mut all, words, .. } = reader;
        for used in &module.uses {
            if !used.public || words.contains(&used.name) {
                all.extend(import(modules, id, &used.path, used.line));
            }
        }
        for import in all.into_iter().filter(|i| i.from != i.to) {
            let key = (import.from, import.to, import.what.clone(), import.call);
            let line = import.line;
            let first = found.entry(key).or_insert(import);
            first.line = first.line.min(line);
        }
    }
    found.into_values().collect()
}

/// The import that a path makes.
fn import(modules: &Modules, from: ModuleId, path: &[String], line: usize) -> Option<Import> {
    match modules.resolve(from, path)? {
        Named::Module(_) => None,
        Named::Item(module) => Some(Import {
            from: modules.file_of(from),
            to: modules.file_of(module),
            line,
            what: path.join("::"),
            call: false,
        }),
    }
}

impl Types {
    fn read(modules: &Modules) -> Types {
        let mut types = Types::default();
        for (id, module) in modules.all.iter().enumerate() {
            for item in &module.body {
                match item {
                    syn::Item::Impl(item) if item.trait_.is_none() => {
                        let Some(key) = key_of(modules, id, &item.self_ty) else { continue };
                        let methods = types.methods.entry(key).or_default();
                        for part in &item.items {
                            if let syn::ImplItem::Fn(f) = part {
                                methods.entry(f.sig.ident.to_string()).or_default().push(id);
                            }
                        }
                    }
                    syn::Item::Struct(item) => {
                        let fields = item.fields.iter().filter_map(|field| {
                            let name = field.ident.as_ref()?.to_string();
                            Some((name, key_of(modules, id, &field.ty)?))
                        });
                        types.fields.insert((id, item.ident.to_string()), fields.collect());
                    }
                    _ => {}
                }
            }
        }
        types
    }
}

/// The type of this crate that `ty` is, or refers to.
fn key_of(modules: &Modules, from: ModuleId, ty: &syn::Type) -> Option<TypeKey> {
    match ty {
        syn::Type::Reference(r) => key_of(modules, from, &r.elem),
        syn::Type::Paren(p) => key_of(modules, from, &p.elem),
        syn::Type::Path(p) if p.qself.is_none() => key_of_path(modules, from, &words_of(&p.path)),
        _ => None,
    }
}

fn key_of_path(modules: &Modules, from: ModuleId, path: &[String]) -> Option<TypeKey> {
    match modules.resolve(from, path)? {
        // A renaming `use` hides the name; such types are left out.
        Named::Item(module) => {
            let name = path.last()?;
            let known = modules.all.get(module)?.items.contains(name);
            known.then(|| (module, name.clone()))
        }
        Named::Module(_) => None,
    }
}

fn words_of(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|s| s.ident.to_string()).collect()
}

/// Reads the code of one module.
struct Reader<'a> {
    modules: &'a Modules,
    types: &'a Types,
    module: ModuleId,
    /// What `Self` is.
    this: Option<TypeKey>,
    /// Types of parameters and locals.
    locals: HashMap<String, TypeKey>,
    /// The names that the code begins paths with.
    words: HashSet<String>,
    all: Vec<Import>,
}

impl<'a> Reader<'a> {
    fn new(modules: &'a Modules, types: &'a Types, module: ModuleId) -> Reader<'a> {
        Reader {
            modules,
            types,
            module,
            this: None,
            locals: HashMap::new(),
            words: HashSet::new(),
            all: Vec::new(),
        }
    }

    /// A path in the code.
    fn path(&mut self, path: &[String], line: usize) {
        let Some(first) = path.first() else { return };
        self.words.insert(first.clone());
        if path.len() > 1 {
            self.all.extend(import(self.modules, self.module, path, line));
            if let Some((method, of)) = path.split_last() {
                let key = match of {
                    [this] if this == "Self" => self.this.clone(),
                    of => key_of_path(self.modules, self.module, of),
                };
                self.call(key.as_ref(), method, line);
            }
        } else if self.modules.only_by_glob(self.module, first) {
            self.all.extend(import(self.modules, self.module, path, line));
        }
    }

    /// A call of a method of a type.
    fn call(&mut self, of: Option<&TypeKey>, method: &str, line: usize) {
        let Some(key) = of else { return };
        let Some(places) = self.types.methods.get(key).and_then(|m| m.get(method)) else { return };
        // Of several, in implementations for different arguments, one cannot tell which.
        if let [place] = places[..] {
            self.all.push(Import {
                from: self.modules.file_of(self.module),
                to: self.modules.file_of(place),
                line,
                what: format!("{}::{method}", key.1),
                call: true,
            });
        }
    }

    fn type_of(&self, e: &syn::Expr) -> Option<TypeKey> {
        match e {
            syn::Expr::Path(p) => self.local(&p.path.get_ident()?.to_string()),
            syn::Expr::Field(f) => match &f.member {
                syn::Member::Named(name) => self.field(&self.type_of(&f.base)?, &name.to_string()),
                syn::Member::Unnamed(_) => None,
            },
            syn::Expr::Reference(r) => self.type_of(&r.expr),
            syn::Expr::Paren(p) => self.type_of(&p.expr),
            syn::Expr::Struct(s) => key_of_path(self.modules, self.module, &words_of(&s.path)),
            syn::Expr::Call(c) => match &*c.func {
                // `T::new(…)` makes a `T`.
                syn::Expr::Path(p) => {
                    let path = words_of(&p.path);
                    let (_, of) = path.split_last()?;
                    key_of_path(self.modules, self.module, of)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn local(&self, name: &str) -> Option<TypeKey> {
        if name == "self" { self.this.clone() } else { self.locals.get(name).cloned() }
    }

    fn field(&self, of: &TypeKey, name: &str) -> Option<TypeKey> {
        self.types.fields.get(of)?.get(name).cloned()
    }

    /// The inside of a macro: paths, and calls along names, `self.metas.head(…)`.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let punct = |i: usize, c: char| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == c);
        let ident = |i: usize| match tokens.get(i) {
            Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
            _ => None,
        };
        let mut i = 0;
        while let Some(token) = tokens.get(i) {
            if let TokenTree::Group(group) = token {
                self.tokens(group.stream());
            }
            let Some(first) = ident(i) else {
                i += 1;
                continue;
            };
            let line = token.span().start().line;
            let mut path = vec![first];
            i += 1;
            while punct(i, ':')
                && punct(i + 1, ':')
                && let Some(next) = ident(i + 2)
            {
                path.push(next);
                i += 3;
            }
            self.path(&path, line);
            let mut of = match path.as_slice() {
                [name] => self.local(name),
                _ => None,
            };
            while punct(i, '.')
                && let Some(name) = ident(i + 1)
            {
                i += 2;
                if matches!(tokens.get(i), Some(TokenTree::Group(_))) {
                    self.call(of.as_ref(), &name, line);
                    break;
                }
                of = of.and_then(|of| self.field(&of, &name));
            }
        }
    }

    fn parameter(&mut self, pat: &syn::Pat, ty: &syn::Type) {
        if let syn::Pat::Ident(p) = pat {
            match key_of(self.modules, self.module, ty) {
                Some(key) => self.locals.insert(p.ident.to_string(), key),
                None => self.locals.remove(&p.ident.to_string()),
            };
        }
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_item_mod(&mut self, _: &'a syn::ItemMod) {}

    fn visit_attribute(&mut self, _: &'a syn::Attribute) {}

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        let (mut uses, mut globs) = (Vec::new(), Vec::new());
        flatten(item, &mut uses, &mut globs);
        for Use { path, line, .. } in uses {
            self.all.extend(import(self.modules, self.module, &path, line));
        }
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let this = key_of(self.modules, self.module, &item.self_ty);
        let outer = std::mem::replace(&mut self.this, this);
        visit::visit_item_impl(self, item);
        self.this = outer;
    }

    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        self.locals.clear();
        visit::visit_signature(self, signature);
    }

    fn visit_pat_type(&mut self, typed: &'a syn::PatType) {
        self.parameter(&typed.pat, &typed.ty);
        visit::visit_pat_type(self, typed);
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        visit::visit_local(self, local);
        if let (syn::Pat::Ident(p), Some(init)) = (&local.pat, &local.init) {
            match self.type_of(&init.expr) {
                Some(key) => self.locals.insert(p.ident.to_string(), key),
                None => self.locals.remove(&p.ident.to_string()),
            };
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let line = path.segments.first().map_or(0, |s| s.ident.span().start().line);
        self.path(&words_of(path), line);
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        let of = self.type_of(&call.receiver);
        let line = call.method.span().start().line;
        self.call(of.as_ref(), &call.method.to_string(), line);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'a syn::Macro) {
        visit::visit_macro(self, mac);
        self.tokens(mac.tokens.clone());
    }
}
