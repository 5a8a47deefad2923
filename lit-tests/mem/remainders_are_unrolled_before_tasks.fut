-- RUN: futc -w --target=multicore %s --emit=mem | FileCheck %s
-- What goes by remainders of its index does so before it is cut: a task has a range of the pairs.
-- CHECK-LABEL: fun turns (
-- CHECK: segmap tasks (
-- CHECK: ({{.*}} -> {{.*}}, 2)}, {{.*}}, 2)}) = segmap seq (k_
-- CHECK-NOT: if
-- CHECK: in (return x{{[a-z_0-9]*}}, return y{{[a-z_0-9]*}})
-- What is left over is no task.
-- CHECK-NOT: segmap tasks
-- CHECK: #[peeled] segmap seq
entry turns [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 =
  map (\i -> if i % 2 == 0 then xs[i / 2] else ys[i / 2]) (iota n)
