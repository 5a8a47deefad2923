//! `futc show`: what a program prints, for people. Each line that is an array of two dimensions becomes a picture
//! if a terminal is there to show it; all others stay as they are. The first that looks like an array and is none that can
//! be read is told of.

use crate::exit::{Exit, Failure};
use crate::output::{colour_of, put, put_bytes};
use crate::picture::{self, Colours, Room};
use futc_testing::value::{Reader, Value};
use std::io::{BufRead as _, IsTerminal as _};

/// Shows standard input.
pub fn run() -> Result<Exit, Failure> {
    let stdout = std::io::stdout();
    let coloured = colour_of(&stdout);
    let pictures = coloured || stdout.is_terminal();
    let colours = match coloured {
        false => Colours::None,
        true if all_colours() => Colours::All,
        true => Colours::Palette,
    };
    let room = terminal_size::terminal_size().map_or(
        Room { columns: 80, lines: 24 },
        // The last line is the prompt's, and the one before tells what is shown.
        |(width, height)| Room {
            columns: usize::from(width.0),
            lines: usize::from(height.0).saturating_sub(2),
        },
    );
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    let mut told = false;
    for number in 1.. {
        line.clear();
        let read = input.read_until(b'\n', &mut line);
        if read.map_err(|e| Failure::usage(format!("standard input: {e}")))? == 0 {
            return Ok(Exit::Success);
        }
        match only_value(&line) {
            Some(Ok(value)) if pictures && picture::is_picture(&value) => {
                put(&picture::draw(&value, room, colours))?
            }
            Some(Err(what)) if !told => {
                put_bytes(&line)?;
                eprintln!(
                    "futc: line {number} of the input is no value, and stays as it is: {what}"
                );
                told = true;
            }
            _ => put_bytes(&line)?,
        }
    }
    Ok(Exit::Success)
}

/// Terminals say so, and have 256 colours if they do not.
fn all_colours() -> bool {
    std::env::var("COLORTERM")
        .is_ok_and(|terminal| ["truecolor", "24bit"].contains(&terminal.as_str()))
}

/// The value of a line that begins as one of several dimensions does, in text or as bytes; or why it is none.
fn only_value(line: &[u8]) -> Option<Result<Value, String>> {
    if line.starts_with(b"b\x02") {
        return Some(Err("binary data is not shown (leave out -b)".to_owned()));
    }
    if !line.starts_with(b"[") {
        return None;
    }
    let mut reader = Reader::new(line);
    Some(match (reader.next_value(), reader.next_value()) {
        (Ok(Some(value)), Ok(None)) => Ok(value),
        (Ok(_), Ok(_)) => Err("there are several values".to_owned()),
        (Err(e), _) | (_, Err(e)) => Err(e.to_string()),
    })
}
