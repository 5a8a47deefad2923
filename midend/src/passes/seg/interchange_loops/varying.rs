//! What differs from point to point of a map.

use crate::ir::traverse::{for_each_block, free_in_stm};
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, KernelResult, LoopForm, SegKind, SegOp, Stm, SubExp, Var};

/// What depends on the index of a point, in its body and in the loops and maps inside, each result by itself.
pub(super) fn varying(point: Var, stms: &[Stm]) -> VarSet {
    let mut set = VarSet::from_iter([point]);
    mark(stms, &mut set);
    set
}

fn of(x: &SubExp, set: &VarSet) -> bool {
    x.var().is_some_and(|v| set.contains(&v))
}

/// What bounds a loop before it starts.
fn bound(form: &LoopForm) -> Option<SubExp> {
    match form {
        LoopForm::For { bound, .. } => Some(*bound),
        LoopForm::While { .. } => None,
    }
}

fn mark(stms: &[Stm], set: &mut VarSet) {
    for s in stms {
        let certs = s.certs.iter().any(|c| set.contains(c));
        match &s.exp {
            Exp::Loop { params, init, form, body }
                if !certs && !bound(form).is_some_and(|n| of(&n, set)) =>
            {
                for (p, x) in params.iter().zip(init) {
                    if of(x, set) {
                        set.insert(p.var);
                    }
                }
                loop {
                    mark(&body.stms, set);
                    let before = set.len();
                    let next = params.iter().zip(&body.result).filter(|(_, x)| of(x, set));
                    let next: Vec<Var> = next.map(|(p, _)| p.var).collect();
                    set.extend(next);
                    if set.len() == before {
                        break;
                    }
                }
                let out = params.iter().zip(&s.pat).filter(|(p, _)| set.contains(&p.var));
                let out: Vec<Var> = out.map(|(_, out)| out.var).collect();
                set.extend(out);
            }
            Exp::Seg(SegOp { space, kind: SegKind::Map, body, .. })
                if !certs && !space.dims.iter().any(|(_, n)| of(n, set)) =>
            {
                mark(&body.stms, set);
                let varies = |r: &KernelResult| match r {
                    KernelResult::Return(x) => of(x, set),
                    KernelResult::Write { dest, writes } => {
                        let write = |(at, x): &(Vec<SubExp>, SubExp)| {
                            of(x, set) || at.iter().any(|i| of(i, set))
                        };
                        set.contains(dest) || writes.iter().any(write)
                    }
                };
                let out = s.pat.iter().zip(&body.results).filter(|(_, r)| varies(r));
                let out: Vec<Var> = out.map(|(p, _)| p.var).collect();
                set.extend(out);
            }
            _ => {
                for_each_block(&s.exp, &mut |inner| mark(inner, set));
                if free_in_stm(s).iter().any(|v| set.contains(v)) {
                    set.extend(s.pat.iter().map(|p| p.var));
                }
            }
        }
    }
}
