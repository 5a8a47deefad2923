//! What the bodies below an expression know and the code around it does not.

use crate::ir::traverse::Visit;
use crate::ir::varmap::VarSet;
use crate::ir::{Exp, Lambda, Param, Stm, Var};

/// What an expression binds for the bodies directly below it.
pub(super) fn parameters(e: &Exp) -> VarSet {
    #[derive(Default)]
    struct Params(VarSet);
    impl Visit for Params {
        fn bind(&mut self, v: &Var) {
            self.0.insert(*v);
        }
        fn param(&mut self, p: &Param) {
            self.bind(&p.var);
        }
        fn stms(&mut self, _: &Vec<Stm>) {}
        fn lambda(&mut self, l: &Lambda) {
            for p in &l.params {
                self.param(p);
            }
        }
    }
    let mut p = Params::default();
    p.exp(e);
    p.0
}
