//! What is said where it cannot be told what to insert.

use crate::diag::{Code, Diagnostic};
use futc_typed::name::Name;
use futc_typed::span::Span;

/// Why nothing is inserted.
pub(super) enum AutomapError {
    /// There are this many ways to make the ranks fit, or more if `at_least`: what is ambiguous as written,
    /// where else that shows, and what each way makes of it.
    Ambiguous { shown: String, count: usize, at_least: bool, others: Vec<Span>, ways: Vec<String> },
    /// More ranks of a definition depend on each other than are looked at; one of the applications.
    TooLarge { name: Name, variables: usize, most: usize, application: Span },
}

impl AutomapError {
    /// The diagnostic, of what is at `span`.
    pub(super) fn at(self, span: Span) -> Diagnostic {
        let error = |code, message: String| Diagnostic::error(code, span, message);
        match self {
            AutomapError::Ambiguous { shown, count, at_least, others, ways } => {
                let count = if at_least { format!("at least {count}") } else { count.to_string() };
                let mut d = error(
                    Code::AmbiguousAutomap,
                    format!(
                        "{shown} is ambiguous: there are {count} ways to make the ranks fit with as \
                         few maps and reps as can be"
                    ),
                );
                for span in others {
                    d = d.label(span, "this depends on it");
                }
                for (i, way) in ways.iter().enumerate() {
                    d = d.hint(format!("({}) {way}", i + 1));
                }
                d.hint(
                    "write a map, a rep or a type in the program, so that only one of these is left",
                )
            }
            AutomapError::TooLarge { name, variables, most, application } => error(
                Code::AutomapTooLarge,
                format!(
                    "it is too much work to find the maps and reps to insert in {name}: there are \
                     {variables} unknown ranks that depend on each other, and at most {most} are \
                     looked at"
                ),
            )
            .label(application, "one of the applications in which something may be inserted")
            .hint("give parameters of functions types, write some maps, or split the definition"),
        }
    }
}
