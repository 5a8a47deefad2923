//! The sizes in scope while a definition is finished, and what has become of types in that scope.

use futc_typed::program::VarId;
use futc_typed::shared::{Lasting, Memo};
use futc_typed::types::Type;
use std::collections::HashSet;

/// The sizes in scope, in order of binding.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) set: HashSet<VarId>,
    pub(super) order: Vec<VarId>,
    /// The number of each binding, as many as `order`: the last one tells what all is in scope.
    numbers: Vec<u64>,
    /// How many bindings there have been.
    bindings: u64,
    /// What became of types, by the number of the last binding.
    pub(super) kept: Lasting<Option<Type>>,
    /// How many size expressions are around: the sizes inside of a size expression's own types
    /// are told by values, and must not be followed for ever.
    pub(super) nesting: u32,
    /// Type parameters of the definition.
    pub(super) own_types: Vec<VarId>,
    /// How many size parameters the definition has.
    pub(super) own_sizes: usize,
}

impl Scope {
    /// That of a definition with these type parameters, and so many size parameters.
    pub(super) fn of(own_types: Vec<VarId>, own_sizes: usize) -> Scope {
        Scope { own_types, own_sizes, ..Scope::default() }
    }

    pub(super) fn bind(&mut self, v: VarId) {
        if self.set.insert(v) {
            self.order.push(v);
            self.bindings += 1;
            self.numbers.push(self.bindings);
        }
    }

    /// The number of the last binding in scope.
    pub(super) fn number(&self) -> u64 {
        self.numbers.last().copied().unwrap_or(0)
    }

    pub(super) fn mark(&self) -> usize {
        self.order.len()
    }

    pub(super) fn undo(&mut self, mark: usize) {
        while self.order.len() > mark {
            if let Some(v) = self.order.pop() {
                self.set.remove(&v);
            }
        }
        self.numbers.truncate(mark);
    }
}

/// A walk over a type.
pub(super) struct Walk {
    pub(super) memo: Memo<Option<Type>>,
    /// How many sizes are in scope outside of the type.
    pub(super) outside: usize,
}
