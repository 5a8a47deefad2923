//! Breaks valid programs in random ways and checks them: nothing may panic or hang, and what is
//! refused should be refused with a diagnostic that speaks of the definition that was changed.
//!
//! Every change is made from a seed, which is the program's name and the number of the change, so
//! that a run can be repeated.

use crate::guard::{Outcome, guarded};
use futc_frontend::check::verify::verify;
use futc_frontend::db::{Db as _, diagnostics, program};
use futc_frontend::diag::{Severity, Sources as _, locate};
use futc_frontend::explain::pages;
use futc_frontend::syntax::lexer::{Token, TokenKind, lex};
use futc_frontend::syntax::parser::parse_file;
use futc_testing::programs::programs_in;
use futc_typed::span::FileId;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to break.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs, and folders of programs, besides those of the repository.
    paths: Vec<PathBuf>,
    /// How often each is broken.
    #[arg(short, long, default_value_t = 20)]
    times: u64,
    /// Begin the numbers of changes here.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print every program refused without a word about the changed definition.
    #[arg(short, long)]
    verbose: bool,
    /// Write programs that panic, hang, or make an ill-formed program, to this folder; and the one
    /// at work as now.fut, as a stack overflow ends the run.
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

/// A check takes no longer.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Of the changed programs that are refused, so many per cent must be refused with a diagnostic
/// inside of the changed definition.
const INSIDE: f64 = 95.0;

/// Runs it all; fails if something panics, hangs, or is badly placed.
pub fn run(root: &Path, args: &Args) -> Result<(), String> {
    let mut paths = vec![root.join("examples"), root.join("lit-tests/programs")];
    paths.extend(args.paths.iter().cloned());
    let mut originals = programs(&paths)?;
    originals.extend(examples_of_pages());
    let (figures, offenders) = mutate(originals, args.times, args.seed, args.save.clone())?;
    for o in &offenders {
        if o.what != OUTSIDE || args.verbose {
            println!("{}: {} after {}\n    {}", o.program, o.what, o.change, o.said);
        }
        if let (Some(dir), true) = (&args.save, o.what != OUTSIDE) {
            let name = o.program.replace(['/', ' '], "_");
            let file = dir.join(format!("{}-{name}", o.number));
            std::fs::write(&file, &o.text).map_err(|e| format!("{}: {e}", file.display()))?;
        }
    }
    println!("{figures}");
    figures.verdict()
}

/// A valid program.
struct Original {
    name: String,
    /// What it is known as to those it imports.
    path: String,
    text: String,
}

fn programs(paths: &[PathBuf]) -> Result<Vec<Original>, String> {
    Ok(programs_in(paths)?
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Some(Original { name, path: path.to_string_lossy().into_owned(), text })
        })
        .collect())
}

/// The right programs on the pages of diagnostics: each shows some rule.
fn examples_of_pages() -> Vec<Original> {
    let mut out = Vec::new();
    for page in pages() {
        for (i, example) in page.examples().into_iter().enumerate() {
            if !example.wrong && example.files.is_empty() {
                let name = format!("{}-{i}.fut", page.code);
                out.push(Original { path: name.clone(), name, text: example.text });
            }
        }
    }
    out
}

/// A changed program.
struct Mutant {
    original: usize,
    number: u64,
    change: String,
    text: String,
    /// The definition that was changed, where it is now.
    definition: std::ops::Range<u32>,
}

/// What the front end says of a mutant.
enum Verdict {
    Accepted,
    /// The typed program is not well-formed.
    IllFormed(String),
    Refused {
        inside: bool,
        first: String,
    },
}

/// A mutant of which there is something to say.
struct Offender {
    program: String,
    number: u64,
    change: String,
    text: String,
    what: &'static str,
    said: String,
}

const OUTSIDE: &str = "nothing said about the changed definition";

#[derive(Default)]
struct Figures {
    programs: usize,
    mutants: usize,
    accepted: usize,
    refused: usize,
    inside: usize,
    panics: usize,
    hangs: usize,
    ill_formed: usize,
    slowest: Duration,
}

impl Figures {
    fn rate(&self) -> f64 {
        if self.refused == 0 { 100.0 } else { 100.0 * self.inside as f64 / self.refused as f64 }
    }

