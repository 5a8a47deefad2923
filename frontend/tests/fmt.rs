//! The formatter: what each construct looks like, and what holds for every program.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use futc_frontend::fmt::{FormatError, format_file};
use futc_frontend::syntax::lexer::{TokenKind, lex};
use futc_frontend::syntax::parser::parse_file;
use futc_frontend::syntax::print_ast;
use futc_typed::span::FileId;
use std::path::{Path, PathBuf};

const FILE: FileId = FileId(0);

/// Formats, and checks what must hold for every program.
#[track_caller]
fn formatted(text: &str) -> String {
    let out = match format_file(FILE, text) {
        Ok(out) => out,
        Err(errors) => panic!("{text}\n{errors:?}"),
    };
    check(text, &out).unwrap_or_else(|why| panic!("{why}:\n{text}\n---\n{out}"));
    out
}

fn check(text: &str, out: &str) -> Result<(), String> {
    let (before, _) = parse_file(FILE, text);
    let (after, errors) = parse_file(FILE, out);
    if !errors.is_empty() {
        return Err(format!("the output does not parse: {errors:?}"));
    }
    if print_ast(&before) != print_ast(&after) {
        return Err("the output means something else".to_owned());
    }
    if comments(text) != comments(out) {
        return Err("the comments are not the same".to_owned());
    }
    if code(text) != code(out) {
        return Err("the tokens are not the same".to_owned());
    }
    match format_file(FILE, out) {
        Ok(again) if again == out => {}
        Ok(again) => return Err(format!("the output is not stable; formatted again:\n{again}\n")),
        Err(errors) => return Err(format!("the output cannot be formatted: {errors:?}")),
    }
    if out.lines().any(|line| line.ends_with(' ')) || out.contains("\n\n\n") {
        return Err("the output has superfluous white space".to_owned());
    }
    Ok(())
}

fn comments(text: &str) -> Vec<String> {
    let (tokens, _) = lex(FILE, text);
    let of = tokens.iter().filter(|t| matches!(t.kind, TokenKind::Comment | TokenKind::Doc));
    of.flat_map(|t| t.text(text).lines()).map(|line| line.trim().to_owned()).collect()
}

/// Tokens but comments, trailing commas and `in` before `let`.
fn code(text: &str) -> Vec<String> {
    let (mut tokens, _) = lex(FILE, text);
    tokens.retain(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc));
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let next = tokens.get(i + 1).map(|t| t.kind);
        let closing = [TokenKind::RParen, TokenKind::RBracket, TokenKind::RBrace];
        let optional = token.kind == TokenKind::Comma && next.is_some_and(|k| closing.contains(&k))
            || token.kind == TokenKind::In && next == Some(TokenKind::Let);
        if !optional {
            out.push(token.text(text).to_owned());
        }
    }
    out
}

/// `expected` is how `text` is laid out, and is itself left as it is.
#[track_caller]
fn becomes(text: &str, expected: &str) {
    assert_eq!(formatted(text), expected.trim_start_matches('\n'));
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

fn programs(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            programs(&path, out);
        } else if path.extension().is_some_and(|e| e == "fut") {
            out.push(path);
        }
    }
}

/// Our programs, and those below `FUTC_FMT_CORPUS` if that is set.
#[test]
fn programs_keep_their_meaning_and_comments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["../examples", "../lit-tests", "prelude", "tests"] {
        programs(&root.join(folder), &mut files);
    }
    assert!(files.len() > 100, "only {} programs were found", files.len());
    if let Some(corpus) = std::env::var_os("FUTC_FMT_CORPUS") {
        programs(Path::new(&corpus), &mut files);
    }
    let mut parsed = 0;
    for path in &files {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let (_, errors) = parse_file(FILE, &text);
        match format_file(FILE, &text) {
            Ok(out) => {
                parsed += 1;
                if let Err(why) = check(&text, &out) {
                    panic!("{}: {why}", path.display());
                }
            }
            Err(said) => {
                assert!(!errors.is_empty(), "{}: refused without a reason", path.display());
                assert_eq!(said, FormatError::Syntax(errors), "{}", path.display());
            }
        }
    }
    assert!(parsed > 100);
    println!("{parsed} of {} files were formatted", files.len());
}

/// A comment behind every token, and on a line of its own before every token.
#[test]
fn comments_can_stand_anywhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    programs(&root.join("../examples"), &mut files);
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let (tokens, _) = lex(FILE, &text);
        for comment in [" -- behind\n", "\n-- before\n", "\n\n-- one\n\n-- two\n\n"] {
            for every in [1, 3, 7] {
                let mut out = String::new();
                let mut end = 0;
                for (i, token) in tokens.iter().enumerate() {
                    let gap = &text[end..token.start as usize];
                    // Not where it would change the meaning: an index follows without a space.
                    if i % every == 0 && !gap.is_empty() && i > 0 {
                        out.push_str(comment);
                    }
                    out.push_str(gap);
                    out.push_str(token.text(&text));
                    end = token.end as usize;
                }
                let (_, errors) = parse_file(FILE, &out);
                assert!(errors.is_empty(), "{}: {errors:?}", path.display());
                formatted(&out);
            }
        }
    }
}

