//! The front end's database over the disk, with one program open.

use crate::args::WarningArgs;
use crate::exit::{Exit, Failure};
use crate::output::report;
use crate::warnings::Warnings;
use futc_frontend::db::{self, CompilerDb, SourceFile};
use futc_frontend::diag::Diagnostic;
use futc_frontend::lint::all_diagnostics;
use futc_frontend::world::Disk;
use futc_midend::{internalise, ir};
use futc_queries::Settings;
use futc_typed::program::Program;
use std::path::{Component, Path};
use std::sync::Arc;

/// A program and all it imports.
pub struct Session {
    /// The database.
    pub db: CompilerDb,
    /// The program.
    pub root: SourceFile,
}

impl Session {
    /// Opens the program at `path`.
    pub fn open(path: &Path) -> Session {
        // The form the front end knows paths by: no `.`, forward slashes.
        let mut text = String::new();
        for c in path.components() {
            match c {
                Component::CurDir => {}
                Component::RootDir => text.push('/'),
                Component::Prefix(_) | Component::ParentDir | Component::Normal(_) => {
                    if !text.is_empty() && !text.ends_with('/') {
                        text.push('/');
                    }
                    text.push_str(&c.as_os_str().to_string_lossy());
                }
            }
        }
        let db = CompilerDb::new(Arc::new(Disk));
        let root = db::Db::source(&db, &text);
        Session { db, root }
    }

    /// What there is to say about the program.
    pub fn diagnostics(&self, warnings: &Warnings) -> Vec<Diagnostic> {
        warnings.select(all_diagnostics(&self.db, self.root))
    }

    /// Checks the program and says what there is to say.
    pub fn check(&self, warnings: &WarningArgs) -> Result<(), Failure> {
        let shown = self.diagnostics(&Warnings::new(warnings)?);
        match report(&shown, &self.db.sources())? {
            Exit::Success => Ok(()),
            exit => Err(Failure::said(exit)),
        }
    }

    /// The typed program, which must have been checked.
    pub fn typed(&self) -> Arc<Program> {
        db::program(&self.db, self.root)
    }

    /// Core IR at level soacs of the program, which must have been checked.
    pub fn core(&self, options: internalise::Options) -> Result<ir::Program, Failure> {
        let settings = Settings::new(&self.db, options);
        match futc_queries::core(&self.db, self.root, settings) {
            Ok(core) => Ok(Arc::unwrap_or_clone(core.0)),
            Err(e) => Err(Failure::new(e.to_string())),
        }
    }
}
