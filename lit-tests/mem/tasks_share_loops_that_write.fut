-- A loop of scatters is cut along its rounds: each task writes where its places say.
-- RUN: futc -w --target=multicore --emit=mem %s | FileCheck %s

-- CHECK: let () = {{.*}}#[scatters] segmap tasks (task_
-- CHECK: [[FIRST:t_[0-9]+]]: i64 = mul.i64(task_
-- CHECK: #[scatters] loop (scatter_{{[0-9]+}}: [h_{{[0-9]+}}]i32 @ [[BLOCK:[a-z_0-9]+]] -> {{.*}} for [[K:i_[0-9]+]]: i64 <
-- CHECK: add.i64([[K]], [[FIRST]])
-- CHECK: loop (
-- CHECK: update scatter_
-- CHECK: let scatter_{{[0-9]+}}: [h_{{[0-9]+}}]i32 @ [[BLOCK]] -> {{{.*}}} = rep_
entry main [n] (k: i64) (m: i64) (h: i64) (xs: [n]i32) : [h]i32 =
  let row c =
    (loop (places, at) = (replicate m (-1), c * m) for i < m do
       (places with [i] = at, (at * 5 + 1) % h)).0
  in scatter (replicate h 0) (flatten (tabulate k row)) (xs :> [k * m]i32)
