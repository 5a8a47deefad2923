//! The argument of `#[schedule(…)]`: how an operation is to be gone through.

use crate::types::Attr;
use std::fmt;

/// The name of the attribute.
pub const SCHEDULE: &str = "schedule";

/// A way to go through an operation that the source asks for, by `#[schedule(…)]`: that kind of strategy is preferred
/// wherever it is legal, whatever the
/// estimates say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Forced {
    /// Point by point: neither lanes nor strips, nor anything else of the list below.
    Loops,
    /// Lanes of the innermost dimension.
    Lanes,
    /// Strips of neighbouring points, whose own arrays lie element beside element, by lanes.
    Strips,
    /// Square tiles of two dimensions.
    Tiles,
    /// Past the caches.
    Stream,
    /// Blocks and a register tile.
    Contract,
    /// Another dimension than the reduced one innermost.
    Columns,
    /// Many accumulators.
    Accumulators,
    /// Blocks of elements as trees.
    Tree,
    /// A scan by vectors.
    Vectors,
}

impl Forced {
    /// Every one.
    pub const ALL: [Forced; 10] = [
        Forced::Loops,
        Forced::Lanes,
        Forced::Strips,
        Forced::Tiles,
        Forced::Stream,
        Forced::Contract,
        Forced::Columns,
        Forced::Accumulators,
        Forced::Tree,
        Forced::Vectors,
    ];

    /// Its name in sources and in the text.
    pub fn name(self) -> &'static str {
        match self {
            Forced::Loops => "loops",
            Forced::Lanes => "lanes",
            Forced::Strips => "strips",
            Forced::Tiles => "tiles",
            Forced::Stream => "stream",
            Forced::Contract => "contract",
            Forced::Columns => "columns",
            Forced::Accumulators => "accumulators",
            Forced::Tree => "tree",
            Forced::Vectors => "vectors",
        }
    }

    /// Of an attribute's arguments.
    pub fn of(args: &[Attr]) -> Option<Forced> {
        match args {
            [Attr::Name(how)] => Forced::named(how.as_str()),
            _ => None,
        }
    }

    /// That of a name.
    pub fn named(name: &str) -> Option<Forced> {
        Forced::ALL.into_iter().find(|f| f.name() == name)
    }
}

impl fmt::Display for Forced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
