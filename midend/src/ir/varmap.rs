//! Maps and sets keyed by variables.
//!
//! Tags are small consecutive numbers, so one multiplication is hash enough; the default hasher
//! costs more than the passes that use it. Iteration order is arbitrary: where the order can be
//! seen in output, keep a vector beside the set (as [`OrderedVars`] does).

use super::types::Var;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// The hasher for single words.
#[derive(Default, Clone, Copy)]
pub struct TagHasher(u64);

impl Hasher for TagHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }

    fn write_u8(&mut self, x: u8) {
        self.write_u64(u64::from(x));
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }

    fn write_u64(&mut self, x: u64) {
        // The rotation brings the well-mixed high bits down, where the table looks.
        self.0 = (self.0 ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }

    fn write_isize(&mut self, x: isize) {
        self.write_u64(x as u64);
    }
}

/// The hasher's builder; good for any key made of few words.
pub type TagBuild = BuildHasherDefault<TagHasher>;
/// A hash map with the quick hasher.
pub type FastMap<K, T> = HashMap<K, T, TagBuild>;
/// A hash set with the quick hasher.
pub type FastSet<K> = HashSet<K, TagBuild>;
/// A map from variables.
pub type VarMap<T> = FastMap<Var, T>;
/// A set of variables.
pub type VarSet = FastSet<Var>;

/// A set of variables in order of first insertion, so that what is made from it is the same in
/// every run.
#[derive(Clone, Default, Debug)]
pub struct OrderedVars {
    list: Vec<Var>,
    set: VarSet,
}

impl OrderedVars {
    /// The empty set.
    pub fn new() -> OrderedVars {
        OrderedVars::default()
    }

    /// Adds `v`; false if it was there.
    pub fn insert(&mut self, v: Var) -> bool {
        let new = self.set.insert(v);
        if new {
            self.list.push(v);
        }
        new
    }

    /// Whether `v` is there.
    pub fn contains(&self, v: Var) -> bool {
        self.set.contains(&v)
    }

    /// In order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = Var> + '_ {
        self.list.iter().copied()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// In order of insertion.
    pub fn into_vec(self) -> Vec<Var> {
        self.list
    }
}

impl Extend<Var> for OrderedVars {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, vars: I) {
        for v in vars {
            self.insert(v);
        }
    }
}
