-- Sorts by counting in chunks, and their like: rows of places are made by loops and written by one scatter
-- (pass write-in-loops). What the loops do not reach is not written.
-- ==
-- entry: sorted
-- input { [3u32, 4294967295u32, 7u32, 0u32, 7u32] } output { [0u32, 3u32, 7u32, 7u32, 4294967295u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
-- compiled random input { [100]u32 } auto output
-- compiled random input { [5003]u32 } auto output

-- ==
-- entry: placed
-- input { 3i64 4i64 20i64 [5i32, 6i32, 7i32, 8i32, 9i32, 10i32, 11i32, 12i32, 13i32, 14i32, 15i32, 16i32] }
-- output { [100i32, 5i32, 100i32, 9i32, 10i32, 100i32, 13i32, 14i32, 15i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32, 100i32] }
-- input { 0i64 4i64 2i64 empty([0]i32) } output { [100i32, 100i32] }
-- input { 2i64 0i64 2i64 empty([0]i32) } output { [100i32, 100i32] }

-- ==
-- entry: pairs
-- input { 3i64 4i64 }
-- output { [12i64, 9i64, 6i64, 3i64, 0i64, -1i64, -1i64, -1i64, -1i64, -1i64, -1i64, -1i64] }

-- ==
-- entry: too_far
-- input { 3i64 4i64 4i64 } output { 6i64 }
-- input { 3i64 4i64 5i64 } error: Index \[4\] out of bounds for array of shape \[4\]

-- ==
-- entry: begun_inside
-- input { 3i64 4i64 } output { [7i64, 7i64, 7i64, 0i64, 0i64, 0i64] }

-- ==
-- entry: over_itself
-- input { [3i64, 1i64, 2i64, 0i64] } output { [3i64, 1i64, 0i64, 0i64] }

-- ==
-- entry: read_twice
-- input { 2i64 3i64 } output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 0i64, 0i64] 33i64 }

-- ==
-- entry: of_two_lengths
-- input { 3i64 4i64 1i64 12i64 }
-- output { [0i64, 0i64, 31i64, 10i64, 1i64, 0i64, 20i64, 11i64, 2i64, 30i64, 21i64, 12i64] }
-- input { 3i64 4i64 0i64 12i64 }
-- output { [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 20i64, 21i64, 22i64, 30i64, 31i64, 32i64] }

def digits : i64 = 16
def chunks : i64 = 8

def exclusive [n] (xs: [n]i64) : [n]i64 = map2 (-) (scan (+) 0 xs) xs

def by_digit [n] (shift: u32) (xs: [n]u32) : [n]u32 =
  let size = (n + chunks - 1) / chunks
  let digit x = i64.u32 ((x >> shift) & 15)
  let length c = i64.max 0 (i64.min size (n - c * size))
  let count c =
    loop counts = replicate digits 0 for i < length c do
      let d = digit xs[c * size + i]
      in counts with [d] = counts[d] + 1
  let starts =
    tabulate chunks count |> transpose |> flatten |> exclusive |> unflatten |> transpose
  let place c =
    (loop (places, next) = (replicate size (-1), copy starts[c]) for i < length c do
       let d = digit xs[c * size + i]
       in (places with [i] = next[d], next with [d] = next[d] + 1)).0
  in scatter (replicate n 0) (take n (flatten (tabulate chunks place))) xs

entry sorted [n] (xs: [n]u32) : [n]u32 = loop xs for k < 8u32 do by_digit (4 * k) xs

-- Row c has c + 1 places, all others are left out; all rows are written, without a prefix of them.
entry placed [n] (k: i64) (m: i64) (h: i64) (xs: [n]i32) : [h]i32 =
  let row c =
    (loop (places, at) = (replicate m (-5), c * (c + 1) / 2 + c + 1) for i < i64.min m (c + 1) do
       (places with [i] = at, at + 1)).0
  in scatter (replicate h 100) (flatten (tabulate k row)) (xs :> [k * m]i32)

-- Places and values by one loop.
entry pairs (k: i64) (m: i64) : []i64 =
  let row c =
    let (places, values, _) =
      loop (places, values, x) = (replicate m (-1), replicate m 0, 3 * c) for i < m - 2 do
        let at = 4 - x / 3
        in (places with [i] = at + i * (k * m), values with [i] = x, x + 1)
    in (places, values)
  let (places, values) = unzip (tabulate (k + 2) row)
  in scatter (replicate (k * m) (-1)) (flatten places) (flatten values)

-- A loop may fail.
entry too_far (k: i64) (m: i64) (len: i64) : i64 =
  let row c = loop places = replicate m (-1) for i < len do places with [i] = c
  let counted = scatter (replicate k 0) (flatten (tabulate k row)) (map (\i -> i / m) (iota (k * m)))
  in reduce (+) 0 (map2 (*) counted (map (+ 1) (iota k))) - 2

-- What no round reaches is written, too.
entry begun_inside (k: i64) (m: i64) : []i64 =
  let row c = loop places = replicate m (c % 3) for i < 2 do places with [i] = -1 - c
  in scatter (replicate 6 0) (flatten (tabulate k row)) (replicate (k * m) 7)

-- The loops read what is written to.
entry over_itself [n] (xs: *[n]i64) : [n]i64 =
  let row c = loop places = replicate 1 (-1) for i < 1 do places with [i] = if c == 2 then c else xs[c] + n
  let values = map (\x -> i64.max 0 (x - 2)) (copy xs)
  in scatter xs (sized n (flatten (tabulate n row))) values

-- Somebody else reads the places.
entry read_twice (k: i64) (m: i64) : ([]i64, i64) =
  let row c = loop places = replicate m (-1) for i < m do places with [i] = c * 10 + i
  let places = flatten (tabulate k row)
  let out = scatter (replicate 8 0) (map (\p -> if p >= 10 then p - 7 else p) places) places
  in (out, reduce (+) 0 places - 3)

-- Rows of values are longer than rows of places.
entry of_two_lengths (k: i64) (m: i64) (s: i64) (h: i64) : [h]i64 =
  let row c =
    loop (places, values) = (replicate m (-1), replicate (m + s) 0) for i < m do
      (places with [i] = i * k + c, values with [i] = i * 10 + c)
  let (places, values) = unzip (tabulate k row)
  in scatter (replicate h 0) (flatten places) (take (k * m) (flatten values))
