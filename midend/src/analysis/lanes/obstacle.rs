//! What keeps points from being computed together.

use crate::ir::Loc;
use futc_typed::name::Name;
use std::fmt;

/// Something that lanes cannot do, and where it stands, if that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// What it is.
    pub why: Why,
    /// Where it stands.
    pub loc: Option<Loc>,
}

/// A reason why a body has no lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A block of memory is made by each point.
    Allocates,
    /// A function that is not inlined.
    Call(Name),
    /// Points write where they say, and the processor has no vectors of addresses.
    NoScatters,
    /// What points write is no single element, or goes into an array of their own.
    WritesRows,
    /// A dimension of an operation inside differs from point to point.
    SizeDiffers,
    /// A histogram inside.
    Histogram,
    /// A scatter inside.
    Scatter,
    /// An operation inside that others run: tasks, threads of a device.
    OthersRun,
    /// A reduction or scan inside whose operator takes arrays.
    ArrayOperator,
    /// A part of an array that lies elsewhere for each point.
    Slice,
    /// Dimensions of an array that differ from point to point.
    ShapeDiffers,
    /// An array that does not lie equally far from that of the neighbour everywhere.
    PlaceDiffers,
    /// An array of a point whose size only the run knows.
    SizeUnknown,
    /// Arrays of a point that are too large for the fastest cache, all lanes together.
    TooLarge,
    /// Arrays of several types in one block.
    SharedBlock,
    /// An array that a loop or branch hands on does not stay where it is.
    Moves,
    /// An array that points pass on and did not make.
    NotOwn,
    /// An operation on arrays that lanes do not know.
    Unknown,
    /// An index that leaves the numbers it is computed in.
    Overflow,
    /// Results whose neighbours are no neighbours in memory.
    ResultsApart,
    /// A block is read and written.
    ReadsWritten,
    /// An operator that lanes cannot accumulate by.
    Operator,
    /// Only maps and reductions go by lanes.
    Kind,
    /// Points are rows that have been cut into pieces, which go by lanes themselves.
    Rows,
}

impl Obstacle {
    /// The same at a place, if it has none yet.
    pub(super) fn at(self, loc: Option<Loc>) -> Obstacle {
        Obstacle { loc: self.loc.or(loc), ..self }
    }
}

impl From<Why> for Obstacle {
    fn from(why: Why) -> Obstacle {
        Obstacle { why, loc: None }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::Call(name) => return write!(f, "a call of {name}, which is not inlined"),
            Why::Allocates => "each point allocates memory for an array of its own",
            Why::NoScatters => {
                "points write where they say, for which this processor has no vectors"
            }
            Why::WritesRows => "points write whole rows where they say",
            Why::SizeDiffers => "the size of an operation inside differs from point to point",
            Why::Histogram => "there is a histogram inside",
            Why::Scatter => "there is a scatter inside",
            Why::OthersRun => "an operation inside is shared by threads",
            Why::ArrayOperator => "an operator inside takes arrays",
            Why::Slice => "a part of an array is taken that differs from point to point",
            Why::ShapeDiffers => "the shape of an array differs from point to point",
            Why::PlaceDiffers => "arrays of neighbouring points do not lie equally far apart",
            Why::SizeUnknown => "the size of a point's own array is known only at run time",
            Why::TooLarge => "the arrays of a point are too large",
            Why::SharedBlock => "arrays of several types share memory",
            Why::Moves => "an array that a loop or branch hands on does not stay where it is",
            Why::NotOwn => "an array is passed on that the point did not make",
            Why::Unknown => "there is an operation on arrays that lanes cannot do",
            Why::Overflow => "an index is too large",
            Why::ResultsApart => "the results of neighbouring points do not lie beside one another",
            Why::ReadsWritten => "what is read may lie where results are written",
            Why::Operator => "the operator does not commute",
            Why::Kind => "only maps and reductions go by lanes",
            Why::Rows => "each point is a row in pieces, along which lanes go if they do",
        })
    }
}
