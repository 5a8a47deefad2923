-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=znver5 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=QUICK

-- A loop that always runs eight times has no question but those of the checks, and the rest goes one by
-- one.
-- CHECK-LABEL: func.func {{.*}}@fut_gather
-- CHECK: [[COUNT:%[0-9a-z_]+]] = arith.divsi {{.*}}, %c8_i64
-- CHECK: scf.for {{.*}} to [[COUNT]]
-- CHECK: scf.for {{.*}} to %c8_i64
-- CHECK: arith.cmpi ult
-- CHECK: futc_fail
-- CHECK: scf.for
-- CHECK-NOT: vector.gather
-- CHECK: return
-- Where gathers are quick, they are taken.
-- QUICK-LABEL: func.func {{.*}}@fut_gather
-- QUICK: arith.cmpi ult, {{.*}} : vector<
-- QUICK: vector.gather
entry gather [n] [m] (xs: [n]i32) (is: [m]i64) : [m]i32 = map (\i -> xs[i]) is

-- Where lanes part ways, or something is computed with what is read, vectors pay anyway.
-- CHECK-LABEL: func.func {{.*}}@fut_apart
-- CHECK: vector.gather
entry apart [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 =
  map (\i -> let x = xs[i] in if x < 0 then 3 * x else f32.sqrt x / 2) is

-- CHECK-LABEL: func.func {{.*}}@fut_total
-- CHECK: scf.for {{.*}} -> (i64)
-- CHECK: scf.for {{.*}} to %c8_i64{{.*}} -> (i64)
-- CHECK: futc_fail
-- CHECK: return
entry total [n] [m] (xs: [n]i64) (is: [m]i64) : i64 = i64.sum (map (\i -> xs[i]) is)
