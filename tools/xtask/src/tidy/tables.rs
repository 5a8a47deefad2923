//! The tables in the code that documents tell of.

use super::targets;
use futc_midend::ir::{Level, SegLevel};
use futc_midend::pipelines;
use std::path::Path;

/// What a table has entries for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Passes of the mid-end.
    Pass,
    /// Those that lead to a level.
    PassOf(Level),
    /// What `--target` takes.
    Target,
    /// What `--backend` takes.
    Backend,
    /// What `--emit` takes.
    Station,
    /// Dialects of MLIR that lowering builds operations of.
    Dialect,
    /// Levels of Core IR.
    Level,
    /// Levels of segmented operations.
    SegLevel,
}

/// A table of names.
#[derive(Debug)]
pub struct Table {
    /// What of.
    pub kind: Kind,
    /// As messages call an entry.
    pub what: &'static str,
    /// The entries.
    pub names: Vec<String>,
}

impl Table {
    /// A table.
    pub fn new(kind: Kind, what: &'static str, names: impl IntoIterator<Item = String>) -> Table {
        Table { kind, what, names: names.into_iter().collect() }
    }

    /// Whether it has the name.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }
}

/// Where the driver says at which stations compilation can stop.
const STATIONS: &str = "tools/futc/src/args.rs";

/// Where lowering says of which dialects it builds operations.
const DIALECTS: &str = "mlir-lowering/src/pipeline.rs";

/// All tables.
pub fn tables(root: &Path) -> Vec<Table> {
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    let targets: Vec<String> = targets::records(root).into_iter().map(|r| r.name).collect();
    let backends = targets.iter().cloned().chain(["interpreter".to_owned()]);
    let levels = [Level::Soacs, Level::Seg, Level::Mem];
    let names = |passes: &[pipelines::Pass]| -> Vec<String> {
        passes.iter().map(|p| p.name.to_owned()).collect()
    };
    let mut all = vec![
        Table::new(Kind::Pass, "pass", names(&pipelines::all())),
        Table::new(Kind::Backend, "target or other backend", backends),
        Table::new(Kind::Target, "target", targets),
        Table::new(Kind::Station, "station of --emit", variants(&read(STATIONS), "Station")),
        Table::new(Kind::Dialect, "dialect that is built", strings(&read(DIALECTS), "DIALECTS")),
        Table::new(Kind::Level, "level of Core IR", levels.map(|l| l.to_string())),
        Table::new(
            Kind::SegLevel,
            "level of segmented operations",
            SegLevel::ALL.map(|l| l.name().to_owned()),
        ),
    ];
    for level in levels {
        let kinds = pipelines::KINDS.iter().flat_map(|k| k.levels());
        let passes = kinds.filter(|(to, _)| *to == level).flat_map(|(_, passes)| names(passes));
        all.push(Table::new(Kind::PassOf(level), "pass of this level", passes));
    }
    all
}

/// The variants of an enum of a file, as the command line and the text of Core IR call them.
pub fn variants(text: &str, name: &str) -> Vec<String> {
    let Ok(file) = syn::parse_file(text) else { return Vec::new() };
    let found = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(e) if e.ident == name => Some(e),
        _ => None,
    });
    found
        .map_or_else(Vec::new, |e| e.variants.iter().map(|v| kebab(&v.ident.to_string())).collect())
}

/// `LlvmDialect` as `llvm-dialect`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// The strings of a constant array of a file.
fn strings(text: &str, name: &str) -> Vec<String> {
    let from = text.split_once(&format!("const {name}: &[&str] =")).map_or("", |(_, rest)| rest);
    let list = from.split(';').next().unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The strings that stand right behind `before`.
pub fn strings_after(text: &str, before: &str) -> Vec<String> {
    let before = format!("{before}\"");
    let strings = text.split(&before).skip(1);
    strings.filter_map(|s| s.split('"').next()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{strings, strings_after, tables, variants};
    use std::path::Path;

    #[test]
    fn variants_are_names_of_the_command_line() {
        let text = "enum Other { A }\n/// Where.\nenum Station { /// One.\n Tokens, LlvmDialect }";
        assert_eq!(variants(text, "Station"), ["tokens", "llvm-dialect"]);
    }

    #[test]
    fn strings_of_a_constant() {
        let text = "const A: &[&str] =\n    &[\"x\", \"y\"];\nconst B: &[&str] = &[\"z\"];";
        assert_eq!(strings(text, "A"), ["x", "y"]);
    }

    #[test]
    fn strings_behind_what_names_them() {
        assert_eq!(strings_after("name: \"x\", what: \"y\"; name: \"z\"", "name: "), ["x", "z"]);
    }

    #[test]
    fn every_table_has_entries() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for table in tables(&root) {
            assert!(table.names.len() >= 3, "{table:?}");
        }
    }
}
