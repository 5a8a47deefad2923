-- | What every program has without importing anything.

open import "/prelude/zip"
open import "/prelude/soacs"
open import "/prelude/array"
open import "/prelude/functional"
open import "/prelude/math"

-- | An `i32` as the nearest `f32`.
def r32 (x: i32) : f32 = intrinsics.i32_to_f32 x

-- | An `f32` as an `i32`, rounded towards zero.
def t32 (x: f32) : i32 = intrinsics.f32_to_i32 x

-- | An `i32` as an `f64`.
def r64 (x: i32) : f64 = intrinsics.i32_to_f64 x

-- | An `f64` as an `i32`, rounded towards zero.
def t64 (x: f64) : i32 = intrinsics.f64_to_i32 x

-- | Logical negation.
def not (x: bool) : bool = !x

-- | The value itself, of which the compiler may assume nothing: it is computed where it stands and
-- not simplified together with what uses it.
def opaque 't (x: t) : t = intrinsics.opaque x

-- | The value itself, which is shown when it is computed, for debugging. Compiled programs may
-- show nothing.
def trace 't (x: t) : t = intrinsics.trace x

-- | The value itself; an interpreter stops here. Compiled programs do not.
def break 't (x: t) : t = intrinsics.break x
