//! How diagnostics are shown: drawn into the source lines ([`render`]) or in one line each
//! ([`render_plain`]).

use super::code::Code;
use super::diagnostic::{Diagnostic, Severity};
use super::sources::{Sources, locate, mark_len};
use crate::lines::BYTE_ORDER_MARK;
use ariadne::{Color, Config, IndexType, Label, Report, ReportKind, Source};
use futc_typed::span::{FileId, Span};
use std::collections::HashMap;
use std::fmt;

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
    let mut count: HashMap<(Severity, Code, &str), usize> = HashMap::new();
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
            .with_code(diagnostic.code.name())
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
