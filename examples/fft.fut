-- The fast Fourier transform (Stockham's, radix two) of a vector whose length is a power of two.
-- ==
-- input { [1f64, 2f64, 3f64, 4f64, 0f64, 0f64, -1f64, 5f64] [0f64, 0f64, 1f64, 0f64, 0f64, 2f64, 0f64, 0f64] }
-- output @ data/fft.out

module complex = {
  type t = (f64, f64)
  def (+) ((a, b): t) ((c, d): t) : t = (a f64.+ c, b f64.+ d)
  def (-) ((a, b): t) ((c, d): t) : t = (a f64.- c, b f64.- d)
  def (*) ((a, b): t) ((c, d): t) : t =
    (a f64.* c f64.- b f64.* d, a f64.* d f64.+ b f64.* c)
  def unit (angle: f64) : t = (f64.cos angle, f64.sin angle)
}

def stage [n] (xs: [n]complex.t) (half_block: i64) : [n]complex.t =
  let pairs = n / 2
  let element i =
    let block = i / (2 * half_block)
    let k = i % (2 * half_block)
    let j = block * half_block + k % half_block
    let angle = -f64.pi * f64.i64 (k % half_block) / f64.i64 half_block
    let a = xs[j]
    let b = xs[j + pairs] complex.* complex.unit angle
    in if k < half_block then a complex.+ b else a complex.- b
  in tabulate n element

entry main [n] (re: [n]f64) (im: [n]f64) : ([n]f64, [n]f64) =
  let (xs, _) =
    loop (xs, half_block) = (zip re im, 1) while half_block < n do
      (stage xs half_block, 2 * half_block)
  in unzip xs
