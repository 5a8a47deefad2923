//! What the tests of passes have in common.

use crate::ir::Program;
use crate::ir::parse::parse_program;
use crate::ir::verify::verify;

fn parse(text: &str) -> Program {
    let p = match parse_program(&format!("level soacs\n{text}")) {
        Ok(p) => p,
        Err(e) => panic!("{e}\n{text}"),
    };
    verified("before", &p);
    p
}

#[track_caller]
fn verified(when: &str, p: &Program) {
    if let Err(es) = verify(p) {
        let es: Vec<String> = es.iter().map(ToString::to_string).collect();
        panic!("{when}: {}\n{p}", es.join("\n"));
    }
}

/// The program that `f` makes of this text at level soacs; both are verified.
#[track_caller]
pub(crate) fn pass(f: impl Fn(Program) -> Program, text: &str) -> Program {
    let p = f(parse(text));
    verified("after", &p);
    p
}

/// The pass makes `want` of `text`, up to the numbers of variables.
#[track_caller]
pub(crate) fn check(f: impl Fn(Program) -> Program, text: &str, want: &str) {
    let got = canonical(&pass(f, text));
    let want = canonical(&parse(want));
    assert_eq!(got, want, "\n--- got\n{got}\n--- wanted\n{want}");
}

/// The text with every variable renamed in order of appearance.
fn canonical(p: &Program) -> String {
    let text = p.to_string();
    let mut out = String::with_capacity(text.len());
    let mut names: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let tagged = word.rsplit_once('_').is_some_and(|(b, t)| {
            !b.is_empty() && !t.is_empty() && t.chars().all(|c| c.is_ascii_digit())
        });
        if tagged {
            let i = names.iter().position(|n| *n == word).unwrap_or_else(|| {
                names.push(word.clone());
                names.len() - 1
            });
            out.push_str(&format!("v{i}"));
        } else {
            out.push_str(&word);
        }
        word.clear();
        out.push(c);
    }
    out
}
