//! Names of the program as names of Python.

use std::collections::HashSet;

/// What cannot be a name, and the constants.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Whether Python has it for itself.
pub fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// Whether it has the form of a name.
pub fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name, as near as can be: `x'` is `x_prime`, and `from` is `from_`.
pub fn escape(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '\'' => out += "_prime",
            c if c.is_ascii_alphanumeric() || c == '_' => out.push(c),
            c => out += &format!("_u{:x}", u32::from(c)),
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    if is_keyword(&out) {
        out.push('_');
    }
    out
}

/// Names of one scope, none twice.
#[derive(Default)]
pub struct Scope(HashSet<String>);

impl Scope {
    /// With names that are taken.
    pub fn with(taken: &[&str]) -> Scope {
        Scope(taken.iter().map(|name| (*name).to_owned()).collect())
    }

    /// The name, with underscores behind it if it is taken.
    pub fn add(&mut self, name: &str) -> String {
        let mut name = escape(name);
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// A literal of Python.
pub fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out += "\\n",
            c if c.is_control() => out += &format!("\\x{:02x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_names_of_python() {
        for (name, want) in [("x", "x"), ("x'", "x_prime"), ("lambda", "lambda_"), ("0", "_0")] {
            assert_eq!(escape(name), want);
        }
        let mut scope = Scope::with(&["Program"]);
        assert_eq!(scope.add("Program"), "Program_");
        assert_eq!(scope.add("a'"), "a_prime");
        assert_eq!(scope.add("a_prime"), "a_prime_");
    }
}
