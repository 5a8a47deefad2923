-- With --fast-math, an extremum that decides nothing may make anything of what is no number, and a root may be approximated.
-- RUN: futc -w --target=seq --fast-math %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=seq --fast-math %s --emit=llvm-dialect | FileCheck %s --check-prefix=DIALECT

-- CHECK-LABEL: func.func private @fut_kept
-- CHECK: arith.minnumf %{{.*}} fastmath<nnan,nsz> : f32
-- CHECK: math.sqrt %{{.*}} fastmath<reassoc,nsz,arcp,contract,afn> : f32
-- DIALECT-LABEL: llvm.func {{.*}}@fut_kept
-- DIALECT: "llvm.minnum"({{.*}}) {fastmathFlags = #llvm.fastmath<nnan, nsz>}
-- DIALECT: "llvm.sqrt"({{.*}}) {fastmathFlags = #llvm.fastmath<nsz, arcp, contract, afn, reassoc>}
entry kept [n] (k: f32) (xs: [n]f32) : [n]f32 = map (\x -> f32.sqrt (f32.min x k)) xs

-- The least is compared with the others, and a root is converted to a number.
-- CHECK-LABEL: func.func private @fut_nearest
-- CHECK-NOT: fastmath
-- CHECK: func.func private @fut_wanted
entry nearest [n] (k: f32) (xs: [n]f32) : []i64 =
  let ds = map (\x -> f32.sqrt (x * k)) xs
  let least = f32.minimum ds
  in filter (\i -> ds[i] == least) (iota n)

entry wanted [n] (xs: [n]f32) : (i64, f32) =
  reduce_comm (\(i, x) (j, y) -> if f32.max x y == x then (i, x) else (j, y)) (-1, -f32.inf) (zip (iota n) xs)
-- CHECK-NOT: fastmath
-- CHECK: func.func private @futc_entry_kept
