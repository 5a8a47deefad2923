-- LLVM unrolls loops along rows of known lengths. It is kept from making vectors of the loop around them, of elements from neighbouring rows.
-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s

-- CHECK: #[[NOT:.*]] = #llvm.loop_vectorize<disable = true>
-- CHECK: #[[OUTER:.*]] = #llvm.loop_annotation<vectorize = #[[NOT]]>

-- Sums down columns, and the steps of each.
-- CHECK-LABEL: func.func private @fut_sums(
-- CHECK: scf.for
-- CHECK: scf.for
-- CHECK: scf.for
-- CHECK: scf.for
-- CHECK: arith.addf
-- CHECK: {{^ +}}}{{$}}
-- CHECK: {{^ +}}} {loop_annotation = #[[OUTER]]}
-- CHECK: {{^ +}}} {loop_annotation = #[[OUTER]]}
entry sums [b] (xs: [b][32][16]f32) : [b][16]f32 = map (\m -> map f32.sum (transpose m)) xs

-- Two dimensions.
-- CHECK-LABEL: func.func private @fut_scaled(
-- CHECK: arith.mulf
-- CHECK: {{^ +}}} {loop_annotation = #[[OUTER]]}
entry scaled [b] (xs: [b][20]f32) (cs: [b]f32) : [b][20]f32 =
  map2 (\row c -> map (\x -> x * c + 1) row) xs cs

-- Rows in pieces.
-- CHECK-LABEL: func.func private @fut_rotated(
-- CHECK: scf.for
-- CHECK: scf.for
-- CHECK: {{^ +}}} {loop_annotation = #[[OUTER]]}
entry rotated [b] (xs: [b][20]f32) : [b][20]f32 = map (\row -> map2 (+) row (rotate 1 row)) xs

-- Of a few elements, vectors of several rows are better.
-- CHECK-LABEL: func.func private @fut_short(
-- CHECK-NOT: loop_annotation = #[[OUTER]]
-- CHECK: func.func
entry short [b] (xs: [b][4]f32) (cs: [b]f32) : [b][4]f32 =
  map2 (\row c -> map (\x -> x * c + 1) row) xs cs
