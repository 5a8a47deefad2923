-- Many components, nested, updated, and compared.
-- ==
-- entry: twelve
-- input { 1i32 } output { 1i32 3i32 5i32 7i32 9i32 11i32 6i32 true }

-- ==
-- entry: nested
-- input { [1, 2] } output { [1, 2] [2, 3] 9i32 [3, 4] }

-- ==
-- entry: updates
-- input { 1i32 2.5f32 } output { 10i32 2.5f32 7i32 1i32 }

-- ==
-- entry: unzipped
-- input { [1, 2, 3] } output { [1, 2, 3] [2i64, 4i64, 6i64] [0.5f32, 1.0f32, 1.5f32] [true, false, true] [1u8, 2u8, 3u8] }

entry twelve (x: i32) =
  let t = (x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, x + 8, x + 9, x + 10, x + 11)
  let (a, _, c, _, e, _, g, _, i, _, k, _) = t
  in (a, c, e, g, i, k, t.5, t == t)

entry nested [n] (xs: [n]i32) =
  let r = {a = {b = {c = xs, d = (map (+ 1) xs, {e = 9i32})}}, f = ()}
  let {a = {b = {c, d = (d, {e})}}, f = _} = r
  in (c, d, e, map (+ 2) r.a.b.c)

type point = {x: i32, y: f32}

entry updates (x: i32) (y: f32) =
  let p : point = {x, y}
  let q = p with x = 10
  let r = {p, q} with p.x = 7
  in (q.x, q.y, r.p.x, p.x)

entry unzipped [n] (xs: [n]i32) =
  unzip5 (map (\x -> (x, i64.i32 (2 * x), f32.i32 x / 2, x % 2 == 1, u8.i32 x)) xs)
