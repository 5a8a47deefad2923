//! The language server: what editors ask about programs, over the protocol that they share.
//!
//! It works on the front end's database, as the compiler does, and needs no LLVM. Positions are
//! turned into byte offsets at its border (`text`); what is answered is found by
//! [`futc_frontend::index`], the checker and the formatter (`features`); `server` speaks the
//! protocol.

mod features;
mod server;
mod text;
mod wire;
mod world;

pub use server::{ServerError, serve};

use futc_frontend::world::Disk;
use std::sync::Arc;

/// Serves a client over standard input and output until it says `exit`.
///
/// # Errors
///
/// If the connection fails, or the client does not begin as it must.
pub fn run() -> Result<(), ServerError> {
    let (connection, wire) = wire::connect();
    let result = serve(&connection, Arc::new(Disk));
    // The writer ends when nothing can be sent to it any more.
    drop(connection);
    if result.is_ok() {
        wire.finish()?;
    }
    result
}
