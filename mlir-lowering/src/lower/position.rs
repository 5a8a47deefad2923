//! Source positions of operations, from which LLVM makes line tables.
//!
//! Every operation has one if any has: LLVM refuses calls without a position in functions that have
//! positions. A statement without one is at that of what surrounds it.

use super::lowering::Lowering;
use futc_midend::ir::Loc;
use melior::ir::Location;
use std::path::Path;

impl<'c> Lowering<'c, '_, '_> {
    /// What a position is in MLIR, if positions are wanted.
    pub fn position(&mut self, loc: Option<Loc>) -> Option<Location<'c>> {
        let loc = loc?;
        let context = self.shared.context;
        *self.positions.as_mut()?.entry(loc).or_insert_with(|| {
            let (file, line, column) = parts(loc.as_str())?;
            // Relative names are relative to where futc runs, which debuggers are not told.
            let path = std::path::absolute(Path::new(file)).ok()?;
            Some(Location::new(context, path.to_str()?, line, column))
        })
    }
}

/// File, line and column of `file:3:4`, `file:3:4-17` or `file:3:4-5:17`, of which a backtrace may
/// follow.
fn parts(loc: &str) -> Option<(&str, usize, usize)> {
    let first = loc.lines().next()?;
    let is_end = |end: &str| end.bytes().all(|b| b.is_ascii_digit() || b == b':');
    let begin = match first.rsplit_once('-') {
        Some((begin, end)) if is_end(end) => begin,
        _ => first,
    };
    let (begin, column) = begin.rsplit_once(':')?;
    let (file, line) = begin.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn positions_are_taken_apart() {
        assert_eq!(parts("a.fut:3:4"), Some(("a.fut", 3, 4)));
        assert_eq!(parts("a-1.fut:3:4"), Some(("a-1.fut", 3, 4)));
        assert_eq!(parts("/x:y/a.fut:3:4-17"), Some(("/x:y/a.fut", 3, 4)));
        assert_eq!(parts("a.fut:3:4-5:17\n-> #1  b.fut:1:1-2"), Some(("a.fut", 3, 4)));
        assert_eq!(parts("<unknown file>"), None);
    }
}
