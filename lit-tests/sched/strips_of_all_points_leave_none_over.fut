-- Where 32 rows are known to be one strip, there are no points behind it.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=sched %s | FileCheck %s

-- CHECK: loop ({{.*}} for strip_{{[0-9]+}}: i64 <
-- CHECK: #[strip] {{.*}}segmap seq (lane_
-- CHECK-NOT: segmap seq (i_{{[0-9]+}} < 0)
-- CHECK: in (
entry main (lu: [32][32]f32) (rows: [32][32]f32) : [32][32]f32 =
  let solve (xs: [32]f32) =
    loop xs = copy xs for j < 32 do
      let sum = loop sum = xs[j] for k < j do sum - xs[k] * lu[k, j]
      in xs with [j] = sum / lu[j, j]
  in map solve rows
