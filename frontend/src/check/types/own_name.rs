//! What the name of a definition means in its own body.

// Note [Own names]
//
// The guide has no recursion: a definition mentions what stands before it, so that
//
//     def (<=) (a: pair) (b: pair) = a.0 < b.0 || (a.0 == b.0 && a.1 <= b.1)
//     def map f m = map (\(k, v) -> (k, f v)) m
//     def f64 (x: f64) = {raw = i64.f64 (x f64.* 65536)}
//
// define an operator, a function and a conversion out of those of the same name, as libraries do.
// Today's reference lets a function call itself. So a name that means something already keeps that
// meaning in the definition that hides it; the definition calls itself if the name is new, or if
// only so its types are right.

/// What the name of a definition means in its own body. See Note [Own names].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OwnName {
    /// What it meant before.
    Earlier,
    /// The definition.
    Itself,
}
