//! Operations that are functions of their own.
//!
//! ```text
//! h = seghist …              →     call apart_0(context, captured…)
//!                                  apart_0(context, captured…):
//!                                    the histogram
//! ```
//!
//! A loop that reads and writes many arrays needs all registers for where these lie. In the middle of a long function LLVM
//! does not give it them: what is live around the loop keeps some, and the loop reads addresses from the stack at every point
//! (seven at each point of one that needs 14 registers, which then took 1.45 of the time). In a function that has nothing else they
//! fit.
//!
//! Taken are histograms, which never go by vectors and are long for what a call costs, if they stand in no other operation
//! and use many arrays.
//!
//! Of a function with many maps, one behind the other, each map is taken, too: LLVM compiles functions on all cores, but each of them
//! on one (`partition.rs`), and some of its passes take longer than in proportion to a function's length. What the function
//! makes of integers is made again inside (`captured.rs`). With two cores, LLVM takes 0.8 of the time for fifty stencils.

use super::APART_PREFIX;
use super::function::{Function, Outer, Site};
use crate::Error;
use crate::dialect::Linkage;
use crate::ffi;
use futc_midend::ir::traverse::free_in_stm;
use futc_midend::ir::{Exp, SegKind, SegLevel, SegOp, Stm};
use melior::ir::ValueLike;
use melior::ir::block::BlockLike;

type Result<T> = std::result::Result<T, Error>;

/// Functions with fewer maps stay whole.
const FEWEST_MAPS: usize = 24;

/// Loops over fewer arrays find registers for them anywhere.
const FEWEST_ARRAYS: usize = 6;

impl<'c, 'p> Function<'c, 'p, '_, '_> {
    /// Whether an operation, all of whose arrays are known here, is to be a function of its own.
    pub(super) fn goes_apart(&self, stm: &Stm, op: &SegOp) -> bool {
        let here = matches!(self.site, Site::Host(_))
            && !self.in_points
            && !self.m.has_kernels()
            && self.as_lane_of.is_none();
        here && op.level == SegLevel::Seq
            && matches!(op.kind, SegKind::Hist(_))
            && free_in_stm(stm).iter().filter(|v| self.arrays.contains_key(v)).count()
                >= FEWEST_ARRAYS
    }

    /// Remembers the maps of a function that has many.
    pub(super) fn find_many(&mut self, stms: &'p [Stm]) {
        let maps = || stms.iter().filter(|s| is_map(s));
        if maps().count() >= FEWEST_MAPS && !self.m.has_kernels() {
            self.many = stms;
        }
    }

    /// Whether a map is one of many of its function.
    pub(super) fn is_one_of_many(&self, stm: &Stm) -> bool {
        is_map(stm) && !self.in_points && self.many.iter().any(|s| std::ptr::eq(s, stm))
    }

    /// Builds the function of an operation, and calls it.
    pub(super) fn apart(&mut self, stm: &'p Stm, op: &'p SegOp) -> Result<()> {
        let Site::Host(context) = self.site else {
            return Err(Error::bug("a function of its own in a kernel"));
        };
        let types = self.b.types();
        let (region, entry) = ffi::region_with_block(&[types.ptr], self.b.location);
        let inside = ffi::detach_value(entry.argument(0)?.into());
        let outer =
            Outer { remakes: true, others: 1, ..Outer::new(&self.env, &self.arrays, entry) };
        let mut code = Function::new(&mut *self.m, entry, Site::Host(inside));
        code.b.location = self.b.location;
        code.defs = self.defs.clone();
        code.licence = self.licence;
        code.in_points = true;
        code.outer = Some(outer);
        // For functions inside of this one, which are made of points that fail.
        code.bring_in(stm)?;
        code.all_points(stm, op)?;
        code.b.func_return(&[])?;
        let captured = code.outer.take().map(|o| o.captured).unwrap_or_default();
        let parameters: Vec<_> = (0..entry.argument_count())
            .map(|i| entry.argument(i).map(|a| a.r#type()))
            .collect::<std::result::Result<_, _>>()?;
        let symbol = format!("{APART_PREFIX}{}", self.m.apart);
        self.m.apart += 1;
        self.m.builder().func(&symbol, &parameters, &[], Linkage::Internal, region)?;
        let mut arguments = Vec::with_capacity(captured.len() + 1);
        arguments.push(context);
        for value in captured {
            let bool_ = value.r#type() == types.i1;
            arguments.push(if bool_ { self.b.extui(value, types.i8)? } else { value });
        }
        self.b.func_call(&symbol, &arguments, &[])?;
        self.bind_arrays(&stm.pat)
    }
}

fn is_map(stm: &Stm) -> bool {
    matches!(&stm.exp, Exp::Seg(op) if op.level == SegLevel::Seq && op.kind == SegKind::Map)
}
