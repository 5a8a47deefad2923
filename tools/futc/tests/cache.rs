//! What the cache of compiled code promises (docs/cache.md).

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with a program and a cache.
struct Place {
    dir: TempDir,
}

/// What a compilation said of the cache.
#[derive(PartialEq, Eq, Debug, Clone, Copy)]
struct Units {
    found: usize,
    of: usize,
}

impl Place {
    fn new() -> Place {
        Place { dir: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, output: &str, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_futc"));
        command.args(["-w", "-O1", "--split-from=1", "--time-passes", "p.fut", "-o", output]);
        command.args(options).current_dir(self.dir.path());
        command.env("XDG_CACHE_HOME", self.path("cache")).env_remove("FUTC_CACHE_SIZE");
        command
    }

    /// Compiles a program to `p`.
    fn compile(&self, text: &str) -> Units {
        fs::write(self.path("p.fut"), text).unwrap();
        units(&self.command("p", &[]).output().unwrap())
    }

    /// Compiles a program, which must come out as it does without a cache.
    fn same(&self, text: &str) -> Units {
        let units = self.compile(text);
        let output = self.command("cold", &["--no-cache"]).output().unwrap();
        assert!(output.status.success());
        assert!(
            fs::read(self.path("p")).unwrap() == fs::read(self.path("cold")).unwrap(),
            "{text}"
        );
        units
    }

    /// What the compiled program does.
    fn run(&self, entry: &str, input: &str) -> String {
        let mut child = Command::new(self.path("p"))
            .args(["-e", entry])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        files(&self.path("cache"))
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => out.extend(files(&path)),
            path => out.push(path),
        }
    }
    out
}

fn units(output: &Output) -> Units {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let line = said.lines().find_map(|l| l.trim().strip_prefix("cache ")).unwrap();
    let mut words = line.split(' ').filter_map(|w| w.parse().ok());
    Units { found: words.next().unwrap(), of: words.next().unwrap() }
}

/// Six entry points, with functions of their own, a function that all have, a constant, a literal table,
/// and a constant that two of them share.
fn program() -> String {
    let mut text = String::from(
        "def digits : [5]i64 = [3, 1, 4, 1, 5]\n\
         def scale (x: i64) : i64 = x * 7\n\
         def shift : i64 = i64.sum (map (+ 2) (iota 5))\n\n",
    );
    for k in 0..6 {
        let shared = if k < 2 { " + shift" } else { "" };
        text += &format!(
            "def step_{k} [n] (xs: [n]i64) : [n]i64 =\n  \
               let sums = scan (+) 0 (map (\\x -> scale x + {k}) xs)\n  \
               let most = i64.maximum sums\n  \
               in map (\\x -> most - x + digits[x % 5]{shared}) sums\n\n\
             def walk_{k} [n] (xs: [n]i64) : [n]i64 =\n  \
               let ys = step_{k} (map (* 3) xs)\n  \
               let (small, large) = partition (\\x -> x < 40{k}) ys\n  \
               in map2 (\\x y -> 2 * x - y) (sized n (small ++ large)) (scan i64.max 0 ys)\n\n\
             entry run_{k} [n] (xs: [n]i64) (i: i64) : i64 =\n  \
               (walk_{k} (walk_{k} xs))[i]\n\n"
        );
    }
    text
}

#[test]
fn what_was_compiled_is_found() {
    let place = Place::new();
    let first = place.same(&program());
    assert_eq!(first.found, 0);
    assert!(first.of >= 4, "{first:?}");
    let second = place.same(&program());
    assert_eq!(second, Units { found: first.of, of: first.of });
    let entries = place.entries().len();
    assert_eq!(entries, first.of + 1, "the units and the executable");
    // Other options, other code.
    let other = units(&place.command("p", &["--exact-math"]).output().unwrap());
    assert_eq!(other.found, 0);
}

