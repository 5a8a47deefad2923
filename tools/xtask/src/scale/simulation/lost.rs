//! What a simulated run comes to.

/// Who does what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// What is in no loop: behind one, and before one.
    Between(Option<usize>, Option<usize>),
    /// A loop that is not forked.
    Alone(usize),
    /// Tasks of a forked loop.
    Tasks(usize),
    /// The scheduler alone.
    Scheduling,
}

/// Time that is lost while something is done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lost {
    /// So long one worker did this, and the others nothing.
    pub alone: f64,
    /// Of all workers together, that have nothing to do while this is done.
    pub idle: f64,
    /// Of all workers together, for want of bandwidth.
    pub stalled: f64,
}

/// What a run comes to, in nanoseconds.
#[derive(Debug)]
pub struct Outcome {
    /// From begin to end.
    pub time: f64,
    /// Of all workers together, in forking, waking and claiming.
    pub scheduling: f64,
    pub lost: Vec<(Place, Lost)>,
}
