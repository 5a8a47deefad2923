//! How code generation goes through the points of a segmented operation, and through the elements of a copy.
//!
//! ```text
//! let z_9: [n_1]f32 @ b_8 -> {0; (n_1, 1)} =
//!   schedule { stream chunk 128 pages 8 of 1024; loops } segmap seq (i_3 < n_1) : (f32) { … }
//! ```
//!
//! A schedule is a list of strategies in order of preference: the first one whose conditions on sizes
//! hold at run time is taken, and the last one has none. The pass
//! [`schedule`](crate::passes::schedule) writes schedules at the end of level mem, for one machine;
//! code generation does as they say and decides nothing. A schedule that stands in a program already is
//! kept. What may be scheduled how is said by [`crate::passes::schedule::legal`].
//!
//! Where points of a segmented operation yield arrays that lie elsewhere than their rows of the result, these are
//! copied. The strategies of these copies stand behind those of the points:
//!
//! ```text
//! let zs_9: [n_1][m_2]f32 @ b_8 -> {0; (n_1, m_2), (m_2, 1)} =
//!   schedule { loops } rows { runs 0 } segmap seq (i_3 < n_1) : ([m_2]f32) { … }
//! let zs_9: [n_1][m_2]f32 @ b_8 -> {0; (n_1, m_2), (m_2, 1)} =
//!   schedule rows { loops } segmap grid (i_3 < n_1) : ([m_2]f32) { … }
//! ```

use std::fmt;

/// Strategies, and what holds for all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The preferred one first; empty only of operations that their level maps to threads.
    pub strategies: Vec<Strategy>,
    /// Of a segmented operation, how the arrays that its points yield are copied to the rows of its results.
    pub rows: Vec<Strategy>,
    /// No point reads what another one writes, though they use the same blocks: loops over them may be
    /// said to carry nothing.
    pub independent: bool,
    /// Where a point writes a scalar outside of a result, it writes it to a dummy slot instead of branching around
    /// the write.
    pub dummy_slot: bool,
}

impl Schedule {
    /// These strategies, of which nothing else is known.
    pub fn new(strategies: Vec<Strategy>) -> Schedule {
        Schedule { strategies, rows: Vec::new(), independent: false, dummy_slot: false }
    }

    /// Loops as they stand.
    pub fn loops() -> Schedule {
        Schedule::new(vec![Strategy::Loops { unroll: 1 }])
    }

    /// What goes by plain loops goes point by point instead.
    #[must_use]
    pub fn scalar(self) -> Schedule {
        match self.strategies.as_slice() {
            [Strategy::Loops { unroll: 1 } | Strategy::Outer { .. }] => {
                Schedule { strategies: vec![Strategy::Scalar], ..self }
            }
            _ => self,
        }
    }
}

