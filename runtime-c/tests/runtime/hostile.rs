//! Servers that are told nonsense: a command fails with one message, and the process goes on.

use crate::executables::{dialogue, feed, file_with, server};
use std::process::Command;

/// A leaf of a stored value.
fn leaf(kind: &[u8; 4], sizes: &[i64], elements: &[u8]) -> Vec<u8> {
    let mut bytes = vec![b'b', 2, sizes.len() as u8];
    bytes.extend_from_slice(kind);
    sizes.iter().for_each(|n| bytes.extend_from_slice(&n.to_le_bytes()));
    bytes.extend_from_slice(elements);
    bytes
}

#[test]
fn stored_values_that_no_program_makes_are_refused() {
    let points = [leaf(b" i32", &[2], &[0; 8]), leaf(b" f64", &[1], &[0; 8])].concat();
    let points = file_with("uneven points", &points);
    let tagged = |tag: u8| {
        let leaves = [
            leaf(b"  u8", &[], &[tag]),
            leaf(b" i32", &[], &[0; 4]),
            leaf(b" i32", &[0], &[]),
            leaf(b" f64", &[], &[0; 8]),
        ];
        leaves.concat()
    };
    let sum = file_with("sum without constructor", &tagged(3));
    let good = file_with("sum with constructor", &tagged(2));
    dialogue(&[
        (
            &format!("restore \"{points}\" ps []point"),
            &format!(
                "%%% FAILURE\nFailed to restore variable ps from {points}: the parts of an array of \
                 type []point differ in shape"
            ),
        ),
        ("shape ps", "%%% FAILURE\nUnknown variable: ps"),
        (
            &format!("restore \"{sum}\" s \"my sum\""),
            &format!(
                "%%% FAILURE\nFailed to restore variable s from {sum}: 3 is no constructor of my sum"
            ),
        ),
        (&format!("restore \"{good}\" s \"my sum\""), ""),
        ("variant s", "many"),
    ]);
}

/// Pseudo-random numbers, below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const COMMANDS: &[&str] = &[
    "types",
    "entry_points",
    "call",
    "call",
    "call",
    "restore",
    "restore",
    "store",
    "free",
    "rename",
    "free",
    "free",
    "restore",
    "inputs",
    "outputs",
    "output",
    "clear",
    "pause_profiling",
    "unpause_profiling",
    "report",
    "set_tuning_param",
    "get_tuning_param",
    "tuning_params",
    "tuning_param_class",
    "attributes",
    "kind",
    "type",
    "fields",
    "new",
    "project",
    "variants",
    "construct",
    "destruct",
    "variant",
    "rank",
    "elemtype",
    "shape",
    "index",
    "set",
    "new_array",
    "zip",
    "unzip",
    "quit",
];

const VARIABLES: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "\"a b\""];

const OTHERS: &[&str] = &[
    "i32",
    "[]i32",
    "f64",
    "pair",
    "[]point",
    "point",
    "[]f64",
    "\"my sum\"",
    "\"([]i32, f64)\"",
    "u16",
    "main",
    "index",
    "negate",
    "spoil",
    "points",
    "id",
    "none",
    "some",
    "many",
    "xs",
    "y",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "1e3",
    "main.tile_0",
    "\"",
    "\"\"",
    "=",
    "%%%",
    "%s%n",
    "\u{1}",
    "\u{e9}",
    "/",
    "/nonexistent/x",
];

/// Words that may be right, so that there are values to go wrong with.
fn command(random: &mut Random, files: &[(String, &str)]) -> String {
    let name = random.of(COMMANDS);
    let mut words = vec![name.to_owned()];
    let mut add = |word: &str| words.push(word.to_owned());
    if random.below(3) > 0 {
        let v = VARIABLES;
        match name {
            "call" => {
                let (entry, results, inputs) = [
                    ("main", 2, 2),
                    ("main", 1, 2),
                    ("index", 1, 2),
                    ("negate", 1, 1),
                    ("pair", 1, 1),
                    ("points", 1, 1),
                    ("id", 1, 1),
                ][random.below(7)];
                add(entry);
                (0..results + inputs).for_each(|_| add(random.of(v)));
            }
            "restore" => {
                let (file, ty) = &files[random.below(files.len())];
                [&format!("\"{file}\""), random.of(v), *ty].into_iter().for_each(add);
            }
            "store" => {
                add("/dev/null");
                add(random.of(v));
            }
            "new_array" => ["a", "[]i32", "2"].into_iter().chain(["b", "c"]).for_each(add),
            "zip" => {
                [random.of(v), "[]point", random.of(v), random.of(v)].into_iter().for_each(add)
            }
            "construct" => {
                [random.of(v), "\"my sum\"", random.of(&["none", "some", "many"])]
                    .into_iter()
                    .for_each(&mut add);
                (0..random.below(3)).for_each(|_| add(random.of(v)));
            }
            "index" | "set" => {
                [random.of(v), random.of(v), random.of(OTHERS)].into_iter().for_each(add);
            }
            _ => (0..random.below(3)).for_each(|_| add(random.of(v))),
        }
    } else {
        for _ in 0..random.below(6) {
            let words = if random.below(2) == 0 { VARIABLES } else { OTHERS };
            add(random.of(words));
        }
    }
    words.join(" ")
}

#[test]
fn any_words_are_answered() {
    let files = [("i32", "1"), ("[]i32", "[4, 5]"), ("[]f64", "[1.0, 2.0]"), ("f64", "0.5")]
        .map(|(ty, text)| (file_with(&format!("a value of type {ty}"), text.as_bytes()), ty));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let commands: Vec<String> = (0..20_000).map(|_| command(&mut random, &files)).collect();
    let mut input = commands.join("\n").into_bytes();
    // A byte that ends strings, one that no text has, and a line that does not end.
    input.extend_from_slice(b"\ntypes\0 x\nfree \xff\xfe\nkind ");
    input.extend(std::iter::repeat_n(b'x', 100_000));
    let folder = crate::support::scratch().join("hostile");
    std::fs::create_dir_all(&folder).expect("scratch");
    // Files are written by whatever name.
    let output = feed(Command::new(server()).current_dir(folder), &input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answers: Vec<&str> = text.split("%%% OK\n").collect();
    assert_eq!(answers.len(), commands.len() + 5, "one for each, and one before");
    let mut failed = 0;
    for (command, answer) in commands.iter().zip(&answers[1..]) {
        let failures = answer.lines().filter(|line| *line == "%%% FAILURE").count();
        assert!(failures <= 1, "{command}: {answer}");
        failed += failures;
    }
    let done = commands.len() - failed;
    assert!(done > 2000 && failed > 2000, "{done} of {} commands did something", commands.len());
}
