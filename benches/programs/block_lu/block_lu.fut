-- The LU decomposition of a matrix without exchange of rows, in square blocks: the block on the diagonal is decomposed,
-- the blocks below and beside it are solved for, and what is left of the matrix is updated by products of blocks.
-- The diagonal is made dominant first. The matrix has a multiple of 32 rows.
-- ==
-- entry: main
-- random input { [512][512]f32 }

-- ==
-- entry: is_decomposed
-- input { 32i64 } output { true }
-- input { 96i64 } output { true }

def size : i64 = 32

-- The LU decomposition of one block, both factors in one.
def decompose [b] (a: [b][b]f32) : *[b][b]f32 =
  loop a = copy a for k < b do
    let factors = map (\i -> if i > k then a[i, k] / a[k, k] else 0) (iota b)
    in tabulate_2d b b (\i j ->
         if i <= k || j < k then a[i, j]
         else if j == k then factors[i]
         else a[i, j] - factors[i] * a[k, j])

-- The rows to the right of a block: the lower triangle's inverse times a block.
def beside [b] (lu: [b][b]f32) (a: [b][b]f32) : [b][b]f32 =
  let column (xs: [b]f32) =
    loop xs = copy xs for i < b do
      let sum = loop sum = xs[i] for k < i do sum - lu[i, k] * xs[k]
      in xs with [i] = sum
  in transpose (map column (transpose a))

-- The rows below a block: a block times the upper triangle's inverse.
def below [b] (lu: [b][b]f32) (a: [b][b]f32) : [b][b]f32 =
  let row (xs: [b]f32) =
    loop xs = copy xs for j < b do
      let sum = loop sum = xs[j] for k < j do sum - xs[k] * lu[k, j]
      in xs with [j] = sum / lu[j, j]
  in map row a

def product [n] [m] [k] (a: [n][k]f32) (b: [k][m]f32) : [n][m]f32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a

entry main [n] (given: [n][n]f32) : [n][n]f32 =
  let a = tabulate_2d n n (\i j -> given[i, j] + (if i == j then f32.i64 n else 0))
  in loop a for at in 0..size..<n do
       let rest = n - at - size
       let lu = decompose (a[at:at + size, at:at + size] :> [size][size]f32)
       let blocks = rest / size
       let right = tabulate blocks (\t ->
         beside lu (a[at:at + size, at + size + t * size:at + 2 * size + t * size] :> [size][size]f32))
       let down = tabulate blocks (\t ->
         below lu (a[at + size + t * size:at + 2 * size + t * size, at:at + size] :> [size][size]f32))
       let right = map flatten (transpose right) :> [size][rest]f32
       let down = flatten down :> [rest][size]f32
       let inner = copy a[at + size:, at + size:] :> [rest][rest]f32
       let inner = map2 (map2 (-)) inner (product down right)
       let a = a with [at:at + size, at:at + size] = lu
       let a = a with [at:at + size, at + size:] = (right :> [size][n - (at + size)]f32)
       let a = a with [at + size:, at:at + size] = (down :> [n - (at + size)][size]f32)
       in a with [at + size:, at + size:] = (inner :> [n - (at + size)][n - (at + size)]f32)

-- Whether the product of both factors is the matrix.
entry is_decomposed (n: i64) : bool =
  let given = tabulate_2d n n (\i j -> f32.i64 ((i * 7 + j * 13) % 10) / 10)
  let lu = main given
  let lower = tabulate_2d n n (\i j -> if i == j then 1 else if i > j then lu[i, j] else 0)
  let upper = tabulate_2d n n (\i j -> if i <= j then lu[i, j] else 0)
  let error i j = f32.abs ((product lower upper)[i, j] - given[i, j] - (if i == j then f32.i64 n else 0))
  in f32.maximum (flatten (tabulate_2d n n error)) < 1e-4 * f32.i64 n
