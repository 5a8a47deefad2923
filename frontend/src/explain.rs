//! What is to be said about each kind of diagnostic at length: a page for each code, kept as
//! `errors/CODE.md`.
//!
//! A page has a title, prose, and pairs of programs under the headings `Wrong` and `Right`. The
//! programs are tests: a wrong one yields a diagnostic of the page's code, a right one does not.
//! A block whose fence names a file, as in ```` ```futhark shapes.fut ````, is a file that the
//! next program may import.

use crate::check::types::alike::closest_text;

/// What there is to say about the diagnostics of one code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The code.
    pub code: &'static str,
    /// The text, in Markdown.
    pub text: &'static str,
}

/// A program on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// Whether it stands under the heading `Wrong`.
    pub wrong: bool,
    /// The text.
    pub text: String,
    /// Files it may import, by name.
    pub files: Vec<(String, String)>,
}

static PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// All pages, sorted by code.
pub fn pages() -> &'static [Page] {
    PAGES
}

/// The page of a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|p| p.code == code)
}

/// The code most like `name`, if one is near enough to be meant.
pub fn similar(name: &str) -> Option<&'static str> {
    closest_text(name, PAGES.iter().map(|p| p.code))
}

impl Page {
    /// The title, one line without its mark.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or("").trim_start_matches('#').trim()
    }

    /// The programs on the page, in order.
    pub fn examples(&self) -> Vec<Example> {
        let mut out = Vec::new();
        let mut wrong = None;
        let mut files = Vec::new();
        let mut lines = self.text.lines();
        while let Some(line) = lines.next() {
            match line {
                "## Wrong" => wrong = Some(true),
                "## Right" => wrong = Some(false),
                _ => {}
            }
            if line.starts_with("## ") {
                files.clear();
            }
            let (Some(fence), Some(wrong)) = (line.strip_prefix("```futhark"), wrong) else {
                continue;
            };
            let mut text = String::new();
            for line in lines.by_ref().take_while(|l| *l != "```") {
                text.push_str(line);
                text.push('\n');
            }
            match fence.trim() {
                "" => out.push(Example { wrong, text, files: std::mem::take(&mut files) }),
                file => files.push((file.to_owned(), text)),
            }
        }
        out
    }
}
