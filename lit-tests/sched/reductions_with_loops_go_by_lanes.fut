-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=WIDE

-- CHECK-LABEL: fun sum (
-- CHECK: schedule { lanes 64; lanes 8; scalar } segred seq
-- WIDE-LABEL: fun sum (
-- WIDE: schedule { lanes 128; lanes 16; scalar } segred seq
entry sum [n] (k: i64) (xs: [n]f32) : f32 =
  f32.sum (map (\x -> loop p = 1 for _i < k do p * x + 1) xs)

-- An operator that need not commute goes in order.
-- CHECK-LABEL: fun in_order (
-- CHECK: schedule { loops } segred seq
-- WIDE-LABEL: fun in_order (
-- WIDE: schedule { loops } segred seq
entry in_order [n] (k: i64) (xs: [n]f32) : (f32, f32) =
  reduce (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)
         (map (\x -> (loop p = 1 for _i < k do p * x + 1, x)) xs)

-- What is collected besides makes no difference.
-- CHECK-LABEL: fun collected (
-- CHECK: schedule { lanes {{[0-9]+}}; lanes {{[0-9]+}}; scalar } segred seq
-- WIDE-LABEL: fun collected (
-- WIDE: schedule { lanes {{[0-9]+}}; lanes {{[0-9]+}}; scalar } segred seq
entry collected [n] (k: i64) (xs: [n]f32) : (f32, [n]f32) =
  let ys = map (\x -> loop p = 1 for _i < k do p * x + 1) xs
  in (f32.sum ys, ys)

-- Rows that points go through by themselves are read by vectors: lanes would gather all of it.
-- CHECK-LABEL: fun along_rows (
-- CHECK: schedule { loops } segred seq
-- WIDE-LABEL: fun along_rows (
-- WIDE: schedule { loops } segred seq
entry along_rows [n] [m] (xss: [n][m]i64) (flags: [n]i64) : i64 =
  i64.sum (map (\i -> loop s = 0 for j in i + 1..<n do
                        if (flags[j] >> (i % 64)) & 1 == 0 then s else s + i64.sum (map2 (\x y -> i64.i32 (i64.popc (x & y)) * 3 + 1) xss[i] xss[j]))
               (iota n))

-- Elements anywhere that are read behind branches: lanes spare these. Other elements anywhere are left to LLVM.
-- WIDE-LABEL: fun behind_branches (
-- WIDE: schedule { lanes {{.*}} scalar } segred seq
-- WIDE-LABEL: fun anywhere (
-- WIDE: schedule { loops {{.*}} } segred seq
entry behind_branches [n] [m] (alive: [n]bool) (us: [m]i64) (vs: [m]i64) : i32 =
  i32.sum (map2 (\u v -> i32.bool (alive[u] && alive[v])) us vs)

entry anywhere [n] [m] (alive: [n]u8) (us: [m]i64) (vs: [m]i64) : i32 =
  i32.sum (map2 (\u v -> i32.bool (alive[u] == alive[v])) us vs)