#[test]
fn without_a_cache_nothing_is_kept() {
    let place = Place::new();
    fs::write(place.path("p.fut"), program()).unwrap();
    assert_eq!(units(&place.command("p", &["--no-cache"]).output().unwrap()).found, 0);
    assert_eq!(place.entries().len(), 0);
    let output = place.command("p", &[]).env("FUTC_CACHE_SIZE", "0").output().unwrap();
    assert_eq!(units(&output).found, 0);
    assert_eq!(place.entries().len(), 0);
    let output = place.command("p", &[]).env("FUTC_CACHE_SIZE", "much").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_edit_reaches_only_its_own_unit() {
    let place = Place::new();
    let text = program();
    let all = place.same(&text).of;
    let before = place.run("run_4", "[1i64, 2i64, 3i64] 1i64");
    let edited = text.replace("scale x + 4)", "scale x + 44)");
    assert_eq!(place.same(&edited), Units { found: all - 1, of: all });
    assert_ne!(place.run("run_4", "[1i64, 2i64, 3i64] 1i64"), before);
    // Its old form is still there.
    assert_eq!(place.same(&text), Units { found: all, of: all });
    assert_eq!(place.run("run_4", "[1i64, 2i64, 3i64] 1i64"), before);
    // What is only moved is the same.
    let moved = text.replace("def step_3", "-- a line\n\n\ndef step_3");
    assert_eq!(place.same(&moved), Units { found: all, of: all });
}

#[test]
fn edits_reach_all_who_use_what_was_edited() {
    let place = Place::new();
    let text = program();
    let all = place.same(&text).of;
    let input = "[1i64, 2i64, 3i64] 1i64";
    let results = || [0, 2, 5].map(|k| place.run(&format!("run_{k}"), input));
    let before = results();
    // A function that all call; a literal.
    for (old, new) in [("x * 7", "x * 8"), ("[3, 1, 4, 1, 5]", "[13, 11, 14, 11, 15]")] {
        assert_eq!(place.same(&text.replace(old, new)).found, 0, "{new}");
        let now = results();
        assert!(now.iter().zip(&before).any(|(a, b)| a != b), "{new}: {now:?}");
    }
    // A constant that some read.
    let some = place.same(&text.replace("(+ 2) (iota 5)", "(+ 3) (iota 5)"));
    assert!(some.found > 0 && some.found < all, "{some:?}");
    let now = results();
    assert_ne!(now[0], before[0]);
    assert_eq!(now[1..], before[1..]);
}

#[test]
fn messages_tell_positions_as_they_are_now() {
    let place = Place::new();
    let text = program();
    let all = place.same(&text).of;
    let line =
        |text: &str| text.lines().position(|l| l.contains("walk_5 (walk_5 xs)")).unwrap() + 1;
    let fails = || place.run("run_5", "[1i64, 2i64, 3i64] 7i64");
    assert!(fails().contains(&format!("p.fut:{}:", line(&text))), "{}", fails());
    let moved = format!("-- one\n-- two\n{text}");
    assert_eq!(place.same(&moved), Units { found: all, of: all });
    assert!(fails().contains(&format!("p.fut:{}:", line(&moved))), "{}", fails());
    assert!(!fails().contains('\u{1}'), "{}", fails());
}

#[test]
fn damaged_entries_are_made_anew() {
    let place = Place::new();
    let text = program();
    let all = place.same(&text).of;
    for damage in [
        (|bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2)) as fn(&mut Vec<u8>),
        |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        },
        |bytes| bytes.clear(),
        |bytes| bytes.push(0),
    ] {
        for entry in place.entries() {
            let mut bytes = fs::read(&entry).unwrap();
            damage(&mut bytes);
            fs::write(&entry, bytes).unwrap();
        }
        assert_eq!(place.same(&text).found, 0);
        assert_eq!(place.same(&text).found, all);
    }
}

#[test]
fn several_at_once_do_not_disturb_each_other() {
    let place = Place::new();
    fs::write(place.path("p.fut"), program()).unwrap();
    let outputs: Vec<String> = (0..4).map(|i| format!("p{i}")).collect();
    let spawn =
        |output: &String| place.command(output, &[]).stderr(Stdio::piped()).spawn().unwrap();
    let children: Vec<_> = outputs.iter().map(spawn).collect();
    for child in children {
        units(&child.wait_with_output().unwrap());
    }
    let all: Vec<Vec<u8>> = outputs.iter().map(|o| fs::read(place.path(o)).unwrap()).collect();
    assert!(all.windows(2).all(|two| two[0] == two[1]));
    assert!(
        place
            .entries()
            .iter()
            .all(|e| { !e.file_name().unwrap().to_string_lossy().starts_with("new-") })
    );
    let after = place.same(&program());
    assert_eq!(after.found, after.of);
}

#[test]
fn the_cache_stays_as_small_as_it_is_told_to() {
    let place = Place::new();
    let limit: u64 = 400 << 10;
    for round in 0..4 {
        let text = program().replace("x * 7", &format!("x * {round}1"));
        fs::write(place.path("p.fut"), text).unwrap();
        let mut command = place.command("p", &[]);
        units(&command.env("FUTC_CACHE_SIZE", "400k").output().unwrap());
        let total: u64 = place.entries().iter().map(|e| fs::metadata(e).unwrap().len()).sum();
        assert!(total > 0 && total <= limit, "{total} in round {round}");
    }
}

