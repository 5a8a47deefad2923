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
