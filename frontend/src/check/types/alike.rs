//! Names that are alike, for "did you mean".

use futc_typed::name::Name;

/// The name most like `name`, if one is near enough to be meant.
pub fn closest(name: Name, candidates: impl Iterator<Item = Name>) -> Option<Name> {
    closest_text(name.as_str(), candidates.map(|c| c.as_str())).map(Name::new)
}

/// As [`closest`], of words.
pub fn closest_text<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = text.chars().count() / 3;
    candidates
        .map(|c| (edits(text, c), c))
        .filter(|(d, _)| *d > 0 && *d <= limit)
        .min()
        .map(|(_, c)| c)
}

/// Edit distance of two words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cb, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let up = *cell;
            let change = diagonal + usize::from(ca != *cb);
            diagonal = up;
            left = change.min(up + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
