-- What a condition lets no round read is not read before the rounds. (It was, which LLVM mostly undid: see `guarded` in
-- passes/interchange-maps_takes_maps_out_of_loops.core.)
-- ==
-- entry: sometimes far
-- input { [1i32, 2i32, 3i32] [1i32, 2i32] 2i64 } output { [3i32, 4i32, 5i32] }
-- input { [1i32, 2i32] [5i32, 6i32, 7i32] 0i64 } output { [1i32, 2i32] }
entry sometimes [m] (xs: [m]i32) (ws: []i32) (n: i64) : [m]i32 =
  loop a = xs for i < n do
    if m <= length ws then map2 (\x w -> x * 3 + w) a (ws[0:m] :> [m]i32) else map (+ 1) a

entry far [m] (xs: [m]i32) (ws: []i32) (n: i64) : [m]i32 =
  let o = opaque 1000000000000i64 in
  loop a = xs for _i < n do
    if o >= 0 && o <= length ws && o + m <= length ws && o <= o + m
    then map2 (\x w -> x * 3 + w) a (ws[o:o + m] :> [m]i32) else map (+ 1) a
