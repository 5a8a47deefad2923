-- What goes in strips is cut between them, unless there are fewer points than one has; what does not is cut anywhere.
-- RUN: futc -w --target=multicore %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun nearest (
-- CHECK: [[FITS:cond_[0-9]+]]: bool = sle.i64(32, m_{{[0-9]+}})
-- CHECK: if [[FITS]] {
-- CHECK-NEXT: in 32
-- CHECK-NEXT: } else {
-- CHECK-NEXT: in 1
-- CHECK: segmap tasks
entry nearest [n] [m] [d] (points: [n][d]f32) (queries: [m][d]f32) : [m]i64 =
  let closer q (best, i) j =
    let square = f32.sum (map2 (\a b -> (a - b) * (a - b)) q points[j])
    in if square < best then (square, j) else (best, i)
  in map (\q -> (loop best = (f32.inf, -1) for j < n do closer q best j).1) queries

-- CHECK-LABEL: fun sorted (
-- CHECK-NOT: i64({{.*}}, -32)
-- CHECK-NOT: sle.i64(32,
-- CHECK: segmap tasks
entry sorted [m] [n] (rows: [m][n]f32) : [m]f32 =
  let insert [k] (xs: *[k]f32) i =
    (loop (xs, j) = (xs, i) while j > 0 && xs[j - 1] > xs[j] do
       let (a, b) = (copy xs[j - 1], copy xs[j])
       in (xs with [j - 1] = b with [j] = a, j - 1)).0
  let median row =
    let xs = filter (> 0) row
    let k = length xs
    let xs = loop xs = copy xs for i in 1..<k do insert xs i
    in if k == 0 then 0 else xs[k / 2]
  in map median rows
