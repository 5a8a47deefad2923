//! What literals mean: numbers in all notations, characters and strings with their escapes.

use super::ast::Literal;
use super::errors::LiteralError;
use futc_typed::prim::PrimType;

/// More digits than this are refused: converting from another base takes quadratic time.
const MAX_DIGITS: usize = 2_000;

/// Reads the text of a number token.
pub fn number(text: &str) -> Result<Literal, LiteralError> {
    let lower = text.to_ascii_lowercase();
    if let Some(rest) = lower.strip_prefix("0x") {
        return if rest.contains('.') { hex_float(rest) } else { radix_int(rest, 16) };
    }
    if let Some(rest) = lower.strip_prefix("0b") {
        return radix_int(rest, 2);
    }
    // Here `e` begins an exponent only if digits follow; anything else is a suffix.
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut float = false;
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
            at += 1;
        }
        at
    };
    at = digits(at);
    if bytes.get(at) == Some(&b'.') {
        float = true;
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if bytes.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
            float = true;
            at = digits(at + 1 + sign);
        }
    }
    let suffix = suffix(&text[at..])?;
    let kept: String = text[..at].chars().filter(|c| *c != '_').collect();
    if float {
        if suffix.is_some_and(|t| !t.is_float()) {
            return Err(LiteralError::DecimalInteger);
        }
        return Ok(Literal::Float { negative: false, text: kept, suffix });
    }
    Ok(Literal::Int { negative: false, digits: without_zeros(&kept), suffix, bits: false })
}

fn without_zeros(digits: &str) -> String {
    let kept = digits.trim_start_matches('0');
    if kept.is_empty() { "0".to_owned() } else { kept.to_owned() }
}

fn suffix(text: &str) -> Result<Option<PrimType>, LiteralError> {
    if text.is_empty() {
        return Ok(None);
    }
    match PrimType::from_name(text) {
        Some(t) if t != PrimType::Bool => Ok(Some(t)),
        _ => Err(LiteralError::UnknownSuffix(text.to_owned())),
    }
}

