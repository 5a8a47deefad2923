//! The state of elaborating one declaration.

use crate::check::types::edit::Edit;
use crate::check::types::env::{Env, Imports};
use crate::check::types::note::Note;
use crate::diag::{Diagnostic, Severity};
use crate::syntax::ast;
use futc_typed::name::Name;
use futc_typed::program::{Def, DefId, Opaque, TypeId, VarId};
use futc_typed::span::FileId;
use std::collections::HashSet;
use std::sync::Arc;

/// The state of elaborating one declaration of a file.
#[derive(Debug)]
pub struct Elab {
    /// The declaration's chunk.
    pub file: FileId,
    /// Its text, for what is to be kept as written.
    pub text: Arc<str>,
    /// Where in the text the chunks inside of it begin.
    pub inner: Arc<[(FileId, u32)]>,
    /// Its file belongs to the prelude.
    pub prelude: bool,
    /// What AUTOMAP knows of the prelude, unless the file belongs to it: where inserted maps and reps come from.
    pub prelude_env: Option<Arc<Env>>,
    /// The chunks of the prelude's files, unless the file is one of them.
    pub prelude_chunks: Arc<HashSet<FileId>>,
    /// What was inserted where, by AUTOMAP.
    pub elaborations: Vec<Edit>,
    /// What imports mean in what is elaborated.
    pub imports: Arc<Imports>,
    /// Definitions made so far, in order.
    pub defs: Vec<Arc<Def>>,
    /// Abstract types made so far, with what they stand for.
    pub opaques: Vec<Arc<Opaque>>,
    /// What there is to say.
    pub diagnostics: Vec<Diagnostic>,
    /// What keeps a `main` that is not marked `entry` from being an entry point: said only if the
    /// file is the program's root.
    pub main_diagnostics: Vec<Diagnostic>,
    /// Types at places, if they are to be noted: for editors.
    pub notes: Option<Vec<Note>>,
    /// A parametric module is being applied: what is inside has been checked by itself.
    pub applying: bool,
    /// What is wrong inside of it has been said.
    pub said: bool,
    next_def: u32,
    next_type: u32,
    next_var: u32,
}

impl Elab {
    /// Nothing elaborated yet.
    pub fn new(file: FileId) -> Elab {
        Elab {
            file,
            text: Arc::default(),
            inner: Arc::default(),
            prelude: false,
            prelude_env: None,
            prelude_chunks: Arc::default(),
            elaborations: Vec::new(),
            imports: Arc::default(),
            defs: Vec::new(),
            opaques: Vec::new(),
            diagnostics: Vec::new(),
            main_diagnostics: Vec::new(),
            notes: None,
            applying: false,
            said: false,
            next_def: 0,
            next_type: 0,
            next_var: 0,
        }
    }

    /// A fresh id for a definition.
    pub fn fresh_def(&mut self, name: Name) -> DefId {
        self.next_def += 1;
        DefId { file: self.file, index: self.next_def - 1, name }
    }

    /// A fresh id for an abstract type.
    pub fn fresh_type(&mut self, name: Name, liftedness: ast::Liftedness) -> TypeId {
        self.next_type += 1;
        TypeId { file: self.file, index: self.next_type - 1, name, liftedness }
    }

    /// A fresh local.
    pub fn fresh_var(&mut self, name: Name) -> VarId {
        self.next_var += 1;
        VarId { name, tag: self.next_var - 1 }
    }

    /// Makes [`Elab::fresh_var`] give out nothing equal to `var`.
    pub fn skip_var(&mut self, var: VarId) {
        self.next_var = self.next_var.max(var.tag.saturating_add(1));
    }

    /// The text that spans of a chunk are relative to, if it is that of the declaration or of one
    /// inside of it; of others, such as the body of a parametric module, nothing.
    pub fn text_of(&self, chunk: FileId) -> &str {
        let inner = || self.inner.iter().find(|(id, _)| *id == chunk).map(|(_, start)| *start);
        let start = if chunk == self.file { Some(0) } else { inner() };
        start.and_then(|start| self.text.get(start as usize..)).unwrap_or_default()
    }

    /// Where the checking of a definition begins, to come back to with [`Elab::back_to`].
    pub fn mark(&self) -> (usize, u32) {
        (self.diagnostics.len(), self.next_var)
    }

    /// Forgets what was said, and which locals were made, since `mark`.
    pub fn back_to(&mut self, mark: (usize, u32)) {
        self.diagnostics.truncate(mark.0);
        self.next_var = mark.1;
    }

    /// Says something.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Warns of something, but not in the prelude, which users cannot change.
    pub fn warn(&mut self, warning: Diagnostic) {
        if !self.prelude {
            self.report(warning);
        }
    }

    /// How many errors there are so far.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }
}
