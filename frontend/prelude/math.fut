-- | Modules of operations on the primitive types, one for each, and the module types they have.
--
-- The module of a type has its name: `i32.max`, `f64.sin`. Most operations are single
-- instructions; those on arrays are reductions.

open import "/prelude/numeric"
open import "/prelude/integers"
open import "/prelude/floats"

-- | Truth values. A number is true unless it is zero.
module bool : (from_prim with t = bool) = {
  type t = bool

  def i8 (x: i8) : t = intrinsics.i8_to_bool x
  def i16 (x: i16) : t = intrinsics.i16_to_bool x
  def i32 (x: i32) : t = intrinsics.i32_to_bool x
  def i64 (x: i64) : t = intrinsics.i64_to_bool x
  def u8 (x: u8) : t = intrinsics.u8_to_bool x
  def u16 (x: u16) : t = intrinsics.u16_to_bool x
  def u32 (x: u32) : t = intrinsics.u32_to_bool x
  def u64 (x: u64) : t = intrinsics.u64_to_bool x
  def f16 (x: f16) : t = intrinsics.f16_to_bool x
  def f32 (x: f32) : t = intrinsics.f32_to_bool x
  def f64 (x: f64) : t = intrinsics.f64_to_bool x
  def bool (x: bool) : t = x
}
