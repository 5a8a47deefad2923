-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=znver5 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | FileCheck %s --check-prefix=SHORT
-- REQUIRES: x86

-- Lanes that write inside of the array do so together, if any does.
-- CHECK-LABEL: func.func {{.*}}@fut_sparse
-- CHECK: vector.gather
-- CHECK: vector.reduction <or>
-- CHECK: scf.if
-- CHECK: vector.scatter
-- CHECK: return
-- Where there are no gathers, there are no scatters.
-- SHORT-LABEL: func.func {{.*}}@fut_sparse
-- SHORT-NOT: vector.scatter
-- SHORT: return
entry sparse [n] [m] [k] (xs: *[n]i32) (ys: [k]i32) (is: [m]i32) : *[n]i32 =
  scatter xs (map (\i -> if ys[i] < 0 then i64.i32 i else -1) is) (map (\i -> ys[i]) is)

-- What is written anyway gains nothing.
-- CHECK-LABEL: func.func {{.*}}@fut_dense
-- CHECK-NOT: vector.scatter
-- CHECK: return
entry dense [n] [m] [k] (xs: *[n]i32) (ys: [k]i32) (is: [m]i32) : *[n]i32 =
  scatter xs (map i64.i32 is) (map (\i -> ys[i]) is)

-- A reduction of what is written goes along, with one truth value for all lanes.
-- CHECK-LABEL: func.func {{.*}}@fut_tested
-- CHECK: scf.for {{.*}} iter_args({{.*}} = %false) -> (i1)
-- CHECK: vector.gather
-- CHECK: vector.scatter
-- CHECK: return
entry tested [n] [m] [k] (xs: *[n]i32) (ys: [k]i32) (is: [m]i32) : (*[n]i32, bool) =
  let places = map (\i -> if ys[i] < 0 then i64.i32 i else -1) is
  in (scatter xs places (map (\_ -> 7) is), any (>= 0) places)
