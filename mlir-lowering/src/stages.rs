//! How long the stages of code generation take.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// The stages so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stages(RefCell<Vec<(&'static str, Duration)>>);

impl Stages {
    /// Does something under a name.
    pub(crate) fn time<T>(&self, name: &'static str, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let out = f();
        self.0.borrow_mut().push((name, start.elapsed()));
        out
    }

    /// In order.
    pub(crate) fn times(&self) -> Vec<(&'static str, Duration)> {
        self.0.borrow().clone()
    }
}
