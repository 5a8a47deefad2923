//! Values as the outside sees them: a primitive type, a shape, and elements in row-major order;
//! their text form and the binary data format (guide, "Binary Data Format").

use ::half::f16;
use futc_typed::half;
use futc_typed::prim::PrimType;
use std::fmt::{Debug, LowerExp, Write as _};
use std::str::FromStr;

/// A scalar (empty shape) or a regular array.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// The element type.
    pub prim: PrimType,
    /// The element type was written, not guessed from unsuffixed numbers.
    pub suffixed: bool,
    /// Sizes, outermost first.
    pub shape: Vec<u64>,
    /// Elements, little endian, row-major; a `bool` takes a byte.
    pub data: Vec<u8>,
}

/// What is wrong with a text or a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} at byte {offset}")]
pub struct ValueError {
    /// What.
    pub message: String,
    /// Byte offset in the input.
    pub offset: usize,
}

/// Bytes of an element.
pub fn element_bytes(prim: PrimType) -> usize {
    prim.bits() as usize / 8
}

/// A number of elements that `usize` and `isize` arithmetic on bytes can hold.
fn checked_count(shape: &[u64], prim: PrimType) -> Option<usize> {
    let mut n: u64 = 1;
    for d in shape {
        n = n.checked_mul(*d)?;
    }
    let bytes = n.checked_mul(element_bytes(prim) as u64)?;
    if bytes > isize::MAX as u64 { None } else { usize::try_from(n).ok() }
}

impl Value {
    /// Number of elements.
    pub fn count(&self) -> usize {
        self.data.len() / element_bytes(self.prim)
    }

    /// The type, such as `[3][2]i32`.
    pub fn type_text(&self) -> String {
        let mut s = String::new();
        for d in &self.shape {
            let _ = write!(s, "[{d}]");
        }
        s + self.prim.name()
    }

    fn raw(&self, i: usize) -> u64 {
        let n = element_bytes(self.prim);
        let mut b = [0u8; 8];
        if let (Some(dst), Some(src)) = (b.get_mut(..n), self.data.get(i * n..i * n + n)) {
            dst.copy_from_slice(src);
        }
        u64::from_le_bytes(b)
    }

    /// Element `i` if it is an integer or `bool`.
    pub fn int(&self, i: usize) -> Option<i128> {
        let r = self.raw(i);
        Some(match self.prim {
            PrimType::I8 => i128::from(r as i8),
            PrimType::I16 => i128::from(r as i16),
            PrimType::I32 => i128::from(r as i32),
            PrimType::I64 => i128::from(r as i64),
            PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64 | PrimType::Bool => {
                i128::from(r)
            }
            PrimType::F16 | PrimType::F32 | PrimType::F64 => return None,
        })
    }

    /// Element `i` if it is a float.
    pub fn float(&self, i: usize) -> Option<f64> {
        let r = self.raw(i);
        Some(match self.prim {
            PrimType::F16 => f16::from_bits(r as u16).to_f64(),
            PrimType::F32 => f64::from(f32::from_bits(r as u32)),
            PrimType::F64 => f64::from_bits(r),
            _ => return None,
        })
    }

    /// Element `i` in source syntax, with suffix.
    pub fn element_text(&self, i: usize) -> String {
        let r = self.raw(i);
        if self.prim == PrimType::Bool {
            return if r == 0 { "false".into() } else { "true".into() };
        }
        if let Some(x) = self.int(i) {
            return format!("{x}{}", self.prim);
        }
        let x = self.float(i).unwrap_or(f64::NAN);
        if x.is_nan() {
            return format!("{}.nan", self.prim);
        }
        if x.is_infinite() {
            return format!("{}{}.inf", if x < 0.0 { "-" } else { "" }, self.prim);
        }
        let digits = match self.prim {
            PrimType::F16 => shortest_f16(f16::from_bits(r as u16)),
            PrimType::F32 => shortest(f32::from_bits(r as u32)),
            _ => shortest(x),
        };
        format!("{}{}", spelled(digits), self.prim)
    }

    /// The text form: `[[1i32, 2i32], [3i32, 4i32]]`, `empty([0][2]i32)`.
    pub fn to_text(&self) -> String {
        if self.shape.contains(&0) {
            return format!("empty({})", self.type_text());
        }
        let mut out = String::new();
        self.text_from(&mut out, 0, &mut 0);
        out
    }

