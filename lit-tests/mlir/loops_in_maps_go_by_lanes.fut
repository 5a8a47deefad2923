-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v4 | FileCheck %s --check-prefix=LONG

-- The coefficient is one scalar for all lanes, which stand in four registers.
-- CHECK-LABEL: func.func {{.*}}@fut_polynomial
-- CHECK: scf.for
-- CHECK: [[X:%[0-9a-z_]+]] = vector.load {{.*}}, vector<64xf32>
-- CHECK: scf.for {{.*}} -> (vector<64xf32>)
-- CHECK: memref.load {{.*}} : memref<?xf32>
-- CHECK: arith.mulf [[X]], {{.*}} : vector<64xf32>
-- CHECK: arith.addf {{.*}} : vector<64xf32>
-- CHECK: vector.store {{.*}}, vector<64xf32>
-- With more registers, in eight: then no operation waits for the one before it. If there are not so
-- many points, one register is better than none.
-- LONG-LABEL: func.func {{.*}}@fut_polynomial
-- LONG: scf.for {{.*}} -> (vector<128xf32>)
-- LONG: else
-- LONG: scf.for {{.*}} -> (vector<16xf32>)
-- LONG: else
-- LONG: scf.for {{.*}} -> (f32)
entry polynomial [n] [k] (cs: [k]f32) (xs: [n]f32) : [n]f32 =
  map (\x -> loop v = 0 for i < k do cs[i] + x * v) xs

-- Lanes that are done keep what they have.
-- CHECK-LABEL: func.func {{.*}}@fut_halvings
-- CHECK: scf.while
-- CHECK: vector.reduction <or>
-- CHECK: scf.condition
-- CHECK: arith.select {{.*}} : vector<16xi1>, vector<16xi32>
entry halvings [n] (xs: [n]i32) : [n]i32 =
  map (\x -> (loop (x, k) = (x, 0) while x > 1 do (x >> 1, k + 1)).1) xs

-- Lanes whose indexes differ in bits that number lanes change places, if the first begins a vector.
-- LONG-LABEL: func.func {{.*}}@fut_flipped
-- LONG: arith.cmpi ult, [[BITS:%[0-9a-z_]+]], %c32_i64{{.*}} : i64
-- LONG: scf.if
-- LONG-NEXT: [[X:%[0-9a-z_]+]] = vector.load {{.*}}, vector<32xf32>
-- LONG-NEXT: [[Y:%[0-9a-z_]+]] = vector.shuffle [[X]], [[X]] [1, 0, 3, 2,
-- LONG: [[Z:%[0-9a-z_]+]] = arith.select {{.*}}, [[Y]], [[X]] : vector<32xf32>
-- LONG: vector.shuffle [[Z]], [[Z]] [2, 3, 0, 1,
-- LONG: else
-- LONG: vector.reduction <and>
-- LONG: vector.gather
entry flipped [n] (bits: i64) (xs: [n]f32) : [n]f32 = tabulate n (\i -> xs[i ^ bits])

-- All lanes in a loop have gone through as many rounds: the counter is one scalar, a letter of the pattern is read once and
-- those of the text side by side. Each lane keeps the count with which it leaves.
-- CHECK-LABEL: func.func {{.*}}@fut_prefixes
-- CHECK: scf.while {{.*}} : (vector<[[W:[0-9]+]]xi1>, i64, {{.*}}vector<[[W]]xi64>) ->
-- CHECK: memref.load {{.*}} : memref<?xi8>
-- CHECK: vector.maskedload {{.*}} into vector<[[W]]xi8>
-- CHECK: arith.addi {{.*}} : i64
-- CHECK: arith.select {{.*}} : vector<[[W]]xi1>, vector<[[W]]xi64>
entry prefixes [n] [m] (text: [n]u8) (pattern: [m]u8) : []i64 =
  tabulate (n - m + 1) (\i -> loop k = 0 while k < m && text[i + k] == pattern[k] do k + 1)

-- Numbers that go round are divided by one division for all lanes, and what they index is read side by side where it can be.
-- LONG-LABEL: func.func {{.*}}@fut_ring
-- LONG: scf.for
-- LONG: arith.divui {{.*}} : i64
-- LONG: vector.reduction <and>
-- LONG: vector.load {{.*}}xf32>
-- LONG: vector.gather
entry ring [n] [k] (ds: [k]i64) (xs: [n]f32) : [n]f32 =
  tabulate n (\i -> loop t = 0 for d in ds do
    let x = #[unsafe] xs[(i + d) % n]
    in (t * 0.5 + x) * (1 - x) + t * t * 0.25)
