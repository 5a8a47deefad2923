-- RUN: futc --target=seq --emit=sched %s | FileCheck %s

-- Points of a reduction go in strips as those of a map, and what they come to is reduced then.
-- CHECK-LABEL: fun total (
-- CHECK: reduced_mem_{{[0-9]+}}: mem.host = alloc((n_{{[0-9]+}} * 4), host)
-- CHECK: #[strip] schedule {{.*}} segmap
-- CHECK: segred seq ([[I:i_[0-9]+]] <
-- CHECK-NOT: segmap
-- CHECK: index {{[a-z]+_[0-9]+}}{{\[}}[[I]]]
entry total [n] [m] (xs: [n]f32) (ys: [m]f32) =
  let last x = (loop a = replicate m 0 for j < m - 1 do a with [j + 1] = a[j] * x + ys[j])[m - 1]
  in f32.sum (map last xs)

-- What is wanted besides is stored once.
-- CHECK-LABEL: fun both (
-- CHECK-NOT: reduced_mem
-- CHECK: #[strip] schedule {{.*}} segmap
-- CHECK: segred seq (
entry both [n] [m] (xs: [n]f32) (ys: [m]f32) =
  let last x = (loop a = replicate m 0 for j < m - 1 do a with [j + 1] = a[j] * x + ys[j])[m - 1]
  let r = map last xs
  in (r, f32.maximum r)
