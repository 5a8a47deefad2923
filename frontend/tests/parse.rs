//! What texts parse to, what is said about wrong ones, and that no text whatever is too much.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails so")]

use futc_frontend::diag::{SourceMap, render_plain};
use futc_frontend::syntax::lexer::{TokenKind, lex};
use futc_frontend::syntax::parser::{parse_file, parse_type_scheme};
use futc_frontend::syntax::{print_ast, print_tokens};
use futc_typed::span::FileId;

const FILE: FileId = FileId(0);

/// Runs `f` with the least stack that the parser is promised; long chains are dropped recursively.
fn deep<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(1 << 24).spawn(f).unwrap().join().unwrap()
}

/// The printed tree of `def x = TEXT`, on one line and without what surrounds it.
fn exp(text: &str) -> String {
    let source = format!("def x = {text}");
    let (file, diagnostics) = parse_file(FILE, &source);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let printed = print_ast(&file).split_whitespace().collect::<Vec<_>>().join(" ");
    printed.strip_prefix("(def x ").and_then(|t| t.strip_suffix(')')).unwrap().to_owned()
}

fn dec(text: &str) -> String {
    let (file, diagnostics) = parse_file(FILE, text);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    print_ast(&file).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is said about a text.
fn errors(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("t.fut", text);
    render_plain(&parse_file(file, text).1, &sources)
}

#[test]
fn operators_bind_by_their_first_characters() {
    assert_eq!(exp("1 + 2 * 3"), "(+ 1 (* 2 3))");
    assert_eq!(exp("1 - 2 - 3"), "(- (- 1 2) 3)");
    assert_eq!(exp("1 +^ 2 *^ 3"), "(+^ 1 (*^ 2 3))");
    assert_eq!(exp("a >>= b == c"), "(== (>>= (var a) (var b)) (var c))");
    assert_eq!(exp("a & b == c"), "(== (& (var a) (var b)) (var c))");
    assert_eq!(exp("a || b && c"), "(|| (var a) (&& (var b) (var c)))");
    assert_eq!(exp("x |> f |> g"), "(|> (|> (var x) (var f)) (var g))");
    assert_eq!(exp("f <| g <| x || y"), "(<| (var f) (<| (var g) (|| (var x) (var y))))");
    assert_eq!(exp("a `M.f` b + 1"), "(M.f (var a) (+ (var b) 1))");
    assert_eq!(exp("a M.+ b M.* c"), "(M.+ (var a) (M.* (var b) (var c)))");
    assert_eq!(exp("-x ** 2"), "(** (negate (var x)) 2)");
    assert_eq!(exp("f -x"), "(- (var f) (var x))");
    assert_eq!(exp("- f x + !y"), "(+ (negate (apply (var f) (var x))) (not (var y)))");
    assert_eq!(exp("0..<n+1"), "(..< 0 (+ (var n) 1))");
    assert_eq!(exp("a..b...c"), "(... (var a) (var b) (var c))");
    assert_eq!(exp("1 + 2 : t"), "(: (+ 1 2) t)");
    assert_eq!(exp("1 + \\x -> x + 2"), "(+ 1 (lambda (bind x) (+ (var x) 2)))");
}

#[test]
fn sections_are_told_from_parentheses() {
    assert_eq!(exp("(+)"), "(var +)");
    assert_eq!(exp("(-)"), "(var -)");
    assert_eq!(exp("(M.+)"), "(var M.+)");
    assert_eq!(exp("M.(+)"), "(var M.+)");
    assert_eq!(exp("(-x)"), "(parens (negate (var x)))");
    assert_eq!(exp("(x -)"), "(section (var x) -)");
    assert_eq!(exp("(x + 1 *)"), "(section (+ (var x) 1) *)");
    assert_eq!(exp("(< 5)"), "(section < 5)");
    assert_eq!(exp("(`f` 5)"), "(section f 5)");
    assert_eq!(exp("(x `f`)"), "(section (var x) f)");
    assert_eq!(exp("(`f`)"), "(var f)");
    assert_eq!(exp("(.a.0)"), "(section .a .0)");
    assert_eq!(exp("(.[0, 1:])"), "(section (index 0 (slice 1 _ _)))");
    assert_eq!(
        exp("(.a[0])"),
        "(lambda (bind section argument) (index (project (var section argument) a) 0))"
    );
}

#[test]
fn indexing_needs_the_bracket_at_once() {
    assert_eq!(exp("f [x]"), "(apply (var f) (array (var x)))");
    assert_eq!(
        exp("f a[x][y] z"),
        "(apply (var f) (index (index (var a) (var x)) (var y)) (var z))"
    );
    assert_eq!(exp("(f x)[0]"), "(index (parens (apply (var f) (var x))) 0)");
    assert_eq!(exp("a[::-1]"), "(index (var a) (slice _ _ (negate 1)))");
    assert_eq!(
        exp("a[1:, :n, i:j:k]"),
        "(index (var a) (slice 1 _ _) (slice _ (var n) _) (slice (var i) (var j) (var k)))"
    );
    assert_eq!(
        exp("a[if c then x else y:z]"),
        "(index (var a) (slice (if (var c) (var x) (var y)) (var z) _))"
    );
}

#[test]
fn names_and_projections() {
    assert_eq!(exp("f32.sum xs"), "(apply (var f32.sum) (var xs))");
    assert_eq!(exp("x.0.1.a"), "(project (project (project (var x) 0) 1) a)");
    assert_eq!(
        exp("f x.0 (g y).b"),
        "(apply (var f) (project (var x) 0) (project (parens (apply (var g) (var y))) b))"
    );
    assert_eq!(exp("M.N.(x + y)"), "(open M.N (+ (var x) (var y)))");
    assert_eq!(exp("{a = 1, b, 0 = 2,}"), "(record (a 1) b (0 2))");
    assert_eq!(exp("#foo #bar x"), "(#foo #bar (var x))");
    assert_eq!(exp("f #bar x"), "(apply (var f) #bar (var x))");
}

#[test]
fn literals() {
    assert_eq!(exp("[0xFF, 0b1_01i8, 1_000, 'c', '\\n']"), "(array 255 5i8 1000 'c' '\\n')");
    assert_eq!(
        exp("(1.5, 1e-3f32, 0x1.8p1, x + .5)"),
        "(tuple (float 1.5) (float 1e-3f32) (float 3.0) (+ (var x) (float .5)))"
    );
    assert_eq!(exp("\"a\\\"b\\n\""), "\"a\\\"b\\n\"");
    assert_eq!(exp("???"), "???");
}

#[test]
fn bindings_nest_without_in() {
    assert_eq!(exp("let x = 1 let y = 2 in y"), "(let (bind x) 1 (let (bind y) 2 (var y)))");
    assert_eq!(
        exp("let [n] (a: [n]i32) = b in n"),
        "(let [n] (parens (: (bind a) (array (size (var n)) i32))) (var b) (var n))"
    );
    assert_eq!(
        exp("let f 't (x: t) y : t = x in f"),
        "(let-fun f 't (parens (: (bind x) t)) (bind y) (: t) (var x) (var f))"
    );
    assert_eq!(
        exp("let f [n] (x: [n]t) = x in f"),
        "(let-fun f [n] (parens (: (bind x) (array (size (var n)) t))) (var x) (var f))"
    );
    assert_eq!(exp("let (+) x y = x in 1"), "(let-fun + (bind x) (bind y) (var x) 1)");
    assert_eq!(exp("let a[i].f = 1 in a"), "(let-with a (path (index (var i)) .f) 1 (var a))");
    assert_eq!(exp("let r.f.0 = 1 in r"), "(let-with r (path .f .0) 1 (var r))");
    assert_eq!(
        exp("if a then b else if c then d else e : t"),
        "(if (var a) (var b) (if (var c) (var d) (: (var e) t)))"
    );
}

#[test]
fn updates_chain() {
    assert_eq!(
        exp("a with [i] = 1 with b[j].c = x + 1"),
        "(with (with (var a) (path (index (var i))) 1) (path .b (index (var j)) .c) (+ (var x) 1))"
    );
    assert_eq!(exp("t with 0.1 = 2"), "(with (var t) (path .0 .1) 2)");
}

#[test]
fn loops_and_matches() {
    assert_eq!(exp("loop x for i < n do x"), "(loop (bind x) (for i (var n)) (var x))");
    assert_eq!(
        exp("loop (x, y) = (1, 2) while x < y do (y, x)"),
        "(loop (tuple (bind x) (bind y)) (tuple 1 2) (while (< (var x) (var y))) (tuple (var y) (var x)))"
    );
    assert_eq!(
        exp("loop [n] (a: [n]i32) = b for (x, _) in xs do a"),
        "(loop [n] (parens (: (bind a) (array (size (var n)) i32))) (var b) (for-in (tuple (bind x) _) (var xs)) (var a))"
    );
    assert_eq!(
        exp("match x case #a -1 (y: i32) -> match y case 'c' -> 1 case _ -> 2"),
        "(match (var x) (case (#a -1 (parens (: (bind y) i32))) (match (var y) (case 'c' 1) (case _ 2))))"
    );
    assert_eq!(exp("match x case y: i32 -> y"), "(match (var x) (case (: (bind y) i32) (var y)))");
    assert_eq!(
        exp("#[unsafe] assert (a) b + c"),
        "(attr #[unsafe] (assert (parens (var a)) (+ (var b) (var c))))"
    );
    assert_eq!(exp("unsafe a[i]"), "(attr #[unsafe] (index (var a) (var i)))");
}

#[test]
fn types() {
    assert_eq!(
        exp("x : *[n+1][]t [2] i32 -> (y: a) -> ?[k].[k]b"),
        "(: (var x) (-> (* (array (size (+ (var n) 1)) (array [] (apply (apply t (size 2)) i32)))) (-> y a (exists k (array (size (var k)) b)))))"
    );
    assert_eq!(exp("x : #a i32 []b | #c"), "(: (var x) (sum (#a i32 (array [] b)) #c))");
    assert_eq!(exp("x : {a: t, 0: (), } "), "(: (var x) (record (a t) (0 tuple)))");
    let ((params, _), diagnostics) =
        parse_type_scheme(FILE, "'a 'b [n] : (a -> b) -> [n]a -> *[n]b");
    assert_eq!((params.len(), diagnostics.len()), (3, 0));
}

#[test]
fn the_intrinsics_have_readable_types() {
    for (name, ty) in futc_typed::intrinsics::ARRAYS {
        let (_, diagnostics) = parse_type_scheme(FILE, ty);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    }
}

#[test]
fn declarations() {
    assert_eq!(
        dec("def (a:i32,b) +^ c : t = a"),
        "(def +^ (tuple (: (bind a) i32) (bind b)) (bind c) (: t) (var a))"
    );
    assert_eq!(
        dec("entry main [n] 't (x: t) = x"),
        "(entry main [n] 't (parens (: (bind x) t)) (var x))"
    );
    assert_eq!(dec("def x `f` y = x"), "(def f (bind x) (bind y) (var x))");
    assert_eq!(
        dec("type~ t 'a [n] = ?[m].[m][n]a"),
        "(type~ t 'a [n] (exists m (array (size (var m)) (array (size (var n)) a))))"
    );
    assert_eq!(dec("local open import \"lib/x\""), "(local (open (import \"lib/x\")))");
    assert_eq!(
        dec("module M (P: S with t = i32) : T = { def x = 1 }"),
        "(module M (param P (with S t i32)) (: T) (decs (def x 1)))"
    );
    assert_eq!(
        dec("module F = \\(P: S) : T -> N P"),
        "(module F (lambda (param P S) (: T) (apply N P)))"
    );
    assert_eq!(
        dec(
            "module type S = { type^ t 'a val (+) 'a : a -> a include T module M: (P: T) -> T val x: t }"
        ),
        "(module-type S (specs (type^ t 'a) (val + 'a (-> a a)) (include T) (module M (-> P T T)) (val x t)))"
    );
    assert_eq!(
        dec("-- | The file.\n\n-- | One.\n-- Two.\n#[a(b, 3)] def x = 1 -- no\n"),
        "doc \"The file.\" (def (doc \"One.\\nTwo.\") #[a(b, 3)] x 1)"
    );
}

#[test]
fn several_errors_are_reported_in_words() {
    assert_eq!(
        errors("def f x = (x + \ndef g = [1, 2\ndef h = let y = 1 y\ndef i = if a then b\n"),
        "t.fut:2:1-3: error[syntax-error]: Expected an expression, but found `def`.\n\
         t.fut:3:1-3: error[syntax-error]: Expected `,` or `]`, but found `def`.\n\
         t.fut:3:9-11: error[syntax-error]: Expected `in` after this binding, but found `def`.\n\
         t.fut:4:20: error[syntax-error]: Expected `else` and another branch: every `if` needs both, but found the end of the file.\n"
    );
    assert_eq!(
        errors("def (a, b) = 1\ndef x = (1 2 in, 3)\ndef = 3"),
        "t.fut:1:5-10: error[syntax-error]: A declaration binds a single name; patterns are for `let` in expressions.\n\
         t.fut:2:14-15: error[syntax-error]: Expected an operator, `,` or `)`, but found `in`.\n\
         t.fut:3:5: error[syntax-error]: Expected the name of a definition, but found `=`.\n"
    );
    assert_eq!(
        errors("def x = \"abc\ndef y = 1§"),
        "t.fut:1:9-12: error[unterminated-string]: This string is not closed with `\"` before the end of the line.\nt.fut:2:10: error[unknown-character]: The character `§` has no meaning here.\n"
    );
    assert_eq!(
        errors("def x = 1abc"),
        "t.fut:1:9-12: error[invalid-literal]: `abc` is not a suffix of a number; suffixes are types, as in `1i64`.\n"
    );
    assert_eq!(
        errors("def x && y = 1"),
        "t.fut:1:7-8: error[may-not-be-redefined]: The operator `&&` may not be redefined.\n"
    );
    assert_eq!(
        errors("def x = (1,)"),
        "t.fut:1:9-12: error[syntax-error]: A tuple cannot have just one element.\n"
    );
}

#[test]
fn tokens_print_with_their_bytes() {
    let text = "x.0 -- c";
    let (tokens, _) = lex(FILE, text);
    assert_eq!(
        print_tokens(&tokens, text),
        "0..1 Ident \"x\"\n1..2 Dot \".\"\n2..3 Nat \"0\"\n4..8 Comment \"-- c\"\n8..8 Eof \"\"\n"
    );
    assert_eq!(tokens.last().unwrap().kind, TokenKind::Eof);
}

#[test]
fn long_chains_are_no_nesting() {
    deep(|| {
        let n = 20_000;
        for text in [
            format!("def f x = {}x", "let x = x in ".repeat(n)),
            format!("def f x = {}x", "x + ".repeat(n)),
            format!("def f x = {}x", "x <| ".repeat(n)),
            format!("def f x = {}x", "if x then x else ".repeat(n)),
            format!("def f x = {}x", "\\y -> ".repeat(n)),
            format!("def f x = {}x", "- ".repeat(n)),
            format!("def f (x: {}a) = x", "a -> ".repeat(n)),
            format!("def f (x: {}a) = x", "[1]".repeat(n)),
            format!("def f x = f {}", "x ".repeat(n)),
            format!("def f x = x{}", "[0]".repeat(n)),
            format!("def f x = x{}", " with a = x".repeat(n)),
        ] {
            let (_, diagnostics) = parse_file(FILE, &text);
            assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", &text[..40]);
        }
    });
}

#[test]
fn deep_nesting_is_refused_once() {
    deep(|| {
        for (open, close) in [
            ("def x = ", "("),
            ("def x = ", "["),
            ("def x = ", "{a="),
            ("def x = ", "a["),
            ("def x = ", "x + let y = "),
            ("def x = ", "match "),
            ("def x = ", "match x case _ -> "),
            ("def x = ", "f <| \\_ -> x <| "),
            ("def x : ", "("),
            ("def x : ", "* "),
            ("def x : ", "#a [1]"),
            ("def f ", "("),
            ("def f ", "{a="),
            ("", "module x = { "),
            ("module x = ", "("),
            ("module type x = ", "("),
            ("module type x = ", "{ module y : "),
            ("", "local "),
            ("#[", "a("),
        ] {
            let text = format!("{open}{}", close.repeat(100_000));
            let (_, diagnostics) = parse_file(FILE, &text);
            let found: Vec<_> = diagnostics.iter().map(|d| d.code.name()).collect();
            assert!(found.contains(&"nesting-too-deep"), "{open}{close}: {found:?}");
            assert!(found.len() <= 2, "{open}{close}: {found:?}");
        }
    });
}

/// Programs to mutate; together they touch every construct.
const CORPUS: &[&str] = &[
    "-- | Doc.\n-- more\ndef f [n] 't (x: [n]t) (y, _: *i32): [n+1]t = let a = x[0:n:2] in a ++ [y]\n",
    "module type S = { type^ t 'a val (+) : t -> t include T module M : (P: S) -> S with u = i64 }\n\
     module M (P: S) : S = { open P import \"x\" local def z = 'c' type~ u = ?[k].[k]f32 }\n",
    "entry main (r: {a: i32, b: #foo | #bar i8 [2]bool}) = match r.b case #bar (-1) {c, d = _} -> 0x1.8p3f32\n\
     case _ -> loop (i, acc) = (0, \"s\\n\\\"\") while i < 10 && !c do (i - 1, acc with [i].b = 3)\n",
    "def s = map (\\x: t -> x.0.1 |> (+ 1) <| (`g` 2)) (M.(xs)) >-> (.a[1, ::-1].b) |> (M.+)\n\
     #[noinline] def x +^ y = #[unroll(3)] assert (x > y) (if x then 0..<n else a..b...c : []t) :> [n]t\n",
    "let q = let [k] (v: [k]i8) = ??? let g 'a (x: a) = x let r.f[3] = 1_0u8 in (g, v, { r, s = 1e9, }, (), [])\n",
];

/// Pieces that matter to the grammar.
const PIECES: &[&str] = &[
    "(", ")", "[", "]", "{", "}", "#[", ",", "in", "let", "def", "->", "=", ":", "'", "\"", "`",
    "\\", ".", "..", "..<", "#a", "case", "with", "1", "é", "\0", "--", "-- |", "\n", "module",
    "?", "-", "x", "x.", "M.+", "+)", "'\\", "0x", "1e", "unsafe", " ",
];

#[test]
fn mutated_programs_never_panic() {
    deep(|| {
        let start = std::time::Instant::now();
        // A small generator of pseudo-random numbers; the same every time.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below.max(1) as u64) as usize
        };
        for round in 0..20_000 {
            let mut text: Vec<char> = CORPUS[random(CORPUS.len())].chars().collect();
            for _ in 0..=random(6) {
                let at = random(text.len() + 1);
                match random(5) {
                    0 => text.truncate(at),
                    1 if at < text.len() => drop(text.remove(at)),
                    2 => {
                        let to = (at + random(30)).min(text.len());
                        let moved: Vec<char> = text.drain(at..to).collect();
                        let back = random(text.len() + 1);
                        text.splice(back..back, moved);
                    }
                    _ => {
                        let piece = PIECES[random(PIECES.len())];
                        text.splice(at..at, piece.chars());
                    }
                }
            }
            let text: String = text.into_iter().collect();
            check(&text);
            if round % 100 == 0 && start.elapsed().as_secs() >= 2 {
                break;
            }
        }
    });
}

