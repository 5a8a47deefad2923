//! How much a task has to do.

/// What a task takes at least, in picoseconds, as a power of two: some 17 µs. Handing out a task takes a
/// hundredth of that.
pub(super) const GRAIN: i64 = 24;
/// The same, for the runtime.
pub const TASK_PICOSECONDS: i64 = 1 << GRAIN;
/// More tasks than this are not made of one operation.
pub(super) const MOST_TASKS: i64 = 128;

/// How much a task has to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::passes) enum Grain {
    /// What pays for handing it out.
    Estimated,
    /// Two points, if there are not too many.
    Smallest,
}
