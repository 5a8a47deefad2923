//! What a unit's code is written as.

use futc_mlir::UnitCode;

/// Writes it.
pub fn encode(code: &UnitCode) -> Vec<u8> {
    let UnitCode { objects, entries, positions, words } = code;
    let mut out = Vec::new();
    number(&mut out, *words);
    number(&mut out, objects.len() as u64);
    objects.iter().for_each(|o| bytes(&mut out, o));
    number(&mut out, entries.len() as u64);
    for (name, symbol) in entries {
        bytes(&mut out, name.as_bytes());
        bytes(&mut out, symbol.as_bytes());
    }
    number(&mut out, positions.len() as u64);
    positions.iter().for_each(|p| bytes(&mut out, p.as_bytes()));
    out
}

fn number(out: &mut Vec<u8>, x: u64) {
    out.extend_from_slice(&x.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, x: &[u8]) {
    number(out, x.len() as u64);
    out.extend_from_slice(x);
}

/// Reads it; `None` if it is none.
pub fn decode(text: &[u8]) -> Option<UnitCode> {
    let mut r = Reader(text);
    let words = r.number()?;
    let objects = r.list(|r| Some(r.bytes()?.to_vec()))?;
    let entries = r.list(|r| Some((r.text()?, r.text()?)))?;
    let positions = r.list(Reader::text)?;
    r.0.is_empty().then_some(UnitCode { objects, entries, positions, words })
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn number(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn bytes(&mut self) -> Option<&'b [u8]> {
        let len = usize::try_from(self.number()?).ok()?;
        let (first, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(first)
    }

    fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?.to_vec()).ok()
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| item(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_nothing_else() {
        let code = UnitCode {
            objects: vec![vec![1, 2, 3], Vec::new()],
            entries: vec![("main".into(), "futc_entry_main".into())],
            positions: vec!["\u{1}0\u{1}".into()],
            words: 7,
        };
        let mut text = encode(&code);
        assert_eq!(decode(&text), Some(code));
        for len in 0..text.len() {
            assert_eq!(decode(&text[..len]), None, "{len}");
        }
        text.push(0);
        assert_eq!(decode(&text), None);
    }
}