#[test]
fn definitions_are_on_one_line_if_they_fit() {
    becomes("def   f(x:i32):i32=x+1", "def f (x: i32) : i32 = x + 1\n");
    stays("def f (x: i32) : i32 =\n  x + 1\n");
    becomes(
        "def function [n] 'a (first: [n]a -> i64) (second: [n]a -> i64) (third: [n]a) : i64 = 1",
        "
def function [n] 'a
             (first: [n]a -> i64)
             (second: [n]a -> i64)
             (third: [n]a) : i64 =
  1
",
    );
    becomes(
        "entry main=1\nlet (+)x y=x\ndef x <+> y=x",
        "
entry main = 1
let (+) x y = x
def x <+> y = x
",
    );
}

#[test]
fn empty_lines_are_kept_once() {
    becomes(
        "\n\n\ndef a = 1\ndef b = 2\n\n\n\n-- c\n\n\ndef c = 3\n\n\n",
        "
def a = 1
def b = 2

-- c

def c = 3
",
    );
}

#[test]
fn bindings_stand_below_each_other() {
    becomes(
        "def f x = let y = x let z = y in z",
        "
def f x =
  let y = x
  let z = y
  in z
",
    );
    becomes(
        "def f x =\n  let y = x in\n  let z = y\n\n  in z",
        "
def f x =
  let y = x
  let z = y

  in z
",
    );
    stays("def f x = let y = x in y\n");
    becomes(
        "def f xs = let xs[0]=1 let r.a.b=2 let [n](ys:[n]i32)=xs let g a:i32=a in xs",
        "
def f xs =
  let xs[0] = 1
  let r.a.b = 2
  let [n] (ys: [n]i32) = xs
  let g a : i32 = a
  in xs
",
    );
}

#[test]
fn pipelines_have_one_step_a_line_if_broken() {
    stays("def f xs = xs |> map (+ 1) |> reduce (+) 0\n");
    becomes(
        "def f xs = xs |> map (+1)\n  |> reduce (+) 0",
        "
def f xs =
  xs
  |> map (+ 1)
  |> reduce (+) 0
",
    );
    stays("def f x = g <| h <| x\n");
    stays("def f x y = -x * 2 + 3 ** y - - -y + (!x && ! !y || x `g` y)\n");
}

#[test]
fn operators_of_one_level_break_together() {
    becomes(
        "def f = first_operand * second_operand + third_operand * fourth_operand - fifth_operand * sixth",
        "
def f =
  first_operand * second_operand
  + third_operand * fourth_operand
  - fifth_operand * sixth
",
    );
}

#[test]
fn arguments_break_below_each_other() {
    becomes(
        "def f = reduce_by_index (replicate number_of_bins 0) (+) 0 indexes_of_the_bins values_to_add",
        "
def f =
  reduce_by_index (replicate number_of_bins 0)
                  (+)
                  0
                  indexes_of_the_bins
                  values_to_add
",
    );
    becomes(
        "def f = tabulate n (\\i ->\n let j = i + 1 in j)",
        "
def f =
  tabulate n (\\i ->
                let j = i + 1 in j)
",
    );
    becomes(
        "def f = map (\\i ->\n i) xs",
        "
def f =
  map (\\i ->
         i)
      xs
",
    );
}

#[test]
fn brackets_begin_their_lines_with_commas() {
    becomes("def f = {a=1,b,c=(1,2),}", "def f = {a = 1, b, c = (1, 2)}\n");
    becomes(
        "def f = {a=1,\n b,}",
        "
def f =
  { a = 1
  , b
  }
",
    );
    becomes(
        "def f = (1, -- one\n 2 -- two\n )",
        "
def f =
  ( 1 -- one
  , 2 -- two
  )
",
    );
    becomes(
        "def f = [[1,2],\n[3,4]]",
        "
def f =
  [ [1, 2]
  , [3, 4]
  ]
",
    );
    becomes(
        "def f = [1,2,\n3,4]",
        "
def f =
  [1, 2,
   3, 4]
",
    );
    stays("def f = ((), [], {}, #some 1, [x])\n");
}

#[test]
fn branches_are_all_beside_or_all_below() {
    stays("def f x = if x then 1 else 2\n");
    becomes(
        "def f x = if x then 1\n else if y then 2 else 3",
        "
def f x =
  if x then 1
  else if y then 2
  else 3
",
    );
    becomes(
        "def f x = if x\n then 1\n else let y = 2\n in y",
        "
def f x =
  if x
  then 1
  else let y = 2
       in y
",
    );
}

