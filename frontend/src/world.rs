//! The one door to what is outside: reading files.

use std::collections::HashMap;

/// Where source files come from. Whoever implements it may cache; the front end reads each file
/// once, until told that it has changed.
pub trait World: Send + Sync {
    /// The text of the file at `path`: a path with `/`, relative to where the root file's path is
    /// relative to, without `.` and with `..` only at its front. Otherwise, what is wrong.
    fn read(&self, path: &str) -> Result<String, String>;
}

/// The files of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        let bytes = std::fs::read(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_string(),
            _ => e.to_string(),
        })?;
        String::from_utf8(bytes)
            .map_err(|e| format!("it is not UTF-8 (byte {})", e.utf8_error().valid_up_to()))
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: HashMap<String, String>,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds a file.
    pub fn with(mut self, path: &str, text: &str) -> Memory {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }
}

impl World for Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        self.files.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }
}

/// The prelude's files. `prelude` opens the others; it is what every other file opens.
pub const PRELUDE: &[(&str, &str)] = &[
    ("/prelude/zip.fut", include_str!("../prelude/zip.fut")),
    ("/prelude/soacs.fut", include_str!("../prelude/soacs.fut")),
    ("/prelude/array.fut", include_str!("../prelude/array.fut")),
    ("/prelude/functional.fut", include_str!("../prelude/functional.fut")),
    ("/prelude/numeric.fut", include_str!("../prelude/numeric.fut")),
    ("/prelude/integers.fut", include_str!("../prelude/integers.fut")),
    ("/prelude/floats.fut", include_str!("../prelude/floats.fut")),
    ("/prelude/math.fut", include_str!("../prelude/math.fut")),
    ("/prelude/prelude.fut", include_str!("../prelude/prelude.fut")),
];

/// The path of the file that every file outside of the prelude opens.
pub const PRELUDE_ROOT: &str = "/prelude/prelude.fut";

/// Whether a path is in the prelude.
pub fn is_prelude(path: &str) -> bool {
    path.starts_with("/prelude/")
}

/// The path that `import "written"` means in the file at `importer` (guide, "Referencing Other
/// Files").
pub fn import_path(importer: &str, written: &str) -> String {
    if written.starts_with('/') {
        return format!("{}.fut", normal(written));
    }
    match importer.rsplit_once('/') {
        Some((folder, _)) => format!("{}.fut", normal(&format!("{folder}/{written}"))),
        None => format!("{}.fut", normal(written)),
    }
}

/// Resolves `.` and `..` where that can be done by the text alone.
fn normal(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_relative_to_the_importing_file() {
        assert_eq!(import_path("a/b.fut", "c"), "a/c.fut");
        assert_eq!(import_path("a/b.fut", "../c/d"), "c/d.fut");
        assert_eq!(import_path("b.fut", "../c"), "../c.fut");
        assert_eq!(import_path("../x/b.fut", "./../c"), "../c.fut");
        assert_eq!(import_path("../b.fut", "../c"), "../../c.fut");
        assert_eq!(import_path("b.fut", "/prelude/array"), "/prelude/array.fut");
    }
}
