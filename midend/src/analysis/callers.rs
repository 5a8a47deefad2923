//! Which functions run inside of operations: those that the operations call, and those that these call.

use crate::ir::traverse::{Visit, walk};
use crate::ir::{Exp, Fun, Program};
use futc_typed::name::Name;
use std::collections::{HashMap, HashSet};

/// The functions that some kernel reaches by calls.
pub fn called_by_kernels(program: &Program) -> HashSet<Name> {
    called_by(program, |e| matches!(e, Exp::Seg(op) if op.level.is_kernel()))
}

/// The functions that some combinator or segmented operation reaches by calls.
pub fn called_by_operations(program: &Program) -> HashSet<Name> {
    called_by(program, |e| matches!(e, Exp::Soac(_) | Exp::Seg(_)))
}

fn called_by(program: &Program, is_caller: fn(&Exp) -> bool) -> HashSet<Name> {
    let mut calls = Calls {
        is_caller,
        function: None,
        inside: false,
        of: HashMap::default(),
        from_inside: Vec::new(),
    };
    Visit::body(&mut calls, &program.consts);
    for f in &program.funs {
        calls.function = Some(f.name);
        Visit::fun(&mut calls, f);
    }
    let Calls { of, mut from_inside, .. } = calls;
    let mut reached = HashSet::default();
    while let Some(f) = from_inside.pop() {
        if reached.insert(f) {
            from_inside.extend(of.get(&f).into_iter().flatten());
        }
    }
    reached
}

struct Calls {
    is_caller: fn(&Exp) -> bool,
    function: Option<Name>,
    inside: bool,
    of: HashMap<Name, Vec<Name>>,
    from_inside: Vec<Name>,
}

impl Visit for Calls {
    fn fun(&mut self, f: &Fun) {
        self.inside = false;
        walk::fun(self, f);
    }

    fn exp(&mut self, e: &Exp) {
        let outside = self.inside;
        self.inside |= (self.is_caller)(e);
        match e {
            Exp::Call { fun, .. } if self.inside => self.from_inside.push(*fun),
            Exp::Call { fun, .. } => {
                let callees = self.function.map(|f| self.of.entry(f).or_default());
                callees.into_iter().for_each(|callees| callees.push(*fun));
            }
            _ => {}
        }
        walk::exp(self, e);
        self.inside = outside;
    }
}
