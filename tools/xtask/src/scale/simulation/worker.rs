//! What a worker is about.

use super::super::trace::{Loop, Rules, Step};
use super::lost::Place;
use std::ops::Range;

/// What a worker is about.
pub enum Frame<'a> {
    /// Steps, of which `next` comes next: of the call, or of a task.
    Steps { steps: &'a [Step], next: usize, of: Owner },
    /// The tasks of a loop that is not forked.
    Alone { of: &'a Loop, next: usize, owner: Owner },
    /// Claims chunks of a forked loop: `left` pieces from `piece` on are not known to be used up.
    Turn { id: usize, piece: usize, left: usize, chunk: Range<usize> },
    /// Waits at the end of its own loop for those who assist it.
    Finish { id: usize },
}

/// What steps belong to.
#[derive(Clone, Copy)]
pub struct Owner {
    /// The call itself: what stands between loops has a place by these.
    pub top: bool,
    pub place: Place,
    /// A forked chain, and the task.
    pub chain: Option<(usize, usize)>,
    /// Bytes in a nanosecond.
    pub demand: f64,
}

/// Whether a worker waits, and what for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rest {
    Busy,
    /// For loops, or for the end of its own. It looks for these, and after a while sleeps.
    Idle,
    /// It has been woken, or has seen something.
    Called,
    /// For the marks of others.
    Asking,
}

pub struct Worker<'a> {
    pub frames: Vec<Frame<'a>>,
    pub rest: Rest,
    /// Since when it has found nothing to do.
    pub since: f64,
    /// Loops that it has published, the outermost first.
    pub own: Vec<usize>,
    /// In loops too short to wake anyone, since somebody was woken.
    pub passed_over: f64,
    pub patience: f64,
    /// The next loop that it forks wakes others.
    pub impatient: bool,
    /// Since then, others came to some loop.
    pub helped: bool,
}

impl Worker<'_> {
    /// Asleep.
    pub fn new(rules: &Rules) -> Self {
        Worker {
            frames: Vec::new(),
            rest: Rest::Idle,
            since: -rules.spin,
            own: Vec::new(),
            passed_over: 0.0,
            patience: 0.0,
            impatient: false,
            helped: false,
        }
    }

    pub fn sleeps(&self, now: f64, rules: &Rules) -> bool {
        self.rest == Rest::Idle && now - self.since >= rules.spin
    }

    /// Whether to wake others although a loop is short, as many like it went by.
    pub fn is_impatient(&mut self, estimate: f64, rules: &Rules) -> bool {
        self.passed_over += estimate;
        if self.passed_over < rules.patience || self.passed_over < self.patience {
            return false;
        }
        self.patience = match self.helped {
            true => rules.patience,
            false if self.patience < rules.most_patience / 2.0 => self.passed_over * 2.0,
            false => rules.most_patience,
        };
        self.helped = false;
        true
    }

    /// The loop whose chunk it runs.
    pub fn innermost(&self) -> Option<usize> {
        self.frames.iter().rev().find_map(|f| match f {
            Frame::Turn { id, .. } => Some(*id),
            _ => None,
        })
    }

    /// Not for want of loops, but at the end of its own.
    pub fn waits_at_end(&self) -> Option<usize> {
        match self.frames.last() {
            Some(Frame::Finish { id }) => Some(*id),
            _ => None,
        }
    }
}
