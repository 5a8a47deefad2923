-- What values.mjs calls.
entry same_i8 (x: i8) = x
entry same_i16 (x: i16) = x
entry same_i32 (x: i32) = x
entry same_i64 (x: i64) = x
entry same_u8 (x: u8) = x
entry same_u16 (x: u16) = x
entry same_u32 (x: u32) = x
entry same_u64 (x: u64) = x
entry same_f16 (x: f16) = x
entry same_f32 (x: f32) = x
entry same_f64 (x: f64) = x
entry same_bool (x: bool) = x

type~ state = {count: i32, values: []f32}
type point = {x: f64, y: f64}
entry make (count: i32) (x: f32) : state = {count, values = [x]}
entry total (s: state) : f32 = f32.i32 s.count + f32.sum s.values
entry line (n: i64) : [n]point = tabulate n (\i -> {x = f64.i64 i, y = 1})
entry quoted' (x: i32) : i32 = x + 1
entry nothing : () = ()

entry sum (xs: []i32) : i32 = i32.sum xs
entry divide (x: i32) (y: i32) : i32 = x / y
entry ramp (n: i64) : []f64 = map f64.i64 (iota n)

def down (n: i64) : i64 = if n <= 0 then 1 else (down (n - 1) * 3) ^ n
entry deep (n: i64) : i64 = down n

-- Each call has some memory of its own.
def down_by (n: i64) (xs: [64]i64) : i64 =
  if n <= 0 then i64.sum xs else (down_by (n - 1) (map (+ (n ^ xs[n % 64])) xs) * 3) ^ n
entry wide (n: i64) : i64 = down_by n (iota 64)
