//! Warnings: what may be meant but probably is not. A program is accepted with them.
//!
//! | file | what it warns of |
//! | --- | --- |
//! | [`scopes`] | what is bound where, found in the syntax tree alone |
//! | [`attributes`] | attributes that nobody knows, or that have no effect |
//! | `errors` | what is said of each |
//! | [`unused`] | names, parameters, definitions and imports that nothing uses |
//!
//! Warnings that need types are made by the checker. [`warnings`] is a query apart from checking:
//! it depends on what is found in each declaration by itself, so that only those that were edited
//! are looked at again, and on the names that imports provide.

pub mod attributes;
mod errors;
pub mod scopes;
pub mod unused;

use crate::db::{
    Binds, Db, Declaration, SourceFile, dec_env, declarations, diagnostics, files_in_order,
    has_errors, in_order,
};
use crate::diag::{Code, Diagnostic};
use crate::world::is_prelude;
use scopes::Outside;
use std::sync::Arc;

/// The codes of all warnings; users name them in `-W`. The last two are about what became of a
/// program, and given when it is compiled.
pub const WARNINGS: &[Code] = &[
    Code::UnusedName,
    Code::UnusedParameter,
    Code::UnusedDefinition,
    Code::UnusedImport,
    Code::UnusedOpen,
    Code::UnusedUniqueness,
    Code::DefaultedType,
    Code::OverflowingLiteral,
    Code::HiddenByInclude,
    Code::ShadowedSize,
    Code::SizeExpressionBind,
    Code::UnreachableCase,
    Code::UnknownAttribute,
    Code::AttributeWithoutEffect,
    Code::LoopNotUnrolled,
    Code::RunTimeCheck,
    Code::ScheduleRefused,
];

/// What to warn of in a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Linted {
    /// What can be said of it by itself.
    warnings: Vec<Diagnostic>,
    /// What must be known of it to say more.
    outside: Outside,
}

#[salsa::tracked(returns(ref))]
fn lint_dec<'db>(db: &'db dyn Db, dec: Declaration<'db>) -> Linted {
    let tree = dec.tree(db);
    let (found, outside) = scopes::walk(tree);
    let mut warnings = unused::names(&found);
    let attributes = found.attributes.iter().chain(&tree.attrs);
    warnings.extend(attributes.filter_map(attributes::warning));
    Linted { warnings, outside }
}

/// What to warn of in a file, in the order of the source. The file and what it imports should be
/// free of errors: names that are wrong are not used either.
#[salsa::tracked(returns(clone))]
pub fn warnings(db: &dyn Db, file: SourceFile) -> Arc<Vec<Diagnostic>> {
    let decs = declarations(db, file);
    let linted: Vec<&Linted> = decs.iter().map(|dec| lint_dec(db, *dec)).collect();
    let found = scopes::join(linted.iter().map(|dec| &dec.outside));
    let mut out = unused::names(&found);
    for (dec, linted) in decs.iter().zip(&linted) {
        out.extend(linted.warnings.iter().cloned());
        if let Some(module) = unused::opened(dec.tree(db)) {
            let provided = &dec_env(db, *dec).env;
            out.extend(unused::open(module, &found, provided));
        }
        if dec.head(db).binds == Binds::Imported {
            let provided = &dec_env(db, *dec).env;
            out.extend(unused::import(dec.tree(db), &found, provided));
        }
    }
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
