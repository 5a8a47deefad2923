//! Documents list passes, targets, stations, dialects and levels as the tables in the code do.
//!
//! Three things are looked at in every document: the lists that [`LISTS`] tells of, which name what the
//! table has, or all of it; values of options in code (`--emit=mlir`); and rows of code (`` `seq`, `gpu-emu` ``),
//! of which all are in a table if most are.

use super::tables::{Kind, Table, tables};
use futc_midend::ir::Level;
use std::path::{Path, PathBuf};

/// A list in a document.
struct List {
    document: &'static str,
    /// What it follows; it occurs once.
    after: &'static str,
    /// What ends it.
    until: &'static str,
    kind: Kind,
    /// Whether everything in the table must be there.
    whole: bool,
}

/// What documents list outside of rows of code.
const LISTS: &[List] = &[
    List {
        document: "README.md",
        after: "--emit=mlir          #",
        until: "\n",
        kind: Kind::Station,
        whole: true,
    },
    List {
        document: "README.md",
        after: "runs test blocks; --backend=",
        until: "\n",
        kind: Kind::Backend,
        whole: true,
    },
    List {
        document: "README.md",
        after: "the targets ",
        until: ", the",
        kind: Kind::Target,
        whole: true,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "hist, scatter\n   │",
        until: "…",
        kind: Kind::PassOf(Level::Soacs),
        whole: false,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "who runs them\n   │",
        until: "…",
        kind: Kind::PassOf(Level::Seg),
        whole: false,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "blocks are counted\n   │",
        until: "…",
        kind: Kind::PassOf(Level::Mem),
        whole: false,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "\n MLIR ",
        until: "mlir-lowering/",
        kind: Kind::Dialect,
        whole: true,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "**One syntax for three levels.**",
        until: "share",
        kind: Kind::Level,
        whole: true,
    },
    List {
        document: "ARCHITECTURE.md",
        after: "(`SegLevel`:",
        until: ")",
        kind: Kind::SegLevel,
        whole: true,
    },
];

/// Options, and what their values are.
const OPTIONS: &[(&str, Kind)] = &[
    ("--emit", Kind::Station),
    ("--target", Kind::Backend),
    ("--backend", Kind::Backend),
    ("--passes", Kind::Pass),
    ("--print-after", Kind::Pass),
];

/// Checks all documents.
pub fn check(root: &Path, findings: &mut Vec<String>) {
    let tables = tables(root);
    for table in tables.iter().filter(|t| t.names.is_empty()) {
        findings.push(format!("tools/xtask/src/tidy/tables.rs: no {} found", table.what));
    }
    for document in documents(root) {
        let name = document.strip_prefix(root).unwrap_or(&document).display().to_string();
        let text = std::fs::read_to_string(&document).unwrap_or_default();
        let lists: Vec<&List> = LISTS.iter().filter(|l| l.document == name).collect();
        let found = findings_of(&text, &lists, &tables);
        findings.extend(found.into_iter().map(|f| format!("{name}: {f}")));
    }
    for list in LISTS.iter().filter(|l| !root.join(l.document).is_file()) {
        findings.push(format!("{} is missing", list.document));
    }
}

/// Everything that describes the present state.
fn documents(root: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(|f| root.join(f)).into();
    let docs = std::fs::read_dir(root.join("docs")).into_iter().flatten();
    let pages = docs.filter_map(Result::ok).map(|e| e.path());
    all.extend(pages.filter(|p| p.extension().is_some_and(|e| e == "md")));
    all.sort();
    all
}

/// What is wrong in a document.
fn findings_of(text: &str, lists: &[&List], tables: &[Table]) -> Vec<String> {
    let table = |kind| tables.iter().find(|t| t.kind == kind);
    let mut out = Vec::new();
    for list in lists {
        let after = list.after.trim();
        let region = text
            .split_once(list.after)
            .filter(|(_, rest)| !rest.contains(list.after))
            .and_then(|(_, rest)| Some(rest.split_once(list.until)?.0));
        match (region, table(list.kind)) {
            (Some(region), Some(table)) => out.extend(compare(region, table, list.whole, after)),
            (None, _) => out.push(format!(
                "no list behind {after:?}: tools/xtask/src/tidy/documents.rs tells of one"
            )),
            (_, None) => {}
        }
    }
    // Code lies between backticks, one or three.
    let parts: Vec<&str> = text.split('`').collect();
    for code in parts.iter().skip(1).step_by(2) {
        for (option, kind) in OPTIONS {
            let Some(table) = table(*kind) else { continue };
            for value in values(code, option).filter(|v| !table.has(v)) {
                out.push(format!("{option}={value}: there is no such {}", table.what));
            }
        }
    }
    for row in rows(&parts) {
        let hits = |t: &Table| row.iter().filter(|w| t.has(w)).count();
        // The passes of a level are passes.
        let general = tables.iter().filter(|t| !matches!(t.kind, Kind::PassOf(_)));
        let Some(best) = general.max_by_key(|t| hits(t)) else { continue };
        if hits(best) >= 2 && 2 * hits(best) > row.len() {
            for word in row.iter().filter(|w| !best.has(w)) {
                out.push(format!("`{word}` stands among others, but is no {}", best.what));
            }
        }
    }
    out
}

