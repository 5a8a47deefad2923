//! Which functions run inside of kernels: those that kernels call, and those that these call.

use crate::ir::traverse::{Visit, walk};
use crate::ir::{Exp, Fun, Program, Stm};
use futc_typed::name::Name;
use std::collections::{HashMap, HashSet};

/// The functions that some kernel reaches by calls.
pub fn called_by_kernels(program: &Program) -> HashSet<Name> {
    let mut calls = Calls::default();
    Visit::body(&mut calls, &program.consts);
    for f in &program.funs {
        calls.caller = Some(f.name);
        Visit::fun(&mut calls, f);
    }
    let Calls { of, mut from_kernels, .. } = calls;
    let mut reached = HashSet::default();
    while let Some(f) = from_kernels.pop() {
        if reached.insert(f) {
            from_kernels.extend(of.get(&f).into_iter().flatten());
        }
    }
    reached
}

#[derive(Default)]
struct Calls {
    caller: Option<Name>,
    in_kernel: bool,
    of: HashMap<Name, Vec<Name>>,
    from_kernels: Vec<Name>,
}

impl Visit for Calls {
    fn fun(&mut self, f: &Fun) {
        self.in_kernel = false;
        walk::fun(self, f);
    }

    fn stm(&mut self, s: &Stm) {
        let outside = self.in_kernel;
        match &s.exp {
            Exp::Seg(op) => self.in_kernel |= op.level.is_kernel(),
            Exp::Call { fun, .. } if self.in_kernel => self.from_kernels.push(*fun),
            Exp::Call { fun, .. } => {
                let callees = self.caller.map(|caller| self.of.entry(caller).or_default());
                callees.into_iter().for_each(|callees| callees.push(*fun));
            }
            _ => {}
        }
        walk::stm(self, s);
        self.in_kernel = outside;
    }
}
