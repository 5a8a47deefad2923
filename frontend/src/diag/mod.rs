//! Diagnostics: what is said about a program, and how it is shown.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `code` | the codes of all that can be said |
//! | `diagnostic` | one thing said |
//! | `pass` | what passes behind the front end warn of |
//! | `sources` | files, and positions in them |
//! | `render` | how diagnostics are shown |

mod code;
mod diagnostic;
mod pass;
mod render;
mod sources;

pub use code::Code;
pub use diagnostic::{Diagnostic, Severity};
pub use pass::PassWarning;
pub use render::{render, render_plain};
pub use sources::{SourceMap, Sources, locate, position};

#[cfg(test)]
mod tests {
    use super::*;
    use futc_typed::span::{FileId, Locate as _, Span};

    #[test]
    fn spans_are_shown_with_lines_and_columns() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def é = 1\ndef y =\n  2\n");
        assert_eq!(sources.locate(Span::new(file, 0, 3)), "a.fut:1:1-3");
        assert_eq!(sources.locate(Span::new(file, 7, 8)), "a.fut:1:7");
        assert_eq!(sources.locate(Span::new(file, 11, 22)), "a.fut:2:1-3:3");
        assert_eq!(sources.locate(Span::new(file, 23, 23)), "a.fut:4:1");
        assert_eq!(sources.locate(Span::new(file, 99, 120)), "a.fut:4:1");
        assert_eq!(sources.locate(Span::new(FileId(7), 0, 1)), "<unknown file>");
    }

    #[test]
    fn diagnostics_are_drawn_into_their_lines() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def é = oops\n");
        let diagnostics =
            [Diagnostic::error(Code::UnknownName, Span::new(file, 9, 13), "No `oops`.")
                .at("not defined")
                .label(Span::new(file, 4, 6), "while checking this")
                .hint("Define it.")];
        assert_eq!(
            render_plain(&diagnostics, &sources),
            "a.fut:1:9-12: error[unknown-name]: No `oops`.\n"
        );
        let drawn = render(&diagnostics, &sources, false);
        for part in ["unknown-name", "a.fut:1:9", "not defined", "while checking", "Define it."] {
            assert!(drawn.contains(part), "{part} is missing in\n{drawn}");
        }
        assert!(!drawn.contains('\x1b'));
        assert!(render(&diagnostics, &sources, true).contains('\x1b'));
    }

    #[test]
    fn a_byte_order_mark_takes_no_room() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "\u{feff}def f = 1\ndef g = 2\n");
        assert_eq!(sources.locate(Span::new(file, 7, 8)), "a.fut:1:5");
        assert_eq!(sources.locate(Span::new(file, 17, 18)), "a.fut:2:5");
        let drawn = render(
            &[Diagnostic::error(Code::SyntaxError, Span::new(file, 7, 8), "No.")],
            &sources,
            false,
        );
        assert!(drawn.contains("a.fut:1:5") && !drawn.contains('\u{feff}'), "{drawn}");
    }

    #[test]
    fn lines_of_a_message_go_down_under_one_place() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def f = 1\ndef g = 2\ndef h = f\n");
        let d = Diagnostic::error(Code::SyntaxError, Span::new(file, 28, 29), "No.")
            .at("the third line")
            .label(Span::new(file, 4, 5), "the first line")
            .label(Span::new(file, 14, 15), "the second line");
        let drawn = render(&[d], &sources, false);
        assert_eq!(drawn.matches("a.fut:").count(), 1, "{drawn}");
        assert!(drawn.contains("a.fut:3:9"), "{drawn}");
        let lines = ["the first", "the second", "the third"].map(|text| drawn.find(text).unwrap());
        assert!(lines.is_sorted(), "{drawn}");
    }

    #[test]
    fn a_message_said_often_is_counted() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def f = 1\n");
        let at = Span::new(file, 4, 5);
        let mut all = vec![Diagnostic::error(Code::SyntaxError, at, "Same."); 1234];
        all.push(Diagnostic::error(Code::SyntaxError, at, "Other."));
        for text in [render_plain(&all, &sources), render(&all, &sources, false)] {
            assert_eq!(text.matches("Same.").count(), 11, "{text}");
            assert_eq!(text.matches("Other.").count(), 1, "{text}");
            assert!(text.contains("error[syntax-error]: 1224 more: Same."), "{text}");
        }
        all.truncate(10);
        assert!(!render_plain(&all, &sources).contains("more"));
    }

    #[test]
    fn spans_outside_of_the_text_are_drawn_too() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "");
        let outside = Diagnostic::error(Code::SyntaxError, Span::new(file, 5, 9), "Outside.");
        let nowhere = Diagnostic::error(Code::SyntaxError, Span::new(FileId(3), 5, 9), "Nowhere.");
        let drawn = render(&[outside, nowhere], &sources, false);
        assert!(drawn.contains("Outside.") && drawn.contains("Nowhere."));
    }
}
