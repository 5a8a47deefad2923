-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- The top of a stack goes up in one round and down in another: that it is compared with a constant does not make the number of
-- rounds one, so the minimum that the loop accumulates stays an operation of its own.
-- CHECK-LABEL: define {{.*}}@futc_entry_least(
-- CHECK: call float @llvm.minnum.f32
-- CHECK-NOT: fcmp uno
entry least [n] (xs: [n]f32) (from: f32) (root: i64) : f32 =
  let (least, _, _) =
    loop (least, stack, top) = (from, replicate 32 root, 1i32) while top > 0 do
      let node = stack[top - 1]
      in if node >= n
         then (f32.min least xs[node - n], stack, top - 1)
         else (least, stack with [top - 1] = 2 * node with [top] = 2 * node + 1, top + 1)
  in least
