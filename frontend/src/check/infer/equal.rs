//! Pairs of types that an equation has made equal.

use futc_typed::shared::{parts, step};
use futc_typed::types::Type;
use std::collections::HashMap;

/// The places of two types, and whether their sizes may differ.
type Places = (usize, usize, bool);

/// Pairs of types made equal, so that what types share is looked at once. The types are kept, or
/// others could come to stand where they were.
#[derive(Default)]
pub(crate) struct Equal {
    steps: u32,
    pub(crate) pairs: HashMap<Places, (Type, Type)>,
}

pub(crate) enum Pair {
    /// They are equal already.
    Same,
    /// To be noted once they are equal.
    Noted(Places),
    /// Too small to be noted.
    Other,
}

impl Equal {
    /// Small types are looked at again, which costs less.
    const FREE: u32 = 32;

    pub(crate) fn pair(&mut self, a: &Type, b: &Type, sizes_may_differ: bool) -> Pair {
        step();
        let (Some(x), Some(y)) = (parts(a), parts(b)) else { return Pair::Other };
        if x == y {
            return Pair::Same;
        }
        self.steps = self.steps.saturating_add(1);
        let places = (x, y, sizes_may_differ);
        match self.pairs.contains_key(&places) {
            true => Pair::Same,
            false if self.steps > Self::FREE => Pair::Noted(places),
            false => Pair::Other,
        }
    }
}
