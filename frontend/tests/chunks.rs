//! Chunks: the spans in them are those of the file, less where the chunk begins; and their numbers
//! do not depend on where they stand.

#![allow(clippy::unwrap_used, reason = "tests")]

use futc_frontend::syntax::ast::{Dec, DecKind, ModExpKind};
use futc_frontend::syntax::parser::{ChunkKey, ChunkedFile, parse_chunks, parse_file};
use futc_frontend::world::PRELUDE;
use futc_typed::span::FileId;
use std::collections::HashMap;
use std::fmt::Debug;

const FILE: FileId = FileId(0);

#[derive(Default)]
struct Numbers(HashMap<ChunkKey, FileId>);

impl Numbers {
    fn parse(&mut self, text: &str) -> ChunkedFile {
        parse_chunks(FILE, text, &mut |key| {
            let next = FileId(self.0.len() as u32 + 1);
            *self.0.entry(key).or_insert(next)
        })
    }
}

/// The debug form with spans as spans of the file.
fn absolute(shown: &impl Debug, starts: &HashMap<u32, u32>) -> String {
    let shown = format!("{shown:?}");
    let mut parts = shown.split("Span { file: FileId(");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (file, rest) = part.split_once("), start: ").unwrap();
        let (start, rest) = rest.split_once(", end: ").unwrap();
        let (end, rest) = rest.split_once(' ').unwrap();
        let base = starts.get(&file.parse().unwrap()).copied().unwrap_or(0);
        let place = |text: &str| text.parse::<u32>().unwrap() + base;
        out.push_str(&format!("<{}-{}>{rest}", place(start), place(end)));
    }
    out
}

fn same_as_whole(text: &str) {
    let chunked = Numbers::default().parse(text);
    let chunks = chunked.decs.iter().map(|(chunk, _)| chunk).chain(&chunked.inner);
    let starts: HashMap<u32, u32> = chunks.map(|chunk| (chunk.id.0, chunk.start)).collect();
    let (file, diagnostics) = parse_file(FILE, text);
    let decs: Vec<&Dec> = chunked.decs.iter().map(|(_, dec)| dec).collect();
    assert_eq!(absolute(&decs, &starts), absolute(&file.decs, &HashMap::new()), "{text}");
    let (ours, theirs) = (&chunked.diagnostics, &diagnostics);
    assert_eq!(absolute(ours, &starts), absolute(theirs, &HashMap::new()), "{text}");
    for (chunk, dec) in &chunked.decs {
        assert!(chunk.end <= text.len() as u32 && dec.span.end <= chunk.end - chunk.start);
    }
}

#[test]
fn spans_are_those_of_the_file() {
    for (_, text) in PRELUDE {
        same_as_whole(text);
    }
    for text in [
        "",
        "\n\n  def x = 1\n\n#[inline] local def (+^) (a: i32) b = a M.+ b with [0].0.1 = 'c'",
        "module m = { def x = 1 module n = { def y = -x } } open m",
        "module type s = { val x : t type~ t } module f (p: s) (q: s) : s = p",
        // Wrong ones.
        "def x = \n def = 2 oops def y = )",
        "local local #[a def",
        "module m = { def x = def y = 1 ] def z",
        "#[attr] 3 \u{e9} def x = \"",
    ] {
        same_as_whole(text);
    }
}

#[test]
fn broken_texts_have_spans_of_the_file_too() {
    let text = "-- | A.\ndef a (x: i32) = x + 1\nmodule m = { def b = a 2 local def c = b }\n\
                type t = {f: i32} open m import \"x\"\ndef d = (c, #foo b) |> f M.x y[1:2]\n";
    for cut in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        same_as_whole(&text[..cut]);
        same_as_whole(&text[cut..]);
        same_as_whole(&format!("{}){}", &text[..cut], &text[cut..]));
    }
}

#[test]
fn numbers_and_trees_stay_when_the_text_around_changes() {
    let mut numbers = Numbers::default();
    let before = numbers.parse("def f x = x\nmodule m = { def g = 1 def h = 2 }\ndef f x = 2\n");
    let after = numbers
        .parse("-- New.\ndef e = 0\ndef f x = x -- end\n\nmodule m = { def g = 1 def h = 2 }\n\ndef f x = 2");
    let kept: Vec<_> = after.decs.iter().skip(1).map(|(chunk, dec)| (chunk.id, dec)).collect();
    let old: Vec<_> = before.decs.iter().map(|(chunk, dec)| (chunk.id, dec)).collect();
    assert_eq!(kept, old);
    // Inside of a module, a change leaves its neighbours' spans as they are.
    let edited = numbers.parse("module m = { def g = 1 + 1 + 1 def h = 2 }");
    let inside = |file: &ChunkedFile, at: usize| match &file.decs.get(at).unwrap().1.kind {
        DecKind::Mod(bind) => match &bind.body.kind {
            ModExpKind::Decs(decs) => decs.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let (was, is) = (inside(&before, 1), inside(&edited, 0));
    assert_eq!((was.len(), is.len()), (2, 2));
    assert_ne!(was.first(), is.first());
    assert_eq!(was.last(), is.last());
}
