//! What is found out about a body, and the state of finding it out.

use super::cost::{Cost, Estimate, Rule};
use super::obstacle::Obstacle;
use super::tables::{Bytes, Lookup};
use crate::ir::traverse::Visit;
use crate::ir::varmap::{VarMap, VarSet};
use crate::ir::{MemBind, Poly, Prim, Stm, SubExp, Var};
use crate::machine::Instructions;
use std::collections::BTreeMap;

/// More lanes than this gain nothing,
const MOST_LANES: i64 = 128;
/// but where bytes go through loops and wait for what the round before has made.
const MOST_LANES_IN_LOOPS: i64 = 256;
/// Loops with no more operations than this wait for one another unless there are many at a time.
const CHAIN: usize = 4;
/// The same of loops that compute with what is in registers alone, if there are 32 of these,
const LONG_CHAIN: usize = 24;
/// or 16.
const MIDDLING_CHAIN: usize = 12;
/// The values of so many statements fit into registers even if each takes several.
pub const FEW: usize = 16;

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// The same in all lanes.
    Uniform,
    /// More by this from lane to lane; an `i64`.
    Linear(i64),
    /// Anything.
    Varying,
}

impl Class {
    pub(super) fn join(self, other: Class) -> Class {
        if self == other { self } else { Class::Varying }
    }
}

/// The classes of a body that can be computed by lanes.
#[derive(Debug)]
pub struct Lanes {
    /// Of every variable bound in the body; others are uniform.
    pub(super) classes: VarMap<Class>,
    /// Variables that something uses, and how often.
    pub(super) used: VarMap<usize>,
    /// Indexes that are those of the lanes with some bits flipped, the same ones everywhere: the index
    /// and the bits.
    pub flipped: VarMap<(SubExp, SubExp)>,
    /// What varies and may go from neighbour to neighbour but for a few lanes: what is read, chosen or bounded, and that
    /// moved by what is uniform.
    pub(super) nearly_linear: VarSet,
    /// What varies, and goes from neighbour to neighbour but where it is bounded or begins again: bounds and remainders of
    /// what is linear, and that moved by what is uniform.
    pub(super) round: VarSet,
    /// Bytes of the widest values that vary.
    pub widest: i64,
    /// The most values that vary and are carried by a loop.
    pub carried: usize,
    /// Loops have no private arrays, tables or windows, so that lanes keep what they compute with in registers.
    pub in_registers: bool,
    /// Elements that vary and are read in loops.
    pub reads: usize,
    /// Operations in loops on what varies.
    pub operations: usize,
    /// A loop ends for some lanes before others.
    pub diverges: bool,
    /// There are no loops.
    pub straight: bool,
    /// Mathematical functions of what varies that have versions for vectors.
    pub functions: usize,
    /// Whether it is worth it, and why.
    pub estimate: Estimate,
    /// Where arrays lie that the body makes.
    pub(super) homes: Homes,
    /// Sizes of reductions inside for which lanes along the reduction pay if they are longer than these
    /// limits: they read their own neighbours, which are not neighbours for the lanes.
    pub short: Vec<(SubExp, i64)>,
    /// Sizes of tables, which must be so large at least.
    pub tables: Vec<(Var, i64)>,
    pub(super) lookups: VarMap<Lookup>,
}

/// The limit of [`Lanes::short`] for operators whose accumulators split.
pub const SHORT: i64 = 16;
/// That for operators of several statements that commute, which have many accumulators for more elements: fewer do not pay for setting
/// them up and putting them together.
pub const SOME: i64 = 256;
/// That for others, each step of which waits for the one before unless there are lanes. Beyond it they
/// are trees.
pub const MIDDLING: i64 = 1024;

impl Lanes {
    /// The class of a variable.
    pub fn class(&self, v: Var) -> Class {
        self.classes.get(&v).copied().unwrap_or(Class::Uniform)
    }

    /// Whether it is worth it.
    pub fn pays(&self) -> bool {
        self.estimate.pays()
    }

    /// The class of an operand.
    pub fn of(&self, x: SubExp) -> Class {
        x.var().map_or(Class::Uniform, |v| self.class(v))
    }

