-- Every type as it came.
entry main (a: []i8) (b: []i16) (c: []i32) (d: []i64) (e: []u8) (f: []u16) (g: []u32) (h: []u64)
           (i: []f16) (j: []f32) (k: []f64) (l: []bool) =
  (a, b, c, d, e, f, g, h, i, j, k, l)

entry scalars (a: i8) (b: i16) (c: i32) (d: i64) (e: u8) (f: u16) (g: u32) (h: u64)
              (i: f16) (j: f32) (k: f64) (l: bool) =
  (a, b, c, d, e, f, g, h, i, j, k, l)
