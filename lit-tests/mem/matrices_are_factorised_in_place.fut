-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- The rest of the matrix is made where it lies, of itself, the pivot's row and the pivot's column.

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
    let factors = map (/ a[k, k]) a[k + 1:, k]
    let row = a[k, k + 1:]
    let rest = map2 (\r f -> map2 (\x p -> x - f * p) r row) a[k + 1:, k + 1:] factors
    let a[k + 1:, k] = factors
    let a[k + 1:, k + 1:] = rest
    in a
