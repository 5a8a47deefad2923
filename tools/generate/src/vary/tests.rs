//! Inputs that fit their programs, and who needs what fails.

use super::kinds::Kind;
use super::levels::{Bounds, Levels, Need, Outcome};
use super::signature::{Signature, Size};
use super::*;
use crate::oracle::core_at;
use futc_frontend::db::CompilerDb;
use futc_frontend::world::Memory;
use futc_midend::internalise::Options;
use futc_testing::value::Reader;
use std::sync::Arc;

fn levels(text: &str) -> Levels {
    let mut db = CompilerDb::new(Arc::new(Memory::new()));
    db.set_text("a.fut", text);
    let core = core_at(&db, "a.fut", &Options::default());
    let bounds = Bounds { steps: 10_000, depth: 100, array_bytes: 1 << 20 };
    Levels::new(core.unwrap_or_else(|v| panic!("{v:?}")), bounds)
}

fn signature(levels: &Levels) -> Signature {
    Signature::all(levels.first()).into_iter().next().expect("an entry point")
}

fn values(text: &str) -> Vec<Data> {
    Reader::new(text.as_bytes()).all().expect("values")
}

fn kind(outcome: &Outcome) -> Option<Kind> {
    outcome.as_ref().err().map(|e| Kind::of(e))
}

const SHARED: &str = "def main (n: i64) (k: i32) (xs: [n][2]f32) (ys: [n]i64) =
  i64.i32 k + i64.f32 xs[0, 0] + reduce (+) 0 ys\n";

#[test]
fn sizes_that_a_program_declares_equal_are_one_class() {
    let s = signature(&levels(SHARED));
    let class = s.classes();
    assert_eq!(class.len(), 1);
    let n = Size::Class(class[0]);
    assert_eq!(s.params[0].value, Some(n));
    assert_eq!(s.params[1].value, None);
    assert_eq!(s.params[2].dims, [n, Size::Fixed(2)]);
    assert_eq!(s.params[3].dims, [n]);
}

#[test]
fn inputs_fit_unless_they_disagree_on_purpose() {
    let levels = levels(SHARED);
    let s = signature(&levels);
    let known = [values("2i64 7i32 [[1f32, 2f32], [3f32, 4f32]] [5i64, 6i64]")];
    let made = inputs(&s, &known, &mut Random::new(7), 300);
    assert_eq!(made[0].values, known[0]);
    assert!(made.len() > 250, "{}", made.len());
    assert_eq!(made, inputs(&s, &known, &mut Random::new(7), 300));
    let mut refused = 0;
    for input in &made {
        let wrong = kind(&levels.truth(&s, &input.values)) == Some(Kind::Arguments);
        // A size that is an argument may be changed alone, too.
        let tied = input.values[0].int(0) == Some(i128::from(input.values[3].shape[0]));
        if input.disagrees {
            refused += usize::from(wrong);
        } else {
            assert_eq!(wrong, !tied, "{input:?}");
        }
    }
    assert!(refused > 3, "{refused}");
    assert!(made.iter().any(|i| i.values[3].shape == [0]));
    assert!(made.iter().any(|i| i.edge_floats));
    assert!(made.iter().any(|i| i.values[1].int(0) == Some(i128::from(i32::MIN))));
}

#[test]
fn long_inputs_are_cut() {
    let levels = levels("def main [n] (xs: [n][3]i32) (ys: [n]i32) = (xs, ys)\n");
    let s = signature(&levels);
    let n = 40_000;
    let long = |shape: Vec<u64>| {
        let count = shape.iter().product();
        Value::new(futc_typed::prim::PrimType::I32, shape, 0..count).0
    };
    let known = [vec![long(vec![n, 3]), long(vec![n])]];
    for input in inputs(&s, &known, &mut Random::new(1), 20) {
        assert!(input.values.iter().all(|v| v.count() as u64 <= 8 * MOST_ELEMENTS));
        assert!(input.disagrees || input.values[0].shape[0] == input.values[1].shape[0]);
    }
}

#[test]
fn simpler_inputs_are_smaller_and_fit() {
    let levels = levels(SHARED);
    let s = signature(&levels);
    let known = values("3i64 7i32 [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [5i64, 6i64, 7i64]");
    let input = Input { values: known, disagrees: false, edge_floats: false };
    let found = simpler(&s, &input);
    assert!(!found.is_empty());
    for f in &found {
        assert_ne!(f.values, input.values);
        assert_ne!(kind(&levels.truth(&s, &f.values)), Some(Kind::Arguments));
    }
}

#[test]
fn whoever_needs_a_failing_value_is_told_apart() {
    let need = |text: &str, input: &str| {
        let levels = levels(text);
        let s = signature(&levels);
        let values = values(input);
        assert!(levels.truth(&s, &values).is_err());
        levels.need(&s, &values)
    };
    let dead = "def main (xs: []i32) (i: i64) = let _y = xs[i] in 1i32\n";
    assert_eq!(need(dead, "[1i32] 5i64"), Need::Dead);
    let handed_on = "def main (ks: []i64) = map (\\k -> length (replicate k 0i32)) ks\n";
    assert_eq!(need(handed_on, "[-1i64]"), Need::Dead);
    let beside = "def main (ks: []i64) = map (\\k -> length (replicate k 0i32) + 1) ks\n";
    assert_eq!(need(beside, "[-1i64]"), Need::Needed);
    let needed = "def main (xs: []i32) (i: i64) = xs[i] + 1\n";
    assert_eq!(need(needed, "[1i32] 5i64"), Need::Needed);
    let unread = "def main (xs: []i32) (i: i64) = length (map (\\k -> xs[k + i]) [0, 1])\n";
    assert_ne!(need(unread, "[1i32] 5i64"), Need::Needed);
}

#[test]
fn memory_means_the_same_as_values() {
    let levels = levels(SHARED);
    let s = signature(&levels);
    let values = values("1i64 7i32 [[1f32, 2f32]] [5i64]");
    assert_eq!(levels.in_memory(&s, &values), levels.truth(&s, &values));
}
