//! Where loops read what they carry.

use crate::ir::traverse::{for_each_block, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{BinOp, DimIndex, Exp, SegKind, SegOp, SegSpace, Stm, SubExp};

/// Whether there is a map in a loop.
pub(super) fn in_loops(stms: &[Stm]) -> bool {
    let map = |s: &Stm| matches!(s.exp, Exp::Seg(SegOp { kind: SegKind::Map, .. }));
    stms.iter().any(|s| match &s.exp {
        Exp::Loop { body, .. } => body.stms.iter().any(map) || in_loops(&body.stms),
        _ => false,
    })
}

/// Whether a map in a loop reads arrays that vary not as vectors do: not at its own index or one that is a fixed number of
/// elements away.
pub(super) fn elsewhere(stms: &[Stm], varying: &VarSet) -> bool {
    stms.iter().any(|s| match &s.exp {
        Exp::Loop { body, .. } => {
            let map = |s: &Stm| match &s.exp {
                Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. }) => {
                    map_reads_elsewhere(space, &body.stms, varying)
                }
                _ => false,
            };
            body.stms.iter().any(map) || elsewhere(&body.stms, varying)
        }
        _ => false,
    })
}

fn map_reads_elsewhere(space: &SegSpace, stms: &[Stm], varying: &VarSet) -> bool {
    let Some((index, size)) = space.dims.last() else { return false };
    let here = VarSet::from_iter([*index]);
    let mut reads =
        Reads { size: *size, varying, along: here.clone(), near: here, elsewhere: false };
    reads.list(stms);
    reads.elsewhere
}

/// The reads of a map.
struct Reads<'v> {
    /// Its size along the innermost dimension.
    size: SubExp,
    varying: &'v VarSet,
    /// What depends on the innermost index.
    along: VarSet,
    /// Of that, what goes with it one by one but for the rims.
    near: VarSet,
    elsewhere: bool,
}

impl Reads<'_> {
    fn list(&mut self, stms: &[Stm]) {
        for s in stms {
            if free_in_stm(s).iter().any(|v| self.along.contains(v)) {
                self.along.extend(s.pat.iter().map(|p| p.var));
                if self.is_near(&s.exp) {
                    self.near.extend(s.pat.iter().map(|p| p.var));
                }
            }
            if let Exp::Index { array, dims } = &s.exp
                && self.varying.contains(array)
            {
                let last = dims.len().saturating_sub(1);
                self.elsewhere |= dims.iter().enumerate().any(|(d, at)| match at {
                    DimIndex::Fix(x) => self.is_along(x) && !(d == last && self.goes_with(x)),
                    DimIndex::Slice { .. } => false,
                });
            }
            for_each_block(&s.exp, &mut |inner| self.list(inner));
        }
    }

    fn is_along(&self, x: &SubExp) -> bool {
        x.var().is_some_and(|v| self.along.contains(&v))
    }

    fn goes_with(&self, x: &SubExp) -> bool {
        x.var().is_some_and(|v| self.near.contains(&v))
    }

    /// Whether the value of an expression goes with the index, but for the rims.
    fn is_near(&self, e: &Exp) -> bool {
        let fixed = |x: &SubExp| !self.is_along(x);
        match e {
            Exp::SubExp(x) | Exp::BinOp(BinOp::Sub(_), x, _) if !self.goes_with(x) => false,
            Exp::SubExp(_) => true,
            Exp::BinOp(BinOp::Sub(_), _, y) => fixed(y),
            Exp::BinOp(BinOp::Add(_) | BinOp::SMin(_) | BinOp::SMax(_), x, y) => {
                self.goes_with(x) && fixed(y) || self.goes_with(y) && fixed(x)
            }
            // Around the end.
            Exp::BinOp(BinOp::SMod(_) | BinOp::SRem(_), x, y) => {
                self.goes_with(x) && *y == self.size
            }
            Exp::Match { cases, default, .. } => {
                let bodies = cases.iter().map(|(_, b)| b).chain([default]);
                bodies.flat_map(|b| &b.result).all(|x| fixed(x) || self.in_branch(x, e))
            }
            _ => false,
        }
    }

    /// Whether a branch computes a value that goes with the index.
    fn in_branch(&self, x: &SubExp, branches: &Exp) -> bool {
        if self.goes_with(x) {
            return true;
        }
        let mut near = false;
        for_each_block(branches, &mut |stms| {
            let made = stms.iter().find(|s| s.pat.iter().any(|p| x.var() == Some(p.var)));
            near |= made.is_some_and(|s| self.is_near(&s.exp));
        });
        near
    }
}
