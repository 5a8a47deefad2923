//! What is said about a program.

use super::code::Code;
use futc_typed::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program is accepted.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// One thing said about a program. Enums make them, case by case, all within the front end.
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// What kind of thing is said.
    pub code: Code,
    /// What is wrong, in a sentence that stands alone.
    pub message: String,
    /// Where, with what is to be said about it. The first is the primary one.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`. Only for enums of what is said, each of which has one function that makes its
    /// diagnostics.
    pub(crate) fn error(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`, for the same enums.
    pub(crate) fn warning(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            code,
            message: message.into(),
            labels: vec![(span, String::new())],
            hints: Vec::new(),
        }
    }

    /// Says `text` at the primary span.
    pub fn at(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(first) = self.labels.first_mut() {
            first.1 = text.into();
        }
        self
    }

    /// Adds a label.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds a hint.
    pub fn hint(mut self, text: impl Into<String>) -> Diagnostic {
        self.hints.push(text.into());
        self
    }
}
