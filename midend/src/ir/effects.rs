//! What expressions do: the one table that hoisting, common subexpressions, dead code, sinking and
//! scheduling ask. A new operation has its row in [`Exp::class`], and nowhere else.

use super::attr::StmAttr;
use super::syntax::{DimIndex, Exp, KernelResult, LoopForm, SegKind, SegLevel, SegOp, Soac, Stm};
use super::traverse::{Visit, walk};
use super::types::{SubExp, Var};
use super::{AssertKind, BinOp};

/// What kind of thing an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Another name for an operand.
    Name,
    /// Makes a scalar of scalars.
    Scalar,
    /// Reads an element of an array.
    Element,
    /// An array over the elements of another; touches none of them. A reshape may have to copy at
    /// level mem.
    View,
    /// Makes an array.
    Fresh,
    /// Makes an array, of which nobody knows the elements.
    Unspecified,
    /// Writes into an array.
    InPlace,
    /// May fail, which is all it does.
    Check,
    /// A value of which nothing may be known.
    Hidden,
    /// Is seen from outside.
    Trace,
    /// A branch.
    Branch,
    /// A loop.
    Loop,
    /// A call: may do anything.
    Call,
    /// An array combinator, or a segmented operation.
    Combinator,
    /// Waits for what other tasks come to.
    Prefix,
    /// Makes, keeps or frees a block of memory.
    Block,
}

/// What an expression does besides yielding its value. The default is nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// The program may fail here.
    pub fails: bool,
    /// It may never end.
    pub diverges: bool,
    /// Arrays are written to, and must not be used any more.
    pub writes: bool,
    /// It must stay where it is, and is as often as it is there.
    pub pinned: bool,
}

impl Effects {
    const ALL: Effects = Effects { fails: true, diverges: true, writes: true, pinned: false };

    /// Whether there are none, so that it may be where it is not needed, or not be.
    pub fn is_none(self) -> bool {
        self == Effects::default()
    }

    /// What either does.
    pub fn and(self, other: Effects) -> Effects {
        Effects {
            fails: self.fails || other.fails,
            diverges: self.diverges || other.diverges,
            writes: self.writes || other.writes,
            pinned: self.pinned || other.pinned,
        }
    }

    /// Of a statement, with everything inside.
    pub fn of(stm: &Stm) -> Effects {
        struct Inside(Effects);
        impl Visit for Inside {
            fn stm(&mut self, s: &Stm) {
                self.0.pinned |= s.has(StmAttr::Unsafe);
                walk::stm(self, s);
            }
            fn exp(&mut self, e: &Exp) {
                self.0 = self.0.and(e.effects());
                walk::exp(self, e);
            }
        }
        let mut inside = Inside(Effects::default());
        inside.stm(stm);
        inside.0.pinned |= stm.is_assert(AssertKind::Kept);
        inside.0
    }
}

impl Exp {
    /// What kind of thing it is.
    pub fn class(&self) -> Class {
        match self {
            Exp::SubExp(_) => Class::Name,
            Exp::UnOp(..) | Exp::BinOp(..) | Exp::CmpOp(..) | Exp::ConvOp(..) | Exp::Math(..) => {
                Class::Scalar
            }
            Exp::Index { dims, .. } => match dims.iter().all(|d| matches!(d, DimIndex::Fix(_))) {
                true => Class::Element,
                false => Class::View,
            },
            Exp::FlatIndex { .. } | Exp::Rearrange { .. } | Exp::Reshape { .. } => Class::View,
            Exp::ArrayLit { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_) => Class::Fresh,
            Exp::Scratch { .. } => Class::Unspecified,
            Exp::Update { .. } | Exp::FlatUpdate { .. } => Class::InPlace,
            Exp::Assert { .. } => Class::Check,
            Exp::Opaque(_) | Exp::Workers => Class::Hidden,
            Exp::Trace(_) => Class::Trace,
            Exp::Match { .. } => Class::Branch,
            Exp::Loop { .. } => Class::Loop,
            Exp::Call { .. } => Class::Call,
            Exp::Soac(_) | Exp::Seg(_) => Class::Combinator,
            Exp::Prefix { .. } => Class::Prefix,
            Exp::Alloc { .. } | Exp::Retain(_) | Exp::Release(_) => Class::Block,
        }
    }

    /// What it does itself; what its bodies do is not counted.
    pub fn effects(&self) -> Effects {
        let none = Effects::default();
        match self.class() {
            Class::Name
            | Class::Scalar
            | Class::Element
            | Class::View
            | Class::Fresh
            | Class::Unspecified
            | Class::Branch => none,
            Class::InPlace => Effects { writes: true, ..none },
            Class::Check => Effects { fails: true, ..none },
            Class::Hidden | Class::Trace | Class::Prefix | Class::Block => {
                Effects { pinned: true, ..none }
            }
            Class::Loop => {
                let counts = matches!(self, Exp::Loop { form: LoopForm::For { .. }, .. });
                Effects { diverges: !counts, ..none }
            }
            Class::Call => Effects::ALL,
            Class::Combinator => {
                // What the threads of a block do together stays in its code.
                let pinned = matches!(self, Exp::Seg(op) if op.level == SegLevel::Thread);
                Effects { writes: !self.overwrites().is_empty(), pinned, ..none }
            }
        }
    }

    /// What its result is another name or a view of, if it is.
    pub fn shares(&self) -> Option<SubExp> {
        match self {
            Exp::SubExp(x) | Exp::Opaque(x) | Exp::Trace(x) => Some(*x),
            Exp::Index { array, .. }
            | Exp::FlatIndex { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Rearrange { array, .. } => Some((*array).into()),
            _ => None,
        }
    }

    /// The arrays that it writes into itself and yields, in the order of its pattern: nobody uses them any
    /// more. Not what functions consume, nor what its bodies do.
    pub fn overwrites(&self) -> Vec<Var> {
        match self {
            Exp::Update { array, .. } | Exp::FlatUpdate { array, .. } => vec![*array],
            Exp::Soac(Soac::Scatter { dests, .. }) => dests.iter().map(|d| d.1).collect(),
            Exp::Soac(Soac::Hist { ops, .. })
            | Exp::Seg(SegOp { kind: SegKind::Hist(ops), .. }) => {
                ops.iter().flat_map(|h| h.dests.iter().copied()).collect()
            }
            Exp::Seg(op) => {
                let dest = |r: &KernelResult| match r {
                    KernelResult::Return(_) => None,
                    KernelResult::Write { dest, writes: _ } => Some(*dest),
                };
                op.body.results.iter().filter_map(dest).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is a scalar operation that has no meaning for some operands, and nothing says that
    /// these are not among them.
    pub fn is_partial(&self) -> bool {
        let Exp::BinOp(op, _, y) = self else { return false };
        let known = |ok: fn(i64) -> bool| match y {
            SubExp::Const(c) => c.as_int().is_some_and(ok),
            SubExp::Var(_) => false,
        };
        match op {
            BinOp::Pow(_) => !known(|y| y >= 0),
            op => op.is_partial() && !known(|y| y != 0),
        }
    }

    /// Whether it may be done where it would not have been, for next to nothing.
    pub fn is_speculable(&self) -> bool {
        matches!(self.class(), Class::Name | Class::Scalar | Class::View) && !self.is_partial()
    }
}
