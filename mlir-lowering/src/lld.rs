//! LLVM's linkers inside of the compiler. That for programs of the host is told to do what a C compiler would have another
//! linker do.
//!
//! For a small program, starting the C compiler, what it starts in turn, and the linker takes a third of what compiling it
//! takes. Which files begin and end a program, and where the C library is, the C compiler knows: with `-###` it says,
//! within 2 ms, what it would call.

use crate::{Error, ffi};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// Does what `command`, a C compiler that links, would do, but with the linker inside of the compiler. False if the C
/// compiler does not say what it would do, or the linker refuses to do it: then `command` is still to be run.
pub fn instead_of(command: &Command) -> bool {
    let mut asked = Command::new(command.get_program());
    asked.arg("-###").args(command.get_args()).env("LC_ALL", "C");
    let Ok(answer) = asked.output() else { return false };
    if !answer.status.success() {
        return false;
    }
    let said = String::from_utf8_lossy(&answer.stderr);
    let Some(mut words) = said.lines().rev().map(words).find(|words| is_linker(words)) else {
        return false;
    };
    words.remove(0);
    run("ld.lld", words.into_iter().map(OsString::from)).is_ok()
}

/// Runs the linker of this name with these arguments.
pub fn run(name: &str, arguments: impl IntoIterator<Item = OsString>) -> Result<(), Error> {
    let mut words = vec![OsString::from(name)];
    words.extend(arguments);
    // Starting threads takes longer than what they would do.
    words.push("--threads=1".into());
    ffi::lld(&words).map_err(|said| match said.trim() {
        // It writes to mapped memory, and cannot say that there is none for it.
        "" => {
            Error::Link("nothing could be written; is there space left for temporary files?".into())
        }
        said => Error::Link(said.to_owned()),
    })
}

/// Whether a line calls a linker, by itself or through GCC's `collect2`.
fn is_linker(words: &[String]) -> bool {
    let program = words.first().and_then(|word| Path::new(word).file_name()?.to_str());
    program.is_some_and(|name| name == "collect2" || name == "ld" || name.starts_with("ld."))
}

/// The words of a line that `-###` prints: with spaces between them, some of them in quotation marks, inside of which
/// and outside a backslash stands before what means itself.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            '\\' => word.get_or_insert_default().extend(letters.next()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compilers_print_is_taken_apart() {
        let gcc =
            r#" /usr/lib/gcc/collect2 -plugin-opt=-fresolution=/tmp/a.res "--x=a b" "q\"\\" -o a"#;
        let found = words(gcc);
        assert_eq!(
            found,
            [
                "/usr/lib/gcc/collect2",
                "-plugin-opt=-fresolution=/tmp/a.res",
                "--x=a b",
                "q\"\\",
                "-o",
                "a"
            ]
        );
        assert!(is_linker(&found));
        let clang = r#" "/usr/bin/ld" "-z" "relro" "" "-o" "a\$b""#;
        assert_eq!(words(clang), ["/usr/bin/ld", "-z", "relro", "", "-o", "a$b"]);
        assert!(is_linker(&words(clang)));
        assert!(!is_linker(&words("COLLECT_GCC_OPTIONS='-static-libgcc' '-o' 'h'")));
        assert!(!is_linker(&words("")));
    }

    #[test]
    fn what_cannot_be_linked_is_left_to_the_other() {
        let mut command = Command::new("cc");
        command.args(["/no/such/object.o", "-o", "/no/such/folder/program"]);
        assert!(!instead_of(&command));
        assert!(!instead_of(Command::new("/no/such/compiler").arg("x.o")));
    }
}