    fn verdict(&self) -> Result<(), String> {
        if self.panics + self.hangs + self.ill_formed > 0 {
            return Err("there were panics, endless loops or ill-formed programs".into());
        }
        if self.rate() < INSIDE {
            return Err(format!("fewer than {INSIDE} % say something of what was changed"));
        }
        Ok(())
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} programs, {} mutants", self.programs, self.mutants)?;
        writeln!(
            f,
            "accepted: {}; panics: {}; hangs: {}; accepted but ill-formed: {}",
            self.accepted, self.panics, self.hangs, self.ill_formed
        )?;
        write!(
            f,
            "refused: {}, {} ({:.1} %) with a diagnostic inside of the changed definition; \
             slowest: {:?}",
            self.refused,
            self.inside,
            self.rate(),
            self.slowest
        )
    }
}

/// Breaks each program `times` times.
fn mutate(
    originals: Vec<Original>,
    times: u64,
    seed: u64,
    save: Option<PathBuf>,
) -> Result<(Figures, Vec<Offender>), String> {
    let texts: Vec<(String, String)> =
        originals.iter().map(|o| (o.path.clone(), o.text.clone())).collect();
    let valid = guarded(texts, TIME_LIMIT, |db, (path, text): &(String, String)| {
        db.set_text(path, text);
        let root = db.source(path);
        diagnostics(db, root).iter().all(|d| d.severity != Severity::Error)
    })?;
    let mut mutants = Vec::new();
    let mut figures = Figures::default();
    for (i, (original, valid)) in originals.iter().zip(valid).enumerate() {
        if !matches!(valid, Outcome::Done(true)) {
            continue;
        }
        figures.programs += 1;
        for number in seed..seed + times {
            mutants.extend(mutant(original, i, number));
        }
    }
    figures.mutants = mutants.len();
    let jobs: Vec<_> = mutants
        .iter()
        .filter_map(|m| {
            let path = originals.get(m.original)?.path.clone();
            Some((path, m.text.clone(), m.definition.clone()))
        })
        .collect();
    let outcomes = guarded(jobs, TIME_LIMIT, move |db, (path, text, definition)| {
        if let Some(dir) = &save {
            let _ = std::fs::write(dir.join("now.fut"), text);
        }
        let started = Instant::now();
        db.set_text(path, text);
        let root = db.source(path);
        let file = root.id(db);
        let said = diagnostics(db, root);
        let errors: Vec<_> = said.iter().filter(|d| d.severity == Severity::Error).collect();
        let verdict = match errors.first() {
            None => match verify(&program(db, root)).first() {
                Some(wrong) => Verdict::IllFormed(wrong.clone()),
                None => Verdict::Accepted,
            },
            Some(first) => {
                let sources = db.sources();
                let mut spans = errors.iter().flat_map(|d| &d.labels);
                let inside = spans.any(|(span, _)| {
                    let s = sources.absolute(*span);
                    s.file == file && s.start < definition.end && s.end > definition.start
                });
                let place = first.labels.first().map(|(s, _)| locate(&sources, *s));
                let place = place.unwrap_or_default();
                let first = format!("{place}: {}: {}", first.code, first.message);
                Verdict::Refused { inside, first }
            }
        };
        (verdict, started.elapsed())
    })?;
    let mut offenders = Vec::new();
    for (m, outcome) in mutants.into_iter().zip(outcomes) {
        let found = match outcome {
            Outcome::Panicked(message) => {
                figures.panics += 1;
                Some(("a panic", message))
            }
            Outcome::Hung => {
                figures.hangs += 1;
                Some(("no end", String::new()))
            }
            Outcome::Done((verdict, time)) => {
                figures.slowest = figures.slowest.max(time);
                match verdict {
                    Verdict::Accepted => {
                        figures.accepted += 1;
                        None
                    }
                    Verdict::IllFormed(wrong) => {
                        figures.ill_formed += 1;
                        Some(("an ill-formed program", wrong))
                    }
                    Verdict::Refused { inside, first } => {
                        figures.refused += 1;
                        figures.inside += usize::from(inside);
                        (!inside).then_some((OUTSIDE, first))
                    }
                }
            }
        };
        if let Some((what, said)) = found {
            offenders.push(Offender {
                program: originals.get(m.original).map(|o| o.name.clone()).unwrap_or_default(),
                number: m.number,
                change: m.change,
                text: m.text,
                what,
                said,
            });
        }
    }
    Ok((figures, offenders))
}

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    /// From a name and a number.
    fn new(name: &str, number: u64) -> Random {
        // FNV-1a.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut r = Random(hash ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..8).for_each(|_| {
            r.next();
        });
        r
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        if from.is_empty() { None } else { from.get((self.next() % from.len() as u64) as usize) }
    }
}

