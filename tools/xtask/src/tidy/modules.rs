//! The modules of one crate, as its files declare them, and what a path in them names.
//!
//! Files are parsed with `syn`, from the crate's root along `mod x;`. What is behind `#[cfg(test)]` is left
//! out. Names are resolved as the compiler would, as far as files go: modules, items, `use` and globs; what
//! cannot be found is another crate's, or made by a macro.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, UseTree, Visibility};

/// A module by its number.
pub type ModuleId = usize;

/// A `use` of one name.
#[derive(Clone, Debug)]
pub struct Use {
    /// The whole path, with `crate`, `self` and `super` as written.
    pub path: Vec<String>,
    /// The name that it binds.
    pub name: String,
    /// The line in the file, from 1.
    pub line: usize,
    /// It is not private: a re-export.
    pub public: bool,
}

/// A module: that of a file, or one written inside of another.
#[derive(Default)]
pub struct Module {
    /// The file it stands in, in [`Modules::files`].
    pub file: usize,
    /// The module around it.
    pub parent: Option<ModuleId>,
    /// The modules in it.
    pub children: HashMap<String, ModuleId>,
    /// What else it defines.
    pub items: HashSet<String>,
    /// The names that it takes from elsewhere.
    pub uses: Vec<Use>,
    /// Paths of which it takes everything.
    pub globs: Vec<Vec<String>>,
    /// Its items, but for modules and imports.
    pub body: Vec<Item>,
}

/// The modules of a crate; the first is its root.
#[derive(Default)]
pub struct Modules {
    /// Files, as paths from the repository.
    pub files: Vec<PathBuf>,
    /// Modules.
    pub all: Vec<Module>,
}

/// What a path names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A module.
    Module(ModuleId),
    /// Something that this module defines.
    Item(ModuleId),
}

/// Reads the crate whose root is the file `root`; `read` yields the text of a file.
pub fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Modules, String> {
    let mut modules = Modules::default();
    let text = read(root).ok_or_else(|| format!("{}: cannot be read", root.display()))?;
    let inside = root.parent().unwrap_or(Path::new("")).to_path_buf();
    modules.file(root, &text, &inside, None, read)?;
    Ok(modules)
}

/// Whether something is there in tests only.
fn only_in_tests(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg")
            && attr.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// The attributes of an item that a path can name, or of an implementation.
fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => &[],
    }
}

/// The name that an item defines in its module.
fn defines(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(i) => &i.ident,
        Item::Enum(i) => &i.ident,
        Item::Fn(i) => &i.sig.ident,
        Item::Macro(i) => i.ident.as_ref()?,
        Item::Static(i) => &i.ident,
        Item::Struct(i) => &i.ident,
        Item::Trait(i) => &i.ident,
        Item::Type(i) => &i.ident,
        Item::Union(i) => &i.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// The single names of a `use`, and its globs.
pub fn flatten(item: &syn::ItemUse, uses: &mut Vec<Use>, globs: &mut Vec<Vec<String>>) {
    let public = !matches!(item.vis, Visibility::Inherited);
    tree(&item.tree, &mut Vec::new(), public, uses, globs);
}

fn tree(
    part: &UseTree,
    path: &mut Vec<String>,
    public: bool,
    uses: &mut Vec<Use>,
    globs: &mut Vec<Vec<String>>,
) {
    let mut bind = |path: &[String], ident: &syn::Ident, name: String| {
        let mut path = path.to_vec();
        // `a::{self}` is `a`.
        if ident != "self" || path.is_empty() {
            path.push(ident.to_string());
        }
        let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name };
        uses.push(Use { path, name, line: ident.span().start().line, public });
    };
    match part {
        UseTree::Name(n) => bind(path, &n.ident, n.ident.to_string()),
        UseTree::Rename(r) => bind(path, &r.ident, r.rename.to_string()),
        UseTree::Glob(_) => globs.push(path.clone()),
        UseTree::Path(p) => {
            path.push(p.ident.to_string());
            tree(&p.tree, path, public, uses, globs);
            path.pop();
        }
        UseTree::Group(g) => {
            g.items.iter().for_each(|t| tree(t, path, public, uses, globs));
        }
    }
}

