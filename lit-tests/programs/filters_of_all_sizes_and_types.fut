-- Filters and partitions are computed in chunks, and put together by vectors: of sizes around those of vectors and chunks,
-- and elements of all types, each beside a loop that keeps one after the other.
-- ==
-- entry: of_all_sizes
-- input { } output { true }

-- ==
-- entry: of_all_types
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 15i64 } output { true }
-- input { 16i64 } output { true }
-- input { 127i64 } output { true }
-- input { 128i64 } output { true }
-- input { 129i64 } output { true }
-- input { 1000i64 } output { true }

-- ==
-- entry: all_and_none
-- input { 0i64 } output { true }
-- input { 8i64 } output { true }
-- input { 256i64 } output { true }
-- input { 300i64 } output { true }

-- ==
-- entry: checked
-- input { [5i64, 0i64, 3i64] 70i64 } output { 58i64 }
-- input { [5i64, 0i64, 3i64] 2i64 } output { 1i64 }
-- input { [7i64, 1i64] 200i64 } output { 200i64 }
-- input { empty([0]i64) 1i64 } error: division by zero
-- input { [5i64, 9i64, -9i64] 100i64 } output { 100i64 }

-- ==
-- entry: fails
-- input { 300i64 200i64 } error: Index \[200\] out of bounds for array of shape \[200\]
-- input { 300i64 300i64 } output { 150i64 }
-- input { 300i64 1i64 } error: Index \[1\] out of bounds for array of shape \[1\]

-- ==
-- entry: of_rows
-- input { 7i64 200i64 } output { true }
-- input { 3i64 0i64 } output { true }

def one_by_one 't [n] (p: t -> bool) (zero: t) (xs: [n]t) : []t =
  let (k, out) =
    loop (k, out) = (0, replicate n zero) for x in xs do
      if p x then (k + 1, out with [k] = x) else (k, out)
  in take k out

def same 't [n] [m] (eq: t -> t -> bool) (xs: [n]t) (ys: [m]t) : bool =
  n == m && and (map2 eq xs (ys :> [n]t))

def numbers (seed: u32) (n: i64) : [n]u32 =
  tabulate n (\i -> let x = (u32.i64 i + seed) * 2654435761 in x ^ (x >> 15))

def agrees (n: i64) : bool =
  let xs = map i32.u32 (numbers 17 n)
  let p x = x % 3 == 0
  let (yes, no) = partition p xs
  let (a, b, c) = partition2 p (\x -> x % 5 == 1) xs
  let pairs = filter (\(x, i) -> x > 0 && i % 7 != 3) (zip xs (iota n))
  in same (==) (filter p xs) (one_by_one p 0 xs)
     && same (==) yes (one_by_one p 0 xs)
     && same (==) no (one_by_one (\x -> !(p x)) 0 xs)
     && same (==) a yes
     && same (==) b (one_by_one (\x -> !(p x) && x % 5 == 1) 0 xs)
     && same (==) c (one_by_one (\x -> !(p x || x % 5 == 1)) 0 xs)
     && same (\(x, i) (y, j) -> x == y && i == j) pairs
             (one_by_one (\(x, i) -> x > 0 && i % 7 != 3) (0, 0) (zip xs (iota n)))

entry of_all_sizes : bool =
  all agrees ([0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 120, 127, 128, 129, 143, 144, 255,
               256, 257, 400, 1023, 1024, 1025, 5000])

entry of_all_types (n: i64) : bool =
  let xs = numbers 5 n
  let p (x: u32) = x % 4 != 1
  let kept = one_by_one p 0 xs
  let of 't (f: u32 -> t) (eq: t -> t -> bool) : bool =
    same eq (map (.1) (filter (\(x, _) -> p x) (zip xs (map f xs)))) (map f kept)
  in of u8.u32 (==) && of i16.u32 (==) && of i32.u32 (==) && of u64.u32 (==)
     && of (\x -> f16.u32 (x % 1000)) (==) && of f32.u32 (==) && of f64.u32 (==)
     && of (\x -> x % 2 == 0) (==)
     && of (\x -> (u8.u32 x, f64.u32 x)) (\(a, b) (c, d) -> a == c && b == d)

entry all_and_none (n: i64) : bool =
  let xs = numbers 9 n
  let (every, none) = partition (const true) xs
  let (nothing, all_of_them) = partition (\x -> u64.u32 x > 5000000000) xs
  in same (==) every xs && null none && null nothing && same (==) all_of_them xs
     && length (filter (\(f, _) -> f) (zip (map (const false) xs) xs)) == 0

-- By what the run knows alone.
entry checked [k] (divisors: [k]i64) (n: i64) : i64 =
  length (filter (\(i, x) -> x % 2 == i % 2) (zip (iota n) (map (\i -> divisors[i % k] * i) (iota n))))

entry fails (n: i64) (m: i64) : i64 =
  let xs = map (\i -> i32.i64 i) (iota m)
  in length (filter (\i -> xs[i] % 2 == 0) (iota n))

entry of_rows (n: i64) (m: i64) : bool =
  let rows = tabulate n (\i -> numbers (u32.i64 i) m)
  let p x = x % 3 == 2
  let sums = map (\row -> let kept = filter p row
                          in if null kept then 0 else last kept + head kept) rows
  let expected = map (\row -> let kept = one_by_one p 0 row
                              in if null kept then 0 else last kept + head kept) rows
  in same (==) sums expected