/// One way to go through an index space.
///
/// | strategy | of | what |
/// | --- | --- | --- |
/// | `loops` | all | one loop for each dimension, the outermost first |
/// | `scalar` | maps, reductions | the same for few points: loops that LLVM neither vectorises nor unrolls |
/// | `rolled` | reductions | loops of few rounds that LLVM makes vectors of: it would unroll them before |
/// | `outer` | maps | loops of which LLVM makes no vectors but of those inside: rows whose length is known, which it would unroll before |
/// | `tiles` | maps, copies | the loops of two dimensions in square tiles |
/// | `panels` | maps, copies | tiles of a large transposition: read by rows, written past the caches |
/// | `lanes` | maps, reductions | points of the innermost dimension together, each in a lane of vectors |
/// | `stream` | maps | chunks to a buffer and from there past the caches, if the result is large |
/// | `contract` | reductions | packed blocks and a register tile, if the volume is worth it |
/// | `columns` | reductions | another dimension than the reduced one innermost, an accumulator each |
/// | `accumulators` | reductions | many accumulators that take the elements in turn |
/// | `tree` | reductions | blocks of elements as trees, if there is a whole block |
/// | `vectors` | scans | chunks to a buffer, and that scanned by vectors |
/// | `runs` | copies | from some dimension on, all that lies one behind the other at once |
/// | `along` | copies | all at once, if neighbours turn out to go to neighbours |
/// | `innermost` | maps, copies | the loop of one dimension, which has few elements, inside of the others' |
/// | `squares` | copies | squares of two dimensions, which registers hold |
/// | `compress` | loops that compact arrays | so many elements at a time, put side by side in a register, if there is room for whole vectors |
/// | `table` | literals | from a table of constants in the object |
/// | `threads` | operations of level `grid` | a point for each thread, in blocks of so many |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// A loop for each dimension.
    Loops {
        /// So many points of the innermost dimension in an iteration; 1 leaves that to LLVM.
        unroll: i64,
    },
    /// A loop for each dimension, a point in each iteration, as small as code can be.
    Scalar,
    /// A loop for each dimension, which becomes vectors and is not unrolled before.
    Rolled,
    /// A loop for each dimension, of which the outermost ones do not become vectors.
    Outer {
        /// So many dimensions.
        dims: usize,
    },
    /// Two dimensions of a map in tiles.
    Tiles {
        /// Along the first one neighbours are read, along the second one they are written.
        dims: (usize, usize),
        /// Points of a tile each way.
        size: i64,
    },
    /// A map across two dimensions whose result is larger than the caches.
    Panels {
        /// As those of [`Strategy::Tiles`].
        dims: (usize, usize),
        /// Rows that are read before columns of the buffer are written.
        rows: i64,
        /// So many rows ahead are asked for.
        ahead: i64,
        /// Applies where rows of the result have at least so many elements,
        least: i64,
        /// and to results of at least so many bytes.
        from: i64,
    },
    /// So many points of the innermost dimension at a time, if there are as many.
    Lanes {
        /// Points.
        width: i64,
        /// The strips between the first and the last begin where the first result is aligned to as many elements.
        aligned: bool,
        /// Sides of branches of at most so many statements, all of them arithmetic, are computed for all lanes; others
        /// only if a lane takes them.
        speculate: usize,
        /// Arrays that points have for themselves lie where those of other operations do, too, instead of in
        /// room of their own.
        shared: bool,
        /// Of fewer points than lanes but at least so many, one strip, of which the other lanes take no part; of 0, no such strip.
        partial: i64,
    },
    /// A map past the caches.
    Stream {
        /// Points that are computed into the buffer.
        chunk: i64,
        /// As that of [`Strategy::Loops`].
        unroll: i64,
        /// In which order chunks are visited.
        pages: Option<PageStreams>,
        /// Applies to results of at least so many bytes.
        from: i64,
        /// Of all tasks together, in one; elsewhere it says nothing.
        tasks: bool,
    },
    /// A product of matrices.
    Contract(Tile),
    /// A reduction down columns.
    Columns {
        /// The dimension that becomes the innermost one.
        dim: usize,
        /// Columns at a time.
        block: i64,
    },
    /// A reduction by an operator that commutes.
    Accumulators {
        /// How many.
        count: i64,
        /// Applies to so many elements and more.
        least: i64,
        /// In which order elements are visited.
        pages: Option<PageStreams>,
    },
    /// A reduction by an operator that need not commute.
    Tree {
        /// Elements of a block.
        block: i64,
    },
    /// A scan by vectors.
    Vectors {
        /// Elements of a vector.
        lanes: i64,
        /// Elements that are computed into the buffer.
        chunk: i64,
        /// Rows of at least so many elements.
        rows: i64,
        /// Large results go past the caches.
        past_caches: Option<PastCaches>,
    },
    /// A copy of what is dense on both sides.
    Runs {
        /// From this dimension on.
        from: usize,
    },
    /// A copy across two dimensions that turns out to be none: the distances of both sides are the same.
    Along,
    /// A map or copy across a few columns, which are read one after the other.
    Innermost {
        /// The dimension along which neighbours are read.
        dim: usize,
    },
    /// A copy across two dimensions in squares.
    Squares {
        /// As those of [`Strategy::Tiles`].
        dims: (usize, usize),
        /// Rows and columns of a square: elements of a vector.
        lanes: i64,
        /// Squares that are done together, each way.
        side: i64,
    },
    /// A loop that puts elements side by side, by vectors.
    Compress {
        /// Elements of a vector.
        lanes: i64,
    },
    /// A literal of constants, copied from a table in the object.
    Table,
    /// A point for each thread of a grid.
    Threads {
        /// Threads of a block.
        block: i64,
    },
}

