//! Pages of the manual as tests: their blocks of code, the files among these, commands and what they print.
//!
//! | block | what it is |
//! | --- | --- |
//! | `console` | lines that begin with `$` are commands; what follows one is what it prints, in which a line `…` stands for any lines |
//! | any other language, the first line a comment that is `NAME.EXTENSION` | a file of that name |
//! | others | nothing that is run |

/// A block of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block<'a> {
    /// The line of the page that its text begins on, from 1.
    pub line: usize,
    /// What stands behind the ticks.
    pub language: &'a str,
    /// Its text, with the end of the last line.
    pub text: &'a str,
}

/// A command on a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Its line on the page, from 1.
    pub line: usize,
    /// What is run, by a shell.
    pub command: String,
    /// What it prints, as the page has it.
    pub prints: Vec<String>,
}

/// The blocks of a page.
pub fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    let mut open: Option<(usize, &str, usize)> = None;
    let mut at = 0;
    for (number, line) in page.split_inclusive('\n').enumerate() {
        if let Some(rest) = line.strip_prefix("```") {
            open = match open {
                None => Some((number + 2, rest.trim(), at + line.len())),
                Some((line, language, start)) => {
                    let text = page.get(start..at).unwrap_or_default();
                    out.push(Block { line, language, text });
                    None
                }
            };
        }
        at += line.len();
    }
    out
}

impl<'a> Block<'a> {
    /// The name of the file that it is, if it is one.
    pub fn file(&self) -> Option<&'a str> {
        let first = self.text.lines().next()?;
        let name = ["-- ", "# ", "// ", "/* "].iter().find_map(|c| first.strip_prefix(c))?;
        let name = name.trim_end_matches(" */");
        let ok = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        (self.language != "console" && name.contains('.') && name.chars().all(ok)).then_some(name)
    }

    /// The commands of a block of them.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        if self.language != "console" {
            return steps;
        }
        for (i, line) in self.text.lines().enumerate() {
            if let Some(command) = line.strip_prefix("$ ") {
                let command = command.to_owned();
                steps.push(Step { line: self.line + i, command, prints: Vec::new() });
            } else if let Some(step) = steps.last_mut() {
                step.prints.push(line.to_owned());
            }
        }
        steps
    }
}

/// Whether lines are those wanted. Nothing wanted is satisfied by anything.
pub fn prints(wanted: &[String], lines: &[&str]) -> bool {
    fn rest(wanted: &[String], lines: &[&str]) -> bool {
        match (wanted.split_first(), lines.split_first()) {
            (None, _) => lines.is_empty(),
            (Some((want, later)), _) if want == "…" => {
                (0..=lines.len()).any(|n| lines.get(n..).is_some_and(|left| rest(later, left)))
            }
            (Some((want, later)), Some((line, left))) => {
                want == line.trim_end() && rest(later, left)
            }
            (Some(_), None) => false,
        }
    }
    wanted.is_empty() || rest(wanted, lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "Text.\n\n```futhark\n-- a.fut\ndef x = 1\n```\n\n```console\n$ one\n1\n…\n9\n$ two\n```\n\n\
                        ```text\n-- a remark.\n```\n";

    #[test]
    fn files_and_commands_are_found() {
        let blocks = blocks(PAGE);
        assert_eq!(blocks.iter().map(|b| b.line).collect::<Vec<_>>(), [4, 9, 17]);
        assert_eq!(blocks[0].file(), Some("a.fut"));
        assert_eq!(blocks[0].text, "-- a.fut\ndef x = 1\n");
        assert_eq!((blocks[1].file(), blocks[2].file()), (None, None));
        let steps = blocks[1].steps();
        assert_eq!((steps[0].line, steps[0].command.as_str()), (9, "one"));
        assert_eq!(steps[0].prints, ["1", "…", "9"]);
        assert_eq!((steps[1].command.as_str(), steps[1].prints.len()), ("two", 0));
        assert!(blocks[0].steps().is_empty());
    }

    #[test]
    fn dots_stand_for_any_lines() {
        let wanted = ["1", "…", "9"].map(str::to_owned);
        assert!(prints(&wanted, &["1", "9"]) && prints(&wanted, &["1", "2", "9", "9 "]));
        assert!(!prints(&wanted, &["1", "2"]) && !prints(&wanted, &["9"]));
        assert!(prints(&[], &["1"]));
    }
}
