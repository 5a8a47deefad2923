//! Figures in what commands print and pages say.

/// What stands between two texts, the first time that both are in a line.
pub fn between(text: &str, before: &str, behind: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (_, rest) = line.split_once(before)?;
        let (found, _) = rest.split_once(behind)?;
        Some(found.trim().to_owned())
    })
}

/// The commit that a page says it is of.
pub fn commit_of(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("Of commit ")?;
    rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().filter(|c| !c.is_empty())
}

/// The line that a page or another program writes about a commit.
pub fn commit_line(commit: &str) -> String {
    format!("Of commit {commit}.")
}

/// The cells of a line of a table.
fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(|c| c.trim().trim_matches('*')).collect()
}

/// Of `docs/conformance.md`: the share of checkable cases that pass, of each backend.
pub fn passing(page: &str) -> Option<String> {
    let head = page.lines().find(|l| l.starts_with("| folder |"))?;
    let all = page.lines().find(|l| l.starts_with("| **all** |"))?;
    let shares = cells(head).into_iter().zip(cells(all)).skip(1);
    Some(shares.map(|(b, share)| format!("`{b}` {share}")).collect::<Vec<_>>().join(", "))
}

/// Of `docs/conformance.md`: the crashes on all backends.
pub fn crashes(page: &str) -> Option<String> {
    let of = |l: &str| l.split_once(": ")?.1.split_once(" crashes;")?.0.parse::<usize>().ok();
    let all: Vec<usize> = page.lines().filter_map(of).collect();
    (!all.is_empty()).then(|| all.iter().sum::<usize>().to_string())
}

/// Of `xtask conformance --rejects-only`.
pub fn refused(text: &str) -> Option<String> {
    let all = text.lines().find(|l| l.starts_with("| all |"))?;
    let [_, programs, _, right] = cells(all)[..] else { return None };
    Some(format!("{right} of {programs}"))
}

/// Of `xtask mutate`.
pub fn mutants(text: &str) -> Option<String> {
    let mutants = between(text, " programs, ", " mutants")?;
    let panics = between(text, "panics: ", ";")?;
    let refused = between(text, "refused: ", ",")?;
    let inside = between(text, "(", " %) with a diagnostic")?;
    Some(format!(
        "{panics} panics in {mutants}; {inside} % of {refused} refused ones told in what was changed"
    ))
}

/// Of `futc test`: the last line.
pub fn cases(text: &str) -> Option<String> {
    text.lines().rfind(|l| l.contains(" passed, ")).map(|l| l.trim().to_owned())
}

/// Of `xtask random --target`: a line for each target.
pub fn compiled(text: &str) -> Option<String> {
    let line = |l: &str| {
        let (target, rest) = l.split_once(": ")?;
        let (_, counts) = rest.split_once(": ")?;
        let (agree, _) = counts.split_once(" agree with the interpreter")?;
        let (programs, _) = rest.split_once(" programs")?;
        Some(format!("`{target}` {agree} of {programs}"))
    };
    let all: Vec<String> = text.lines().filter_map(line).collect();
    (!all.is_empty()).then(|| format!("{} agree with the interpreter", all.join(", ")))
}

/// Of `docs/benchmarks.md`: the mean of ratios, and the greatest.
pub fn speed(page: &str) -> Option<String> {
    let rows: Vec<Vec<&str>> = page
        .lines()
        .skip_while(|l| !l.starts_with("| program "))
        .take_while(|l| l.starts_with('|'))
        .map(cells)
        .collect();
    let at = rows.first()?.iter().position(|c| *c == "futc / best C")?;
    let (mean, programs) = rows.get(2..)?.split_last()?;
    let ratios = programs.iter().filter_map(|r| r.get(at)?.parse::<f64>().ok());
    let most = ratios.fold(0.0, f64::max);
    Some(format!("geometric mean {} of {}, none above {most:.2}", mean.get(at)?, programs.len()))
}

