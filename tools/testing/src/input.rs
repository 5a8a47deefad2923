//! The inputs and expected outputs of test cases, as bytes and values.

use crate::block::Input;
use crate::dataset::{Bounds, Rng, generate, parse_type};
use crate::files;
use crate::value::{Reader, Value};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file `name` means, seen from the program.
fn beside(program: &Path, name: &str) -> PathBuf {
    program.parent().unwrap_or(Path::new("")).join(name)
}

/// The contents of a data file, unpacked if it is `.gz`.
pub fn read_data(program: &Path, name: &str) -> Result<Vec<u8>, String> {
    let path = beside(program, name);
    let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    if path.extension().is_none_or(|e| e != "gz") {
        return Ok(bytes);
    }
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(bytes.as_slice())
        .read_to_end(&mut out)
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(out)
}

/// What is to be written to the standard input of a program. Text is passed on as it stands, so
/// that it is the program's reader that is tested.
pub fn input_bytes(program: &Path, input: &Input) -> Result<Vec<u8>, String> {
    match input {
        Input::Values(text) => Ok(within_range(text)),
        Input::File(name) => read_data(program, name),
        Input::Random(specs) => {
            let mut out = Vec::new();
            for s in specs {
                out.extend_from_slice(&random_data(program, s)?);
            }
            Ok(out)
        }
        Input::Script(_) | Input::ScriptFile(_) => {
            Err("a script has no data but what a program makes of it".into())
        }
    }
}

/// The text with each value whose literals are beyond the range of the types that they name, as
/// `255i8` is, replaced by what is left of it: other readers of test blocks let them wrap around,
/// and there are programs that rely on it; a program's own reader refuses them.
fn within_range(text: &str) -> Vec<u8> {
    let mut reader = Reader::wrapping(text.as_bytes());
    let mut out = Vec::new();
    loop {
        let start = reader.position();
        let value = reader.next_value();
        let written = text.as_bytes().get(start..reader.position()).unwrap_or(&[]);
        match value {
            Ok(Some(value)) if value.suffixed && Reader::new(written).all().is_err() => {
                out.push(b' ');
                out.extend_from_slice(value.to_text().as_bytes());
            }
            Ok(Some(_)) => out.extend_from_slice(written),
            // The rest is the program's to complain of.
            Ok(None) | Err(_) => {
                out.extend_from_slice(text.as_bytes().get(start..).unwrap_or(&[]));
                return out;
            }
        }
    }
}

/// The same as values.
pub fn input_values(program: &Path, input: &Input) -> Result<Vec<Value>, String> {
    Reader::wrapping(&input_bytes(program, input)?).all().map_err(|e| e.to_string())
}

/// The binary data for a type or literal. That of a type is kept in `data/` beside the program,
/// one file a type.
fn random_data(program: &Path, spec: &str) -> Result<Vec<u8>, String> {
    let make = || generate(spec, &Bounds::default(), &mut Rng::new(0)).map(|v| v.to_binary());
    if parse_type(spec)?.is_none() {
        return make();
    }
    let dir = beside(program, "data");
    let file = dir.join(format!("{}.in", spec.replace(' ', "")));
    if let Ok(bytes) = std::fs::read(&file) {
        return Ok(bytes);
    }
    let bytes = make()?;
    // Several tests may want the same file at once, and never see half of it. Where the directory
    // cannot be written the data is used all the same.
    if std::fs::create_dir_all(&dir).is_ok() {
        let _ = files::write(&file, &bytes, files::Kind::Data);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_of_test_blocks_wrap_and_the_rest_stays_as_it_is() {
        let text = |s: &str| String::from_utf8(within_range(s)).expect("text");
        assert_eq!(text(" [1, 2] -- one\n 0xffi8 3"), " [1, 2] -- one\n 0xffi8 3");
        assert_eq!(text("1 [255i8, 0i8] 300"), "1 [-1i8, 0i8] 300");
        assert_eq!(text("1 300u8 [,] 300u8"), "1 44u8 [,] 300u8");
    }
}
