def average (n: i32) =
  loop acc = 0i32 for i < n do
    f32.i32 (acc + i) / 2
