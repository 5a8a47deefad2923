//! What runs may use up.

/// What a run may use up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statements executed; none means any number.
    pub steps: Option<u64>,
    /// Calls within calls.
    pub depth: u32,
    /// Bytes of one array.
    pub array_bytes: i64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: None, depth: 10_000, array_bytes: 1 << 34 }
    }
}
