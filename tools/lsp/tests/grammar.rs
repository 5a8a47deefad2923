//! The grammar of `editors/vscode` knows the language's words. What it makes of whole lines is tested beside it, where
//! there is Node.js.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What all strings under a key are.
fn all<'v>(value: &'v serde_json::Value, key: &str, out: &mut Vec<&'v str>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, field) in fields {
                out.extend(field.as_str().filter(|_| name == key));
                all(field, key, out);
            }
        }
        serde_json::Value::Array(elements) => elements.iter().for_each(|e| all(e, key, out)),
        _ => {}
    }
}

#[test]
fn all_words_of_the_lexer_are_highlighted_and_no_others() {
    let lexer = std::fs::read_to_string(root().join("frontend/src/syntax/lexer.rs")).unwrap();
    let words: BTreeSet<&str> = (lexer.lines())
        .filter_map(|line| line.trim().strip_prefix("b\"")?.split_once("\" => TokenKind::"))
        .map(|(word, _)| word)
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
        .collect();
    assert!(words.len() > 20, "{words:?}");
    let grammar = root().join("editors/vscode/syntaxes/futhark.tmLanguage.json");
    let grammar: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(grammar).unwrap()).unwrap();
    let mut patterns = Vec::new();
    for part in ["keywords", "constants"] {
        all(&grammar["repository"][part], "match", &mut patterns);
    }
    let listed: BTreeSet<&str> = (patterns.iter())
        .filter_map(|p| p.strip_prefix("\\b(")?.split_once(")\\b(?!')"))
        .flat_map(|(words, _)| words.split('|'))
        .collect();
    assert_eq!(listed, words);
}

#[test]
fn every_pattern_that_is_asked_for_is_there() {
    let grammar = root().join("editors/vscode/syntaxes/futhark.tmLanguage.json");
    let grammar: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(grammar).unwrap()).unwrap();
    let mut included = Vec::new();
    all(&grammar, "include", &mut included);
    let parts: BTreeSet<String> =
        included.iter().map(|i| i.trim_start_matches('#').into()).collect();
    let there: BTreeSet<String> =
        grammar["repository"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(parts, there);
}
