//! The table of figures in `README.md`.

use super::rows::{ROWS, Row};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What stands before the table.
const BEGIN: &str = "<!-- figures: `cargo xtask figures` writes this table -->\n";
/// What stands behind it.
const END: &str = "<!-- end of figures -->\n";

/// A figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// As it is shown.
    pub figure: String,
    /// Of which commit it is.
    pub commit: String,
}

/// The figures, by what they are of.
pub struct Table(BTreeMap<String, Entry>);

/// The text before, in and behind the table.
fn split(text: &str) -> Result<(&str, &str, &str), String> {
    let parts = text.split_once(BEGIN).and_then(|(before, rest)| {
        let (table, behind) = rest.split_once(END)?;
        Some((before, table, behind))
    });
    parts.ok_or_else(|| format!("README.md lacks {BEGIN:?} or {END:?}"))
}

impl Table {
    /// The table of a text.
    pub fn read(text: &str) -> Result<Table, String> {
        let (_, table, _) = split(text)?;
        let cells = table.lines().skip(2).map(|l| l.trim_matches('|').split(" | "));
        let mut entries = BTreeMap::new();
        for mut cells in cells {
            let mut next = || cells.next().map(|c| c.trim().to_owned());
            if let (Some(what), Some(figure), Some(commit)) = (next(), next(), next()) {
                entries.insert(what, Entry { figure, commit });
            }
        }
        Ok(Table(entries))
    }

    /// Puts a figure in its row.
    pub fn set(&mut self, row: &Row, entry: Entry) {
        self.0.insert(row.what.into(), entry);
    }

    /// The text with the table as it is now: rows in order, those that nothing measures any more left out.
    pub fn write(&self, text: &str) -> Result<String, String> {
        let (before, _, behind) = split(text)?;
        let mut out =
            format!("{before}{BEGIN}| | figure | commit | by |\n| --- | --- | --- | --- |\n");
        for row in ROWS {
            if let Some(Entry { figure, commit }) = self.0.get(row.what) {
                let by = row.source.shown();
                let _ = writeln!(out, "| {} | {figure} | {commit} | {by} |", row.what);
            }
        }
        Ok(format!("{out}{END}{behind}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, Entry, ROWS, Table};

    #[test]
    fn figures_that_are_not_measured_stay() {
        let [first, second, ..] = ROWS else { panic!("there are rows") };
        let text = format!(
            "a\n{BEGIN}| | figure | commit | by |\n| --- | --- | --- | --- |\n| {} | 7 of 8 | abc | x |\n\
             | gone | 1 | 2 | 3 |\n{END}b\n",
            first.what
        );
        let mut table = Table::read(&text).unwrap();
        table.set(second, Entry { figure: "9".into(), commit: "def".into() });
        let written = table.write(&text).unwrap();
        assert!(written.starts_with("a\n") && written.ends_with(&format!("{END}b\n")));
        assert!(written.contains(&format!("| {} | 7 of 8 | abc | ", first.what)), "{written}");
        assert!(written.contains(&format!("| {} | 9 | def | ", second.what)), "{written}");
        assert!(!written.contains("gone"));
        assert_eq!(
            Table::read(&written).unwrap().0,
            table.0.into_iter().filter(|(w, _)| w != "gone").collect()
        );
        assert!(Table::read("no table").is_err());
    }
}
