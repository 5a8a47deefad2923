-- Rows that are shorter than a vector, as long, and longer by any number of points; which begin anywhere.
-- ==
-- entry: sums
-- input { 70i64 } output { true }
-- entry: inner
-- input { 70i64 } output { true }
-- entry: several
-- input { 40i64 } output { true }

def number (i: i64) (j: i64) : f32 = f32.i64 (i * 37 + j * j % 101)

-- Neighbours in a row.
entry sums (most: i64) : bool =
  loop ok = true for m < most do
    let a = opaque (tabulate_2d 5 (m + 2) number)
    let b = opaque (tabulate_2d 5 m (\i j -> #[unsafe] a[i, j] + 2 * a[i, j + 1] + a[i, j + 2]))
    in loop ok for i < 5 do loop ok for j < m do
      ok && b[i, j] == number i j + 2 * number i (j + 1) + number i (j + 2)

-- The inside of a matrix, the rim of which stays.
entry inner (most: i64) : bool =
  loop ok = true for m < most do
    let a = opaque (tabulate_2d 4 m number)
    let at i j = if i >= 0 && i < 4 && j >= 0 && j < m then a[i, j] else 0
    let b = opaque (tabulate_2d 4 m (\i j -> (at (i - 1) j + at (i + 1) j) + (at i (j - 1) + at i (j + 1))))
    let is i j = if i >= 0 && i < 4 && j >= 0 && j < m then number i j else 0
    in loop ok for i < 4 do loop ok for j < m do
      ok && b[i, j] == (is (i - 1) j + is (i + 1) j) + (is i (j - 1) + is i (j + 1))

-- Two results of elements of different sizes, from rows beneath one another.
entry several (most: i64) : bool =
  loop ok = true for m < most do
    let a = opaque (tabulate_2d 6 m (\i j -> u8.i64 (i * 50 + j * 7)))
    let f i j = #[unsafe] (f64.u8 a[i, j] + f64.u8 a[i + 1, j] * 2 + f64.u8 a[i + 2, j],
                           a[i, j] ^ a[i + 1, j] ^ a[i + 2, j])
    let (b, c) = opaque (unzip (map unzip (tabulate_2d 4 m f)))
    let x i j = u8.i64 (i * 50 + j * 7)
    in loop ok for i < 4 do loop ok for j < m do
      ok && b[i, j] == f64.u8 (x i j) + f64.u8 (x (i + 1) j) * 2 + f64.u8 (x (i + 2) j)
         && c[i, j] == x i j ^ x (i + 1) j ^ x (i + 2) j
