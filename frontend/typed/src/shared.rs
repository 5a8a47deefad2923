//! Walks over types whose parts are shared.
//!
//! A type is a graph: the two components of `(t, t)` can be one `Arc`, and a type of a hundred
//! nodes can stand for a tree of 2^100. A walk that follows the tree never ends on such a type, so
//! walks remember which places they have been to. A place is the address of a [`Type`] inside of
//! another, which stays what it is as long as the walk borrows the whole.
//!
//! Small types are walked without remembering: the first [`FREE`] steps cost nothing.
//!
//! Where every node of a program has such a type, walks must not begin anew at each of them: what
//! they find out about parts goes into a [`Lasting`], from which the next walk takes it. Walks count
//! their steps ([`steps`]), so that tests can tell how their number grows.

use crate::types::{Size, Type, TypeArg};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

/// How many steps are taken before places are remembered.
const FREE: u32 = 32;

/// Hashes places, which are numbers that no one chooses.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u64(&mut self, n: u64) {
        let mixed = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

type Places = BuildHasherDefault<PlaceHasher>;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a step of a walk.
#[inline]
pub fn step() {
    STEPS.set(STEPS.get().wrapping_add(1));
}

/// How many steps have been counted on this thread: a cost in which no clock has a say.
pub fn steps() -> u64 {
    STEPS.get()
}

fn place(ty: &Type) -> usize {
    std::ptr::from_ref(ty).addr()
}

/// The address of what types that are copies of each other share: of the parts of a function's, a
/// record's or a sum's type.
pub fn parts(ty: &Type) -> Option<usize> {
    match ty {
        Type::Arrow(a) => Some(Arc::as_ptr(a).addr()),
        Type::Record(fields) if !fields.is_empty() => Some(fields.as_ptr().addr()),
        Type::Sum(constrs) if !constrs.is_empty() => Some(constrs.as_ptr().addr()),
        _ => None,
    }
}

#[inline]
fn is_leaf(ty: &Type) -> bool {
    matches!(ty, Type::Prim(_) | Type::Param(_))
}

/// The places a walk has been to, each in the surroundings (any number the walk chooses) in which
/// it came there.
#[derive(Default, Debug)]
pub struct Seen {
    steps: u32,
    places: HashSet<(usize, u64), Places>,
}

impl Seen {
    /// Whether the walk has been here, which it remembers from now on.
    pub fn again(&mut self, ty: &Type, within: u64) -> bool {
        step();
        if is_leaf(ty) {
            return false;
        }
        if self.steps < FREE {
            self.steps += 1;
            return false;
        }
        !self.places.insert((place(ty), within))
    }

    /// Whether the walk has taken so few steps that it need not be remembered.
    pub fn is_short(&self) -> bool {
        self.steps < FREE
    }

    /// As [`Seen::again`], of what has a number of its own, such as a variable.
    pub fn again_number(&mut self, number: u32, within: u64) -> bool {
        // No place has an odd address.
        !self.places.insert((number as usize * 2 + 1, within))
    }
}

/// What a walk has made of the places it has been to.
#[derive(Debug)]
pub struct Memo<T> {
    steps: u32,
    made: HashMap<(usize, u64), T, Places>,
}

impl<T> Default for Memo<T> {
    fn default() -> Memo<T> {
        Memo { steps: 0, made: HashMap::default() }
    }
}

impl<T: Clone> Memo<T> {
    /// What was made here, if it is remembered.
    pub fn get(&mut self, ty: &Type, within: u64) -> Option<T> {
        step();
        if is_leaf(ty) {
            return None;
        }
        if self.steps < FREE {
            self.steps += 1;
            return None;
        }
        self.made.get(&(place(ty), within)).cloned()
    }

    /// Remembers what was made here.
    pub fn put(&mut self, ty: &Type, within: u64, made: &T) {
        if !is_leaf(ty) && self.steps >= FREE {
            self.made.insert((place(ty), within), made.clone());
        }
    }

    /// Whether the walk has taken so few steps that it need not be remembered.
    pub fn is_short(&self) -> bool {
        self.steps < FREE
    }
}

/// What walks have made of types, for the walks after them. The types are kept, or others could
/// come to stand where they were.
#[derive(Debug)]
pub struct Lasting<T> {
    made: HashMap<(usize, u64), (Type, T), Places>,
}

impl<T> Default for Lasting<T> {
    fn default() -> Lasting<T> {
        Lasting { made: HashMap::default() }
    }
}

impl<T> Lasting<T> {
    /// What was made of a type in these surroundings, if that is kept. It costs nothing where no
    /// walk has been long enough to keep anything.
    pub fn get(&self, ty: &Type, within: u64) -> Option<&T> {
        if self.made.is_empty() {
            return None;
        }
        Some(&self.made.get(&(parts(ty)?, within))?.1)
    }

