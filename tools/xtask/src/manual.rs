//! `cargo xtask manual`: the user's manual as pages for browsers, by mdBook.

use mdbook_driver::MDBook;
use std::path::Path;

/// Makes them, in target/manual.
pub fn run(root: &Path) -> Result<(), String> {
    let root = root.canonicalize().map_err(|e| format!("{}: {e}", root.display()))?;
    let book = MDBook::load(root.join("docs")).map_err(|e| format!("docs: {e:#}"))?;
    book.build().map_err(|e| format!("docs: {e:#}"))?;
    println!("{}", root.join("target/manual/index.html").display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// In a folder of its own, so that nothing that was made before is taken for made.
    #[test]
    fn all_chapters_become_pages() {
        let docs =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").canonicalize().expect("docs");
        let made = tempfile::tempdir().expect("a folder");
        let mut book = mdbook_driver::MDBook::load(docs).expect("the book");
        book.config.build.build_dir = made.path().to_owned();
        let chapters: Vec<_> = (book.iter())
            .filter_map(|item| match item {
                mdbook_driver::book::BookItem::Chapter(chapter) => chapter.path.clone(),
                _ => None,
            })
            .collect();
        book.build().expect("built");
        assert!(chapters.len() > 15, "{chapters:?}");
        for chapter in chapters {
            let page = made.path().join(&chapter).with_extension("html");
            let text = std::fs::read_to_string(&page).unwrap_or_default();
            assert!(text.contains("<main>"), "{}", page.display());
        }
    }
}
