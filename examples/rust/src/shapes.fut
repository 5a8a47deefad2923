-- What Rust sees of sums, arrays of records, and of names that are none in Rust.
type point = {x: f32, y: f32}
type~ shape = #circle point f32 | #polygon ([]point) | #nothing

entry area (s: shape) : f32 =
  match s
  case #circle _ r -> f32.pi * r * r
  case #polygon ps ->
    let next = rotate 1 ps
    in 0.5 * f32.abs (f32.sum (map2 (\p q -> p.x * q.y - q.x * p.y) ps next))
  case #nothing -> 0

entry unit_square : shape =
  #polygon [{x = 0, y = 0}, {x = 1, y = 0}, {x = 1, y = 1}, {x = 0, y = 1}]

entry corners (s: shape) : []point = match s case #polygon ps -> ps case _ -> []

entry all (xs: []bool) (type': u8) : (bool, u8) = (and xs, type')

entry halves (xs: []f16) : []f16 = map (/ 2) xs

entry move (n: i64) : i64 = assert (n >= 0) (n + 1)

entry unit (_: i64) : () = ()