/// Results of a scan that go past the caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PastCaches {
    /// Chunks of what is read next that are fetched side by side meanwhile.
    pub ahead: i64,
    /// Applies to rows of at least so many elements,
    pub least: i64,
    /// and to results of at least so many bytes.
    pub from: i64,
}

impl Strategy {
    /// Whether it can be taken whatever sizes are at run time.
    pub fn is_unconditional(self) -> bool {
        match self {
            Strategy::Loops { .. } | Strategy::Scalar | Strategy::Rolled => true,
            Strategy::Outer { .. } => true,
            Strategy::Tiles { .. } | Strategy::Columns { .. } => true,
            Strategy::Runs { .. } | Strategy::Innermost { .. } | Strategy::Squares { .. } => true,
            Strategy::Vectors { rows, .. } => rows == 0,
            Strategy::Table | Strategy::Threads { .. } => true,
            Strategy::Contract(tile) => tile.least == 0,
            Strategy::Panels { .. }
            | Strategy::Lanes { .. }
            | Strategy::Stream { .. }
            | Strategy::Accumulators { .. }
            | Strategy::Tree { .. }
            | Strategy::Compress { .. }
            | Strategy::Along => false,
        }
    }

    /// Its name in the text.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Loops { .. } => "loops",
            Strategy::Scalar => "scalar",
            Strategy::Rolled => "rolled",
            Strategy::Outer { .. } => "outer",
            Strategy::Tiles { .. } => "tiles",
            Strategy::Panels { .. } => "panels",
            Strategy::Lanes { .. } => "lanes",
            Strategy::Stream { .. } => "stream",
            Strategy::Contract(_) => "contract",
            Strategy::Columns { .. } => "columns",
            Strategy::Accumulators { .. } => "accumulators",
            Strategy::Tree { .. } => "tree",
            Strategy::Vectors { .. } => "vectors",
            Strategy::Runs { .. } => "runs",
            Strategy::Along => "along",
            Strategy::Innermost { .. } => "innermost",
            Strategy::Squares { .. } => "squares",
            Strategy::Compress { .. } => "compress",
            Strategy::Table => "table",
            Strategy::Threads { .. } => "threads",
        }
    }
}

/// Concurrent page streams: chunks of several pages of memory in turn, since the hardware fetches ahead
/// only inside of a page.
///
/// ```text
/// page   0        1        2        3        4     …
/// chunk  0 4 8 …  1 5 9 …  2 6 10 … 3 7 11 …
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageStreams {
    /// How many.
    pub pages: i64,
    /// Elements of each.
    pub page: i64,
    /// Elements visited of a page before the next one's turn: a power of two, and a part of a page.
    pub chunk: i64,
    /// Fewer elements than this are walked from end to end.
    pub least: i64,
}

/// The blocks of a product of matrices, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Elements of a vector.
    pub lanes: i64,
    /// Rows of the register tile.
    pub high: i64,
    /// Columns of the register tile: whole vectors.
    pub wide: i64,
    /// Steps of the reduced dimension in a block.
    pub depth: i64,
    /// Rows of a block: whole tiles.
    pub rows: i64,
    /// Columns of a block: whole tiles.
    pub columns: i64,
    /// Applies to so many multiplications and more.
    pub least: i64,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("schedule")?;
        f.write_str(if self.independent { " independent" } else { "" })?;
        f.write_str(if self.dummy_slot { " dummy" } else { "" })?;
        write_strategies(f, "", &self.strategies)?;
        write_strategies(f, " rows", &self.rows)
    }
}

