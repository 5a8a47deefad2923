-- Scans that are recurrences stay apart from the filters that read them, whether they are read there or used up.

-- Numbers in a text: what is read of the digits so far.
-- ==
-- entry: numbers
-- input { [49u8, 50u8, 44u8, 51u8, 44u8, 44u8, 52u8, 53u8, 54u8] }
-- output { [12i32, 3i32, 456i32] }
-- input { empty([0]u8) }
-- output { empty([0]i32) }
-- input { [44u8] }
-- output { empty([0]i32) }
entry numbers [n] (s: [n]u8) : []i32 =
  let digit = map (\c -> c >= 48 && c <= 57) s
  let v =
    scan (\(m1, a1) (m2, a2) -> (m1 * m2, a1 * m2 + a2)) (1, 0) (map (\c -> if c >= 48 && c <= 57 then (10i32, i32.u8 c - 48) else (0, 0)) s)
    |> map (.1)
  let ends = tabulate n (\i -> digit[i] && (i == n - 1 || !digit[i + 1]))
  in map (.1) (filter (.0) (zip ends v))

-- Sums of segments, each read at its end.
-- ==
-- entry: sums
-- input { [true, false, true, false, false, true] [1i32, 2i32, 3i32, 4i32, 5i32, 6i32] }
-- output { [3i32, 12i32, 6i32] }
-- input { [false] [7i32] }
-- output { [7i32] }
entry sums [n] (flags: [n]bool) (xs: [n]i32) : []i32 =
  let s = scan (\(f, x) (g, y) -> (f || g, if g then y else x + y)) (false, 0) (zip flags xs)
  let ends = tabulate n (\i -> i == n - 1 || flags[i + 1])
  in map (.1) (map (.1) (filter (.0) (zip ends s)))

-- The last place before each that is a multiple of seven.
-- ==
-- entry: last
-- input { 100000i64 }
-- output { 14286i64 714264285i64 }
entry last (n: i64) : (i64, i64) =
  let last = scan (\a b -> if b < 0 then a else b) (-1) (tabulate n (\i -> if i % 7 == 0 then i else -1))
  let starts = map (.1) (filter (\(i, x) -> i == x) (zip (iota n) last))
  in (length starts, i64.sum starts)

-- A recurrence and a greatest element, of which the filter keeps both.
-- ==
-- entry: both
-- input { [1i32, 5i32, 2i32, 8i32] }
-- output { [1i32, 7i32, 16i32] [1i32, 5i32, 5i32] }
entry both [n] (xs: [n]i32) : ([]i32, []i32) =
  let sums = map (.1) (scan (\(m1, a1) (m2, a2) -> (m1 * m2, a1 * m2 + a2)) (1, 0) (map (\x -> (2, x)) xs))
  in unzip (filter (\(s, _) -> s < 40) (zip sums (scan i32.max 0 xs)))
