-- Products and sums of many small matrices, of which a row is a vector, beside the same by one index for all elements.
module type number = {
  type t
  val i64 : i64 -> t
  val + : t -> t -> t
  val * : t -> t -> t
  val == : t -> t -> bool
}

module check (M: number) = {
  #[noinline] def made (k: i64) (n: i64) (s: i64) = tabulate_3d n k k (\i r c -> M.i64 ((i * 7 + r * 3 + c * s) % 5))

  #[inline] def products (k: i64) (n: i64) =
    let (a, b) = (made k n 2, made k n 4)
    let cs = map2 (\x y -> map (\r -> map (\c -> reduce (M.+) (M.i64 0) (map2 (M.*) r c)) (transpose y)) x) a b
    let (a, b) = (flatten_3d a, flatten_3d b)
    let at i = let m = i / (k * k) * k * k let (r, c) = ((i - m) / k, i % k)
               in loop s = M.i64 0 for l < k do s M.+ a[m + r * k + l] M.* b[m + l * k + c]
    in and (map2 (M.==) (flatten_3d cs) (map at (iota (n * k * k) :> [n * k * k]i64)))

  #[inline] def transposed (k: i64) (n: i64) =
    let (a, b) = (made k n 2, made k n 4)
    let cs = map2 (\x y -> map2 (map2 (M.+)) (transpose x) y) a b
    let (a, b) = (flatten_3d a, flatten_3d b)
    let at i = let m = i / (k * k) * k * k let (r, c) = ((i - m) / k, i % k) in a[m + c * k + r] M.+ b[i]
    in and (map2 (M.==) (flatten_3d cs) (map at (iota (n * k * k) :> [n * k * k]i64)))

  def all (n: i64) =
    products 2 n && products 3 n && products 4 n && transposed 3 n && transposed 5 n && transposed 6 n && transposed 7 n
}

module i8s = check i8
module u16s = check u16
module i32s = check i32
module i64s = check i64
module f16s = check f16
module f32s = check f32
module f64s = check f64

-- ==
-- entry: integers floats
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 19i64 } output { true }
entry integers (n: i64) = i8s.all n && u16s.all n && i32s.all n && i64s.all n

entry floats (n: i64) = f16s.all n && f32s.all n && f64s.all n
