//! Which warnings are shown, and whether they are errors.

use crate::args::WarningArgs;
use crate::exit::Failure;
use futc_frontend::check::types::alike::closest_text;
use futc_frontend::diag::{Code, Diagnostic, Severity};
use futc_frontend::lint::WARNINGS;
use std::collections::BTreeSet;

/// What is to be done about warnings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warnings {
    shown: BTreeSet<Code>,
    errors: bool,
}

impl Warnings {
    /// As the command line says: `-W` from left to right, then `-w`.
    pub fn new(args: &WarningArgs) -> Result<Warnings, Failure> {
        let mut shown: BTreeSet<Code> = WARNINGS.iter().copied().collect();
        let mut errors = args.werror;
        for name in &args.warn {
            match name.as_str() {
                "all" => shown.extend(WARNINGS),
                "none" => shown.clear(),
                // `-Werror`, as compilers of C have it.
                "error" => errors = true,
                name => match name.strip_prefix("no-") {
                    Some(off) => {
                        let off = known(off)?;
                        shown.remove(&off);
                    }
                    None => {
                        shown.insert(known(name)?);
                    }
                },
            }
        }
        if args.no_warnings {
            shown.clear();
        }
        Ok(Warnings { shown, errors })
    }

    /// What is to be shown of what there is to say.
    pub fn select(&self, all: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut out: Vec<Diagnostic> = all
            .into_iter()
            .filter(|d| d.severity == Severity::Error || self.shown.contains(&d.code))
            .collect();
        if self.errors {
            out.iter_mut().for_each(|d| d.severity = Severity::Error);
        }
        out
    }
}

fn known(name: &str) -> Result<Code, Failure> {
    WARNINGS.iter().copied().find(|w| w.name() == name).ok_or_else(|| {
        let like = closest_text(name, WARNINGS.iter().map(|w| w.name()));
        Failure::usage(match like {
            Some(like) => format!("there is no warning '{name}'; did you mean '{like}'?"),
            None => {
                let all: Vec<&str> = WARNINGS.iter().map(|w| w.name()).collect();
                format!("there is no warning '{name}'; there are {}", all.join(", "))
            }
        })
    })
}