    fn text_from(&self, out: &mut String, dim: usize, next: &mut usize) {
        match self.shape.get(dim) {
            None => {
                out.push_str(&self.element_text(*next));
                *next += 1;
            }
            Some(n) => {
                out.push('[');
                for i in 0..*n {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.text_from(out, dim + 1, next);
                }
                out.push(']');
            }
        }
    }

    /// The binary form.
    pub fn to_binary(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(7 + 8 * self.shape.len() + self.data.len());
        out.extend_from_slice(&[b'b', 2, self.shape.len() as u8]);
        out.extend_from_slice(binary_type(self.prim));
        for d in &self.shape {
            out.extend_from_slice(&d.to_le_bytes());
        }
        out.extend_from_slice(&self.data);
        out
    }

    /// The value at element type `prim`, if this one was written without a suffix and every
    /// number fits: integers may stand for floats.
    pub fn retyped(&self, prim: PrimType) -> Option<Value> {
        self.retype(prim, false)
    }

    /// As [`Value::retyped`], but integers beyond the range of the type wrap around.
    pub fn retyped_wrapping(&self, prim: PrimType) -> Option<Value> {
        self.retype(prim, true)
    }

    fn retype(&self, prim: PrimType, wraps: bool) -> Option<Value> {
        if self.prim == prim {
            return Some(self.clone());
        }
        if self.suffixed {
            return None;
        }
        let mut data = Vec::with_capacity(self.count() * element_bytes(prim));
        for i in 0..self.count() {
            let text = match (self.int(i), self.float(i)) {
                (Some(x), _) => x.to_string(),
                (None, Some(x)) if prim.is_float() => format!("{x:?}"),
                _ => return None,
            };
            push_number(&mut data, prim, &text, wraps)?;
        }
        Some(Value { prim, suffixed: true, shape: self.shape.clone(), data })
    }
}

/// A number with a point, as compiled programs write it: `1.0e-7`.
fn spelled(digits: String) -> String {
    match digits.split_once('e') {
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => digits,
    }
}

/// The shortest decimal that reads back as `x`.
fn shortest_f16(x: f16) -> String {
    let wide = x.to_f64();
    if wide == 0.0 {
        return format!("{wide:?}");
    }
    for digits in 0..8 {
        let s = format!("{wide:.digits$e}");
        let Some((mantissa, exponent)) = s.split_once('e') else { continue };
        let (Ok(mantissa), Ok(exponent)) =
            (mantissa.replace('.', "").parse::<i64>(), exponent.parse::<i64>())
        else {
            continue;
        };
        // Below a power of two, numbers are half as far apart as above: of two decimals that are equally near, one may read back alone.
        for step in [0, 1, -1] {
            let places = exponent - i64::try_from(digits).unwrap_or(0);
            let s = format!("{}e{places}", mantissa + step);
            if let Ok(back) = s.parse::<f64>()
                && half::from_f64(back) == x
            {
                return format!("{back:?}");
            }
        }
    }
    format!("{wide:?}")
}

/// The shortest decimal that reads back as `x`, and of two that are equally near the one whose last digit is even, as compiled
/// programs write it; Rust's is the greater one.
fn shortest<T: Debug + LowerExp + FromStr + PartialEq>(x: T) -> String {
    let (text, scientific) = (format!("{x:?}"), format!("{x:e}"));
    let mantissa = scientific.split('e').next().unwrap_or_default();
    let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    // Exact, with ties to even.
    let even = format!("{x:.places$e}");
    let last = even.split('e').next().and_then(|digits| digits.chars().next_back());
    let digits = text.split('e').next().unwrap_or_default();
    match (digits.rfind(|c| matches!(c, '1'..='9')), last) {
        (Some(at), Some(last)) if even != scientific && even.parse().is_ok_and(|y: T| y == x) => {
            format!("{}{last}{}", &text[..at], &text[at + 1..])
        }
        _ => text,
    }
}

fn binary_type(prim: PrimType) -> &'static [u8; 4] {
    match prim {
        PrimType::I8 => b"  i8",
        PrimType::I16 => b" i16",
        PrimType::I32 => b" i32",
        PrimType::I64 => b" i64",
        PrimType::U8 => b"  u8",
        PrimType::U16 => b" u16",
        PrimType::U32 => b" u32",
        PrimType::U64 => b" u64",
        PrimType::F16 => b" f16",
        PrimType::F32 => b" f32",
        PrimType::F64 => b" f64",
        PrimType::Bool => b"bool",
    }
}

