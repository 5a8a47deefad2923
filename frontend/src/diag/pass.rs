//! What passes behind the front end warn of, which find it in programs already optimised.

use super::code::Code;
use super::diagnostic::Diagnostic;
use futc_typed::span::Span;

/// A warning about what an optimised program has become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PassWarning {
    /// A loop is not unrolled: how often it runs is not known.
    RoundsUnknown,
    /// A loop is not unrolled: its rounds together would be too large.
    RoundsTooLarge,
    /// A schedule that the source asks for is not legal.
    ScheduleRefused {
        /// Its name.
        how: &'static str,
        /// Why not.
        why: String,
    },
    /// A check is left for run time.
    Checked {
        /// The message that it fails with.
        fails: String,
    },
}

impl PassWarning {
    /// The diagnostic, of what is at `span`; `of` is the expression of which it was asked for, if that is
    /// another one.
    pub fn at(self, span: Span, of: Option<Span>) -> Diagnostic {
        let warning = |code, message: &str| Diagnostic::warning(code, span, message);
        let d = match self {
            PassWarning::RoundsUnknown => {
                warning(Code::LoopNotUnrolled, "this loop is not unrolled")
                    .at("how often it runs is not known when the program is compiled")
            }
            PassWarning::RoundsTooLarge => {
                warning(Code::LoopNotUnrolled, "this loop is not unrolled")
                    .at("its rounds together would be too large")
            }
            PassWarning::ScheduleRefused { how, why } => {
                let said = format!(
                    "this operation cannot be scheduled as {how}: the attribute does nothing"
                );
                warning(Code::ScheduleRefused, &said).at(why)
            }
            PassWarning::Checked { fails } => {
                warning(Code::RunTimeCheck, "a check is left for run time")
                    .at(format!("it fails with: {fails}"))
            }
        };
        match of {
            Some(of) => d.label(of, "of this expression"),
            None => d,
        }
    }
}
