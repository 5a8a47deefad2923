//! Makes a table of the pages in `errors/`, one for each diagnostic, for `src/explain.rs`. A table
//! written by hand would have to be changed with every page.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=errors");
    println!("cargo:rerun-if-changed=build.rs");
    let dir = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("errors");
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(&dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "md")
            && let Some(code) = path.file_stem().and_then(|s| s.to_str())
        {
            pages.push((code.to_owned(), path.clone()));
        }
    }
    pages.sort();
    let mut out = String::from("&[\n");
    for (code, path) in pages {
        let path = path.to_str().ok_or("a path that is not UTF-8")?;
        writeln!(out, "    Page {{ code: {code:?}, text: include_str!({path:?}) }},")?;
    }
    out.push_str("]\n");
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("pages.rs"), out)?;
    Ok(())
}