/// Parses `text` (digits without suffix, sign included) at `prim` and appends its bytes. An integer
/// that the type does not have is refused, unless it `wraps`.
fn push_number(data: &mut Vec<u8>, prim: PrimType, text: &str, wraps: bool) -> Option<()> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    let (neg, digits) = match clean.strip_prefix('-') {
        Some(d) => (true, d),
        None => (false, clean.as_str()),
    };
    let lower = digits.to_ascii_lowercase();
    let (radix, body) = if let Some(h) = lower.strip_prefix("0x") {
        (16, h.to_string())
    } else if let Some(b) = lower.strip_prefix("0b") {
        (2, b.to_string())
    } else {
        (10, lower)
    };
    if prim.is_float() {
        let x: f64 = if radix == 10 { body.parse().ok()? } else { hex_float(&body, radix)? };
        let x = if neg { -x } else { x };
        match prim {
            PrimType::F16 => {
                let y = if radix == 10 { half::from_decimal(&clean)? } else { half::from_f64(x) };
                data.extend_from_slice(&y.to_le_bytes());
            }
            PrimType::F32 => {
                // Rounded once from the decimal where possible.
                let y = if radix == 10 { clean.parse().ok()? } else { x as f32 };
                data.extend_from_slice(&f32::to_le_bytes(y));
            }
            _ => data.extend_from_slice(&x.to_le_bytes()),
        }
        return Some(());
    }
    let magnitude = i128::from_str_radix(&body, radix).ok()?;
    let x = if neg { -magnitude } else { magnitude };
    let bits = prim.bits();
    // What is written in another base than ten may be meant as bits: `0xffi8` is -1.
    let all = (1i128 << bits) - 1;
    let (lo, hi) = match prim.is_signed() {
        true => (-(1i128 << (bits - 1)), if radix == 10 { all >> 1 } else { all }),
        false => (0, all),
    };
    if !wraps && (x < lo || x > hi) {
        return None;
    }
    let bytes = (x as u64).to_le_bytes();
    data.extend_from_slice(bytes.get(..element_bytes(prim))?);
    Some(())
}

fn hex_float(body: &str, radix: u32) -> Option<f64> {
    let (mantissa, exponent) = match body.split_once('p') {
        Some((m, e)) => (m, e.parse::<i32>().ok()?),
        None => (body, 0),
    };
    let (whole, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut x = 0f64;
    for c in whole.chars() {
        x = x * f64::from(radix) + f64::from(c.to_digit(radix)?);
    }
    let mut scale = 1.0 / f64::from(radix);
    for c in frac.chars() {
        x += f64::from(c.to_digit(radix)?) * scale;
        scale /= f64::from(radix);
    }
    Some(x * 2f64.powi(exponent))
}

/// Reads values from mixed text and binary.
pub struct Reader<'a> {
    input: &'a [u8],
    pos: usize,
    wraps: bool,
    /// What numbers without a suffix are, if they can be.
    wanted: Option<PrimType>,
}

