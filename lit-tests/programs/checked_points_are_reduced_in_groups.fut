-- Several points with a check an iteration are reduced by themselves, from the neutral element on, and in
-- order: an operator that does not commute, and sums whose first element is -0.
-- ==
-- entry: compositions
-- input { [3i32, 5i32, 7i32] [2i32, 0i32, 1i32, 1i32, 2i32, 0i32, 0i32, 1i32, 2i32, 1i32, 0i32] }
-- output { true }
-- input { [3i32, 5i32] empty([0]i32) } output { true }
-- input { [3i32, -5i32] [1i32, 0i32, 1i32, 1i32, 0i32, 1i32, 0i32, 0i32] } output { true }
-- input { [3i32] [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32] } error: out of bounds

-- ==
-- entry: sums
-- input { [1.5f32, -2f32, 4f32] [2i32, 0i32, 1i32, 1i32, 2i32, 0i32, 0i32, 1i32, 2i32, 1i32, 0i32] }
-- output { 10f32 }
-- input { [1.5f32] empty([0]i32) } output { 0f32 }
-- input { [1f32, 2f32] [1i32, 0i32, 1i32, 1i32, 0i32, 1i32, 0i32, 0i32] } output { 12f32 }
-- input { [1f32] [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, -1i32] } error: out of bounds

-- The composition of x ↦ ax + b.
def compose (a: i32, b: i32) (c: i32, d: i32) : (i32, i32) = (a * c, b * c + d)

entry compositions [m] [n] (xs: [m]i32) (is: [n]i32) : bool =
  let (a, b) = reduce compose (1, 0) (map (\i -> (xs[i], i)) is)
  let (c, d) = loop acc = (1, 0) for i in is do compose acc (xs[i], i)
  in a == c && b == d

entry sums [m] [n] (xs: [m]f32) (is: [n]i32) : f32 = f32.sum (map (\i -> xs[i]) is)