/// Changes a program once; nothing if none of some tries finds anything to change.
fn mutant(original: &Original, index: usize, number: u64) -> Option<Mutant> {
    let text = &original.text;
    let (tree, _) = parse_file(FileId(0), text);
    let (all, _) = lex(FileId(0), text);
    let tokens: Vec<Token> = all
        .into_iter()
        .filter(|t| !matches!(t.kind, TokenKind::Comment | TokenKind::Doc | TokenKind::Eof))
        .collect();
    let mut random = Random::new(&original.name, number);
    for _ in 0..50 {
        let dec = random.pick(&tree.decs)?;
        let (start, end) = (dec.span.start, dec.span.end);
        let inside: Vec<Token> =
            tokens.iter().copied().filter(|t| t.start >= start && t.end <= end).collect();
        let Some((change, edits)) = change(&mut random, &inside, &tokens, text) else { continue };
        let Some(changed) = apply(text, edits) else { continue };
        if changed == *text {
            continue;
        }
        let end = (i64::from(end) + changed.len() as i64 - text.len() as i64).max(0) as u32;
        return Some(Mutant {
            original: index,
            number,
            change,
            text: changed,
            definition: start..end.max(start + 1),
        });
    }
    None
}

/// Text to put in the place of bytes.
type Edit = (u32, u32, String);

fn apply(text: &str, mut edits: Vec<Edit>) -> Option<String> {
    edits.sort();
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for (start, end, new) in edits {
        out.push_str(text.get(at..start as usize)?);
        out.push_str(&new);
        at = end as usize;
    }
    out.push_str(text.get(at..)?);
    Some(out)
}

const TYPES: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u32", "f32", "f64", "bool"];

/// One change among the tokens of a definition.
fn change(
    random: &mut Random,
    inside: &[Token],
    all: &[Token],
    text: &str,
) -> Option<(String, Vec<Edit>)> {
    let show = |t: Token| t.text(text).to_owned();
    let replace = |t: Token, new: String| (t.start, t.end, new);
    let of = |kinds: &[TokenKind]| -> Vec<Token> {
        inside.iter().copied().filter(|t| kinds.contains(&t.kind)).collect()
    };
    let names = of(&[TokenKind::Ident]);
    match random.next() % 11 {
        0 => {
            let t = *random.pick(inside)?;
            Some((format!("dropping `{}`", show(t)), vec![replace(t, String::new())]))
        }
        1 => {
            let t = *random.pick(inside)?;
            let twice = format!("{0} {0}", show(t));
            Some((format!("writing `{}` twice", show(t)), vec![replace(t, twice)]))
        }
        2 => {
            let i = (random.next() % inside.len().max(1) as u64) as usize;
            let (a, b) = (*inside.get(i)?, *inside.get(i + 1)?);
            let edits = vec![replace(a, show(b)), replace(b, show(a))];
            Some((format!("swapping `{}` and its neighbour `{}`", show(a), show(b)), edits))
        }
        3 => {
            let (a, b) = (*random.pick(&names)?, *random.pick(&names)?);
            (a != b).then(|| {
                let edits = vec![replace(a, show(b)), replace(b, show(a))];
                (format!("swapping the names `{}` and `{}`", show(a), show(b)), edits)
            })
        }
        4 => {
            let a = *random.pick(&names)?;
            let others: Vec<Token> =
                all.iter().copied().filter(|t| t.kind == TokenKind::Ident).collect();
            let b = *random.pick(&others)?;
            Some((format!("writing `{}` for `{}`", show(b), show(a)), vec![replace(a, show(b))]))
        }
        5 => {
            let operators = of(&[
                TokenKind::Op,
                TokenKind::Star,
                TokenKind::Minus,
                TokenKind::Less,
                TokenKind::Hat,
            ]);
            let t = *random.pick(&operators)?;
            let new = *random.pick(&["+", "-", "*", "/", "==", "<", "&&", "|>", "++", "%"])?;
            Some((format!("writing `{new}` for `{}`", show(t)), vec![replace(t, new.into())]))
        }
        6 => {
            // A size: what stands between brackets.
            let sizes: Vec<Token> = inside
                .windows(3)
                .filter_map(|w| match w {
                    [a, t, b] if a.kind == TokenKind::LBracket && b.kind == TokenKind::RBracket => {
                        Some(*t)
                    }
                    _ => None,
                })
                .collect();
            let t = *random.pick(&sizes)?;
            let new = match random.pick(&names) {
                Some(name) if random.next().is_multiple_of(2) => show(*name),
                _ => (random.next() % 5).to_string(),
            };
            let change = format!("writing `[{new}]` for `[{}]`", show(t));
            Some((change, vec![replace(t, new)]))
        }
        7 => {
            let types: Vec<Token> =
                names.iter().copied().filter(|t| TYPES.contains(&t.text(text))).collect();
            let t = *random.pick(&types)?;
            let new = *random.pick(TYPES)?;
            Some((format!("writing `{new}` for `{}`", show(t)), vec![replace(t, new.into())]))
        }
        8 => {
            let numbers = of(&[TokenKind::Nat, TokenKind::Int, TokenKind::Float]);
            let t = *random.pick(&numbers)?;
            let new = *random.pick(&["0", "1i64", "2.5", "true", "99999999999", "\"a\"", "[1]"])?;
            Some((format!("writing `{new}` for `{}`", show(t)), vec![replace(t, new.into())]))
        }
        9 => consume_twice(random, inside, text),
        _ => {
            // A stretch of tokens gone, as when half a line is deleted.
            let i = (random.next() % inside.len().max(1) as u64) as usize;
            let n = 2 + (random.next() % 4) as usize;
            let (first, last) = (*inside.get(i)?, *inside.get(i + n)?);
            let edit = (first.start, last.end, String::new());
            Some((format!("deleting from `{}` to `{}`", show(first), show(last)), vec![edit]))
        }
    }
}