#[test]
fn a_cache_that_cannot_be_is_no_error() {
    let place = Place::new();
    fs::write(place.path("p.fut"), program()).unwrap();
    fs::write(place.path("file"), "").unwrap();
    for home in [place.path("file"), PathBuf::from("relative")] {
        let mut command = place.command("p", &[]);
        command.env("XDG_CACHE_HOME", &home).env_remove("HOME");
        let output = command.output().unwrap();
        assert_eq!(units(&output).found, 0);
        assert!(!String::from_utf8_lossy(&output.stderr).contains("file"), "nothing is said");
    }
    assert!(!place.path("relative").exists());
}

#[test]
fn what_there_is_to_say_is_said_each_time() {
    let place = Place::new();
    let compile = |bound: &str| {
        let text = format!(
            "entry main (n: i64) : i64 = #[unroll] loop x = n for i < {bound} do x * x + i\n"
        );
        fs::write(place.path("p.fut"), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_futc"));
        command.args(["--time-passes", "p.fut"]).current_dir(place.dir.path());
        command.env("XDG_CACHE_HOME", place.path("cache")).env_remove("FUTC_CACHE_SIZE");
        let output = command.output().unwrap();
        let warned = String::from_utf8_lossy(&output.stderr).contains("loop-not-unrolled");
        (warned, units(&output).found)
    };
    assert_eq!([compile("n"), compile("n")], [(true, 0), (true, 0)]);
    assert_eq!([compile("3"), compile("3")], [(false, 0), (false, 1)]);
}

#[test]
fn programs_that_are_not_split_are_kept_too() {
    let place = Place::new();
    fs::write(place.path("p.fut"), program()).unwrap();
    for options in
        [&["--target=gpu-emu"][..], &["-g"], &["--sanitize=address", "--emit=obj"], &["--emit=obj"]]
    {
        let first = units(&place.command("a", options).output().unwrap());
        let second = units(&place.command("b", options).output().unwrap());
        assert_eq!((first.found, second.found), (0, first.of), "{options:?}");
        assert!(fs::read(place.path("a")).unwrap() == fs::read(place.path("b")).unwrap());
    }
    // There, positions are part of the code.
    let moved = format!("-- one\n{}", program());
    fs::write(place.path("p.fut"), moved).unwrap();
    assert_eq!(units(&place.command("a", &["-g"]).output().unwrap()).found, 0);
}

/// Entry points that share everything: a chain of functions.
fn chain() -> String {
    let mut text = String::from(
        "def table : [4]i64 = [3, 1, 4, 1]\n#[noinline]\ndef f0 (x: i64) : i64 = x + table[x % 4]\n",
    );
    for k in 1..9 {
        let (before, two) = (k - 1, i32::max(k - 2, 0));
        text += &format!(
            "#[noinline]\ndef f{k} (x: i64) : i64 =\n  \
               let ys = map (\\i -> f{before} (i + x)) (iota 5)\n  \
               let s = i64.sum ys\n  \
               in if s % 2 == 0 then f{two} s else ys[if x == 77777777 then 9 else x % 5] * 1{k}\n\
             entry run_{k} (x: i64) : i64 = f{k} x\n"
        );
    }
    text
}

#[test]
fn an_edit_reaches_only_the_parts_that_it_is_in() {
    let place = Place::new();
    let parts = |text: &str| {
        fs::write(place.path("p.fut"), text).unwrap();
        let options = ["--part-size=12"];
        let warm = units(&place.command("p", &options).output().unwrap());
        let cold = place.command("cold", &["--part-size=12", "--no-cache"]).output().unwrap();
        assert!(cold.status.success());
        assert!(fs::read(place.path("p")).unwrap() == fs::read(place.path("cold")).unwrap());
        warm
    };
    let text = chain();
    let first = parts(&text);
    assert!(first.found == 0 && first.of > 4, "{first:?}");
    let before = place.run("run_8", "1i64");
    assert_eq!(parts(&text), Units { found: first.of, of: first.of });
    // The whole program at once does the same.
    place.compile(&text);
    assert_eq!(place.run("run_8", "1i64"), before);
    let edited = parts(&text.replace("* 14", "* 41"));
    assert_eq!(edited, Units { found: first.of - 1, of: first.of });
    assert_ne!(place.run("run_8", "1i64"), before);
    // What is only moved is the same, and is told with its new position.
    let moved = format!("-- one\n-- two\n{text}");
    let line = |text: &str| text.lines().position(|l| l.contains("ys[if")).unwrap() + 1;
    let fails = || place.run("run_1", "77777777i64");
    assert_eq!(parts(&moved).found, first.of);
    assert!(fails().contains(&format!("p.fut:{}:", line(&moved))), "{}", fails());
    parts(&text);
    assert!(fails().contains(&format!("p.fut:{}:", line(&text))), "{}", fails());
}
