-- A function may yield its argument, which lies in the loop's buffer: what is made of it is not built there.
-- ==
-- entry: rows
-- input { [1i64, 2i64, 3i64] [7i64, 3i64] }
-- output { [[11i64, 10i64, 9i64, 8i64, 7i64], [7i64, 6i64, 5i64, 4i64, 3i64]] }

#[noinline]
def same 't (x: t) : t = x

entry rows [k] [m] (_: [k]i64) (x: [m]i64) =
  map (\(y: i64) ->
         loop acc = map (+ y) (iota 5) for _i < k do
           (same acc)[::-1] :> [5]i64)
      x

-- ==
-- entry: one
-- input { 3i64 3i64 } output { [7i64, 6i64, 5i64, 4i64, 3i64] }

entry one (k: i64) (y: i64) =
  loop acc = map (+ y) (iota 5) for _i < k do
    (same acc)[::-1] :> [5]i64

-- The same by a branch whose size is not known.
-- ==
-- entry: branch
-- input { 3i64 3i64 } output { [7i64, 6i64, 5i64, 4i64, 3i64] }
-- input { 4i64 3i64 } output { [4i64, 3i64, 2i64, 1i64, 0i64] }

entry branch (k: i64) (y: i64) =
  loop acc = map (+ y) (iota 5) for i < k do
    (if i == 3 then iota (k + 1) else acc :> []i64)[::-1] :> [5]i64
