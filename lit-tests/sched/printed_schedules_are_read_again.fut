-- RUN: futc -w --target=seq %s --emit=sched > %t.first
-- RUN: futc-opt %t.first > %t.second
-- RUN: futc-opt %t.second | diff %t.second -
-- RUN: FileCheck %s < %t.second
-- RUN: futc -w %s --emit=sched --target=gpu-emu > %t.kernels
-- RUN: futc-opt %t.kernels > %t.again
-- RUN: futc-opt --passes=schedule %t.again | diff %t.again -

-- CHECK-LABEL: fun mapped (
-- CHECK: schedule { stream
entry mapped [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- CHECK-LABEL: fun across (
-- CHECK: tiles
entry across [k] [n] [m] (xsss: [k][n][m]f32) : [k][m][n]f32 =
  map (\xss -> let s = f32.sum (map f32.sum xss) in map (map (+ s)) (transpose xss)) xsss

-- CHECK-LABEL: fun product (
-- CHECK: contract
entry product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

-- CHECK-LABEL: fun greatest (
-- CHECK: accumulators
entry greatest [n] (xs: [n]f32) : f32 = f32.maximum xs

-- CHECK-LABEL: fun linear (
-- CHECK: tree
entry linear [n] (xs: [n](f32, f32)) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) xs

-- CHECK-LABEL: fun sums (
-- CHECK: vectors
entry sums [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs

-- CHECK-LABEL: fun powers (
-- CHECK: lanes
entry powers [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs
