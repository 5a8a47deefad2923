-- REQUIRES: x86
-- Rows of 8 to 16 points that are no vector by themselves are loops, which LLVM unrolls, so that it sees which way each point takes. Of fewer points it
-- would make vectors of several rows, by gathers.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun twelve (
-- CHECK: outer 1 } segmap seq (i_{{[0-9]+}} < b_{{[0-9]+}}, i_{{[0-9]+}} < 12)
entry twelve [b] (xs: [b][12]f32) : [b][12]f32 = map (\row -> map2 (+) row (rotate 1 row)) xs

-- CHECK-LABEL: fun five (
-- CHECK: scalar } segmap seq (i_{{[0-9]+}} < b_{{[0-9]+}}, i_{{[0-9]+}} < 5)
entry five [b] (xs: [b][20]f32) : [b][5]f32 =
  map (\row -> let ends = row[0:5] in map2 (+) ends (rotate 1 ends)) xs
