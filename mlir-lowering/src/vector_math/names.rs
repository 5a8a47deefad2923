//! Names of vector functions of the C library.

/// The name of the version of `symbol` for a vector interface, and its lanes.
pub(super) fn variant(
    symbol: &str,
    arity: usize,
    lane: i64,
    letter: char,
    bytes: i64,
) -> (String, u32) {
    let lanes = (bytes / lane) as u32;
    (format!("_ZGV{letter}N{lanes}{}_{symbol}", "v".repeat(arity)), lanes)
}
