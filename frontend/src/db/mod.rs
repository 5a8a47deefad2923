//! The front end as queries.
//!
//! | file | what it does |
//! | --- | --- |
//! | `input` | the inputs, and what they need of a database |
//! | `syntax` | files parsed, and what imports what |
//! | `declaration` | declarations, and which names they bind |
//! | `check` | declarations checked |
//! | `prelude` | which declaration of the prelude a name comes from |
//! | `errors` | what is wrong with files |
//! | `programs` | files and programs checked as a whole |
//! | `database` | the database |
//!
//! Inputs are the texts of files ([`SourceFile`]). Queries about a file, on top of those about its
//! declarations:
//!
//! - [`imports`]: the files it imports, without positions, so that most edits leave it as it is;
//! - [`import_closure`]: all that these import in turn, by which cycles are found;
//! - [`check_file`]: definitions and diagnostics of all declarations;
//! - [`file_env`]: what the file provides to importers, which an edit that changes no type leaves
//!   as it is;
//! - [`program`] and [`diagnostics`]: of a root file and all it imports.
//!
//! # Declarations
//!
//! They are the unit in which a file is checked.
//!
//! - [`parse`]: a file's declarations, with spans relative to their chunks ([`chunks`]), and where
//!   the chunks are. Runs whenever the text changes: it is fast, and nothing but [`declarations`]
//!   and queries about positions depend on it.
//! - [`declarations`]: the same as tracked structs. One that has not changed stays equal, wherever
//!   it has moved.
//! - [`outline`]: which declaration binds which name, as far as that can be seen without checking.
//!   Depends on what declarations are called, not on what is in them.
//! - [`mentions`]: the names that stand in a declaration's text, whatever they mean there.
//! - `names_at`: which declaration the names in scope behind an `open` or `import` come from.
//! - [`sources`]: which earlier declarations of the file the names that a declaration mentions come
//!   from.
//! - [`check_dec`]: elaborates a declaration in a scope that holds just the names it mentions. Of
//!   other declarations it reads [`dec_env`], what they bring into scope, and of those that bring
//!   many names (`open`, `import`) one name at a time, by `provided_value` and its kin.
//!
//! So an edit in the body of a function rechecks that function; one that changes its type rechecks
//! also what mentions its name; one that adds or removes a declaration rechecks what mentions that
//! name. There is no chain of environments from one declaration to the next: what names mean is
//! looked up, not handed on, so that nothing is copied.
//!
//! Declarations use earlier ones, whose queries therefore call one another as deep as a file is
//! long, if one asks for the last first. [`check_file`] asks in order, and salsa looks
//! at what it asked for in the same order; what wants a single declaration checked goes through
//! [`checked`], which does that first.
//!
//! A module with what is in it is one declaration, as is a parametric module: an edit in one of
//! its functions rechecks all of it, but not what uses it, because the functions in it are chunks
//! of their own and their numbers, places and types stay.
//!
//! [`chunks`]: crate::syntax::parser::Chunk
//!
//! # Positions
//!
//! Spans are relative to chunks (see [`crate::syntax::parser::Chunk`]): `Span::file` names a
//! declaration, or the file itself in what is said of it as a whole. [`absolute`] gives the file
//! and the place in it, [`chunk_at`] and [`declaration_at`] lead from a place in a file to the
//! declaration that stands there, and [`SourceTexts`] and `Lines` show spans to people. A
//! definition's and an abstract type's id name the chunk too, see [`Db::file_of`].
//!
//! # Cancellation
//!
//! A text can be set only when no other handle of the database is at work. [`CompilerDb::set_text`]
//! therefore tells queries that run in other threads to stop, and waits until their handles are
//! dropped. They stop by unwinding, at the next query they call, which is at the next declaration
//! at the latest; [`cancellable`] turns that into a result. A thread that answers requests clones
//! the database, runs one query in [`cancellable`], and drops the clone.

mod check;
mod database;
mod declaration;
mod errors;
mod input;
mod prelude;
mod programs;
mod syntax;

pub use crate::syntax::parser::ParsedDec;
pub use check::{CheckedDec, DecEnv, check_dec, dec_env, file_env, notes, sources};
pub use database::{CompilerDb, SourceTexts};
pub use declaration::{
    Binds, Declaration, Head, Mentions, NameKind, Outline, Source, declaration_at, declaration_of,
    declarations, duplicate_definitions, mentions, outline,
};
pub use input::{Db, SourceFile};
pub use programs::{
    CheckedFile, check_file, checked, diagnostics, elaborated, program, provided_names,
    reachable_program,
};
pub use syntax::{
    Parsed, absolute, cancellable, chunk_at, chunks, files_in_order, has_errors, import_closure,
    imports, imports_of_dec, in_order, line_table, lines, parse, prelude_root, syntax_errors,
    syntax_tree, unreadable,
};
