//! Diagnostics: what is said about a program, and how it is shown: drawn into the source lines
//! ([`render`]) or in one line each ([`render_plain`]).

use crate::lines::BYTE_ORDER_MARK;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use futc_typed::span::{FileId, Locate, Span};
use std::collections::HashMap;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The program is refused.
    Error,
    /// The program is accepted.
    Warning,
}

/// The code of what should never be said, and is not if there is anything else to say.
pub const INTERNAL_ERROR: &str = "internal-error";

/// One thing said about a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Diagnostic {
    /// How bad.
    pub severity: Severity,
    /// A stable name in kebab case, such as `syntax-error` or `type-mismatch`.
    pub code: &'static str,
    /// What is wrong, in a sentence that stands alone.
    pub message: String,
    /// Where, with what is to be said about it. The first is the primary one.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message)
    }

    fn new(
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Diagnostic {
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

/// Names and texts of files, to show spans with.
pub trait Sources {
    /// The name users know the file by.
    fn name(&self, file: FileId) -> Option<&str>;
    /// Its text.
    fn text(&self, file: FileId) -> Option<&str>;

    /// The span relative to a file, of one that may be relative to a chunk of it. Whoever looks
    /// at a span's bytes or file asks for this first.
    fn absolute(&self, span: Span) -> Span {
        span
    }
}

/// Files in memory, numbered from 0 in the order they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceMap {
    files: Vec<(String, String)>,
}

impl SourceMap {
    /// No files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file and says its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push((name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }
}

impl Sources for SourceMap {
    fn name(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|(name, _)| name.as_str())
    }

    fn text(&self, file: FileId) -> Option<&str> {
        self.files.get(file.0 as usize).map(|(_, text)| text.as_str())
    }
}

impl Locate for SourceMap {
    fn locate(&self, span: Span) -> String {
        locate(self, span)
    }
}

/// Where a byte of `text` is: the byte, moved to the beginning of its character and into the text,
/// its line and its column in characters, both from 1.
pub fn position(text: &str, byte: usize) -> (usize, usize, usize) {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text.as_bytes()[..byte];
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
    // A byte order mark takes no room.
    let start = start.max(mark_len(text)).min(byte);
    let line = before.iter().filter(|b| **b == b'\n').count() + 1;
    (byte, line, text[start..byte].chars().count() + 1)
}

/// How long the byte order mark is at the beginning of a text, if there is one.
fn mark_len(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
}

/// The readable form of `span`: `file.fut:3:4-17` or `file.fut:3:4-5:2`, lines and columns from 1,
/// the last column included; columns count characters. Takes time linear in the file.
pub fn locate(sources: &dyn Sources, span: Span) -> String {
    let span = sources.absolute(span);
    let name = sources.name(span.file).unwrap_or("<unknown file>");
    let Some(text) = sources.text(span.file) else { return name.to_owned() };
    let (_, line, column) = position(text, span.start as usize);
    // An empty span stands for the one position.
    let last = span.end.max(span.start.saturating_add(1)) - 1;
    let (_, end_line, end_column) = position(text, last as usize);
    if (end_line, end_column) <= (line, column) {
        format!("{name}:{line}:{column}")
    } else if end_line == line {
        format!("{name}:{line}:{column}-{end_column}")
    } else {
        format!("{name}:{line}:{column}-{end_line}:{end_column}")
    }
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

/// One line for each diagnostic, for tools and tests: `file.fut:1:5-7: error[syntax-error]: …`.
pub fn render_plain(diagnostics: &[Diagnostic], sources: &dyn Sources) -> String {
    let mut out = String::new();
    let (shown, more) = folded(diagnostics);
    shown.into_iter().for_each(|d| plain(d, sources, &mut out));
    out.push_str(&more);
    out
}

fn plain(diagnostic: &Diagnostic, sources: &dyn Sources, out: &mut String) {
    if let Some((span, _)) = diagnostic.labels.first() {
        out.push_str(&locate(sources, *span));
        out.push_str(": ");
    }
    let message = diagnostic.message.replace('\n', " ");
    let severity = diagnostic.severity.word();
    out.push_str(&format!("{severity}[{}]: {message}\n", diagnostic.code));
}

/// How often the same message is shown; of more, their number is.
const SHOWN: usize = 10;

/// The diagnostics to be shown, and lines that say how many more there are of each.
fn folded(diagnostics: &[Diagnostic]) -> (Vec<&Diagnostic>, String) {
    let mut count: HashMap<(Severity, &str, &str), usize> = HashMap::new();
    let mut order = Vec::new();
    let mut shown = Vec::with_capacity(diagnostics.len());
    for d in diagnostics {
        let key = (d.severity, d.code, d.message.as_str());
        let count = count.entry(key).or_insert(0);
        *count += 1;
        if *count <= SHOWN {
            shown.push(d);
        } else if *count == SHOWN + 1 {
            order.push(key);
        }
    }
    let mut more = String::new();
    for key @ (severity, code, message) in order {
        let left = count.get(&key).map_or(0, |n| n - SHOWN);
        let message = message.replace('\n', " ");
        more.push_str(&format!("{}[{code}]: {left} more: {message}\n", severity.word()));
    }
    (shown, more)
}

/// Diagnostics with the lines they speak of, for people.
pub fn render(diagnostics: &[Diagnostic], sources: &dyn Sources, colour: bool) -> String {
    let mut cache = RenderCache { sources, read: HashMap::new() };
    let mut out = Vec::new();
    let (diagnostics, more) = folded(diagnostics);
    for diagnostic in diagnostics {
        let shown: Vec<(Shown, &str)> = diagnostic
            .labels
            .iter()
            .filter_map(|(span, text)| Some((Shown::new(*span, sources)?, text.as_str())))
            .collect();
        let Some((primary, _)) = shown.first() else {
            // Nothing to point at: the message alone.
            out.extend(render_plain(std::slice::from_ref(diagnostic), sources).into_bytes());
            continue;
        };
        let (kind, tint) = match diagnostic.severity {
            Severity::Error => (ReportKind::Error, Color::Red),
            Severity::Warning => (ReportKind::Warning, Color::Yellow),
        };
        let config =
            Config::default().with_color(colour).with_index_type(IndexType::Byte).with_tab_width(4);
        let mut report = Report::build(kind, primary.clone())
            .with_config(config)
            .with_code(diagnostic.code)
            .with_message(&diagnostic.message);
        // Ariadne puts a header above each run of lines that goes down, with the place of the first
        // label: lines of one file must all go down.
        let file = |span: &Shown| shown.iter().position(|(s, _)| s.file == span.file);
        let mut down: Vec<usize> = (0..shown.len()).collect();
        down.sort_by_key(|i| {
            shown.get(*i).map(|(span, _)| (file(span), span.last_line(sources), *i))
        });
        for (i, (span, text)) in shown.iter().enumerate() {
            let tint = if i == 0 { tint } else { Color::Blue };
            let order = down.iter().position(|at| *at == i).unwrap_or(i) as i32;
            let mut label = Label::new(span.clone()).with_color(tint).with_order(order);
            // Without a message ariadne draws no mark.
            label = label.with_message(if text.is_empty() && i == 0 { "here" } else { text });
            report.add_label(label);
        }
        report.with_helps(&diagnostic.hints);
        if report.finish().write(&mut cache, &mut out).is_err() {
            out.extend(render_plain(std::slice::from_ref(diagnostic), sources).into_bytes());
        }
    }
    out.extend(more.into_bytes());
    String::from_utf8_lossy(&out).into_owned()
}

/// A span as ariadne wants it, inside of its text without a byte order mark and on boundaries of characters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shown {
    file: FileId,
    start: usize,
    end: usize,
}

