//! Makes one C file of the runtime's, for libraries that come as source.
//!
//! Our headers are put in where they are first included. What a file defines for the preprocessor ends with it,
//! so that files cannot disturb each other that way; names of functions, variables and types that two files
//! have are errors of the C compiler, which the tests run on the result. Names are hidden, but those of the C
//! library's headers are not: each inclusion of one is wrapped accordingly.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// What libraries do without, by the beginnings of the names: executables, servers and packages for Python.
const LEFT_OUT: &[&str] = &["cli", "link_server", "main", "options", "python", "server"];

/// The text of these files, as far as libraries need them.
pub fn amalgamate(files: &[PathBuf], include: &Path) -> io::Result<String> {
    let mut made = Made { include, done: HashSet::new(), text: String::new() };
    // Before any header of the C library.
    made.text += "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n";
    made.text += "#define FUTC_ONE_FILE\n";
    made.text += "#pragma GCC visibility push(hidden)\n";
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        if !LEFT_OUT.iter().any(|beginning| name.starts_with(beginning)) {
            made.file(file)?;
        }
    }
    made.text += "#pragma GCC visibility pop\n";
    Ok(made.text)
}

struct Made<'i> {
    include: &'i Path,
    /// Headers that are in the text.
    done: HashSet<PathBuf>,
    text: String,
}

impl Made<'_> {
    fn file(&mut self, file: &Path) -> io::Result<()> {
        let source = std::fs::read_to_string(file)?;
        self.lines(file, &source)?;
        let defined = source.lines().filter_map(|line| line.strip_prefix("#define "));
        let mut names: Vec<&str> = defined
            .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
            .collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let _ = writeln!(self.text, "#undef {name}");
        }
        Ok(())
    }

    fn lines(&mut self, file: &Path, source: &str) -> io::Result<()> {
        for line in source.lines() {
            let Some(included) = line.trim_start().strip_prefix("#include ") else {
                self.text += line;
                self.text.push('\n');
                continue;
            };
            match included.strip_prefix('"').and_then(|i| i.split('"').next()) {
                None => {
                    let _ = writeln!(
                        self.text,
                        "#pragma GCC visibility push(default)\n{line}\n#pragma GCC visibility pop"
                    );
                }
                Some(name) => self.header(file, name)?,
            }
        }
        Ok(())
    }

    fn header(&mut self, from: &Path, name: &str) -> io::Result<()> {
        let beside = from.with_file_name(name);
        let path = if beside.exists() { beside } else { self.include.join(name) };
        // Others are meant to be included where they are.
        if path.extension().is_some_and(|e| e == "h") && !self.done.insert(path.clone()) {
            return Ok(());
        }
        let source = std::fs::read_to_string(&path)?;
        self.lines(&path, &source)
    }
}
