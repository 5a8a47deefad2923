//! Arrays of numbers as pictures in a terminal.
//!
//! A character shows two points, one above the other: a half block has a colour in front and one behind. Without
//! colours, a character is as dark as both are.

use futc_testing::value::Value;
use futc_typed::prim::PrimType;
use std::fmt::Write as _;

/// Which colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// None.
    None,
    /// 256 of its own.
    Palette,
    /// All, by 24 bits.
    All,
}

/// How much room there is, in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// How many in a line.
    pub columns: usize,
    /// How many lines.
    pub lines: usize,
}

/// Small pictures are enlarged up to this width.
const ENLARGED: usize = 96;

/// From the least number to the greatest: each is brighter than the one before, for those who see no colours.
const SCALE: &[[f64; 3]] = &[
    [10.0, 8.0, 45.0],
    [55.0, 20.0, 110.0],
    [120.0, 30.0, 125.0],
    [190.0, 55.0, 95.0],
    [235.0, 105.0, 50.0],
    [250.0, 175.0, 50.0],
    [252.0, 250.0, 190.0],
];

/// What is no number.
const NOTHING: [f64; 3] = [90.0, 90.0, 90.0];

/// From dark to bright, without colours.
const GREYS: &[u8] = b" .:-=+*#%@";

type Colour = [f64; 3];

/// Whether a value is shown as a picture: it has two dimensions, or is one of colours in bytes, `[h][w][3]u8`.
pub fn is_picture(value: &Value) -> bool {
    let colours = matches!(value.shape.as_slice(), [_, _, 3]) && value.prim == PrimType::U8;
    (value.shape.len() == 2 || colours) && value.shape.iter().all(|n| *n > 0)
}

/// The lines of a picture, with what it shows in the last.
pub fn draw(value: &Value, room: Room, colours: Colours) -> String {
    let (points, legend) = points(value);
    let points = points.fitted(room);
    let mut out = String::new();
    for row in (0..points.height).step_by(2) {
        for column in 0..points.width {
            let above = points.at(column, row);
            let below = (row + 1 < points.height).then(|| points.at(column, row + 1));
            cell(&mut out, above, below, colours);
        }
        out.push_str(if colours == Colours::None { "\n" } else { "\x1b[0m\n" });
    }
    let _ = writeln!(out, "{}{legend}", value.type_text());
    out
}

/// A picture.
struct Points {
    width: usize,
    height: usize,
    /// Row by row.
    colours: Vec<Colour>,
}

fn points(value: &Value) -> (Points, String) {
    let size = |i: usize| value.shape.get(i).map_or(0, |n| usize::try_from(*n).unwrap_or(0));
    let (height, width) = (size(0), size(1));
    let number = |i: usize| value.float(i).or_else(|| value.int(i).map(|n| n as f64));
    if value.shape.len() == 3 {
        let part = |i: usize| number(i).unwrap_or(0.0);
        let colours = (0..height * width).map(|i| [part(3 * i), part(3 * i + 1), part(3 * i + 2)]);
        return (Points { width, height, colours: colours.collect() }, String::new());
    }
    let numbers: Vec<f64> = (0..height * width).map(|i| number(i).unwrap_or(f64::NAN)).collect();
    let finite = || numbers.iter().copied().filter(|n| n.is_finite());
    let (least, most) = finite()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), n| (least.min(n), most.max(n)));
    let colours = numbers.iter().map(|n| {
        if n.is_nan() {
            return NOTHING;
        }
        // Halves, so that the difference of the extremes is finite.
        let range = most / 2.0 - least / 2.0;
        let at = if range > 0.0 { (n / 2.0 - least / 2.0) / range } else { 0.5 };
        scale(at.clamp(0.0, 1.0))
    });
    let legend = if least <= most { format!(", from {least} to {most}") } else { String::new() };
    (Points { width, height, colours: colours.collect() }, legend)
}

/// The colour of a number between 0 and 1.
fn scale(at: f64) -> Colour {
    let place = at * (SCALE.len() - 1) as f64;
    let low = (place as usize).min(SCALE.len() - 2);
    match (SCALE.get(low), SCALE.get(low + 1)) {
        (Some(a), Some(b)) => mixed([(*a, 1.0 - (place - low as f64)), (*b, place - low as f64)]),
        _ => NOTHING,
    }
}

/// The sum of colours by their weights, over the weights' sum.
fn mixed(parts: impl IntoIterator<Item = (Colour, f64)>) -> Colour {
    let (mut sum, mut weights) = ([0.0; 3], 0.0);
    for (colour, weight) in parts {
        sum.iter_mut().zip(colour).for_each(|(s, c)| *s += c * weight);
        weights += weight;
    }
    sum.map(|s| if weights > 0.0 { s / weights } else { s })
}

impl Points {
    fn at(&self, column: usize, row: usize) -> Colour {
        self.colours.get(row * self.width + column).copied().unwrap_or(NOTHING)
    }

