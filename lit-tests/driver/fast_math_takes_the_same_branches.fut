-- With --fast-math, what is compared is computed as written, also where it goes through arrays of the host, and wherever it is
-- computed again: the third argument is what the first two come to when each operation is rounded.
-- RUN: futc -w --target=seq --fast-math %s -o %t
-- RUN: futc -w --target=multicore --fast-math %s -o %t2
-- RUN: futc -w --target=small-tasks --fast-math %s -o %t3
-- RUN: echo "[0.586680174f32,-0.926354527f32,0.469672531f32,0.603830993f32] [0.643908083f32,-0.708843946f32,-0.361228675f32,0.459649652f32] [-0.378145874f32,0.931035519f32,0.254488766f32,-0.277550697f32] [-0.000377774239f32,1.58767629f32,0.0848295838f32,0f32]" > %t.in
-- RUN: %t -e reversed < %t.in | FileCheck %s
-- RUN: %t2 -e reversed < %t.in | FileCheck %s
-- RUN: %t3 -e reversed < %t.in | FileCheck %s
-- RUN: %t -e in_turn < %t.in | FileCheck %s
-- RUN: %t2 -e in_turn < %t.in | FileCheck %s
-- RUN: %t -e gathered < %t.in | FileCheck %s
-- RUN: %t2 -e gathered < %t.in | FileCheck %s
-- RUN: %t3 -e gathered < %t.in | FileCheck %s
-- CHECK: [0i64, 1i64, 2i64, 3i64]

entry reversed [n] (x: [n]f32) (y: [n]f32) (z: [n]f32) (c: [n]f32) : []i64 =
  let v = reverse (map3 (\x y z -> x * y + z) x y z)
  in filter (\i -> v[i] == c[n - 1 - i]) (iota n)

entry in_turn [n] (x: [n]f32) (y: [n]f32) (z: [n]f32) (c: [n]f32) : []i64 =
  let v = loop v = replicate n 0 for i < n do v with [i] = x[i] * y[i] + z[i]
  in filter (\i -> v[i] == c[i]) (iota n)

-- One element of v is computed for w, and once more where both are compared.
entry gathered [n] (x: [n]f32) (y: [n]f32) (z: [n]f32) (_: [n]f32) : []i64 =
  let v = map3 (\x y z -> x * y + z) x y z
  let w = map (\i -> v[n - 1 - i]) (iota n)
  in filter (\i -> w[i] == v[n - 1 - i]) (iota n)
