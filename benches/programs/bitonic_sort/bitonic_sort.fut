-- Bitonic sort of a power of two of numbers: a network in which each stage compares all pairs whose
-- places differ in one bit.
-- ==
-- random input { [65536]f32 }
-- input { [3f32, 1f32, 4f32, 1f32, 5f32, 9f32, 2f32, 6f32] }
-- output { [1f32, 1f32, 2f32, 3f32, 4f32, 5f32, 6f32, 9f32] }

def stage [n] (block: i64) (distance: i64) (xs: [n]f32) : [n]f32 =
  let place i =
    let (mine, theirs) = (xs[i], xs[i ^ distance])
    let ascending = i & block == 0
    let lower = i & distance == 0
    in if lower == ascending then f32.min mine theirs else f32.max mine theirs
  in tabulate n place

entry main [n] (xs: [n]f32) : [n]f32 =
  (loop (xs, block) = (xs, 2) while block <= n do
     let (merged, _) =
       loop (xs, distance) = (xs, block / 2) while distance > 0 do
         (stage block distance xs, distance / 2)
     in (merged, 2 * block)).0