    /// Whether all of a statement is the same in all lanes.
    pub fn is_uniform(&self, stm: &Stm) -> bool {
        struct Uses<'l>(&'l Lanes, bool);
        impl Visit for Uses<'_> {
            fn var(&mut self, v: &Var) {
                self.1 &= self.0.class(*v) == Class::Uniform;
            }
            fn bind(&mut self, v: &Var) {
                self.var(v);
            }
        }
        let mut uses = Uses(self, true);
        uses.stm(stm);
        uses.1
    }

    /// Whether indexes may go from neighbour to neighbour along one dimension, but for a few lanes.
    pub fn nearly_linear(&self, indexes: &[SubExp]) -> bool {
        self.moves(indexes).is_some_and(|v| self.nearly_linear.contains(&v))
    }

    /// Whether indexes go from neighbour to neighbour along one dimension, but where that begins again or ends.
    pub fn goes_round(&self, indexes: &[SubExp]) -> bool {
        self.moves(indexes).is_some_and(|v| self.round.contains(&v))
    }

    /// The only index that is not the same in all lanes.
    fn moves(&self, indexes: &[SubExp]) -> Option<Var> {
        let mut varying = indexes.iter().filter(|x| self.of(**x) != Class::Uniform);
        let first = varying.next()?.var()?;
        varying.next().is_none().then_some(first)
    }

    /// How a variable is looked up in a table of bytes, if it is.
    pub fn lookup(&self, v: Var) -> Option<&Lookup> {
        self.lookups.get(&v)
    }

    /// Whether anything is looked up in a table of bytes.
    pub fn looks_up(&self) -> bool {
        !self.lookups.is_empty()
    }

    /// Whether anything uses a variable.
    pub fn uses(&self, v: Var) -> bool {
        self.used.contains_key(&v)
    }
}

/// Where the array of a point lies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// In a block of its own, between those of the other lanes.
    Private,
    /// So many elements further from lane to lane.
    Row(Poly),
}

impl Home {
    /// Whether the elements of neighbouring lanes lie side by side.
    pub(super) fn is_interleaved(&self) -> bool {
        match self {
            Home::Private => true,
            Home::Row(step) => step.as_const() == Some(1),
        }
    }
}

/// Where arrays lie that a body makes.
#[derive(Clone, Debug, Default)]
pub(super) struct Homes {
    pub(super) homes: VarMap<Home>,
    pub(super) places: VarMap<MemBind>,
    /// Elements in private blocks.
    pub(super) private: BTreeMap<Var, (Prim, i64)>,
    /// Blocks that results lie in.
    pub(super) written: BTreeMap<Var, ()>,
}

impl Lanes {
    /// Where an array lies that the body makes, or a part of it; of others, nothing.
    pub fn home(&self, array: Var) -> Option<&Home> {
        self.homes.homes.get(&array)
    }

    /// Blocks that every lane has for itself, with the type and number of their elements.
    pub fn private_blocks(&self) -> impl Iterator<Item = (Var, Prim, i64)> + '_ {
        self.homes.private.iter().map(|(block, (elem, n))| (*block, *elem, *n))
    }

    /// As many points as fill some registers of so many bytes, of a body of so many statements: so that operations need not
    /// wait for one another, but what a loop carries still fits. Processors with the longest vectors have twice as many
    /// registers.
    pub fn width(&self, statements: usize, vector_bytes: i64) -> i64 {
        let long = vector_bytes >= 64;
        let most = if long { LONG_CHAIN } else { MIDDLING_CHAIN };
        let short_chain = self.in_registers && self.operations <= most && (long || self.reads == 0);
        let registers = match self.carried {
            _ if self.diverges => 2,
            _ if self.straight && statements > FEW => 2,
            1 if short_chain || long && self.operations <= CHAIN => 8,
            2 if short_chain => 8,
            0..=2 => 4,
            3..=4 if long && self.in_registers => 4,
            3..=4 => 2,
            5..=8 if long && self.in_registers => 2,
            _ => 1,
        };
        let most = if self.straight || !long { MOST_LANES } else { MOST_LANES_IN_LOOPS };
        (vector_bytes / self.widest * registers).clamp(2, most)
    }

    /// The same lanes, of a reduction that also stores a value for each of its points.
    pub fn collecting(mut self) -> Lanes {
        if !self.straight && self.estimate.anywhere > 0 {
            self.estimate.rule = Rule::Collects;
        }
        self
    }

    /// Blocks that the body writes to as a whole: no other array may lie there that it reads.
    pub fn writes_block(&self, block: Var) -> bool {
        self.homes.private.contains_key(&block) || self.homes.written.contains_key(&block)
    }

    /// Whether all arrays that the body makes are private.
    pub fn writes_private_only(&self) -> bool {
        self.homes.written.is_empty()
    }

    /// Bytes of all private blocks of a lane.
    pub fn private_bytes(&self) -> i64 {
        self.private_blocks().map(|(_, elem, n)| n.saturating_mul(elem.bytes())).sum()
    }
}

/// The analysis of a body on its way.
pub(super) struct Analysis<'b> {
    pub(super) lanes: Lanes,
    pub(super) cost: Cost,
    /// Loops around, and whether lanes may be masked.
    pub(super) depth: usize,
    pub(super) masked: bool,
    pub(super) instructions: Instructions,
    /// Integers of 64 bits that LLVM knows to have fewer.
    pub(super) narrow: VarSet,
    pub(super) bytes: Bytes,
    pub(super) place_of: &'b dyn Fn(Var) -> Option<MemBind>,
}

/// Or what stands in the way.
pub(super) type Possible<T = ()> = Result<T, Obstacle>;