/// What a list says otherwise than a table.
fn compare(region: &str, table: &Table, whole: bool, after: &str) -> Vec<String> {
    let word = |c: char| !c.is_alphanumeric() && c != '-' && c != '_';
    let listed: Vec<&str> =
        region.split(word).filter(|w| !matches!(*w, "" | "and" | "or")).collect();
    let unknown = listed.iter().filter(|w| !table.has(w));
    let mut out: Vec<String> =
        unknown.map(|w| format!("{w}, listed behind {after:?}, is no {}", table.what)).collect();
    let missing = table.names.iter().filter(|n| whole && !listed.contains(&n.as_str()));
    out.extend(missing.map(|n| format!("the list behind {after:?} lacks {n}")));
    out
}

/// The values of an option in code; capitals stand for any.
fn values<'t>(code: &'t str, option: &'static str) -> impl Iterator<Item = &'t str> {
    let name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    code.split(option)
        .skip(1)
        .filter_map(|rest| rest.strip_prefix(['=', ' ']))
        .filter_map(move |rest| rest.split(|c| !name(c) && c != ',').next())
        .flat_map(|list| list.split(','))
        .filter(|value| !value.is_empty() && !value.starts_with('-'))
}

/// Words of code that stand side by side, each between backticks of its own.
fn rows<'t>(parts: &[&'t str]) -> Vec<Vec<&'t str>> {
    let plain = |w: &str| {
        !w.is_empty() && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    };
    let mut all = Vec::new();
    let mut row = Vec::new();
    for pair in parts.chunks(2) {
        let joined = matches!(pair[0].trim(), "," | "and" | "or" | ", and" | ", or" | "/");
        if !joined {
            all.push(std::mem::take(&mut row));
        }
        match pair.get(1) {
            Some(word) if plain(word) => row.push(*word),
            _ => all.push(std::mem::take(&mut row)),
        }
    }
    all.push(row);
    all.retain(|row| row.len() > 1);
    all
}

#[cfg(test)]
mod tests {
    use super::{Kind, List, Table, findings_of};

    fn findings(text: &str, lists: &[&List]) -> Vec<String> {
        let names = |names: &str| names.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let tables = [
            Table::new(Kind::Station, "station", names("core mem mlir")),
            Table::new(Kind::Pass, "pass", names("fuse inline dead-code")),
            Table::new(Kind::Backend, "backend", names("one two three")),
        ];
        findings_of(text, lists, &tables)
    }

    const STATIONS: List =
        List { document: "", after: "stations:", until: ".", kind: Kind::Station, whole: true };

    #[test]
    fn a_list_is_that_of_the_table() {
        assert_eq!(findings("The stations: core, mem and mlir.", &[&STATIONS]), [""; 0]);
        assert_eq!(
            findings("The stations: core, ast and mlir.", &[&STATIONS]),
            [
                "ast, listed behind \"stations:\", is no station",
                "the list behind \"stations:\" lacks mem"
            ]
        );
    }

    #[test]
    fn part_of_a_table_may_do() {
        let some = List { whole: false, ..STATIONS };
        assert_eq!(findings("The stations: core.", &[&some]), [""; 0]);
        assert_eq!(
            findings("The stations: core, x.", &[&some]),
            ["x, listed behind \"stations:\", is no station"]
        );
    }

    #[test]
    fn a_list_that_is_gone_is_told() {
        for text in ["No such list.", "stations: core mem mlir. Again stations: core."] {
            let [found] = findings(text, &[&STATIONS]).try_into().unwrap();
            assert!(found.starts_with("no list behind"), "{found}");
        }
    }

    #[test]
    fn options_in_code_have_values_of_the_table() {
        let text = "`futc --emit=mem --target one,four` and --emit=nothing of `--passes=PASS`\n\
                    ```\nopt --passes=fuse,gone --emit=STATION\n```\n";
        assert_eq!(
            findings(text, &[]),
            ["--target=four: there is no such backend", "--passes=gone: there is no such pass"]
        );
    }

    #[test]
    fn rows_of_code_are_of_one_table() {
        let text = "`one`, `two` and `four`; `one` and the interpreter; `core`, `fuse`; `a`, `b`";
        assert_eq!(findings(text, &[]), ["`four` stands among others, but is no backend"]);
    }
}
