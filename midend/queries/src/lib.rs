//! The mid-end as salsa queries, on top of the front end's.
//!
//! - [`core`]: Core IR at level soacs, of what the entry points of a root file reach. Depends on
//!   the reachable definitions only, so an edit elsewhere, even in the same file if it moves no
//!   line, does not internalise again.
//!
//! The passes themselves know nothing of salsa.

use futc_frontend::db::{Db, SourceFile, lines, reachable_program};
use futc_midend::internalise::{Error, Options, internalise};
use futc_midend::ir;
use std::sync::Arc;

#[allow(missing_docs, reason = "salsa makes functions without documentation")]
mod input {
    use super::Options;

    /// How to compile.
    #[salsa::input]
    pub struct Settings {
        /// What internalisation is to do.
        #[returns(ref)]
        pub internalise: Options,
    }
}
pub use input::Settings;

/// A Core program, shared.
#[derive(Clone, PartialEq, Debug)]
pub struct Core(pub Arc<ir::Program>);

/// Core IR of a root file, which must have been accepted.
#[salsa::tracked(returns(clone))]
pub fn core(db: &dyn Db, root: SourceFile, settings: Settings) -> Result<Core, Error> {
    let options = settings.internalise(db);
    // Definitions that are made entry points by the options are entry points of no program yet.
    let program = if options.extra_entries.is_empty() {
        reachable_program(db, root)
    } else {
        futc_frontend::db::program(db, root)
    };
    let lines = lines(db, root);
    internalise(&program, &lines, options).map(|program| Core(Arc::new(program)))
}
