-- ==
-- entry: f16s f32s f64s
-- input { -100 } output { [true, true, true, true] }
-- input { -2 } output { [true, true, true, true] }
-- input { 2 } output { [false, true, true, true] }
-- input { 0 } output { [true, false, false, false] }

module domains (f: real) = {
  def all_of (x: f.t) = [f.isnan (f.acosh x), f.isnan (f.atanh x), f.isnan (f.asin x), f.isnan (f.acos x)]
}

module d16 = domains f16
module d32 = domains f32
module d64 = domains f64

entry f16s (x: i32) = d16.all_of (f16.i32 x)
entry f32s (x: i32) = d32.all_of (f32.i32 x)
entry f64s (x: i32) = d64.all_of (f64.i32 x)
