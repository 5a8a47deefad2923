//! `futc dataset`. Options act in the order given, so they are read by hand.

use crate::exit::{Exit, Failure};
use futc_testing::dataset::{Bounds, Rng, generate};
use futc_testing::value::{Reader, Value};
use futc_typed::prim::PrimType;
use std::io::{Read, Write};

const HELP: &str = "\
Generates random values, or converts values read from standard input.

Usage: futc dataset [OPTIONS]

Options act on what follows them.
  -g, --generate TYPE     Generate a value of the type, as in [10]f32; a literal value gives itself
  -s, --seed INT          Seed of the generator [default: 0]
      --T-bounds=MIN:MAX  Bounds, both included, of values of the primitive type T
  -b, --binary            Write the binary format
      --text              Write text (the default)
  -t, --type              Write the types instead of the values
  -h, --help              Print this help

Without -g, values are read from standard input and written in the format asked for.
";

#[derive(Clone, Copy)]
enum Format {
    Text,
    Binary,
    Type,
}

/// Runs `futc dataset`.
pub fn run(options: &[String]) -> Result<Exit, Failure> {
    let mut format = Format::Text;
    let mut rng = Rng::new(0);
    let mut bounds = Bounds::default();
    let mut generated = false;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let (name, inline) = match option.split_once('=') {
            Some((n, v)) if n.starts_with("--") => (n, Some(v.to_string())),
            _ => match option.strip_prefix("-g").or_else(|| option.strip_prefix("-s")) {
                Some(v) if !v.is_empty() && !option.starts_with("--") => {
                    (option.get(..2).unwrap_or(""), Some(v.to_string()))
                }
                _ => (option.as_str(), None),
            },
        };
        let mut argument = || {
            inline
                .clone()
                .or_else(|| rest.next().cloned())
                .ok_or_else(|| Failure::usage(format!("the option {name} needs a value")))
        };
        match name {
            "-h" | "--help" => {
                write(&mut out, HELP.as_bytes())?;
                return flush(out);
            }
            "-b" | "--binary" => format = Format::Binary,
            "--text" => format = Format::Text,
            "-t" | "--type" => format = Format::Type,
            "-s" | "--seed" => {
                let s = argument()?;
                let seed: i64 =
                    s.parse().map_err(|_| Failure::usage(format!("'{s}' is not an integer")))?;
                rng = Rng::new(seed as u64);
            }
            "-g" | "--generate" => {
                let value = generate(&argument()?, &bounds, &mut rng).map_err(Failure::usage)?;
                print(&mut out, &value, format)?;
                generated = true;
            }
            _ => {
                let prim = name
                    .strip_prefix("--")
                    .and_then(|n| n.strip_suffix("-bounds"))
                    .and_then(PrimType::from_name);
                match prim {
                    Some(p) => bounds.set(p, &argument()?).map_err(Failure::usage)?,
                    None => {
                        return Err(Failure::usage(format!(
                            "unknown option '{option}'; see 'futc dataset --help'"
                        )));
                    }
                }
            }
        }
    }
    if !generated {
        let mut input = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut input)
            .map_err(|e| Failure::usage(format!("standard input: {e}")))?;
        let mut reader = Reader::new(&input);
        while let Some(v) =
            reader.next_value().map_err(|e| Failure::usage(format!("standard input: {e}")))?
        {
            print(&mut out, &v, format)?;
        }
    }
    flush(out)
}

fn print(out: &mut impl Write, value: &Value, format: Format) -> Result<(), Failure> {
    match format {
        Format::Text => write(out, (value.to_text() + "\n").as_bytes()),
        Format::Binary => write(out, &value.to_binary()),
        Format::Type => write(out, (value.type_text() + "\n").as_bytes()),
    }
}

fn write(out: &mut impl Write, bytes: &[u8]) -> Result<(), Failure> {
    out.write_all(bytes).map_err(|e| Failure::new(format!("standard output: {e}")))
}

fn flush(mut out: impl Write) -> Result<Exit, Failure> {
    out.flush().map_err(|e| Failure::new(format!("standard output: {e}")))?;
    Ok(Exit::Success)
}