fn radix_int(text: &str, radix: u32) -> Result<Literal, LiteralError> {
    let end = text.find(|c: char| !c.is_digit(radix) && c != '_').unwrap_or(text.len());
    let suffix = suffix(&text[end..])?;
    let digits: Vec<u32> = text[..end].chars().filter_map(|c| c.to_digit(radix)).collect();
    if digits.is_empty() {
        return Err(LiteralError::NoDigits);
    }
    if digits.len() > MAX_DIGITS {
        return Err(LiteralError::TooManyDigits);
    }
    // Limbs of nine decimal digits, least first.
    let mut limbs = vec![0u64];
    for digit in digits {
        let mut carry = u64::from(digit);
        for limb in &mut limbs {
            let value = *limb * u64::from(radix) + carry;
            *limb = value % 1_000_000_000;
            carry = value / 1_000_000_000;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    Ok(Literal::Int { negative: false, digits: without_zeros(&text), suffix, bits: true })
}

/// `text` is in lower case, without `0x`.
fn hex_float(text: &str) -> Result<Literal, LiteralError> {
    let (mantissa, exponent, tail) = match text.split_once('p') {
        Some((mantissa, rest)) => {
            let end = rest
                .char_indices()
                .find(|(i, c)| {
                    !(c.is_ascii_digit() || *c == '_' || *i == 0 && matches!(c, '+' | '-'))
                })
                .map_or(rest.len(), |(i, _)| i);
            // A huge exponent means infinity or zero, whatever it is exactly.
            let limit = if rest.starts_with('-') { -1_000_000 } else { 1_000_000 };
            (mantissa, rest[..end].replace('_', "").parse::<i64>().unwrap_or(limit), &rest[end..])
        }
        // Without exponent the last three characters of `0x1.8f32` are the suffix.
        None => match ["f16", "f32", "f64"].iter().find_map(|s| text.strip_suffix(s)) {
            Some(mantissa) if !mantissa.ends_with('.') => (mantissa, 0, &text[mantissa.len()..]),
            _ => {
                let end = text
                    .find(|c: char| !c.is_ascii_hexdigit() && c != '.' && c != '_')
                    .unwrap_or(text.len());
                (&text[..end], 0, &text[end..])
            }
        },
    };
    let suffix = suffix(tail)?;
    if suffix.is_some_and(|t| !t.is_float()) {
        return Err(LiteralError::HexadecimalInteger);
    }
    // Keep as many digits as fit; whether any of the rest is not zero decides ties in rounding.
    let mut value: u128 = 0;
    let mut scale = exponent.clamp(-1_000_000, 1_000_000);
    let mut fraction = false;
    let mut any = false;
    for c in mantissa.chars() {
        let Some(digit) = c.to_digit(16) else {
            fraction |= c == '.';
            continue;
        };
        any = true;
        if value >> 120 == 0 {
            value = value << 4 | u128::from(digit);
            scale -= if fraction { 4 } else { 0 };
        } else {
            value |= u128::from(digit != 0);
            scale += if fraction { 0 } else { 4 };
        }
    }
    if !any {
        return Err(LiteralError::NoDigits);
    }
    let number = scale_by_power_of_two(value, scale);
    Ok(Literal::Float { negative: false, text: format!("{number:?}"), suffix })
}

/// `value * 2^scale`, rounded once, to even.
fn scale_by_power_of_two(value: u128, scale: i64) -> f64 {
    if value == 0 {
        return 0.0;
    }
    let bits = 128 - i64::from(value.leading_zeros());
    // The exponent of the last bit that is kept: 53 bits, fewer below the normal range.
    let last = (bits + scale - 53).max(-1074);
    if last + 53 > 1024 {
        return f64::INFINITY;
    }
    let shift = last - scale;
    let mut kept = if shift <= 0 {
        // Exact: at most 53 bits remain, so the shift loses none.
        value << (-shift).min(127)
    } else if shift > 128 {
        0
    } else {
        let shift = shift as u32;
        let kept = value.checked_shr(shift).unwrap_or(0);
        let dropped = if shift == 128 { value } else { value & ((1u128 << shift) - 1) };
        let half = 1u128 << (shift - 1);
        kept + u128::from(dropped > half || dropped == half && kept & 1 == 1)
    };
    let mut last = last;
    if kept >> 53 != 0 {
        kept >>= 1;
        last += 1;
    }
    // `kept` is exact in 53 bits; the power is applied in two steps, each of them exact because
    // the result is representable.
    let mut result = kept as f64;
    while last != 0 {
        let step = last.clamp(-1000, 1000);
        result *= 2f64.powi(step as i32);
        last -= step;
    }
    result
}

/// Reads the text of a character token, quotes included.
pub fn character(text: &str) -> Result<char, LiteralError> {
    let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')).unwrap_or(text);
    let mut chars = inner.chars();
    let c = match chars.next() {
        Some('\\') => escape(&mut chars)?,
        other => other,
    };
    match (c, chars.next()) {
        (Some(c), None) => Ok(c),
        _ => Err(LiteralError::NotOneCharacter),
    }
}

/// Reads the text of a string token, quotes included.
pub fn string(text: &str) -> Result<Vec<u8>, LiteralError> {
    let inner = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(text);
    if !inner.contains('\\') {
        return Ok(inner.as_bytes().to_vec());
    }
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            out.extend(escape(&mut chars)?);
        } else {
            out.push(c);
        }
    }
    Ok(out.into_bytes())
}

