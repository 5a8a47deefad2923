//! Test blocks in the comments of a program (guide, `futhark-test`).

use regex::Regex;

/// What a program's test blocks ask for.
#[derive(Clone, Debug, Default)]
pub struct TestSpec {
    /// Tags of the program.
    pub tags: Vec<String>,
    /// Present if the program is to be refused.
    pub error: Option<Pattern>,
    /// Warnings to be given.
    pub warnings: Vec<Pattern>,
    /// Operators to be left after a pipeline: pipeline name, then operator and count.
    pub structures: Vec<Structure>,
    /// Entry points that are properties.
    pub properties: Vec<String>,
    /// Cases in order.
    pub cases: Vec<Case>,
    /// There was a block at all.
    pub present: bool,
}

/// A pipeline's name, and how often which operators are left after it.
pub type Structure = (Option<String>, Vec<(String, u64)>);

/// A run of one entry point.
#[derive(Clone, Debug)]
pub struct Case {
    /// The entry point.
    pub entry: String,
    /// `#0`, `#1`, … among the cases of its block, or the name given.
    pub name: String,
    /// `compiled`, `nobench`, `notest`, `no_BACKEND`, …
    pub tags: Vec<String>,
    /// Arguments.
    pub input: Input,
    /// What is to come out.
    pub expected: Expected,
    /// Line of the block, from 1.
    pub line: usize,
}

/// Where arguments come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Text values.
    Values(String),
    /// A file with values, relative to the program; may be `.gz`.
    File(String),
    /// Types and literals to make random values of.
    Random(Vec<String>),
    /// A FutharkScript expression.
    Script(String),
    /// A file with one.
    ScriptFile(String),
}

/// What is to come out.
#[derive(Clone, Debug)]
pub enum Expected {
    /// These text values.
    Values(String),
    /// The values in this file.
    File(String),
    /// What the sequential target says.
    Auto,
    /// A run-time error.
    Error(Pattern),
    /// Success.
    Success,
}

/// A POSIX extended regular expression in which `.` matches a newline too; unanchored.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    pub text: String,
    regex: Option<Regex>,
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Pattern { text: String::new(), regex: None });
        }
        let regex = regex::RegexBuilder::new(&from_posix(text))
            .dot_matches_new_line(true)
            .build()
            .map_err(|e| format!("bad regular expression '{text}': {e}"))?;
        Ok(Pattern { text: text.to_string(), regex: Some(regex) })
    }

    /// Whether it matches somewhere in `s`; the empty pattern matches anything.
    pub fn matches(&self, s: &str) -> bool {
        self.regex.as_ref().is_none_or(|r| r.is_match(s))
    }
}

