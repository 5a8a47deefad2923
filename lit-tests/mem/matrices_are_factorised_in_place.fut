-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- The rest of the matrix is made where it lies, of itself, the pivot's row and the pivot's column: with an exponential, of which rounds do
-- not go several at a time.

-- CHECK-LABEL: fun main
-- CHECK: = alloc
-- CHECK-NOT: alloc
-- CHECK: loop
-- CHECK-NOT: alloc
-- CHECK-NOT: copy
-- CHECK: segmap
-- CHECK: segmap
-- CHECK: update
-- CHECK: update
-- CHECK-NOT: alloc
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let factors = map (\v -> f64.exp (v / a[k, k])) a[k + 1:, k]
    let row = a[k, k + 1:]
    let rest = map2 (\r f -> map2 (\x p -> x - f * p) r row) a[k + 1:, k + 1:] factors
    let a[k + 1:, k] = factors
    let a[k + 1:, k + 1:] = rest
    in a

-- Several rounds at a time have blocks for the pivots' rows and columns, and none for what is behind them.
-- CHECK-LABEL: fun blocks
-- CHECK: [[A:a_mem_[0-9]+]]: mem.host = alloc(((n_{{[0-9]+}} * n_{{[0-9]+}}) * 8), host)
-- CHECK-NOT: alloc(((n_{{[0-9]+}} * n_{{[0-9]+}})
-- CHECK: strip_{{[0-9]+}}: [{{.*}}]f64 @ [[A]] -> {{.*}} segmap seq (i_{{[0-9]+}} < {{t_[0-9]+}}, i_{{[0-9]+}} < {{t_[0-9]+}})
-- CHECK-NOT: alloc(((n_{{[0-9]+}} * n_{{[0-9]+}})
entry blocks [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let factors = map (/ a[k, k]) a[k + 1:, k]
    let row = a[k, k + 1:]
    let rest = map2 (\r f -> map2 (\x p -> x - f * p) r row) a[k + 1:, k + 1:] factors
    let a[k + 1:, k] = factors
    let a[k + 1:, k + 1:] = rest
    in a
