-- Rounds that update what is behind the pivot's row and column in slices, as factorisations into triangles do, against single elements in
-- turn.
-- ==
-- entry: triangles column_first without_column from_pivot whole_rows by_points column_last
-- input { [0i64, 1i64, 2i64, 9i64, 65i64, 128i64, 137i64] [0i64, 1i64, 3i64, 64i64, 131i64] }
-- output { true }

-- ==
-- entry: too_many_rounds
-- input { 4i64 }
-- error: Index \[5:, 4\]

-- ==
-- entry: too_many_rounds
-- input { 130i64 }
-- error: Index \[131:, 130\]

-- ==
-- entry: checks_that_overflow
-- input { 130i64 }
-- error: Assertion is false

def start (n: i64) (m: i64) : *[n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 (i * 7 + j * 13 + i * j + (i ^ j) % 3) % 100)

-- What a round does, element by element: `column`, to an element of the pivot's column of it and the pivot; `inside`, to
-- one of the columns from `first` on of it, the one in the pivot's column, the one in the pivot's row and the pivot.
def expected [n] [m] (rounds: i64)
                     (column: i32 -> i32 -> i32) (first: i64 -> i64)
                     (inside: i32 -> i32 -> i32 -> i32 -> i32) (a: *[n][m]i32) : *[n][m]i32 =
  loop a for k < rounds do
    loop a for i in k + 1..<n do
      let (v, p) = (a[i, k], a[k, k])
      let a = loop a for j in first k..<m do
        let (x, y) = (a[i, j], a[k, j])
        in a with [i, j] = inside x v y p
      in if first k > k then a with [i, k] = column v p else a

def compare (ns: []i64) (ms: []i64)
            (f: (n: i64) -> (m: i64) -> *[n][m]i32 -> [n][m]i32)
            (g: (n: i64) -> (m: i64) -> *[n][m]i32 -> [n][m]i32) : bool =
  loop ok = true for n in ns do
    loop ok for m in ms do
      ok && and (map2 (\x y -> and (map2 (==) x y)) (f n m (start n m)) (g n m (start n m)))

def factor (v: i32) (p: i32) = v * 3 + p
def inside (x: i32) (v: i32) (y: i32) (p: i32) : i32 = x - factor v p * y

entry triangles ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let fs = map (\v -> factor v a[k, k]) a[k + 1:, k]
      let rest = map2 (\row f -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k + 1:] fs
      let a[k + 1:, k] = fs
      let a[k + 1:, k + 1:] = rest
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) factor (+ 1) inside a)

entry column_first ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let a[k + 1:, k] = map (\v -> factor v a[k, k]) a[k + 1:, k]
      let a[k + 1:, k + 1:] =
        map2 (\row f -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k + 1:] (copy a[k + 1:, k])
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) factor (+ 1) inside a)

entry without_column ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let a[k + 1:, k + 1:] =
        map (\row -> map2 (\x y -> x - factor row[k] a[k, k] * y) row[k + 1:] a[k, k + 1:]) a[k + 1:]
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) (\v _ -> v) (+ 1) inside a)

-- The element in the pivot's column is one of those that all columns do, and comes first in `expected`.
entry from_pivot ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let a[k + 1:, k:] =
        map (\row -> map2 (\x y -> x - factor row[k] a[k, k] * y) row[k:] a[k, k:]) a[k + 1:]
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) (\v _ -> v) id inside a)

entry whole_rows ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let a[k + 1:] = map (\row -> map2 (\x y -> x - factor row[k] a[k, k] * y) row a[k]) a[k + 1:]
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) (\v _ -> v) (\_ -> 0) inside a)

entry by_points ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let rest = tabulate_2d (n - k - 1) (m - k - 1) (\i j ->
        inside a[k + 1 + i, k + 1 + j] a[k + 1 + i, k] a[k, k + 1 + j] a[k, k])
      in a with [k + 1:, k + 1:] = rest)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) (\v _ -> v) (+ 1) inside a)

entry column_last ns ms =
  compare ns ms
    (\n m (a: *[n][m]i32) -> loop a for k < i64.min n m do
      let a[k + 1:, k + 1:] =
        map (\row -> map2 (\x y -> x - factor row[k] a[k, k] * y) row[k + 1:] a[k, k + 1:]) a[k + 1:]
      let a[k + 1:, k] = map (\v -> factor v a[k, k]) a[k + 1:, k]
      in a)
    (\n m (a: *[n][m]i32) -> expected (i64.min n m) factor (+ 1) inside a)

entry too_many_rounds (n: i64) =
  let a = start (n + 3) n
  in loop a for k < n + 2 do
    let fs = map (\v -> factor v a[k, k]) a[k + 1:, k]
    let rest = map2 (\row f -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k + 1:] fs
    let a[k + 1:, k] = fs
    let a[k + 1:, k + 1:] = rest
    in a

entry checks_that_overflow (n: i64) =
  loop a = start n n for k < n do
    let p = assert (k + 9223372036854775800 > 0) 1
    let a[k + 1:, k + 1:] =
      map (\row -> map2 (\x y -> x - row[k] * y + p) row[k + 1:] a[k, k + 1:]) a[k + 1:]
    in a
