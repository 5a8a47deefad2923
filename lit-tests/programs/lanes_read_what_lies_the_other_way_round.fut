-- A part of an array that lies the other way round, changed in place by lanes, against one that does not.
-- ==
-- entry: part
-- input { 3i64 1i64 } output { true }
-- input { 40i64 2i64 } output { true }
-- input { 101i64 3i64 } output { true }
-- input { 64i64 0i64 } output { true }
-- input { 0i64 2i64 } output { true }
def point (r: i64) (x: i64) = loop a = r for j < 4i64 do a * 2 + (x + j) % 5

entry part (n: i64) (m: i64) : bool =
  let xs = map (\i -> i * 7 % 13) (iota n)
  let back =
    loop (acc: *[n]i64) = copy xs[::-1] :> *[n]i64 for r < m do
      acc with [n / 2:n] = map (point r) acc[n / 2:n]
  let backwards =
    loop (acc: *[n]i64) = (map (\i -> i * 7 % 13) (iota n))[::-1] :> [n]i64 for r < m do
      acc with [n / 2:n] = map (point r) acc[n / 2:n]
  let there =
    map (\i -> let x = xs[n - 1 - i]
               in if i < n / 2 then x else loop x for r < m do point r x) (iota n)
  in and (map3 (\a b c -> a == b && b == c) back backwards there)
