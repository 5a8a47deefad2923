//! What is asked of a statement, by the source or by passes.

use futc_typed::forced::{Forced, SCHEDULE};
use futc_typed::program::Attr as SourceAttr;
use std::fmt;

/// Something that is asked of a statement. In the text they stand before the expression, as attributes do in a source:
/// `#[sequential, schedule(lanes)] segmap …`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StmAttr {
    /// Of a call: that it be inlined.
    Inline,
    /// Of a call: that it stay one.
    Noinline,
    /// That one thread do it all.
    Sequential,
    /// Of a loop: that its rounds be code of their own.
    Unroll,
    /// Its checks are left out, so that it must stay where it is.
    Unsafe,
    /// How it is to be gone through, whatever the estimates say.
    Schedule(Forced),
    /// A pass knows that all that it goes through fits the caches, and that a product of matrices is too small for blocks.
    InCache,
    /// Of a product of matrices: it is known to be large enough for blocks.
    Blocks,
    /// Of a product of matrices: it has few rows.
    FewRows,
    /// Of a map: its rows are mostly short.
    ShortRows,
    /// Of a loop: its iterations write as those of a scatter do. Where several write to one place, it makes no difference
    /// which one is last.
    Scatters,
    /// Of a loop: it puts elements side by side in arrays of which nobody reads what lies behind the last one.
    Compacts,
    /// A map over a few points that are to go by lanes together.
    Strip,
    /// Of a map: each of its points is a strip of the points of another one.
    Strips,
    /// An operation over the points of another one that are in none of its strips.
    Rest,
    /// Of a map: each of its points is a chunk of something else, and worth a task.
    Chunks,
    /// A map or reduction over the few points that index-set splitting has peeled off another one.
    Peeled,
    /// A map over the rows of another one, each of which index-set splitting has cut into maps of its own.
    Rows,
    /// A sum of two indexes, neither of which is negative, that is an index, too: it does not overflow.
    Index,
}

impl StmAttr {
    /// Those that an attribute of an expression may ask for: no source can write what only passes know.
    pub fn of_source(attr: &SourceAttr) -> Option<StmAttr> {
        match attr {
            SourceAttr::Name(name) => StmAttr::named(name.as_str()).filter(|f| !f.is_of_passes()),
            SourceAttr::Comp(name, args) if name.as_str() == SCHEDULE => {
                Forced::of(args).map(StmAttr::Schedule)
            }
            SourceAttr::Int(_) | SourceAttr::Comp(..) => None,
        }
    }

    /// That of a name in the text, but for schedules, which have an argument.
    pub fn named(name: &str) -> Option<StmAttr> {
        PLAIN.iter().copied().find(|f| f.name() == name)
    }

    /// Its name in the text, without the argument.
    pub fn name(self) -> &'static str {
        match self {
            StmAttr::Inline => "inline",
            StmAttr::Noinline => "noinline",
            StmAttr::Sequential => "sequential",
            StmAttr::Unroll => "unroll",
            StmAttr::Unsafe => "unsafe",
            StmAttr::Schedule(_) => SCHEDULE,
            StmAttr::InCache => "in_cache",
            StmAttr::Blocks => "blocks",
            StmAttr::FewRows => "few_rows",
            StmAttr::ShortRows => "short_rows",
            StmAttr::Scatters => "scatters",
            StmAttr::Compacts => "compacts",
            StmAttr::Strip => "strip",
            StmAttr::Strips => "strips",
            StmAttr::Rest => "rest",
            StmAttr::Chunks => "chunks",
            StmAttr::Peeled => "peeled",
            StmAttr::Rows => "rows",
            StmAttr::Index => "index",
        }
    }

    fn is_of_passes(self) -> bool {
        match self {
            StmAttr::Inline
            | StmAttr::Noinline
            | StmAttr::Sequential
            | StmAttr::Unroll
            | StmAttr::Unsafe => false,
            StmAttr::Schedule(_) => false,
            StmAttr::InCache | StmAttr::Scatters | StmAttr::Compacts => true,
            StmAttr::Blocks | StmAttr::FewRows | StmAttr::ShortRows => true,
            StmAttr::Strip | StmAttr::Chunks => true,
            StmAttr::Strips | StmAttr::Rest | StmAttr::Peeled | StmAttr::Rows => true,
            StmAttr::Index => true,
        }
    }
}

/// Those without arguments.
const PLAIN: [StmAttr; 18] = [
    StmAttr::Inline,
    StmAttr::Noinline,
    StmAttr::Sequential,
    StmAttr::Unroll,
    StmAttr::Unsafe,
    StmAttr::InCache,
    StmAttr::Blocks,
    StmAttr::FewRows,
    StmAttr::ShortRows,
    StmAttr::Scatters,
    StmAttr::Compacts,
    StmAttr::Strip,
    StmAttr::Strips,
    StmAttr::Rest,
    StmAttr::Chunks,
    StmAttr::Peeled,
    StmAttr::Rows,
    StmAttr::Index,
];

impl fmt::Display for StmAttr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StmAttr::Schedule(how) => write!(f, "{SCHEDULE}({how})"),
            _ => f.write_str(self.name()),
        }
    }
}