impl Shown {
    fn new(span: Span, sources: &dyn Sources) -> Option<Shown> {
        let span = sources.absolute(span);
        let text = sources.text(span.file)?;
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end as usize).clamp(start, text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        let mark = mark_len(text);
        let (start, end) = (start.saturating_sub(mark), end.saturating_sub(mark));
        Some(Shown { file: span.file, start, end })
    }
}

impl Shown {
    /// The number of line ends before its last character.
    fn last_line(&self, sources: &dyn Sources) -> usize {
        let text = sources.text(self.file).unwrap_or("");
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let end = self.end.max(self.start + 1) - 1;
        text.bytes().take(end).filter(|b| *b == b'\n').count()
    }
}

impl ariadne::Span for Shown {
    type SourceId = FileId;

    fn source(&self) -> &FileId {
        &self.file
    }

    fn start(&self) -> usize {
        self.start
    }

    fn end(&self) -> usize {
        self.end
    }
}

/// The sources as ariadne wants them: with an index of lines, made for the files that are shown.
struct RenderCache<'a> {
    sources: &'a dyn Sources,
    read: HashMap<FileId, Source<String>>,
}

impl ariadne::Cache<FileId> for RenderCache<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl fmt::Debug> {
        let sources = self.sources;
        let text = || {
            let text = sources.text(*id).unwrap_or("");
            text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).to_owned()
        };
        Ok::<_, fmt::Error>(self.read.entry(*id).or_insert_with(|| Source::from(text())))
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl fmt::Display + 'b> {
        self.sources.name(*id).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let diagnostics = [Diagnostic::error("unknown-name", Span::new(file, 9, 13), "No `oops`.")
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
        let drawn =
            render(&[Diagnostic::error("x-y", Span::new(file, 7, 8), "No.")], &sources, false);
        assert!(drawn.contains("a.fut:1:5") && !drawn.contains('\u{feff}'), "{drawn}");
    }

    #[test]
    fn lines_of_a_message_go_down_under_one_place() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "def f = 1\ndef g = 2\ndef h = f\n");
        let d = Diagnostic::error("x-y", Span::new(file, 28, 29), "No.")
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
        let mut all = vec![Diagnostic::error("x-y", at, "Same."); 1234];
        all.push(Diagnostic::error("x-y", at, "Other."));
        for text in [render_plain(&all, &sources), render(&all, &sources, false)] {
            assert_eq!(text.matches("Same.").count(), 11, "{text}");
            assert_eq!(text.matches("Other.").count(), 1, "{text}");
            assert!(text.contains("error[x-y]: 1224 more: Same."), "{text}");
        }
        all.truncate(10);
        assert!(!render_plain(&all, &sources).contains("more"));
    }

    #[test]
    fn spans_outside_of_the_text_are_drawn_too() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.fut", "");
        let outside = Diagnostic::error("x-y", Span::new(file, 5, 9), "Outside.");
        let nowhere = Diagnostic::error("x-y", Span::new(FileId(3), 5, 9), "Nowhere.");
        let drawn = render(&[outside, nowhere], &sources, false);
        assert!(drawn.contains("Outside.") && drawn.contains("Nowhere."));
    }
}
