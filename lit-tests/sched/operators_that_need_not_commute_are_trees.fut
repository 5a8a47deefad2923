-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s

-- CHECK-LABEL: fun linear (
-- CHECK: schedule { tree 1024; loops } segred seq
entry linear [n] (xs: [n](f32, f32)) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) xs

-- Fewer elements than a block has.
-- CHECK-LABEL: fun few (
-- CHECK: schedule { loops } segred seq
entry few (xs: [1023](f32, f32)) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) xs

-- Each part by itself is an operator of its own.
-- CHECK-LABEL: fun parts (
-- CHECK: schedule { accumulators {{.*}}; loops } segred seq {{.*}} op [0.0f32] {{.*}}
entry parts [n] (xs: [n](f32, f32)) : (f32, f32) =
  reduce_comm (\(a, b) (c, d) -> (a + c, b * d)) (0, 1) xs

-- An operator by a function, and one of more than fits into registers.
-- CHECK-LABEL: fun power (
-- CHECK: schedule { loops } segred seq
entry power [n] (xs: [n](f32, f32)) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b ** c + d)) (1, 0) xs

-- CHECK-LABEL: fun long (
-- CHECK: schedule { loops } segred seq
entry long [n] (xs: [n](f32, f32, f32, f32, f32, f32, f32, f32, f32)) =
  reduce (\(a, b, c, d, e, f, g, h, i) (a', b', c', d', e', f', g', h', i') ->
            (a * a' + b * d' + c * g', a * b' + b * e' + c * h', a * c' + b * f' + c * i',
             d * a' + e * d' + f * g', d * b' + e * e' + f * h', d * c' + e * f' + f * i',
             g * a' + h * d' + i * g', g * b' + h * e' + i * h', g * c' + h * f' + i * i'))
         (1, 0, 0, 0, 1, 0, 0, 0, 1) xs
