-- Loops whose body ties the size of the parameter to that of an array from outside, which is not
-- written down; and a parameter that may be consumed and is not.
-- ==
-- entry: one
-- input { [7, 8] } output { [42, 48] }
-- input { empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: crossed
-- input { [1, 2] [10, 20] } output { [12, 24] [21, 42] }

-- ==
-- entry: fields
-- input { [1, 2] } output { [4, 8] [3, 6] }

-- ==
-- entry: nested
-- input { [1, 2] } output { [7, 14] }

-- ==
-- entry: untouched
-- input { [1, 0] } output { [0, 1] [1, 0] }

entry one (x: []i32): []i32 = loop a = x for _i < 5i64 do map2 (+) a x

entry crossed (x: []i32) (y: []i32) =
  loop (a, b) = (x, y) for _i < 2i64 do (map2 (+) b x, map2 (+) a y)

entry fields (x: []i32) =
  let r = loop r = {a = x, b = x} for _i < 3i64 do r with a = map2 (+) r.a x with b = r.a
  in (r.a, r.b)

entry nested (x: []i32) = loop a = x for _i < 2i64 do loop b = a for _j < 3i32 do map2 (+) b x

entry untouched [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let (ys, _) =
    loop (a: *[n]i32, b: *[]i32) = (replicate n 5, xs)
    while length b != 0 do
      let a' = scatter a (map i64.i32 b) b
      let b' = copy b
      in (a', b'[:0])
  in (ys, copy xs)
