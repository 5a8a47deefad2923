-- With --fast-math, what is only stored has a licence; what decides whether something is kept is computed as written.
-- RUN: futc -w --target=seq --fast-math %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s --check-prefix=PLAIN
-- RUN: not futc -w --target=seq --fast-math --exact-math %s -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
-- BOTH: error: the argument '--fast-math' cannot be used with '--exact-math'
-- PLAIN-NOT: fastmath

-- CHECK-LABEL: func.func private @fut_stored
-- CHECK: arith.mulf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
-- CHECK: arith.addf %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
entry stored [n] (k: f32) (xs: [n]f32) : [n]f32 = map (\x -> x * k + 1) xs

-- CHECK-LABEL: func.func private @fut_kept
-- CHECK-NOT: fastmath
entry kept [n] (k: f32) (xs: [n]f32) : []f32 = filter (\x -> x * k + 1 > 3) xs

-- CHECK-LABEL: func.func private @fut_chosen
-- CHECK: arith.mulf %{{[^,]*}}, %{{[^,]*}} : f32
-- CHECK: arith.divf %{{.*}} fastmath
-- CHECK: arith.subf %{{.*}} fastmath
entry chosen [n] (k: f32) (xs: [n]f32) : [n]f32 =
  map (\x -> let y = x * k + 1
             let z = x / k - 2
             in if y > 3 then y else z) xs

-- CHECK-LABEL: func.func private @fut_rounds
-- CHECK-NOT: fastmath
-- CHECK: scf.while
entry rounds (x: f32) : i32 = (loop (s, i) = (x, 0) while s < 100 do (s * s + x, i + 1)).1

-- An array of a point is looked at like a scalar.
-- CHECK-LABEL: func.func private @fut_in_an_array
-- CHECK-NOT: fastmath
-- CHECK: func.func private @futc_entry_stored
entry in_an_array [n] (m: i64) (xs: [n]f32) : [n]i64 =
  map (\x -> let ys = loop ys = replicate m x for i < m - 1 do ys with [i + 1] = ys[i] * x + 1
             in i64.sum (map (\y -> i64.bool (y > 2)) ys)) xs