    /// Keeps what was made of a type.
    pub fn put(&mut self, ty: &Type, within: u64, made: T) {
        if let Some(at) = parts(ty) {
            self.made.entry((at, within)).or_insert_with(|| (ty.clone(), made));
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.made.clear();
    }
}

/// Pairs of places found equal while the outermost comparison goes on.
#[derive(Default)]
struct Equal {
    depth: u32,
    steps: u32,
    pairs: HashSet<(usize, usize), Places>,
}

thread_local! {
    static EQUAL: RefCell<Equal> = RefCell::default();
}

/// One comparison under way; places are good as long as one is.
struct Comparing;

impl Comparing {
    /// Begins, unless the two are known to be equal.
    fn begin(a: &Type, b: &Type) -> Option<Comparing> {
        step();
        EQUAL.with_borrow_mut(|e| {
            if e.steps >= FREE && e.pairs.contains(&(place(a), place(b))) {
                return None;
            }
            e.steps = e.steps.saturating_add(1);
            e.depth += 1;
            Some(Comparing)
        })
    }

    fn equal(a: &Type, b: &Type) {
        EQUAL.with_borrow_mut(|e| {
            if e.steps >= FREE {
                e.pairs.insert((place(a), place(b)));
            }
        });
    }
}

impl Drop for Comparing {
    fn drop(&mut self) {
        EQUAL.with_borrow_mut(|e| {
            e.depth = e.depth.saturating_sub(1);
            if e.depth == 0 {
                e.steps = 0;
                e.pairs.clear();
            }
        });
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Prim(p), Type::Prim(q)) => return p == q,
            (Type::Param(v), Type::Param(w)) => return v == w,
            _ if discriminant(self) != discriminant(other) => return false,
            _ => {}
        }
        let Some(_comparing) = Comparing::begin(self, other) else { return true };
        // An `Arc` is equal to itself without being looked into.
        let equal = match (self, other) {
            (Type::Array { size: m, elem: x }, Type::Array { size: n, elem: y }) => {
                m == n && x == y
            }
            (Type::Record(xs), Type::Record(ys)) => xs == ys,
            (Type::Sum(xs), Type::Sum(ys)) => xs == ys,
            (Type::Arrow(x), Type::Arrow(y)) => x == y,
            (Type::Opaque(i, xs), Type::Opaque(j, ys)) => i == j && xs == ys,
            _ => false,
        };
        if equal {
            Comparing::equal(self, other);
        }
        equal
    }
}

impl Eq for Type {}

/// Only what is near the root tells hashes apart: a hash must not follow the tree.
impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(self, 3, state);
    }
}

fn hash<H: Hasher>(ty: &Type, depth: u32, state: &mut H) {
    discriminant(ty).hash(state);
    let Some(depth) = depth.checked_sub(1) else { return };
    match ty {
        Type::Prim(p) => p.hash(state),
        Type::Param(v) => v.hash(state),
        Type::Array { size, elem } => {
            hash_size(size, state);
            hash(elem, depth, state);
        }
        Type::Record(fields) => {
            for (name, t) in fields.iter() {
                name.hash(state);
                hash(t, depth, state);
            }
        }
        Type::Sum(constrs) => {
            for (name, ts) in constrs.iter() {
                name.hash(state);
                ts.iter().for_each(|t| hash(t, depth, state));
            }
        }
        Type::Arrow(a) => {
            hash(&a.param, depth, state);
            hash(&a.ret, depth, state);
        }
        Type::Opaque(id, args) => {
            id.hash(state);
            for arg in args.iter() {
                match arg {
                    TypeArg::Size(s) => hash_size(s, state),
                    TypeArg::Type(t) => hash(t, depth, state),
                }
            }
        }
    }
}

fn hash_size<H: Hasher>(size: &Size, state: &mut H) {
    discriminant(size).hash(state);
    match size {
        Size::Const(n) => n.hash(state),
        Size::Var(v) => v.hash(state),
        Size::Global(d) => d.hash(state),
        Size::Exp(_) | Size::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::PrimType;

    fn doubled(times: usize) -> Type {
        (0..times).fold(Type::Prim(PrimType::I32), |t, _| Type::tuple(vec![t.clone(), t]))
    }

    #[test]
    fn types_of_exponential_trees_are_compared_and_hashed() {
        let (a, b, c) = (doubled(500), doubled(500), doubled(501));
        assert!(a == b);
        assert!(a != c);
        let mut types = HashSet::new();
        assert!(types.insert(a));
        assert!(!types.insert(b));
        assert!(types.insert(c));
    }
}