/// Of `docs/benchmarks.md`: the shares of the copy's speed.
pub fn bandwidth(page: &str) -> Option<String> {
    let (_, section) = page.split_once("## Bandwidth")?;
    let rows = section.lines().skip_while(|l| !l.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|l| l.starts_with('|')).map(cells);
    let share = |r: Vec<&str>| Some(format!("{} {}", r.first()?, r.get(2)?));
    let all: Vec<String> =
        rows.filter(|r| r.first() != Some(&"`memcpy`")).filter_map(share).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Of criterion: the middle estimates of some benchmarks.
pub fn times(text: &str, names: &[&str]) -> Option<String> {
    // A long name has a line of its own.
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    let time = |name: &&str| {
        let (_, rest) = joined.split_once(&format!("{name} time: ["))?;
        let mut words = rest.split_once(']')?.0.split(' ').skip(2);
        Some(format!("{} {}", words.next()?, words.next()?))
    };
    Some(names.iter().map(time).collect::<Option<Vec<_>>>()?.join(", "))
}

/// Of the benchmark of long programs: seconds from nothing and after an edit.
pub fn long(text: &str) -> Option<String> {
    let rows: Vec<Vec<&str>> = text.lines().filter(|l| l.starts_with("| ")).map(cells).collect();
    let seconds = |program: &str, what: &str| {
        let row = rows.iter().find(|r| r.first() == Some(&program) && r.get(1) == Some(&what))?;
        row.get(2).map(|s| (*s).to_owned())
    };
    let mut programs: Vec<&str> = rows.iter().filter_map(|r| r.first().copied()).collect();
    programs.dedup();
    let of = |p: &&str| {
        let (cold, edited) =
            (seconds(p, "from nothing, no cache")?, seconds(p, "one function edited")?);
        Some(format!("{p} {cold}, {edited}"))
    };
    let all: Vec<String> = programs.iter().filter_map(of).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_figures() {
        let page = "Of commit 12ab34c-dirty.\n\n| folder | one | two |\n| --- | --- | --- |\n\
                    | x | 1/1 (100.0 %) | – |\n| **all** | **7/8 (87.5 %)** | **8/8 (100.0 %)** |\n\n\
                    `one`: 0 crashes; what\n`two`: 2 crashes; what\n";
        assert_eq!(commit_of(page), Some("12ab34c-dirty"));
        assert_eq!(commit_of(&commit_line("0a1b2c3")), Some("0a1b2c3"));
        assert_eq!(passing(page).as_deref(), Some("`one` 7/8 (87.5 %), `two` 8/8 (100.0 %)"));
        assert_eq!(crashes(page).as_deref(), Some("2"));
        let page = "| program | futc (ms) | futc / best C |\n| --- | --: | --: |\n| a | 1.0 | 0.5 |\n\
                    | b | 2.0 | 1.25 |\n| **geometric mean** | | 0.79 |\n\n## Bandwidth\n\n\
                    | program | GB/s | of the copy's | goal |\n| --- | --: | --: | --: |\n\
                    | `memcpy` | 14 | 1.00 | |\n| `map (+ 1)` | 17 | 1.26 | 0.90 |\n\nMore\n";
        assert_eq!(speed(page).as_deref(), Some("geometric mean 0.79 of 2, none above 1.25"));
        assert_eq!(bandwidth(page).as_deref(), Some("`map (+ 1)` 1.26"));
    }

    #[test]
    fn outputs_have_figures() {
        let text =
            "| x | 3 | 3 (100.0 %) | 3 (100.0 %) |\n| all | 394 | 394 (100.0 %) | 393 (99.7 %) |\n";
        assert_eq!(refused(text).as_deref(), Some("393 (99.7 %) of 394"));
        let text = "139 programs, 700 mutants\naccepted: 60; panics: 0; hangs: 0; accepted but\n\
                    refused: 640, 620 (96.9 %) with a diagnostic inside of\n";
        let found = "0 panics in 700; 96.9 % of 640 refused ones told in what was changed";
        assert_eq!(mutants(text).as_deref(), Some(found));
        assert_eq!(
            cases("a\n28 passed, 0 failed, 0 skipped\n").as_deref(),
            Some("28 passed, 0 failed, 0 skipped")
        );
        let text = "seq: 30 programs from seed 1: 29 agree with the interpreter, 1 are left out\n";
        assert_eq!(compiled(text).as_deref(), Some("`seq` 29 of 30 agree with the interpreter"));
        let text =
            "edit/cold/1000\n       time:   [1.0 ms 2.0 ms 3.0 ms]\nb  time: [4 µs 5 µs 6 µs]\n";
        assert_eq!(times(text, &["edit/cold/1000", "b"]).as_deref(), Some("2.0 ms, 5 µs"));
        let text = "| p | from nothing, no cache | 9.0 | 1 | 2 | 1.0 |\n| p | one function edited | 0.5 | 1 | 2 | 1.0 |\n";
        assert_eq!(long(text).as_deref(), Some("p 9.0, 0.5"));
    }
}