/// Updates an array once more before it is updated.
fn consume_twice(random: &mut Random, inside: &[Token], text: &str) -> Option<(String, Vec<Edit>)> {
    let updated: Vec<(Token, Token)> = inside
        .windows(3)
        .filter_map(|w| match w {
            [x, with, open]
                if x.kind == TokenKind::Ident
                    && with.kind == TokenKind::With
                    && open.kind == TokenKind::LBracket =>
            {
                Some((*x, *x))
            }
            [l, x, open]
                if l.kind == TokenKind::Let
                    && x.kind == TokenKind::Ident
                    && open.kind == TokenKind::LBracket =>
            {
                Some((*l, *x))
            }
            _ => None,
        })
        .collect();
    let (before, x) = *random.pick(&updated)?;
    let name = x.text(text);
    let (new, at) = match before == x {
        true => (format!("(let _ = {name} with [0] = {name}[0] in {name})"), (x.start, x.end)),
        false => (format!("let _ = {name} with [0] = {name}[0] "), (before.start, before.start)),
    };
    Some((format!("consuming `{name}` twice"), vec![(at.0, at.1, new)]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

    #[test]
    fn changes_are_the_same_in_every_run() {
        let text = "def f (xs: *[]i32) = let xs[0] = 1 in xs\ndef g (x: i64) = x + 1\n";
        let original = Original { name: "a.fut".into(), path: "a.fut".into(), text: text.into() };
        for number in 0..100 {
            let (a, b) = (mutant(&original, 0, number), mutant(&original, 0, number));
            let (a, b) = (a.unwrap(), b.unwrap());
            assert_eq!(a.text, b.text);
            assert_ne!(a.text, text);
            let changed = a.text.get(..a.definition.start as usize).unwrap();
            assert!(text.starts_with(changed), "{}", a.change);
            let rest = a.text.get(a.definition.end as usize..).unwrap();
            assert!(text.ends_with(rest), "{}", a.change);
        }
    }

    #[test]
    fn broken_programs_are_refused_where_they_are_broken() {
        let mut originals = programs(&[Path::new(ROOT).join("examples")]).unwrap();
        originals.extend(examples_of_pages());
        let (figures, offenders) = mutate(originals, 2, 0, None).unwrap();
        let bad: Vec<String> = offenders
            .iter()
            .filter(|o| o.what != OUTSIDE)
            .map(|o| format!("{} after {}: {}\n{}", o.program, o.change, o.what, o.said))
            .collect();
        assert!(bad.is_empty(), "{}", bad.join("\n"));
        assert!(figures.refused > 50 && figures.accepted > 0, "{figures}");
        assert!(figures.rate() > 90.0, "{figures}");
    }
}
