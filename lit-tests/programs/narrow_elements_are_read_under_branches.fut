-- Elements of one or two bytes anywhere, which only some points read: the last of an array, of an array without elements, and outside.
-- ==
-- entry: both count
-- input { [true, false, true, true, false] [0i32, 1i32, 2i32, 3i32, 4i32, 4i32, 3i32, 2i32, 1i32, 0i32, 0i32, 2i32, 3i32, 3i32, 2i32, 0i32, 2i32] [4i32, 9i32, 2i32, 3i32, 7i32, -1i32, 0i32, 4i32, 5i32, 3i32, 1i32, 0i32, 2i32, 4i32, 3i32, 2i32, 0i32] }
-- output { 9i64 }
-- input { [true, false, true, true, false] [0i32, 1i32, 2i32, 3i32, 4i32, 4i32, 3i32, 2i32, 1i32, 0i32, 0i32, 2i32, 3i32, 3i32, 2i32, 0i32, 2i32] [4i32, 9i32, 2i32, 3i32, 7i32, -1i32, 5i32, 4i32, 5i32, 3i32, 1i32, 0i32, 2i32, 4i32, 3i32, -2i32, 0i32] }
-- error: Index \[5\] out of bounds
-- input { empty([0]bool) empty([0]i32) empty([0]i32) } output { 0i64 }
-- input { empty([0]bool) [0i32] [0i32] } error: Index \[0\] out of bounds
def flags [n] [m] (alive: [n]bool) (us: [m]i32) (vs: [m]i32) : [m]bool =
  map2 (\u v -> alive[u] && alive[v]) us vs

entry both [n] [m] (alive: [n]bool) (us: [m]i32) (vs: [m]i32) : i64 =
  i64.sum (map i64.bool (flags alive us vs))

entry count [n] [m] (alive: [n]bool) (us: [m]i32) (vs: [m]i32) : i64 =
  i64.sum (map2 (\u v -> i64.bool (alive[u] && alive[v])) us vs)

-- Elements of several sizes, each under the same branches, beside those of four bytes, and from a row on.
-- ==
-- entry: agree
-- input { 1i64 40i64 } output { true }
-- input { 3i64 77i64 } output { true }
-- input { 1000i64 333i64 } output { true }
-- input { 2i64 0i64 } output { true }
entry agree (n: i64) (m: i64) : bool =
  let at = tabulate m (\i -> (i * 7919) % (2 * n) - n / 2)
  let of 't (xs: [n]t) (none: t) : [m]t =
    map (\i -> if i >= 0 && i < n then xs[i] else none) at
  let wide = tabulate n (\i -> i32.i64 ((i * 31) % 120))
  let table = tabulate_2d 3 n (\j i -> u8.i64 ((i * 31) % 120 + j))
  let row k = map (\i -> if i >= 0 && i < n then table[k, i] else 9) at
  let expected = of wide (-1)
  in and (map2 (\x y -> y == i32.u8 x || x == 200 && y == -1) (of (map u8.i32 wide) 200) expected)
     && and (map2 (\x y -> y == i32.i8 x) (of (map i8.i32 wide) (-1)) expected)
     && and (map2 (\x y -> y == i32.i16 x) (of (map i16.i32 wide) (-1)) expected)
     && and (map2 (\x y -> y == i32.f16 x) (of (map f16.i32 wide) (-1)) expected)
     && and (map2 (\x y -> y % 2 == i32.bool x || y == -1 && !x) (of (map (\x -> x % 2 == 1) wide) false) expected)
     && and (map2 (\x y -> i32.u8 x == y + 2 || x == 9 && y == -1) (row 2) expected)