impl<'a> Reader<'a> {
    /// Reads from the start of `input`.
    pub fn new(input: &'a [u8]) -> Reader<'a> {
        Reader { input, pos: 0, wraps: false, wanted: None }
    }

    /// Integers beyond the range of their type wrap around instead of being refused, as literals
    /// of test blocks do with other readers of the format.
    pub fn wrapping(input: &'a [u8]) -> Reader<'a> {
        Reader { input, pos: 0, wraps: true, wanted: None }
    }

    /// How many bytes have been read.
    pub fn position(&self) -> usize {
        self.pos
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ValueError> {
        Err(ValueError { message: message.into(), offset: self.pos })
    }

    fn peek(&self) -> Option<u8> {
        self.input.get(self.pos).copied()
    }

    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(c) if c.is_ascii_whitespace() => self.pos += 1,
                Some(b'-') if self.input.get(self.pos + 1) == Some(&b'-') => {
                    while self.peek().is_some_and(|c| c != b'\n') {
                        self.pos += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// The next value, or `None` at the end.
    pub fn next_value(&mut self) -> Result<Option<Value>, ValueError> {
        self.skip_space();
        match self.peek() {
            None => Ok(None),
            // A binary value; no text value but none starts so.
            Some(b'b') => self.binary().map(Some),
            Some(_) => self.text().map(Some),
        }
    }

    /// The next value, of which numbers without a suffix are of this type if they can be.
    pub fn next_value_of(&mut self, prim: PrimType) -> Result<Option<Value>, ValueError> {
        self.wanted = Some(prim);
        let value = self.next_value();
        self.wanted = None;
        value
    }

    /// All values that are left.
    pub fn all(mut self) -> Result<Vec<Value>, ValueError> {
        let mut out = Vec::new();
        while let Some(v) = self.next_value()? {
            out.push(v);
        }
        Ok(out)
    }

    fn take(&mut self, n: usize) -> Result<&'a [u8], ValueError> {
        match self.pos.checked_add(n).and_then(|end| self.input.get(self.pos..end)) {
            Some(s) => {
                self.pos += n;
                Ok(s)
            }
            None => self.error("unexpected end of input"),
        }
    }

    fn binary(&mut self) -> Result<Value, ValueError> {
        self.pos += 1;
        let version = self.take(1)?.first().copied().unwrap_or(0);
        if version != 2 {
            return self.error(format!("binary format version {version} is not supported (2 is)"));
        }
        let rank = self.take(1)?.first().copied().unwrap_or(0);
        let ty = self.take(4)?;
        let Some(prim) = PrimType::ALL.into_iter().find(|p| binary_type(*p) == ty) else {
            return self.error(format!("unknown binary type '{}'", String::from_utf8_lossy(ty)));
        };
        let mut shape = Vec::with_capacity(rank.into());
        for _ in 0..rank {
            let b = self.take(8)?;
            shape.push(u64::from_le_bytes(b.try_into().unwrap_or([0; 8])));
        }
        let Some(n) = checked_count(&shape, prim) else {
            return self.error("the declared size is too large");
        };
        let mut data = self.take(n * element_bytes(prim))?.to_vec();
        if prim == PrimType::Bool {
            // As in programs and in C, whatever is not zero is true.
            data.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
        Ok(Value { prim, suffixed: true, shape, data })
    }

    fn starts(&self, s: &str) -> bool {
        self.input.get(self.pos..).is_some_and(|r| r.starts_with(s.as_bytes()))
    }

    fn text(&mut self) -> Result<Value, ValueError> {
        if self.starts("empty") {
            return self.empty();
        }
        let mut v =
            Value { prim: PrimType::I32, suffixed: false, shape: Vec::new(), data: Vec::new() };
        let mut known = None;
        let mut first = true;
        self.nested(&mut v, &mut known, 0, &mut first)?;
        if let Some((prim, suffixed)) = known {
            v.prim = prim;
            v.suffixed = suffixed;
        }
        Ok(v)
    }

    fn empty(&mut self) -> Result<Value, ValueError> {
        self.pos += 5;
        self.skip_space();
        self.expect(b'(')?;
        let mut shape = Vec::new();
        loop {
            self.skip_space();
            if self.peek() != Some(b'[') {
                break;
            }
            self.pos += 1;
            self.skip_space();
            let start = self.pos;
            while self.peek().is_some_and(|c| c.is_ascii_digit() || c == b'_') {
                self.pos += 1;
            }
            let digits = self.slice_text(start).replace('_', "");
            let Ok(n) = digits.parse() else { return self.error("expected a size") };
            shape.push(n);
            if self.starts("i64") {
                self.pos += 3;
            }
            self.skip_space();
            self.expect(b']')?;
        }
        let word = self.word();
        let Some(prim) = PrimType::from_name(&word) else {
            return self.error(format!("unknown type '{word}'"));
        };
        self.skip_space();
        self.expect(b')')?;
        if !shape.contains(&0) {
            return self.error("an 'empty' array has no size that is zero");
        }
        Ok(Value { prim, suffixed: true, shape, data: Vec::new() })
    }

    fn expect(&mut self, c: u8) -> Result<(), ValueError> {
        if self.peek() == Some(c) {
            self.pos += 1;
            Ok(())
        } else {
            self.error(format!("expected '{}'", char::from(c)))
        }
    }

    fn slice_text(&self, start: usize) -> String {
        String::from_utf8_lossy(self.input.get(start..self.pos).unwrap_or(&[])).into_owned()
    }

    fn word(&mut self) -> String {
        let start = self.pos;
        while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.') {
            self.pos += 1;
        }
        self.slice_text(start)
    }

    fn nested(
        &mut self,
        v: &mut Value,
        known: &mut Option<(PrimType, bool)>,
        dim: usize,
        first: &mut bool,
    ) -> Result<(), ValueError> {
        self.skip_space();
        match self.peek() {
            Some(b'[') => {
                self.pos += 1;
                if *first && v.shape.len() == dim {
                    v.shape.push(0);
                } else if v.shape.len() <= dim {
                    return self.error("the array is not regular");
                }
                let mut n = 0u64;
                loop {
                    self.skip_space();
                    if self.peek() == Some(b']') {
                        break;
                    }
                    self.nested(v, known, dim + 1, first)?;
                    n += 1;
                    self.skip_space();
                    match self.peek() {
                        Some(b',') => {
                            self.pos += 1;
                            self.skip_space();
                            if self.peek() == Some(b']') {
                                return self.error("expected a value behind ','");
                            }
                        }
                        Some(b']') => break,
                        _ => return self.error("expected ',' or ']'"),
                    }
                }
                self.expect(b']')?;
                if n == 0 {
                    return self.error("an empty array must be written 'empty(type)'");
                }
                match v.shape.get_mut(dim) {
                    Some(d) if *d == 0 => *d = n,
                    Some(d) if *d == n => {}
                    _ => return self.error("the array is not regular"),
                }
                Ok(())
            }
            Some(b'"') => {
                if *first {
                    if v.shape.len() != dim {
                        return self.error("the array is not regular");
                    }
                    v.shape.push(0);
                }
                if v.shape.len() != dim + 1 {
                    return self.error("the array is not regular");
                }
                let bytes = self.string()?;
                if known.is_some_and(|(p, _)| p != PrimType::U8) {
                    return self.error("a string among numbers");
                }
                *known = Some((PrimType::U8, true));
                v.prim = PrimType::U8;
                let n = bytes.len() as u64;
                match v.shape.get_mut(dim) {
                    Some(d) if *first || *d == n => *d = n,
                    _ => return self.error("the array is not regular"),
                }
                *first = false;
                v.data.extend_from_slice(&bytes);
                Ok(())
            }
            Some(_) => {
                if v.shape.len() != dim {
                    return self.error("the array is not regular");
                }
                *first = false;
                self.scalar(v, known)
            }
            None => self.error("unexpected end of input"),
        }
    }

    fn string(&mut self) -> Result<Vec<u8>, ValueError> {
        self.pos += 1;
        let mut out = Vec::new();
        loop {
            match self.peek() {
                None => return self.error("the string has no end"),
                Some(b'"') => {
                    self.pos += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.pos += 1;
                    let c = match self.peek() {
                        Some(b'n') => b'\n',
                        Some(b't') => b'\t',
                        Some(b'r') => b'\r',
                        Some(b'0') => 0,
                        Some(c @ (b'"' | b'\\' | b'\'')) => c,
                        _ => return self.error("unknown escape in string"),
                    };
                    out.push(c);
                    self.pos += 1;
                }
                Some(c) => {
                    out.push(c);
                    self.pos += 1;
                }
            }
        }
    }

    fn scalar(
        &mut self,
        v: &mut Value,
        known: &mut Option<(PrimType, bool)>,
    ) -> Result<(), ValueError> {
        let start = self.pos;
        let sign = match self.peek() {
            Some(b'-') => {
                self.pos += 1;
                "-"
            }
            Some(b'+') => {
                self.pos += 1;
                ""
            }
            _ => "",
        };
        let mut token = String::from(sign);
        loop {
            match self.peek() {
                Some(c) if c.is_ascii_alphanumeric() || c == b'_' || c == b'.' => {
                    token.push(char::from(c));
                }
                // A sign belongs to the number only right after an exponent mark.
                Some(c @ (b'+' | b'-'))
                    if token.ends_with(['e', 'E', 'p', 'P'])
                        && token
                            .trim_start_matches('-')
                            .starts_with(|d: char| d.is_ascii_digit())
                        && (!token.contains("0x") || token.ends_with(['p', 'P'])) =>
                {
                    token.push(char::from(c));
                }
                _ => break,
            }
            self.pos += 1;
        }
        let bad = |s: &Self| {
            Err(ValueError {
                message: format!("'{token}' is not a value"),
                offset: start.min(s.pos),
            })
        };
        if token.is_empty() || token == "-" {
            return self.error("expected a value");
        }
        if token == "true" || token == "false" {
            if known.is_some_and(|(p, _)| p != PrimType::Bool) {
                return self.error("a bool among numbers");
            }
            *known = Some((PrimType::Bool, true));
            v.prim = PrimType::Bool;
            v.data.push(u8::from(token == "true"));
            return Ok(());
        }
        let unsigned = token.strip_prefix('-').unwrap_or(&token);
        for ty in [PrimType::F16, PrimType::F32, PrimType::F64] {
            for (word, x) in [("nan", f64::NAN), ("inf", f64::INFINITY)] {
                if unsigned == format!("{ty}.{word}") {
                    if known.is_some_and(|(p, _)| p != ty) {
                        return self.error("elements of different types");
                    }
                    *known = Some((ty, true));
                    v.prim = ty;
                    let x = if token.starts_with('-') { -x } else { x };
                    match ty {
                        PrimType::F16 => v.data.extend_from_slice(&f16::from_f64(x).to_le_bytes()),
                        PrimType::F32 => v.data.extend_from_slice(&(x as f32).to_le_bytes()),
                        _ => v.data.extend_from_slice(&x.to_le_bytes()),
                    }
                    return Ok(());
                }
            }
        }
        let (digits, suffix) = split_suffix(&token);
        // Those that Rust reads without the type's name are none of Futhark's.
        if digits.trim_start_matches(['-', '+']).starts_with(['n', 'N', 'i', 'I']) {
            return bad(self);
        }
        let guessed = || {
            let plain = digits.trim_start_matches('-').to_ascii_lowercase();
            let hex = plain.starts_with("0x");
            let float = plain.contains('.')
                || (!hex && plain.contains('e'))
                || (hex && plain.contains('p'));
            match self.wanted {
                Some(p) if p.is_float() || p.is_int() && !float => p,
                _ if float => PrimType::F64,
                _ => PrimType::I32,
            }
        };
        let prim = match (*known, suffix) {
            (None, Some(p)) => {
                *known = Some((p, true));
                p
            }
            (None, None) => {
                let p = guessed();
                *known = Some((p, false));
                p
            }
            (Some((p, _)), Some(q)) if p != q => {
                return self.error(format!("an element of type {q} among {p}"));
            }
            (Some((p, false)), None) if p == PrimType::I32 && guessed() == PrimType::F64 => {
                // `[1, 2.5]`: what looked like integers are floats.
                let old = Value { prim: p, suffixed: false, ..v.clone() };
                let Some(new) = old.retyped(PrimType::F64) else { return bad(self) };
                v.data = new.data;
                *known = Some((PrimType::F64, false));
                PrimType::F64
            }
            (Some((p, _)), _) => p,
        };
        v.prim = prim;
        if prim == PrimType::Bool || push_number(&mut v.data, prim, &digits, self.wraps).is_none() {
            return bad(self);
        }
        Ok(())
    }
}

/// `12i64` → (`12`, `i64`).
pub fn split_suffix(token: &str) -> (String, Option<PrimType>) {
    let hex = token.trim_start_matches('-').to_ascii_lowercase().starts_with("0x");
    for p in PrimType::ALL {
        if p == PrimType::Bool {
            continue;
        }
        if let Some(d) = token.strip_suffix(p.name()) {
            // In a hexadecimal number without exponent, `f16` and its kin are digits.
            if hex && p.is_float() && !d.contains(['.', 'p', 'P']) {
                continue;
            }
            if !d.is_empty() && d != "-" {
                return (d.to_string(), Some(p));
            }
        }
    }
    (token.to_string(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(s: &str) -> Value {
        let vs = Reader::new(s.as_bytes()).all().expect("parses");
        assert_eq!(vs.len(), 1, "{s}");
        vs.into_iter().next().expect("one")
    }

    #[test]
    fn of_two_shortest_decimals_the_even_one_is_written() {
        for (x, text) in [
            (54082.8125, "54082.812"),
            (54083.4375, "54083.438"),
            (0.1, "0.1"),
            (1e20, "1e20"),
            (8_388_608.5, "8388608.0"),
        ] {
            assert_eq!(shortest(x as f32), text);
        }
        // Quarters are the smallest steps there.
        let large = (1_i64 << 50) as f64;
        for (x, text) in [
            (large + 0.25, "1125899906842624.2"),
            (-large - 0.75, "-1125899906842624.8"),
            (large + 1.25, "1125899906842625.2"),
            (5e-324, "5e-324"),
            (0.0, "0.0"),
        ] {
            assert_eq!(shortest(x), text);
        }
    }

    #[test]
    fn text_round_trips() {
        for s in [
            "1i32",
            "-5i8",
            "255u8",
            "true",
            "[1i32, 2i32]",
            "[[1.5f32], [-0.0f32]]",
            "f32.nan",
            "-f64.inf",
            "empty([0][2]i32)",
            "[1.0f16, 65500.0f16, 6.0e-8f16]",
            "[0.01563f16, -0.01563f16, 0.03125f16, 0.0f16, -0.0f16]",
            "1.0e300f64",
            "[[true, false]]",
            "18446744073709551615u64",
            "-9223372036854775808i64",
        ] {
            assert_eq!(one(s).to_text(), s);
            let v = one(s);
            let b = Reader::new(&v.to_binary()).all().expect("binary");
            assert_eq!(b.first().map(Value::to_text), Some(s.to_string()));
        }
    }

    #[test]
    fn types_are_guessed_from_the_first_element() {
        assert_eq!(one("[1, 2]").type_text(), "[2]i32");
        assert_eq!(one("[1.0, 2]").type_text(), "[2]f64");
        assert_eq!(one("[1, 2.5]").type_text(), "[2]f64");
        assert_eq!(one("[1i64, 2]").type_text(), "[2]i64");
        assert_eq!(one("0xFF").to_text(), "255i32");
        assert_eq!(one("0b1_01i8").to_text(), "5i8");
        assert_eq!(one("\"ab\\n\"").to_text(), "[97u8, 98u8, 10u8]");
        assert_eq!(one("-- c\n1e3f32").to_text(), "1000.0f32");
    }

    #[test]
    fn numbers_are_of_the_type_that_is_wanted() {
        let read = |text: &str, prim| {
            let mut reader = Reader::new(text.as_bytes());
            reader.next_value_of(prim).map(|v| v.map(|v| v.to_text()))
        };
        for (text, prim, want) in [
            ("2147483648", PrimType::I64, "2147483648i64"),
            ("[4294967296, -1]", PrimType::I64, "[4294967296i64, -1i64]"),
            ("18446744073709551615", PrimType::U64, "18446744073709551615u64"),
            ("3000000000", PrimType::F64, "3000000000.0f64"),
            ("[1, 2.5]", PrimType::F32, "[1.0f32, 2.5f32]"),
            // What is said is not changed, nor what cannot be.
            ("3i32", PrimType::I64, "3i32"),
            ("2.5", PrimType::I32, "2.5f64"),
            ("true", PrimType::I32, "true"),
        ] {
            assert_eq!(read(text, prim), Ok(Some(want.to_owned())), "{text}");
        }
        assert!(read("300", PrimType::I8).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for s in [
            "[1, [2]]",
            "[[1, 2], [3]]",
            "[",
            "[1,,2]",
            "[]",
            "[1,]",
            "[[1],]",
            "nan",
            "-inf",
            "[f64.nan, infinity]",
            "empty([1]i32)",
            "1x",
            "--",
            "-",
            "300u8",
            "[1i32, 2i64]",
            "b",
            "b\u{2}",
            "empty([99999999999999999999]i32)",
            "[true, 1]",
            "\"abc",
        ] {
            assert!(Reader::new(s.as_bytes()).all().is_err() || s == "--", "{s} should be refused");
        }
        for s in [
            "128i8",
            "-129i8",
            "255i8",
            "-1u8",
            "256u8",
            "9223372036854775808i64",
            "-1u64",
            "-0x81i8",
            "0x100u8",
            "-0x1u8",
            "18446744073709551616u64",
            "[1i16, 32768i16]",
        ] {
            assert!(Reader::new(s.as_bytes()).all().is_err(), "{s} is out of range");
        }
        for (s, bits) in [("0xffi8", "-1i8"), ("0b10000000i8", "-128i8"), ("-0x80i8", "-128i8")] {
            assert_eq!(one(s), one(bits), "{s} are bits");
        }
        let wrapped = Reader::wrapping(b"300u8").all().unwrap();
        assert_eq!(wrapped, Reader::new(b"44u8").all().unwrap());
        let mut huge = b"b\x02\x01 i32".to_vec();
        huge.extend_from_slice(&(1u64 << 62).to_le_bytes());
        assert!(Reader::new(&huge).all().is_err());
    }
}