/// The same expression in the syntax of the `regex` crate: inside brackets POSIX knows no
/// escapes, and a leading `*` or a lone brace is a character.
fn from_posix(p: &str) -> String {
    let mut out = String::new();
    let mut chars = p.chars().peekable();
    let mut bracket = false;
    let mut at_start = true;
    while let Some(c) = chars.next() {
        if bracket {
            match c {
                ']' => {
                    bracket = false;
                    out.push(']');
                }
                '\\' => out.push_str("\\\\"),
                '[' => out.push_str("\\["),
                '&' | '~' => {
                    out.push('\\');
                    out.push(c);
                }
                _ => out.push(c),
            }
            continue;
        }
        match c {
            '[' => {
                bracket = true;
                out.push('[');
                if chars.peek() == Some(&'^') {
                    chars.next();
                    out.push('^');
                }
                if chars.peek() == Some(&']') {
                    chars.next();
                    out.push_str("\\]");
                }
            }
            '\\' => match chars.next() {
                Some(d) if d.is_ascii_alphanumeric() => out.push(d),
                Some(d) => {
                    out.push('\\');
                    out.push(d);
                }
                None => out.push_str("\\\\"),
            },
            '*' | '+' | '?' if at_start => {
                out.push('\\');
                out.push(c);
            }
            '{' if !chars.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\{"),
            _ => out.push(c),
        }
        at_start = matches!(c, '(' | '|');
    }
    out
}

/// Reads the test blocks of a program's text.
pub fn parse(text: &str) -> Result<TestSpec, String> {
    let mut spec = TestSpec::default();
    // Some editors begin a file with a byte order mark.
    let lines: Vec<&str> = text.strip_prefix('\u{feff}').unwrap_or(text).lines().collect();
    let mut i = 0;
    while let Some(line) = lines.get(i) {
        if !line.starts_with("--") {
            i += 1;
            continue;
        }
        let start = i;
        while lines.get(i).is_some_and(|l| l.starts_with("--")) {
            i += 1;
        }
        let comment = lines.get(start..i).unwrap_or(&[]);
        let is_marker = |l: &&str| l.strip_prefix("--").is_some_and(|r| r.trim() == "==");
        if let Some(marker) = comment.iter().position(is_marker) {
            let body: Vec<(usize, &str)> = comment
                .iter()
                .enumerate()
                .skip(marker + 1)
                .map(|(k, l)| (start + k + 1, l.strip_prefix("--").unwrap_or(l)))
                .collect();
            let first = !spec.present;
            spec.present = true;
            Block { text: join(&body), lines: body, pos: 0 }.parse(&mut spec, first)?;
        }
    }
    Ok(spec)
}

fn join(lines: &[(usize, &str)]) -> String {
    let mut s = String::new();
    for (_, l) in lines {
        s.push_str(l);
        s.push('\n');
    }
    s
}

struct Block<'a> {
    text: String,
    lines: Vec<(usize, &'a str)>,
    pos: usize,
}

impl Block<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.pos..).unwrap_or("")
    }

    fn skip_space(&mut self) {
        let r = self.rest();
        self.pos += r.len() - r.trim_start().len();
    }

    fn line(&self) -> usize {
        let n = self.text.get(..self.pos).unwrap_or("").matches('\n').count();
        self.lines.get(n).or(self.lines.last()).map_or(0, |(l, _)| *l)
    }

    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: test block: {what}", self.line()))
    }

    /// The next word, made of what is neither space nor brace nor quote.
    fn peek_word(&mut self) -> String {
        self.skip_space();
        self.rest()
            .chars()
            .take_while(|c| !c.is_whitespace() && !matches!(c, '{' | '}' | '"'))
            .collect()
    }

    fn eat(&mut self, word: &str) -> bool {
        if self.peek_word() == word {
            self.pos += word.len();
            true
        } else {
            false
        }
    }

    fn rest_of_line(&mut self) -> String {
        let r = self.rest();
        let n = r.find('\n').unwrap_or(r.len());
        let s = r.get(..n).unwrap_or("").to_string();
        self.pos += n;
        s
    }

    /// What stands between braces, nested ones and strings respected.
    fn braces(&mut self) -> Result<String, String> {
        self.skip_space();
        if !self.rest().starts_with('{') {
            return self.fail("expected '{'");
        }
        let mut depth = 0usize;
        let mut string = false;
        let mut escape = false;
        let mut end = None;
        for (i, c) in self.rest().char_indices() {
            if string {
                if escape {
                    escape = false;
                } else if c == '\\' {
                    escape = true;
                } else if c == '"' {
                    string = false;
                }
                continue;
            }
            match c {
                '"' => string = true,
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        end = Some(i);
                        break;
                    }
                }
                _ => {}
            }
        }
        let Some(end) = end else { return self.fail("a '{' has no '}'") };
        let s = self.rest().get(1..end).unwrap_or("").to_string();
        self.pos += end + 1;
        Ok(s)
    }

    fn source(&mut self) -> Result<Result<String, String>, String> {
        self.skip_space();
        if self.rest().starts_with('@') {
            self.pos += 1;
            self.skip_space();
            let file: String = self.rest().chars().take_while(|c| !c.is_whitespace()).collect();
            self.pos += file.len();
            return Ok(Err(file));
        }
        Ok(Ok(self.braces()?))
    }

    fn parse(&mut self, spec: &mut TestSpec, first: bool) -> Result<(), String> {
        if self.eat("tags") {
            let tags = self.braces()?;
            spec.tags.extend(tags.split_whitespace().map(str::to_string));
        }
        if first && self.peek_word() == "error:" {
            self.eat("error:");
            let regex = self.rest_of_line();
            spec.error = Some(Pattern::new(&regex)?);
            return Ok(());
        }
        let mut entries = vec!["main".to_string()];
        let mut count = 0usize;
        loop {
            self.skip_space();
            if self.rest().is_empty() {
                return Ok(());
            }
            if self.eat("entry:") {
                entries = self.rest_of_line().split_whitespace().map(str::to_string).collect();
            } else if self.eat("structure") {
                self.skip_space();
                let pipeline = if self.rest().starts_with('{') {
                    None
                } else {
                    let w = self.peek_word();
                    self.pos += w.len();
                    Some(w)
                };
                let body = self.braces()?;
                let mut counts = Vec::new();
                let mut words = body.split_whitespace();
                while let Some(op) = words.next() {
                    let Some(Ok(n)) = words.next().map(str::parse) else {
                        return self.fail("expected a count in 'structure'");
                    };
                    counts.push((op.to_string(), n));
                }
                spec.structures.push((pipeline, counts));
            } else if self.eat("warning:") {
                let regex = self.rest_of_line();
                spec.warnings.push(Pattern::new(&regex)?);
            } else if self.eat("property:") {
                let names = self.rest_of_line();
                spec.properties.extend(names.split_whitespace().map(str::to_string));
            } else {
                self.case(spec, &entries, &mut count)?;
            }
        }
    }

    fn case(
        &mut self,
        spec: &mut TestSpec,
        entries: &[String],
        count: &mut usize,
    ) -> Result<(), String> {
        let line = self.line();
        let mut name = None;
        let mut tags = Vec::new();
        let (mut random, mut script) = (false, false);
        loop {
            self.skip_space();
            if self.rest().starts_with('"') {
                let r = self.rest();
                let Some(n) = r.get(1..).and_then(|s| s.find('"')) else {
                    return self.fail("a '\"' has no end");
                };
                name = Some(r.get(1..=n).unwrap_or("").to_string());
                self.pos += n + 2;
                continue;
            }
            let w = self.peek_word();
            if w.is_empty() {
                return self.fail("expected a test case");
            }
            self.pos += w.len();
            match w.as_str() {
                "input" => break,
                "random" => random = true,
                "script" => script = true,
                _ if w.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') => {
                    tags.push(w);
                }
                _ => return self.fail(&format!("unexpected '{w}'")),
            }
        }
        let input = match (self.source()?, random, script) {
            (Ok(s), false, false) => Input::Values(s),
            (Err(f), false, false) => Input::File(f),
            (Ok(s), true, _) => Input::Random(split_types(&s)),
            (Err(_), true, _) => return self.fail("'random input' takes types, not a file"),
            (Ok(s), false, true) => Input::Script(s),
            (Err(f), false, true) => Input::ScriptFile(f),
        };
        let expected = if self.eat("auto") {
            if !self.eat("output") {
                return self.fail("expected 'output' after 'auto'");
            }
            Expected::Auto
        } else if self.eat("output") {
            match self.source()? {
                Ok(s) => Expected::Values(s),
                Err(f) => Expected::File(f),
            }
        } else if self.eat("error:") {
            let regex = self.rest_of_line();
            Expected::Error(Pattern::new(&regex)?)
        } else {
            Expected::Success
        };
        let name = name.unwrap_or_else(|| format!("#{count}"));
        *count += 1;
        for entry in entries {
            spec.cases.push(Case {
                entry: entry.clone(),
                name: name.clone(),
                tags: tags.clone(),
                input: input.clone(),
                expected: expected.clone(),
                line,
            });
        }
        Ok(())
    }
}