/// What follows a backslash. `\&` is nothing: it ends a number such as in `\12\&3`.
fn escape(chars: &mut std::str::Chars<'_>) -> Result<Option<char>, LiteralError> {
    let mut ahead = chars.clone();
    let Some(c) = ahead.next() else {
        return Err(LiteralError::BackslashAtEnd);
    };
    let simple = match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'v' => '\x0b',
        '\\' | '\'' | '"' => c,
        '&' => {
            chars.next();
            return Ok(None);
        }
        '0'..='9' => return code_point(chars, 10).map(Some),
        'x' | 'X' | 'o' | 'O' => {
            chars.next();
            return code_point(chars, if matches!(c, 'x' | 'X') { 16 } else { 8 }).map(Some);
        }
        _ => return Err(LiteralError::UnknownEscape(c)),
    };
    chars.next();
    Ok(Some(simple))
}

fn code_point(chars: &mut std::str::Chars<'_>, radix: u32) -> Result<char, LiteralError> {
    let mut value: u32 = 0;
    let mut any = false;
    while let Some(digit) = chars.clone().next().and_then(|c| c.to_digit(radix)) {
        chars.next();
        any = true;
        value = value.saturating_mul(radix).saturating_add(digit);
    }
    match char::from_u32(value) {
        Some(c) if any => Ok(c),
        _ => Err(LiteralError::NoCodePoint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (String, Option<PrimType>) {
        match number(text) {
            Ok(Literal::Int { digits, suffix, .. }) => (digits, suffix),
            other => (format!("{other:?}"), None),
        }
    }

    fn float(text: &str) -> (f64, Option<PrimType>) {
        match number(text) {
            Ok(Literal::Float { text, suffix, .. }) => (text.parse().unwrap_or(f64::NAN), suffix),
            _ => (f64::NAN, None),
        }
    }

    #[test]
    fn integers_are_read_in_every_base() {
        assert_eq!(int("007"), ("7".into(), None));
        assert_eq!(int("1_000i8"), ("1000".into(), Some(PrimType::I8)));
        assert_eq!(int("0xFf_u8"), ("255".into(), Some(PrimType::U8)));
        assert_eq!(int("0b1010"), ("10".into(), None));
        assert_eq!(int("0b1f32"), ("1".into(), Some(PrimType::F32)));
        assert_eq!(int("0x1f32"), ("7986".into(), None));
        assert_eq!(int("3f64"), ("3".into(), Some(PrimType::F64)));
        assert_eq!(
            int("0xffffffffffffffffffffffffffffffffff").0,
            "87112285931760246646623899502532662132735"
        );
        assert!(number("0x").is_err());
        assert!(number("12abc").is_err());
        assert!(number("1bool").is_err());
    }

    #[test]
    fn floats_are_read_exactly() {
        assert_eq!(float("1_0.5e-1f32"), (1.0 + 0.05, Some(PrimType::F32)));
        assert_eq!(float("1e3"), (1000.0, None));
        assert_eq!(float(".5"), (0.5, None));
        assert_eq!(float("0x1.fp3"), (15.5, None));
        assert_eq!(float("0x1.8f32"), (1.5, Some(PrimType::F32)));
        assert_eq!(float("0x1.0p-1074").0, f64::from_bits(1));
        assert_eq!(float("0x1.0p-1075").0, 0.0);
        assert_eq!(float("0x1.8p-1075").0, f64::from_bits(1));
        assert_eq!(float("0x1.fffffffffffffp1023").0, f64::MAX);
        assert_eq!(float("0x1.0p1024").0, f64::INFINITY);
        assert_eq!(float("0x1.fffffffffffff8p0").0, 2.0);
        assert_eq!(float("0x0.0p99999999999999999999").0, 0.0);
        assert!(number("1.5i32").is_err());
    }

    #[test]
    fn escapes_are_read() {
        assert_eq!(string(r#""a\n\65\&1\x41\"é""#), Ok("a\nA1A\"é".as_bytes().to_vec()));
        assert_eq!(character(r"'\''"), Ok('\''));
        assert_eq!(character("'λ'"), Ok('λ'));
        assert!(character(r"'\q'").is_err());
        assert!(string(r#""\999999999999""#).is_err());
    }
}
