-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK-LABEL: fun summed (
-- CHECK-NOT: map(
-- CHECK: redomap(
-- CHECK-NOT: map(
entry summed [n] (xs: [n]f32) (ys: [n]f32) = f32.sum (map (* 2) (map2 (*) xs ys))
-- CHECK-LABEL: fun twice (
-- CHECK: map({{.*}}, [{{[a-z0-9_]+}}], \({{.*}}) : (i32, i32)
-- CHECK-NOT: map(
entry twice [n] (xs: [n]i32) = (map (+ 1) xs, map (* 2) xs)
-- CHECK-LABEL: fun scanned (
-- CHECK: scanomap(
-- CHECK-NOT: map(
entry scanned [n] (xs: [n]i32) = scan (+) 0 (map (* 3) xs)
-- Reductions of one array are one, whatever stands between them and uses the first.
-- CHECK-LABEL: fun statistics (
-- CHECK: redomap({{.*}}, [{{[a-z0-9_]+}}], \({{.*}}) : (f32, f32, f32)
-- CHECK: fdiv.f32
-- CHECK-NOT: redomap(
-- CHECK-NOT: reduce(
entry statistics [n] (xs: [n]f32) =
  let mean = f32.sum xs / f32.i64 n
  let most = f32.maximum xs
  let squares = f32.sum (map (\x -> x * x) xs)
  in (mean, most, squares)
