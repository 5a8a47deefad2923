//! Assembly as LLVM prints it, made fit to stand inside of somebody else's.
//!
//! Every symbol that is defined in it gets a prefix, and so does every one that begins as ours do; global ones
//! are hidden. What is about a whole file is left out: its name, who made it, and whether stacks are executable.

use std::collections::HashSet;

/// The assembly, with `unique` in front of its names, in the place of `ours` in those that begin so.
pub fn embedded(code: &str, ours: &str, unique: &str) -> String {
    let names = Names { defined: code.lines().filter_map(defined).collect(), ours, unique };
    let mut out = String::from("\t.pushsection\t.text\n");
    for line in code.lines() {
        if is_comment(line) || of_file(line) {
            continue;
        }
        names.rename(line, &mut out);
        out.push('\n');
        let mut words = line.split_whitespace();
        if let (Some(".globl" | ".weak"), Some(name)) = (words.next(), words.next()) {
            out += "\t.hidden\t";
            names.name(name, &mut out);
            out.push('\n');
        }
    }
    out + "\t.popsection\n"
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Whether the line is about the whole file.
fn of_file(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some(".file" | ".ident" | ".addrsig" | ".addrsig_sym"), _) => true,
        (Some(".section"), Some(section)) => section.contains(".note.GNU-stack"),
        _ => false,
    }
}

/// The symbol that the line defines.
fn defined(line: &str) -> Option<&str> {
    if let Some((name, _)) = line.split_once(':')
        && !name.is_empty()
        && name.chars().all(of_name)
    {
        return Some(name);
    }
    let line = line.trim_start();
    let rest = [".set\t", ".set ", ".comm\t", ".lcomm\t", ".local\t"];
    let rest = rest.iter().find_map(|directive| line.strip_prefix(directive))?;
    rest.split(',').next().map(str::trim)
}

fn of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '$')
}

struct Names<'t> {
    defined: HashSet<&'t str>,
    ours: &'t str,
    unique: &'t str,
}

impl Names<'_> {
    fn name(&self, name: &str, out: &mut String) {
        if let Some(rest) = name.strip_prefix(self.ours) {
            *out += self.unique;
            *out += rest;
        } else if let (true, Some(rest)) = (self.defined.contains(name), name.strip_prefix(".L")) {
            *out += ".L";
            *out += self.unique;
            *out += rest;
        } else {
            if self.defined.contains(name) {
                *out += self.unique;
            }
            *out += name;
        }
    }

    fn rename(&self, line: &str, out: &mut String) {
        let mut rest = line;
        let label = defined(line).is_some_and(|name| line.starts_with(name));
        // What an instruction or a directive is called is no symbol, whatever a program calls its functions.
        let mut is_word = !label;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => string(rest),
                // Registers, relocations, types of symbols.
                '%' | '@' => 1 + span(rest.get(1..).unwrap_or_default()),
                '#' => rest.len(),
                // Of an immediate; names that begin so are not LLVM's.
                '$' => 1,
                c if of_name(c) => span(rest),
                c => c.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            match of_name(first) && first != '$' {
                true if is_word => {
                    *out += token;
                    is_word = matches!(token, "lock" | "rep" | "repne" | "notrack");
                }
                true => self.name(token, out),
                false => *out += token,
            }
            rest = after;
        }
    }
}

/// How many bytes of the text are a name.
fn span(text: &str) -> usize {
    text.find(|c| !of_name(c)).unwrap_or(text.len())
}

/// How many bytes the string takes that the text begins with.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::embedded;

    #[test]
    fn symbols_are_renamed_and_nothing_else() {
        let code = "\
\t.file\t\"x\"
\t.globl\tfutc_f
futc_f:                                 # @futc_f
.LBB0_1:
\taddq\tadd(%rip), %rax
\tcallq\tfutc_alloc@PLT
\tcallq\tsin@PLT
\tmovl\t$add, %edi
\tjmp\t.LBB0_1
add:
\tadd\t$1, %al
\t.asciz\t\"futc_f \\\" add\"
\t.size\tadd, .-add
\t.section\t\".note.GNU-stack\",\"\",@progbits
";
        let expected = "\
\t.pushsection\t.text
\t.globl\tfutc_1_f
\t.hidden\tfutc_1_f
futc_1_f:                                 # @futc_f
.Lfutc_1_BB0_1:
\taddq\tfutc_1_add(%rip), %rax
\tcallq\tfutc_1_alloc@PLT
\tcallq\tsin@PLT
\tmovl\t$futc_1_add, %edi
\tjmp\t.Lfutc_1_BB0_1
futc_1_add:
\tadd\t$1, %al
\t.asciz\t\"futc_f \\\" add\"
\t.size\tfutc_1_add, .-futc_1_add
\t.popsection
";
        assert_eq!(embedded(code, "futc_", "futc_1_"), expected);
    }
}
