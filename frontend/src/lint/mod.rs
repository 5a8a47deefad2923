//! Warnings: what may be meant but probably is not. A program is accepted with them.
//!
//! | file | what it warns of |
//! | --- | --- |
//! | [`scopes`] | what is bound where, found in the syntax tree alone |
//! | [`unused`] | names, parameters, definitions and imports that nothing uses |
//!
//! Warnings that need types are made by the checker. [`warnings`] is a query apart from checking:
//! it depends on the tree and on the names that imports provide.

pub mod scopes;
pub mod unused;

use crate::db::{
    Db, SourceFile, diagnostics, file_env, files_in_order, has_errors, imports, in_order, parse,
    unreadable,
};
use crate::diag::Diagnostic;
use crate::world::is_prelude;
use std::collections::HashMap;
use std::sync::Arc;

/// The codes of all warnings; users name them in `-W`.
pub const WARNINGS: &[&str] = &[
    "unused-name",
    "unused-parameter",
    "unused-definition",
    "unused-import",
    "shadowed-size",
    "size-expression-bind",
    "unreachable-case",
];

/// What to warn of in a file, in the order of the source. The file and what it imports should be
/// free of errors: names that are wrong are not used either.
#[salsa::tracked(returns(clone))]
pub fn warnings(db: &dyn Db, file: SourceFile) -> Arc<Vec<Diagnostic>> {
    let parsed = parse(db, file);
    let mut provided = HashMap::new();
    for (written, target) in imports(db, file).iter() {
        if unreadable(db, *target).is_none() {
            provided.insert(written.clone(), file_env(db, *target));
        }
    }
    let decs = || parsed.decs.iter().map(|dec| dec.tree.as_ref());
    let found = scopes::walk(decs());
    let mut out = unused::unused(&found, decs(), &provided);
    in_order(db, file, &mut out);
    Arc::new(out)
}

/// All there is to say about a root file and what it imports: errors, or else warnings. Where there
/// are errors, names may look unused that are not.
pub fn all_diagnostics(db: &dyn Db, root: SourceFile) -> Vec<Diagnostic> {
    let mut out = diagnostics(db, root).to_vec();
    if !has_errors(&out) {
        for file in files_in_order(db, root).iter() {
            if !is_prelude(&file.path(db)) {
                out.extend(warnings(db, *file).iter().cloned());
            }
        }
    }
    out
}
