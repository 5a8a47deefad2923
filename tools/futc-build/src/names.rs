//! Names of the program as names of Rust.

use std::collections::HashSet;

/// Methods of structs of opaque values that are no fields or variants.
pub const OPAQUE: &[&str] =
    &["new", "own", "to_bytes", "from_bytes", "value", "shape", "get", "set", "zip", "drop", "fmt"];

/// Words of Rust that `r#` makes names of.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that nothing makes names of.
const RESERVED: &[&str] = &["self", "Self", "super", "crate", "_"];

/// Letters, digits and underscores, with a letter or an underscore in front.
pub fn snake(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    match name.chars().next() {
        Some(c) if c.is_ascii_digit() => format!("_{name}"),
        Some(_) => name,
        None => "_".into(),
    }
}

/// A name for types and variants.
pub fn camel(name: &str) -> String {
    let mut out = String::new();
    for word in snake(name).split('_') {
        let mut letters = word.chars();
        out.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        out.extend(letters);
    }
    match out.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => out,
        _ => format!("T{out}"),
    }
}

/// A name as it is written.
fn written(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else if RESERVED.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

/// Names of one scope, each given once.
#[derive(Debug)]
pub struct Scope(HashSet<String>);

impl Scope {
    /// A scope in which these names are taken.
    pub fn new(taken: &[&str]) -> Scope {
        Scope(taken.iter().map(|&name| name.to_owned()).collect())
    }

    /// This name, or one like it that is free.
    pub fn give(&mut self, name: String) -> String {
        let mut name = name;
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        written(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_rust_s() {
        assert_eq!(snake("x'"), "x_");
        assert_eq!(snake("0"), "_0");
        assert_eq!(camel("opaque_arr1d_cell"), "OpaqueArr1dCell");
        assert_eq!(camel("0"), "T0");
        let mut scope = Scope::new(&["new"]);
        assert_eq!(scope.give("new".into()), "new_");
        assert_eq!(scope.give("type".into()), "r#type");
        assert_eq!(scope.give("self".into()), "self_");
        assert_eq!(scope.give("f_".into()), "f_");
        assert_eq!(scope.give("f_".into()), "f__");
    }
}
