-- Rows whose length is known go by vectors, and the loops around them do not. Of a few elements, LLVM chooses.
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s
-- RUN: futc -w --target=seq %s --explain-schedule | FileCheck %s --check-prefix=EXPLAIN

-- The innermost dimension.
-- CHECK-LABEL: fun scaled
-- CHECK: schedule {{.*}}outer 1 } segmap seq (i_{{[0-9]+}} < {{.*}}, i_{{[0-9]+}} < 20)
-- EXPLAIN: in scaled
-- EXPLAIN: point by point, of which LLVM makes vectors, but not of the 1 outermost dimensions
entry scaled [b] (xs: [b][20]f32) (cs: [b]f32) : [b][20]f32 =
  map2 (\row c -> map (\x -> x * c + 1) row) xs cs

-- Rows that points make.
-- CHECK-LABEL: fun rotated
-- CHECK: schedule {{.*}}outer 1 } {{.*}}segmap seq (i_{{[0-9]+}} < b_{{[0-9]+}})
entry rotated [b] (xs: [b][20]f32) : [b][20]f32 = map (\row -> map2 (+) row (rotate 1 row)) xs

-- CHECK-LABEL: fun short
-- CHECK-NOT: outer
entry short [b] (xs: [b][4]f32) (cs: [b]f32) : [b][4]f32 =
  map2 (\row c -> map (\x -> x * c + 1) row) xs cs
