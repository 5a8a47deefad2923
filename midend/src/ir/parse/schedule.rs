//! Schedules.

use super::{Parser, Res};
use crate::ir::schedule::{PageStreams, PastCaches, Schedule, Strategy, Tile};

impl Parser {
    pub(super) fn schedule(&mut self) -> Res<Option<Schedule>> {
        if !self.eat_word("schedule") {
            return Ok(None);
        }
        let independent = self.eat_word("independent");
        let dummy_slot = self.eat_word("dummy");
        // Behind an operation that its level maps to threads, only copies of rows have strategies.
        let strategies = if self.is_word("rows") { Vec::new() } else { self.strategies()? };
        let rows = if self.eat_word("rows") { self.strategies()? } else { Vec::new() };
        Ok(Some(Schedule { strategies, rows, independent, dummy_slot }))
    }

    pub(super) fn strategies(&mut self) -> Res<Vec<Strategy>> {
        self.expect("{")?;
        let mut strategies = vec![self.strategy()?];
        while self.eat(";") {
            strategies.push(self.strategy()?);
        }
        self.expect("}")?;
        Ok(strategies)
    }

    pub(super) fn strategy(&mut self) -> Res<Strategy> {
        let named = |p: &mut Self, word: &str| {
            p.expect_word(word)?;
            p.count()
        };
        Ok(if self.eat_word("loops") {
            Strategy::Loops { unroll: self.unroll()? }
        } else if self.eat_word("scalar") {
            Strategy::Scalar
        } else if self.eat_word("rolled") {
            Strategy::Rolled
        } else if self.eat_word("outer") {
            Strategy::Outer { dims: self.natural()? }
        } else if self.eat_word("tiles") {
            Strategy::Tiles { dims: self.two_dims()?, size: named(self, "size")? }
        } else if self.eat_word("panels") {
            let dims = self.two_dims()?;
            let (rows, ahead) = (named(self, "rows")?, named(self, "ahead")?);
            let least = named(self, "least")?;
            Strategy::Panels { dims, rows, ahead, least, from: named(self, "from")? }
        } else if self.eat_word("lanes") {
            let (width, aligned) = (self.count()?, self.eat_word("aligned"));
            let speculate = if self.eat_word("speculate") { self.natural()? } else { 0 };
            let shared = self.eat_word("shared");
            let partial = if self.eat_word("partial") { self.count()? } else { 0 };
            Strategy::Lanes { width, aligned, speculate, shared, partial }
        } else if self.eat_word("stream") {
            let (chunk, unroll) = (named(self, "chunk")?, self.unroll()?);
            let pages = self.page_streams()?;
            let from = named(self, "from")?;
            let tasks = self.eat_word("of");
            if tasks {
                self.expect_word("tasks")?;
            }
            Strategy::Stream { chunk, unroll, pages, from, tasks }
        } else if self.eat_word("contract") {
            let lanes = named(self, "lanes")?;
            self.expect_word("tile")?;
            let tile = self.list("(", ")", Parser::count)?;
            self.expect_word("block")?;
            let block = self.list("(", ")", Parser::count)?;
            let (&[high, wide], &[rows, columns, depth]) = (tile.as_slice(), block.as_slice())
            else {
                return self.error("expected two sizes of a tile and three of a block");
            };
            let least = named(self, "least")?;
            Strategy::Contract(Tile { lanes, high, wide, depth, rows, columns, least })
        } else if self.eat_word("columns") {
            Strategy::Columns { dim: self.natural()?, block: named(self, "block")? }
        } else if self.eat_word("accumulators") {
            let count = self.count()?;
            let pages = self.page_streams()?;
            Strategy::Accumulators { count, pages, least: named(self, "least")? }
        } else if self.eat_word("tree") {
            Strategy::Tree { block: self.count()? }
        } else if self.eat_word("vectors") {
            let (lanes, chunk) = (self.count()?, named(self, "chunk")?);
            let rows = if self.eat_word("rows") { self.count()? } else { 0 };
            let past_caches = if self.is_word("ahead") {
                let (ahead, least) = (named(self, "ahead")?, named(self, "least")?);
                Some(PastCaches { ahead, least, from: named(self, "from")? })
            } else {
                None
            };
            Strategy::Vectors { lanes, chunk, rows, past_caches }
        } else if self.eat_word("runs") {
            Strategy::Runs { from: self.natural()? }
        } else if self.eat_word("along") {
            Strategy::Along
        } else if self.eat_word("innermost") {
            Strategy::Innermost { dim: self.natural()? }
        } else if self.eat_word("compress") {
            Strategy::Compress { lanes: self.count()? }
        } else if self.eat_word("table") {
            Strategy::Table
        } else if self.eat_word("threads") {
            Strategy::Threads { block: self.count()? }
        } else if self.eat_word("squares") {
            let dims = self.two_dims()?;
            Strategy::Squares { dims, lanes: named(self, "lanes")?, side: named(self, "side")? }
        } else {
            return self.error("expected a strategy");
        })
    }

    pub(super) fn unroll(&mut self) -> Res<i64> {
        if self.eat_word("unroll") { self.count() } else { Ok(1) }
    }

    pub(super) fn page_streams(&mut self) -> Res<Option<PageStreams>> {
        if !self.eat_word("pages") {
            return Ok(None);
        }
        let sizes = self.list("(", ")", Parser::count)?;
        let &[pages, page, chunk] = sizes.as_slice() else {
            return self.error("expected the number of pages, their size and that of a chunk");
        };
        self.expect_word("least")?;
        Ok(Some(PageStreams { pages, page, chunk, least: self.count()? }))
    }

    pub(super) fn two_dims(&mut self) -> Res<(usize, usize)> {
        match self.list("(", ")", Parser::natural)?.as_slice() {
            &[a, b] => Ok((a, b)),
            _ => self.error("expected two dimensions"),
        }
    }

    /// A natural number of elements or bytes.
    pub(super) fn count(&mut self) -> Res<i64> {
        let n = self.natural()?;
        i64::try_from(n).or_else(|_| self.error("too large a number"))
    }
}