/// A list of strategies behind a word, if there are any.
fn write_strategies(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    strategies: &[Strategy],
) -> fmt::Result {
    if strategies.is_empty() {
        return Ok(());
    }
    write!(f, "{word} {{")?;
    for (i, s) in strategies.iter().enumerate() {
        write!(f, "{} {s}", if i > 0 { ";" } else { "" })?;
    }
    f.write_str(" }")
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match *self {
            Strategy::Scalar | Strategy::Rolled => Ok(()),
            Strategy::Loops { unroll } => write_unroll(f, unroll),
            Strategy::Tiles { dims: (a, b), size } => write!(f, " ({a}, {b}) size {size}"),
            Strategy::Panels { dims: (a, b), rows, ahead, least, from } => {
                write!(f, " ({a}, {b}) rows {rows} ahead {ahead} least {least} from {from}")
            }
            Strategy::Lanes { width, aligned, speculate, shared, partial } => {
                write!(f, " {width}")?;
                f.write_str(if aligned { " aligned" } else { "" })?;
                if speculate > 0 {
                    write!(f, " speculate {speculate}")?;
                }
                f.write_str(if shared { " shared" } else { "" })?;
                if partial > 0 { write!(f, " partial {partial}") } else { Ok(()) }
            }
            Strategy::Threads { block } => write!(f, " {block}"),
            Strategy::Stream { chunk, unroll, pages, from, tasks } => {
                write!(f, " chunk {chunk}")?;
                write_unroll(f, unroll)?;
                write_pages(f, pages)?;
                write!(f, " from {from}")?;
                f.write_str(if tasks { " of tasks" } else { "" })
            }
            Strategy::Contract(Tile { lanes, high, wide, depth, rows, columns, least }) => write!(
                f,
                " lanes {lanes} tile ({high}, {wide}) block ({rows}, {columns}, {depth}) least {least}"
            ),
            Strategy::Columns { dim, block } => write!(f, " {dim} block {block}"),
            Strategy::Accumulators { count, least, pages } => {
                write!(f, " {count}")?;
                write_pages(f, pages)?;
                write!(f, " least {least}")
            }
            Strategy::Tree { block } => write!(f, " {block}"),
            Strategy::Compress { lanes } => write!(f, " {lanes}"),
            Strategy::Runs { from } => write!(f, " {from}"),
            Strategy::Along | Strategy::Table => Ok(()),
            Strategy::Innermost { dim } => write!(f, " {dim}"),
            Strategy::Outer { dims } => write!(f, " {dims}"),
            Strategy::Squares { dims: (a, b), lanes, side } => {
                write!(f, " ({a}, {b}) lanes {lanes} side {side}")
            }
            Strategy::Vectors { lanes, chunk, rows, past_caches } => {
                write!(f, " {lanes} chunk {chunk}")?;
                if rows > 0 {
                    write!(f, " rows {rows}")?;
                }
                match past_caches {
                    Some(PastCaches { ahead, least, from }) => {
                        write!(f, " ahead {ahead} least {least} from {from}")
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

fn write_unroll(f: &mut fmt::Formatter<'_>, unroll: i64) -> fmt::Result {
    if unroll > 1 { write!(f, " unroll {unroll}") } else { Ok(()) }
}

fn write_pages(f: &mut fmt::Formatter<'_>, pages: Option<PageStreams>) -> fmt::Result {
    match pages {
        Some(PageStreams { pages, page, chunk, least }) => {
            write!(f, " pages ({pages}, {page}, {chunk}) least {least}")
        }
        None => Ok(()),
    }
}
