-- The fast Fourier transform (Stockham's, radix two) of a vector whose length is a power of two.
-- ==
-- random input { [65536]f64 [65536]f64 }
-- input { [1f64, 2f64, 3f64, 4f64] [0f64, 0f64, 0f64, 0f64] }
-- output { [10f64, -2f64, -2f64, -2f64] [0f64, 2f64, 0f64, -2f64] }

module complex = {
  type t = (f64, f64)
  def (+) ((a, b): t) ((c, d): t) : t = (a f64.+ c, b f64.+ d)
  def (-) ((a, b): t) ((c, d): t) : t = (a f64.- c, b f64.- d)
  def (*) ((a, b): t) ((c, d): t) : t =
    (a f64.* c f64.- b f64.* d, a f64.* d f64.+ b f64.* c)
  def unit (angle: f64) : t = (f64.cos angle, f64.sin angle)
}

-- The powers of the primitive root that all stages share.
def roots (n: i64) : [n / 2]complex.t =
  tabulate (n / 2) (\k -> complex.unit (-2 * f64.pi * f64.i64 k / f64.i64 n))

def stage [n] [r] (roots: [r]complex.t) (half_block: i64) (xs: [n]complex.t) : [n]complex.t =
  let element i =
    let block = i / (2 * half_block)
    let k = i % half_block
    let j = block * half_block + k
    let a = xs[j]
    let b = xs[j + n / 2] complex.* roots[k * (r / half_block)]
    in if i % (2 * half_block) < half_block then a complex.+ b else a complex.- b
  in tabulate n element

entry main [n] (re: [n]f64) (im: [n]f64) : ([n]f64, [n]f64) =
  let roots = roots n
  let (xs, _) =
    loop (xs, half_block) = (zip re im, 1) while half_block < n do
      (stage roots half_block xs, 2 * half_block)
  in unzip xs
