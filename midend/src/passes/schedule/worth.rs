//! Where lanes of maps would gain less than processors lose by what they are slow at.

use crate::analysis::bodies::returns;
use crate::analysis::lanes::{Class, Estimate, Lanes, Rule, is_instruction};
use crate::ir::{BinOp, Exp, KernelBody};
use crate::machine::Machine;

/// Instructions of an operation on vectors of 64-bit integers that the processor does not have, and that are spent by all lanes.
const LONG_OPERATION: usize = 8;
/// Operations that vectors must save for each element that a gather reads, where these are not quick: of maps with 2 to 24 additions and
/// products of what is read anywhere, 4 to 6 took as long by lanes as point by point (Zen 5).
const GATHER: usize = 6;
/// The same that they save for a division or a root, and for a function that is called point by point.
const SLOW: usize = 4;
const CALLED: usize = 16;

/// Whether lanes of a body without loops would lose by what is read from anywhere.
pub(super) fn gathers_do_not_pay(lanes: &Lanes, body: &KernelBody, machine: &Machine) -> bool {
    lanes.straight
        && lanes.estimate.rule != Rule::Tables
        && !machine.quick_gathers
        && mostly_reads(lanes, body)
}

/// Whether lanes of a body without loops would gain by divisions alone, which the processor does one by one as well.
pub(super) fn divisions_do_not_pay(lanes: &Lanes, machine: &Machine) -> bool {
    lanes.estimate.rule == Rule::Divisions && !machine.divides
}

/// Whether lanes of a body with loops would lose by operations on 64-bit integers, of which each takes several instructions before AVX-512,
/// as loops end for some lanes before others.
pub(super) fn long_operations_do_not_pay(lanes: &Lanes, machine: &Machine) -> bool {
    let Estimate { rule, gained, lost, long_operations, .. } = lanes.estimate;
    rule == Rule::Loops
        && lanes.diverges
        && machine.vector_bytes < 64
        && gained <= lost + LONG_OPERATION * long_operations
}

/// Whether little is computed with what is read: then vectors gain nothing that would pay for gathers
/// that are not quick. They do where lanes part ways, which is hard to foretell for branches, and where
/// something is divided.
fn mostly_reads(lanes: &Lanes, body: &KernelBody) -> bool {
    let (mut reads, mut operations) = (0usize, 0usize);
    for s in &body.stms {
        let varies = s.pat.iter().any(|p| lanes.class(p.var) == Class::Varying);
        let own = match &s.exp {
            // A selection. Of what is written anywhere, it may say whether.
            Exp::Match { cases, default, .. }
                if returns(body)
                    && cases.iter().map(|c| &c.1).chain([default]).all(|b| b.stms.is_empty()) =>
            {
                1
            }
            Exp::Match { .. } => return false,
            Exp::BinOp(op, ..) if op.is_partial() => return false,
            Exp::BinOp(BinOp::LogAnd | BinOp::LogOr, ..) => 0,
            Exp::Index { .. } if s.pat.iter().any(|p| lanes.lookup(p.var).is_some()) => 1,
            Exp::Index { .. } => {
                reads += 1;
                0
            }
            Exp::BinOp(BinOp::FDiv(_), ..) => SLOW,
            Exp::Math(f, ..) if !is_instruction(*f) => CALLED,
            Exp::Math(..) => SLOW,
            Exp::BinOp(..) | Exp::UnOp(..) | Exp::ConvOp(..) => 1,
            _ => 0,
        };
        operations += if varies { own } else { 0 };
    }
    operations <= reads.max(GATHER * lanes.estimate.anywhere)
}
