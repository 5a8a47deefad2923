//! Chunks: the spans in them are those of the file, less where the chunk begins; and their numbers
//! do not depend on where they stand.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use futc_frontend::syntax::ast::{Dec, DecKind, ModExpKind};
use futc_frontend::syntax::parser::{
    ChunkKey, ChunkedFile, ParsedDec, parse_chunks, parse_file, reparse_chunks,
};
use futc_frontend::world::PRELUDE;
use futc_typed::span::FileId;
use std::collections::HashMap;
use std::fmt::Debug;

const FILE: FileId = FileId(0);

#[derive(Default)]
struct Numbers(HashMap<ChunkKey, FileId>);

impl Numbers {
    fn number(&mut self, key: ChunkKey) -> FileId {
        let next = FileId(self.0.len() as u32 + 1);
        *self.0.entry(key).or_insert(next)
    }

    fn parse(&mut self, text: &str) -> ChunkedFile {
        parse_chunks(FILE, text, &mut |key| self.number(key))
    }

    /// Parses again after an edit; also how many chunks were parsed for it.
    fn reparse(&mut self, old: &ChunkedFile, before: &str, text: &str) -> (ChunkedFile, usize) {
        let mut parsed = 0;
        let new = reparse_chunks(FILE, (old, before), text, &mut |key| {
            parsed += 1;
            self.number(key)
        });
        (new, parsed)
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
    let chunks = chunked.decs().map(|dec| dec.chunk).chain(chunked.inner());
    let starts: HashMap<u32, u32> = chunks.map(|chunk| (chunk.id.0, chunk.start)).collect();
    let (file, diagnostics) = parse_file(FILE, text);
    let with_doc = |dec: &ParsedDec| Dec {
        doc: dec.doc.as_ref().map(|doc| doc.to_string()),
        ..dec.tree.as_ref().clone()
    };
    let decs: Vec<Dec> = chunked.decs().map(with_doc).collect();
    assert_eq!(absolute(&decs, &starts), absolute(&file.decs, &HashMap::new()), "{text}");
    let (ours, theirs) = (&chunked.diagnostics(), &diagnostics);
    assert_eq!(absolute(ours, &starts), absolute(theirs, &HashMap::new()), "{text}");
    for ParsedDec { chunk, tree, .. } in chunked.decs() {
        assert!(chunk.end <= text.len() as u32 && tree.span.end <= chunk.end - chunk.start);
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
    let kept: Vec<_> = after.decs().skip(1).map(|dec| (dec.chunk.id, &dec.tree)).collect();
    let old: Vec<_> = before.decs().map(|dec| (dec.chunk.id, &dec.tree)).collect();
    assert_eq!(kept, old);
    // Inside of a module, a change leaves its neighbours' spans as they are.
    let edited = numbers.parse("module m = { def g = 1 + 1 + 1 def h = 2 }");
    let inside = |file: &ChunkedFile, at: usize| match &file.decs().nth(at).unwrap().tree.kind {
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

/// Declarations of all kinds, with comments, errors and names that stand twice.
const MIXED: &str = "-- | The file.\n\n-- | A.\ndef a (x: i32) = x + 1\nmodule m = { def b = a 2 \
    local def c = b }\n-- Plain.\ntype t = {f: i32}\nopen m\nimport \"x\"\n\n-- | D.\ndef d = \
    (c, #foo b) |> f M.x y[1:2]\nlet e = let y = 'a' in y\n#[inline] local def (+^) x y = x\n\
    def a = \"s\"\nmodule type s = { val x : t }\n-- | G.\nentry g [n] (x: [n]i32) = 1 + \n\
    oops def h = x.0.1\ndef a = m.c\nlocal open m\ndef z = loop x = 1 while x < 2 do x\n";

/// Two long things are equal, or where they begin to differ.
fn same(again: &ChunkedFile, whole: &ChunkedFile, text: &str, edited: &str) {
    if again != whole {
        let (again, whole) = (format!("{again:?}"), format!("{whole:?}"));
        let same = again.chars().zip(whole.chars()).take_while(|(a, b)| a == b).count();
        let around = |shown: &str| {
            shown.chars().skip(same.saturating_sub(200)).take(400).collect::<String>()
        };
        panic!("{text}\n----\n{edited}\n----\n{}\n----\n{}", around(&again), around(&whole));
    }
}

#[test]
fn parsing_after_an_edit_gives_what_parsing_gives() {
    let pieces = [
        "",
        " ",
        "\n",
        "\n\n",
        "x",
        "a",
        "def",
        "def q = 1\n",
        "\"",
        "'",
        "{",
        "}",
        "(",
        ")",
        "#[",
        "]",
        "-- ",
        "-- | Doc.\n",
        "=",
        "let ",
        " in ",
        "module ",
        "local ",
        "\u{e9}",
        "1",
        ".",
        "import \"y\"\n",
        "def a = 2\n",
    ];
    let mut numbers = Numbers::default();
    // The same numbers in every run.
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize % below
    };
    let mut spared = 0;
    for _ in 0..60 {
        let mut text = MIXED.repeat(3);
        let mut parsed = numbers.parse(&text);
        // Many edits one after the other, each on what those before have left.
        for _ in 0..50 {
            let mut place = || {
                let at = random(text.len() + 1);
                (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap()
            };
            let from = place();
            let far = place();
            let to = match random(3) {
                0 => from,
                1 => (from + random(12)..=text.len())
                    .find(|at| text.is_char_boundary(*at))
                    .unwrap_or(text.len()),
                _ if random(8) == 0 => far.max(from),
                _ => from,
            };
            let mut edited = text.clone();
            edited.replace_range(from..to, pieces[random(pieces.len())]);
            let (again, number) = numbers.reparse(&parsed, &text, &edited);
            same(&again, &numbers.parse(&edited), &text, &edited);
            spared += usize::from(number < again.decs().count() / 2);
            (text, parsed) = (edited, again);
        }
    }
    assert!(spared > 1_000, "{spared} of 3000 edits were cheap");
}

#[test]
fn parsing_after_an_edit_is_parsing_of_a_few_declarations() {
    let mut numbers = Numbers::default();
    let text: String = (0..500).map(|i| format!("-- | F.\ndef f{i} x = x + {i}\n\n")).collect();
    let parsed = numbers.parse(&text);
    for new in ["x * 250 + 1", "(", "x\n\ndef new = 1", "", "-- nothing", "'x"] {
        let edited = text.replace("x + 250", new);
        let (again, number) = numbers.reparse(&parsed, &text, &edited);
        assert_eq!(again, numbers.parse(&edited));
        assert!(number < 10, "{new}: {number}");
    }
    // What is behind it is something else now.
    for new in ["\"x", "x\ndef f400 = 1"] {
        let edited = text.replace("x + 250", new);
        let (again, number) = numbers.reparse(&parsed, &text, &edited);
        assert_eq!(again, numbers.parse(&edited));
        assert!(new == "\"x" || number > 500, "{new}: {number}");
    }
}