/// Splits at spaces outside brackets: `[10]i32 5i64`.
fn split_types(s: &str) -> Vec<String> {
    s.split_whitespace().map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_guides_examples() {
        let spec = parse(
            "-- Indexing.\n-- ==\n-- tags { first second }\n-- input { [4,3,2,1] 1i64 }\n-- output { 3 }\n-- compiled input { [4] 5i64 }\n-- error: Error*\n\nlet main = 1\n",
        )
        .expect("parses");
        assert_eq!(spec.tags, ["first", "second"]);
        assert_eq!(spec.cases.len(), 2);
        let last = spec.cases.last().expect("two");
        assert_eq!(last.tags, ["compiled"]);
        assert!(matches!(&last.expected, Expected::Error(p) if p.matches("Erro")));
    }

    #[test]
    fn entries_randoms_scripts_and_files() {
        let spec = parse(
            "-- ==\n-- entry: a b\n-- \"big one\" random input { [10]i32 5i64 } auto output\n-- script input { f (g 1) } output @ data/x.out\n-- input {} \n\n-- ==\n-- input { \"}\" } output {}\n",
        )
        .expect("parses");
        assert_eq!(spec.cases.len(), 7);
        assert_eq!(spec.cases[0].name, "big one");
        assert_eq!(spec.cases[0].input, Input::Random(vec!["[10]i32".into(), "5i64".into()]));
        assert_eq!(spec.cases[3].entry, "b");
        assert!(matches!(&spec.cases[3].expected, Expected::File(f) if f == "data/x.out"));
        assert_eq!(spec.cases[6].input, Input::Values(" \"}\" ".into()));
        assert_eq!(spec.cases[6].entry, "main");
    }

    #[test]
    fn negative_programs_and_patterns() {
        let spec = parse("-- ==\n-- error: .*foo[)].*\\[3\\]\n").expect("parses");
        let p = spec.error.expect("an error");
        assert!(p.matches("x\nfoo) [3]"));
        assert!(!p.matches("foo 3"));
        let p = Pattern::new("a{b} [\\]").expect("posix");
        assert!(p.matches("a{b} \\"));
    }

    #[test]
    fn a_file_without_a_block_has_none() {
        assert!(!parse("-- hello\nlet x = 1\n").expect("parses").present);
    }
}
