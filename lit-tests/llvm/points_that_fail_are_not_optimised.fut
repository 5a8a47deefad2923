-- What finds the first of a strip's points that fails runs once, so LLVM spends no time on it.
-- RUN: futc --target=seq --target-cpu=x86-64-v3 --emit=llvm %s | FileCheck %s

-- CHECK: define internal {{.*}}@failing_points_0({{.*}}) {{.*}}[[APART:#[0-9]+]] {
-- CHECK: attributes [[APART]] = { cold noinline noreturn nounwind optnone
entry main [n] (is: [n]i32) (xs: [n]f32) : [n]f32 =
  map2 (\i x -> (if i == 0 then x else x / f32.i32 (1000 / i)) * f32.i32 (assert (i != 77) i)) is xs