impl Modules {
    /// Adds the module of a file; the files of its children are in `inside`.
    fn file(
        &mut self,
        path: &Path,
        text: &str,
        inside: &Path,
        parent: Option<ModuleId>,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Result<ModuleId, String> {
        let parsed = syn::parse_file(text)
            .map_err(|e| format!("{}:{}: {e}", path.display(), e.span().start().line))?;
        self.files.push(path.to_path_buf());
        self.module(self.files.len() - 1, parsed.items, inside, parent, read)
    }

    fn module(
        &mut self,
        file: usize,
        items: Vec<Item>,
        inside: &Path,
        parent: Option<ModuleId>,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Result<ModuleId, String> {
        let id = self.all.len();
        self.all.push(Module { file, parent, ..Module::default() });
        let mut module = Module::default();
        for item in items {
            if only_in_tests(attributes(&item)) {
                continue;
            }
            module.items.extend(defines(&item));
            match item {
                Item::Use(item) => flatten(&item, &mut module.uses, &mut module.globs),
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let below = inside.join(&name);
                    let child = match item.content {
                        Some((_, items)) => {
                            Some(self.module(file, items, &below, Some(id), read)?)
                        }
                        None => {
                            let files = [below.with_extension("rs"), below.join("mod.rs")];
                            let found = files.iter().find_map(|f| Some((f, read(f)?)));
                            found
                                .map(|(f, text)| self.file(f, &text, &below, Some(id), read))
                                .transpose()?
                        }
                    };
                    module.children.extend(child.map(|child| (name, child)));
                }
                item => module.body.push(item),
            }
        }
        if let Some(place) = self.all.get_mut(id) {
            *place = Module { file, parent, ..module };
        }
        Ok(id)
    }

    /// What `path`, written in module `from`, names; nothing if that is another crate's.
    pub fn resolve(&self, from: ModuleId, path: &[String]) -> Option<Named> {
        self.follow(from, path, false, &mut HashSet::new())
    }

    /// As [`Modules::resolve`]; if `as_module`, of a name that is a module and an item it is the module
    /// that is meant, since more of the path follows.
    fn follow(
        &self,
        from: ModuleId,
        path: &[String],
        as_module: bool,
        seen: &mut HashSet<(ModuleId, String, bool)>,
    ) -> Option<Named> {
        let mut at = Named::Module(from);
        let mut scoped = true;
        for (i, name) in path.iter().enumerate() {
            let Named::Module(module) = at else { return Some(at) };
            let more = as_module || i + 1 < path.len();
            at = match name.as_str() {
                "crate" => Named::Module(0),
                "self" => Named::Module(module),
                "super" => Named::Module(self.all.get(module)?.parent?),
                name => match self.lookup(module, name, more, seen) {
                    Some(found) => found,
                    // The first name may be another crate's; the others can only be made by a macro.
                    None if scoped => return None,
                    None => Named::Item(module),
                },
            };
            scoped = false;
        }
        Some(at)
    }

    /// What `name` means in `module`, if anything there binds it.
    fn lookup(
        &self,
        module: ModuleId,
        name: &str,
        as_module: bool,
        seen: &mut HashSet<(ModuleId, String, bool)>,
    ) -> Option<Named> {
        if !seen.insert((module, name.to_owned(), as_module)) {
            return None;
        }
        let here = self.all.get(module)?;
        let child = here.children.get(name).map(|child| Named::Module(*child));
        let item = here.items.contains(name).then_some(Named::Item(module));
        let defined = if as_module { child.or(item) } else { item.or(child) };
        if defined.is_some() {
            return defined;
        }
        for used in here.uses.iter().filter(|used| used.name == name) {
            if let Some(found) = self.follow(module, &used.path, as_module, seen) {
                return Some(found);
            }
        }
        here.globs.iter().find_map(|glob| match self.follow(module, glob, true, seen)? {
            Named::Module(all) if all != module => self.lookup(all, name, as_module, seen),
            _ => None,
        })
    }

    /// Whether `name` comes to `module` by nothing but a glob.
    pub fn only_by_glob(&self, module: ModuleId, name: &str) -> bool {
        self.all.get(module).is_some_and(|here| {
            !here.globs.is_empty()
                && !here.children.contains_key(name)
                && !here.items.contains(name)
                && !here.uses.iter().any(|used| used.name == name)
        })
    }

    /// The file of a module.
    pub fn file_of(&self, module: ModuleId) -> usize {
        self.all.get(module).map_or(0, |m| m.file)
    }
}
