-- Nothing here needs a kernel.

type point = {x: f64, y: f64}
type state [n] = {count: i64, xs: [n]i32}

entry same [n] (xs: [n]f32) : [n]f32 = xs
entry both [n] (xs: [n]f32) : ([n]f32, [n]f32) = (xs, xs)
entry taken [n] (xs: *[n]f32) : *[n]f32 = xs
entry divide (a: i32) (b: i32) : i32 = a / b
entry norm (p: point) : f64 = f64.sqrt (p.x * p.x + p.y * p.y)
entry kept [n] (count: i64) (xs: [n]i32) : state [n] = {count, xs}
entry counted [n] (s: state [n]) : (i64, [n]i32) = (s.count, s.xs)
