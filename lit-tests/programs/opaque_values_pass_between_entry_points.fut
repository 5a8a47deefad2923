-- Records, sums and arrays of them leave one entry point and enter another.
-- ==
-- entry: total
-- script input { make 4i64 } output { 6i64 4.0f32 }
-- script input { make 0i64 } output { 0i64 0.0f32 }

-- ==
-- entry: describe
-- script input { shapes 3i64 } output { [0i32, 1i32, 2i32] }

-- ==
-- entry: both
-- script input { (make 2i64, make 3i64) } output { 5i64 }

type~ state = {ids: []i64, weight: f32}

entry make (n: i64) : state = {ids = iota n, weight = f32.i64 n}

entry total (s: state) : (i64, f32) = (i64.sum s.ids, s.weight)

entry both (a: state) (b: state) : i64 = length a.ids + length b.ids

type shape = #point | #line f32 | #box {w: f32, h: f32}

entry shapes (n: i64) : []shape =
  map (\i -> if i == 0 then #point else if i == 1 then #line 2 else #box {w = 1, h = 2}) (iota n)

entry describe [n] (ss: [n]shape) : [n]i32 =
  map (\s -> match s case #point -> 0 case #line _ -> 1 case #box _ -> 2) ss
