//! Blocks: allocation and reference counts.
//!
//! Local blocks lie on the stack. In a kernel there is no allocator: blocks of constant size are
//! local there, others must have been expanded to one block for all threads by the passes before;
//! counts mean nothing.

use super::function::{Function, Site};
use crate::Error;
use crate::abi::Runtime;
use crate::dialect::{Checked, Ix, Val};
use futc_midend::ir::{MemSpace, PatElem, Poly, Size64, Var};

type Result<T> = std::result::Result<T, Error>;

/// The number by which the runtime knows a space.
pub fn space_code(space: MemSpace) -> i64 {
    match space {
        MemSpace::Host | MemSpace::Local => 0,
        MemSpace::Device => 1,
    }
}

impl<'c> Function<'c, '_, '_, '_> {
    /// A fresh block.
    pub fn alloc(&mut self, pat: &[PatElem], bytes: &Size64, space: MemSpace) -> Result<()> {
        let block = match (self.site, space) {
            (Site::Host(_), MemSpace::Host | MemSpace::Device) => {
                let bytes = self.checked_size(bytes)?;
                self.alloc_bytes(bytes, space)?
            }
            (Site::Host(_), MemSpace::Local) => {
                let bytes = self.defs.expand(&Poly::of(bytes)).as_const();
                let bytes = bytes.ok_or_else(|| Error::bug("a local block of unknown size"))?;
                self.block_in_entry(bytes.max(1))?
            }
            (Site::Device(_), _) => {
                let bytes = self.defs.expand(&Poly::of(bytes)).as_const().ok_or_else(|| {
                    Error::limitation("an array of unknown size local to a thread of a kernel")
                })?;
                let types = self.b.types();
                let room = self.b.memref_alloca(types.i8, &[bytes.max(1)], 16)?;
                self.b.memref_cast(room, types.block)?
            }
        };
        self.bind(pat, [block])
    }

    /// Calls the allocator.
    pub fn alloc_bytes(&mut self, bytes: Val<'c>, space: MemSpace) -> Result<Val<'c>> {
        let space = self.b.int(self.b.types().i32, space_code(space))?;
        self.runtime(Runtime::Alloc, &[bytes, space])?
            .ok_or_else(|| Error::bug("an allocator without result"))
    }

    /// A size that is huge if it overflows, so that the allocator refuses it, and zero if it is
    /// negative: then nothing will be in the block, as the loop that would fill it does not run.
    fn checked_size(&mut self, size: &Size64) -> Result<Val<'c>> {
        let mut overflow = None;
        let value = match self.size_noting_overflow(size, &mut overflow)? {
            Ix::Const(n) => self.b.i64(n.max(0))?,
            Ix::Val(n) => {
                let zero = self.b.i64(0)?;
                self.b.maxsi(n, zero)?
            }
        };
        match overflow {
            None => Ok(value),
            Some(overflow) => {
                let huge = self.b.i64(i64::MAX)?;
                self.b.select(overflow, huge, value)
            }
        }
    }

    fn size_noting_overflow(
        &mut self,
        size: &Size64,
        overflow: &mut Option<Val<'c>>,
    ) -> Result<Ix<'c>> {
        let (operation, a, b) = match size {
            Size64::Leaf(x) => return self.index(*x),
            Size64::Add(a, b) => (Checked::Add, a, b),
            Size64::Sub(a, b) => (Checked::Sub, a, b),
            Size64::Mul(a, b) => (Checked::Mul, a, b),
        };
        let a = self.size_noting_overflow(a, overflow)?;
        let b = self.size_noting_overflow(b, overflow)?;
        match (size, a, b) {
            (Size64::Mul(..), Ix::Const(1), x) | (Size64::Mul(..), x, Ix::Const(1)) => {
                return Ok(x);
            }
            (Size64::Add(..), Ix::Const(0), x) | (Size64::Add(..), x, Ix::Const(0)) => {
                return Ok(x);
            }
            (Size64::Mul(..), Ix::Const(x), Ix::Const(y)) if x.checked_mul(y).is_some() => {
                return Ok(Ix::Const(x.wrapping_mul(y)));
            }
            _ => {}
        }
        let (a, b) = (self.b.ix(a)?, self.b.ix(b)?);
        let (value, bit) = self.b.with_overflow(operation, a, b)?;
        *overflow = Some(match *overflow {
            None => bit,
            Some(before) => self.b.ori(before, bit)?,
        });
        Ok(Ix::Val(value))
    }

    /// One owner more or less.
    pub fn reference(&mut self, which: Runtime, block: Var) -> Result<()> {
        match self.site {
            Site::Device(_) => Ok(()),
            Site::Host(_) => {
                let block = self.lookup(block)?;
                self.runtime(which, &[block]).map(|_| ())
            }
        }
    }

    /// A call of the runtime; the context comes first by itself.
    pub fn runtime(&mut self, which: Runtime, operands: &[Val<'c>]) -> Result<Option<Val<'c>>> {
        let Site::Host(context) = self.site else {
            return Err(Error::bug(format_args!("{} called in a kernel", which.symbol())));
        };
        self.declare_runtime(which)?;
        let mut all = vec![context];
        all.extend_from_slice(operands);
        let result = which.signature().1.map(|t| self.b.types().of_c(t));
        if !which.takes_blocks() {
            return self.b.llvm_call(which.symbol(), &all, result);
        }
        let results: Vec<_> = result.into_iter().collect();
        let values = self.b.func_call(which.symbol(), &all, &results)?;
        Ok(values.first().copied())
    }
}
