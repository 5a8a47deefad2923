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

-- Any number of columns.
-- CHECK-LABEL: fun of_three (
-- CHECK: schedule { {{.*}}lanes 3; scalar } segmap
entry of_three [n] (a: [n][3][3]f64) (b: [n][3][3]f64) : [n][3][3]f64 =
  map2 (\x y -> map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x) a b

-- But for functions, of which there are versions for vectors of two, four, eight and so on.
-- CHECK-LABEL: fun exponentials (
-- CHECK: schedule { {{.*}}128 from 16777216; scalar } segmap
entry exponentials [n] (a: [n][3][3]f64) (b: [n][3]f64) : [n][3]f64 =
  map2 (\x y -> map2 (\r p -> r[0] * y[0] + f64.exp p) x y) a b

-- Bytes are not gathered, so that LLVM makes vectors of whole matrices, which is better where columns are read.
-- CHECK-LABEL: fun bytes (
-- CHECK: schedule { {{.*}}loops{{.*}} } segmap
entry bytes [n] (a: [n][4][4]u8) (b: [n][4]u8) : [n][4]u8 =
  map2 (\x y -> map (\r -> u8.sum (map2 (*) r y)) x) a b

-- Neighbouring rows: LLVM reads them as a whole.
-- CHECK-LABEL: fun scaled (
-- CHECK: schedule { {{.*}}loops{{.*}} } segmap
entry scaled [n] (a: [n][4]f32) (b: [n]f32) : [n][4]f32 = map2 (\r x -> map (* x) r) a b
