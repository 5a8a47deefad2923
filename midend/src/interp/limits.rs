//! What runs may use up, and how many threads they are told of.

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

/// Threads that tasks run in, as programs see it: more than one, so that what is for one thread only is not all there is.
pub(super) const WORKERS: i64 = 2;