    /// As large as there is room: small points become squares, large pictures are averaged.
    fn fitted(&self, room: Room) -> Points {
        let (columns, rows) = (room.columns.max(1), (room.lines * 2).max(2));
        let larger = (columns.min(ENLARGED) / self.width).min(rows / self.height);
        if larger >= 1 {
            return self.resized(self.width * larger, self.height * larger);
        }
        let smaller = (self.width as f64 / columns as f64).max(self.height as f64 / rows as f64);
        let size = |n: usize| ((n as f64 / smaller.max(1.0)) as usize).max(1);
        let (width, height) = (size(self.width), size(self.height));
        self.resized(width, height)
    }

    fn resized(&self, width: usize, height: usize) -> Points {
        // The points that one of the result is of: at least one.
        let range = |i: usize, n: usize, of: usize| {
            let from = i * of / n;
            from..((i + 1) * of / n).max(from + 1)
        };
        let mut colours = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let rows = range(row, height, self.height);
                let all = rows.flat_map(|y| range(column, width, self.width).map(move |x| (x, y)));
                colours.push(mixed(all.map(|(x, y)| (self.at(x, y), 1.0))));
            }
        }
        Points { width, height, colours }
    }
}

/// A character, for a point and the one below it.
fn cell(out: &mut String, above: Colour, below: Option<Colour>, colours: Colours) {
    if colours == Colours::None {
        let both = mixed([(above, 1.0), (below.unwrap_or(above), 1.0)]);
        let bright = (0.3 * both[0] + 0.6 * both[1] + 0.1 * both[2]) / 256.0;
        let at = (bright * GREYS.len() as f64) as usize;
        out.push(char::from(GREYS.get(at).copied().unwrap_or(b'@')));
        return;
    }
    let named = |colour: Colour| {
        let [r, g, b] = colour.map(|c| c.round() as u8);
        match colours {
            Colours::All => format!("2;{r};{g};{b}"),
            _ => {
                let [r, g, b] = [r, g, b].map(|c| (u32::from(c) * 5 + 127) / 255);
                format!("5;{}", 16 + 36 * r + 6 * g + b)
            }
        }
    };
    let _ = match below {
        Some(below) => write!(out, "\x1b[38;{};48;{}m▀", named(above), named(below)),
        None => write!(out, "\x1b[0;38;{}m▀", named(above)),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use futc_testing::value::Reader;

    fn value(text: &str) -> Value {
        Reader::new(text.as_bytes()).next_value().ok().flatten().expect("a value")
    }

    const ROOM: Room = Room { columns: 8, lines: 4 };

    #[test]
    fn two_dimensions_are_a_picture() {
        assert!(is_picture(&value("[[1, 2], [3, 4]]")) && is_picture(&value("[[true]]")));
        assert!(is_picture(&value("[[[1u8, 2u8, 3u8]]]")));
        for other in ["1", "[1, 2]", "[[[1, 2, 3]]]", "empty([0][2]i32)", "empty([2][0]f64)"] {
            assert!(!is_picture(&value(other)), "{other}");
        }
    }

    #[test]
    fn points_are_squares_of_half_blocks() {
        let text = draw(&value("[[0, 1]]"), ROOM, Colours::All);
        let left = "\x1b[38;2;10;8;45;48;2;10;8;45m▀".repeat(4);
        let right = "\x1b[38;2;252;250;190;48;2;252;250;190m▀".repeat(4);
        let line = format!("{left}{right}\x1b[0m\n");
        assert_eq!(text, format!("{line}{line}[1][2]i32, from 0 to 1\n"));
    }

    #[test]
    fn colours_are_the_terminal_s() {
        let text = draw(
            &value("[[[255u8, 0u8, 0u8]], [[0u8, 0u8, 255u8]], [[0u8, 0u8, 0u8]]]"),
            Room { columns: 1, lines: 2 },
            Colours::Palette,
        );
        let lines = "\x1b[38;5;196;48;5;21m▀\x1b[0m\n\x1b[0;38;5;16m▀\x1b[0m\n";
        assert_eq!(text, format!("{lines}[3][1][3]u8\n"));
    }

    #[test]
    fn large_pictures_fit_and_what_is_no_number_is_grey() {
        let rows: Vec<String> =
            (0..100).map(|i| format!("[{}]", vec![i.to_string(); 300].join(","))).collect();
        let text = draw(&value(&format!("[{}]", rows.join(","))), ROOM, Colours::None);
        let lines: Vec<&str> = text.lines().collect();
        // As wide as there is room, and as high as the picture is then.
        assert_eq!(lines.len(), 2, "{text}");
        assert!(lines[0].len() == 8 && lines[1] == "[100][300]i32, from 0 to 99", "{text}");
        let text = draw(&value("[[f64.nan, f64.inf], [f64.nan, -f64.inf]]"), ROOM, Colours::All);
        assert!(text.contains("2;90;90;90") && text.ends_with("[2][2]f64\n"), "{text:?}");
        let text = draw(&value("[[1.5, 1.5]]"), ROOM, Colours::None);
        assert!(text.ends_with("from 1.5 to 1.5\n"), "{text}");
    }
}
