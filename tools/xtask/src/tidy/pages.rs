//! Folders of many source files have a page, `README.md`, that names each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A folder of more source files than this has a page.
const MANY: usize = 15;

/// Checks the pages of the folders that `files` lie in.
pub fn check(root: &Path, files: &[PathBuf], findings: &mut Vec<String>) {
    let mut folders: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        if let (Some(folder), Some(name)) =
            (file.parent(), file.file_name().and_then(|n| n.to_str()))
        {
            folders.entry(folder).or_default().insert(name);
        }
    }
    for (folder, names) in folders {
        // Cargo looks for these by where they lie, and their first lines say what they test.
        if folder.ends_with("tests") || names.len() <= MANY && !folder.join("README.md").exists() {
            continue;
        }
        let place = folder.strip_prefix(root).unwrap_or(folder).display();
        match std::fs::read_to_string(folder.join("README.md")) {
            Ok(page) => {
                findings.extend(compare(&page, &names).map(|f| format!("{place}/README.md {f}")))
            }
            Err(_) => findings.push(format!(
                "{place}: {} source files, and no README.md that says what they are",
                names.len()
            )),
        }
    }
}

/// What differs between the files that a page names and those of its folder.
fn compare(page: &str, names: &BTreeSet<&str>) -> impl Iterator<Item = String> {
    let named: BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    // The page tells of a header where it tells of what implements it.
    let missing = names.iter().filter(|n| {
        let source = n.strip_suffix(".h").map(|stem| format!("{stem}.c"));
        !named.contains(*n) && !source.is_some_and(|s| named.contains(s.as_str()))
    });
    let is_file = |n: &&str| {
        let source = Path::new(n).extension().is_some_and(|e| e == "rs" || e == "c" || e == "h");
        source && !n.contains(['/', '*'])
    };
    let gone = named.iter().filter(|n| is_file(n) && !names.contains(*n));
    let mut out: Vec<String> = missing.map(|n| format!("does not name {n}")).collect();
    out.extend(gone.map(|n| format!("names {n}, which is not there")));
    out.into_iter()
}

#[cfg(test)]
mod tests {
    use super::compare;
    use std::collections::BTreeSet;

    #[test]
    fn files_without_a_word_and_words_without_a_file_are_found() {
        let names = BTreeSet::from(["block.c", "block.h", "new.rs"]);
        let found: Vec<String> =
            compare("`block.c`, `old.rs`, `tasks/`, `../x.h`", &names).collect();
        assert_eq!(found, ["does not name new.rs", "names old.rs, which is not there"]);
    }
}