#[test]
fn cases_stand_below_each_other() {
    stays("def f x = match x case #a -> 1 case #b y -> y\n");
    becomes(
        "def f x = match x\n case #a -> 1 case (-3, _) -> let y = 1\n in y",
        "
def f x =
  match x
  case #a -> 1
  case (-3, _) ->
    let y = 1
    in y
",
    );
}

#[test]
fn loops_have_their_body_below() {
    becomes(
        "def f n = loop (a,b)=(0,1) for i<n do (b,a+b)",
        "def f n = loop (a, b) = (0, 1) for i < n do (b, a + b)\n",
    );
    becomes(
        "def f n = loop a for x in xs do\n a+x",
        "
def f n =
  loop a for x in xs do
    a + x
",
    );
    becomes(
        "def f n = loop a = 0\n while a<n do\n a+1",
        "
def f n =
  loop a = 0
  while a < n do
    a + 1
",
    );
}

#[test]
fn atoms_are_written_tightly() {
    stays("def f = xs[0:n - 1, i, ::2][1].a.0 with [0] = 1 with a.b = 2\n");
    stays("def f = (map (.a) xs, map (.[0]) ys, (+ 1), (1 -), M.(x + y), M.x M.+ y)\n");
    stays("def f = (0..<n, 0..2...n + 1, 5..>0, x : i32, y :> [n]i32, ???)\n");
    stays("def f = #[inline] #[unroll(4)] assert (x > 0) \"why\\n\" '\\n' 0x1F 1.5e-3f32\n");
    becomes(
        "def f = (\\x->x)\ndef g = \\x y:i32->x",
        "
def f = (\\x -> x)
def g = \\x y : i32 -> x
",
    );
}

#[test]
fn types_are_spaced_evenly() {
    becomes(
        "type~ t 'a [n]=([n]a->?[m].[m]i64,{a:i32},* *[n+1]t,vec [n] i32)",
        "
type~ t 'a [n] = ([n]a -> ?[m].[m]i64, {a: i32}, * *[n + 1]t, vec [n] i32)
",
    );
    becomes(
        "type t = #a i32\n|#b (i32,i32)",
        "
type t =
  #a i32
  | #b (i32, i32)
",
    );
    becomes(
        "module type s = {val scatter_something 'a [n] [k]:(destination:*[n]a)->(indexes:[k]i64)->[k]a-> *[n]a}",
        "
module type s = {
  val scatter_something 'a [n] [k] :
    (destination: *[n]a) -> (indexes: [k]i64) -> [k]a -> *[n]a
}
",
    );
}

#[test]
fn modules_are_indented() {
    becomes(
        "module m(P:{type t})(Q:s with t=i32):{ -- head\ntype t val x:t}={type t=i32 local def x=1\n-- last\n}
open m
local import \"a/b\"
module n=m{type t=i32}(k)
module f=\\(P:s):t->{}",
        "
module m (P: { type t }) (Q: s with t = i32) : { -- head
  type t
  val x : t
} = {
  type t = i32
  local def x = 1
  -- last
}
open m
local import \"a/b\"
module n = m { type t = i32 } (k)
module f = \\(P: s) : t -> {}
",
    );
}

#[test]
fn comments_stay_where_they_are() {
    stays(
        "\
-- | The file.

-- | A function.
-- It goes on.
#[inline]
def f x = -- here
  -- before the binding
  let y = x -- behind it
  -- before the body
  in y
-- ==
-- input { 1 }

-- the end
",
    );
    becomes(
        "def f = g a -- first\n b -- second\n",
        "
def f =
  g a -- first
    b -- second
",
    );
}

#[test]
fn syntax_errors_are_reported() {
    let (_, errors) = parse_file(FILE, "def f = (1");
    assert_eq!(format_file(FILE, "def f = (1"), Err(FormatError::Syntax(errors)));
}

#[test]
fn long_and_deep_programs_are_formatted() {
    let run = || {
        let mut text = "def f x =\n".to_owned();
        for _ in 0..20_000 {
            text.push_str("  let x = x + 1\n");
        }
        text.push_str("  in x\n");
        assert_eq!(formatted(&text), text);
        let sum = vec!["1"; 20_000].join("+");
        assert!(format_file(FILE, &format!("def f = {sum}")).is_ok());
        let deep = format!("def f = {}1{}", "(".repeat(900), ")".repeat(900));
        assert!(format_file(FILE, &deep).is_ok());
        let lambdas = format!("def f = {}1", "\\x -> ".repeat(10_000));
        assert_eq!(format_file(FILE, &lambdas), Err(FormatError::TooDeep));
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn a_byte_order_mark_is_left_out() {
    becomes("\u{feff}def  f = 1\n", "def f = 1\n");
    becomes("\u{feff}-- One.\ndef f = 1\n", "-- One.\ndef f = 1\n");
}
