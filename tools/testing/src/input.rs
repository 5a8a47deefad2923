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
        Input::Values(text) => Ok(text.clone().into_bytes()),
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
