-- For a device, a map nest is one kernel over all of its points.
-- RUN: futc -w --target=gpu-emu %s --emit=seg | FileCheck %s
-- CHECK-LABEL: fun flat (
-- CHECK: segmap grid ({{i_[0-9]+}} < {{n_[0-9]+}}) : (i32)
entry flat [n] (xs: [n]i32) = map (+ 1) xs
-- CHECK-LABEL: fun nested (
-- CHECK: segmap grid ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}}) : (f32)
-- CHECK-NOT: segmap
-- CHECK: in (return
entry nested [n] [m] (xss: [n][m]f32) (ys: [m]f32) =
  map (\xs -> map2 (\x y -> x * y + 1) xs ys) xss
-- CHECK-LABEL: fun sequential_inside (
-- CHECK: segmap grid ({{i_[0-9]+}} < {{n_[0-9]+}}) :
-- CHECK: loop
entry sequential_inside [n] (xs: [n]i32) =
  map (\x -> loop y = x while y > 1 do if y % 2 == 0 then y / 2 else 3 * y + 1) xs
