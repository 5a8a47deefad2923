-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck %s
-- REQUIRES: x86

-- Rows of small matrices: LLVM would make vectors of one element of each matrix, which are far apart.
-- CHECK-LABEL: fun products (
-- CHECK: schedule { {{.*}}lanes 4; scalar } segmap
entry products [n] (a: [n][4][4]f32) (b: [n][4][4]f32) : [n][4][4]f32 =
  map2 (\x y -> map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose y)) x) a b

-- What lanes read is four apart.
-- CHECK-LABEL: fun applied (
-- CHECK: schedule { {{.*}}lanes 4; scalar } segmap
entry applied [n] (a: [n][4][4]f32) (b: [n][4]f32) : [n][4]f32 =
  map2 (\x y -> map (\r -> f32.sum (map2 (*) r y)) x) a b

-- Three columns fill no vector.
-- CHECK-LABEL: fun of_three (
-- CHECK: schedule { {{.*}} scalar } segmap
entry of_three [n] (a: [n][3][3]f64) (b: [n][3][3]f64) : [n][3][3]f64 =
  map2 (\x y -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x) a b

-- Neighbouring rows: LLVM reads them as a whole.
-- CHECK-LABEL: fun scaled (
-- CHECK: schedule { {{.*}}loops{{.*}} } segmap
entry scaled [n] (a: [n][4]f32) (b: [n]f32) : [n][4]f32 = map2 (\r x -> map (* x) r) a b