/// Parses and checks that all positions are positions of the text.
fn check(text: &str) {
    let (tokens, _) = lex(FILE, text);
    let mut last = 0;
    for token in &tokens {
        assert!(last <= token.start && token.start <= token.end, "{text:?}: {token:?}");
        assert!(
            text.get(token.start as usize..token.end as usize).is_some(),
            "{text:?}: {token:?}"
        );
        last = token.end;
    }
    let (file, diagnostics) = parse_file(FILE, text);
    for (span, _) in diagnostics.iter().flat_map(|d| &d.labels) {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text:?}: {span:?}");
    }
    // All spans of the tree, as its debug form shows them.
    let shown = format!("{file:?}");
    for span in shown.split("Span { file: FileId(0), start: ").skip(1) {
        let (start, rest) = span.split_once(", end: ").unwrap();
        let (end, _) = rest.split_once(' ').unwrap();
        let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
        assert!(text.get(start..end).is_some(), "{text:?}: {start}..{end}");
    }
    if diagnostics.is_empty() {
        assert!(!shown.contains("kind: Error"), "{text:?}: an error that was not reported");
    }
    print_ast(&file);
}

#[test]
fn a_missing_in_or_do_is_said_of_what_lacks_it() {
    assert_eq!(
        errors("def f (x: i32) =\n  let y = x + 1\n  let z = y\n  z\n\ndef g = 1"),
        "t.fut:3:3-5: error[syntax-error]: Expected `in` after this binding, but found `def`.\n"
    );
    assert_eq!(
        errors("def f (x: i32) =\n  loop y = x for i < 3\n\ndef g = 1"),
        "t.fut:2:3-6: error[syntax-error]: Expected `do` before the body of the loop, but found \
         `def`.\n"
    );
}

#[test]
fn a_byte_order_mark_begins_a_file_and_stands_nowhere_else() {
    assert_eq!(errors("\u{feff}def f = 1"), "");
    assert_eq!(errors("\u{feff}-- A comment.\ndef f = 1"), "");
    assert!(errors("\u{feff}def = 1").starts_with("t.fut:1:5: "));
    assert!(errors("def f = \u{feff}1").contains("unknown-character"));
    assert!(errors("def f = 1\n\u{feff}def g = 1").contains("unknown-character"));
}
