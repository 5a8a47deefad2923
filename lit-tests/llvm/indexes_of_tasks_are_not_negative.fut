-- REQUIRES: x86
-- RUN: futc -w --target=multicore --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- Tasks know that an index is not negative, so that remainders are those of natural numbers.
-- CHECK-LABEL: define {{.*}}@task_
-- CHECK: call i64 @llvm.smax.i64(i64 %{{[0-9]+}}, i64 0)
-- CHECK: add nuw nsw i64
-- CHECK: urem i64 %{{[0-9]+}}, 10
entry digits [n] (xs: [n]i32) : [n]i32 =
  map2 (\x i -> x + i32.i64 (i % 10)) xs (iota n)
