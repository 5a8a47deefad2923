-- Rows of the result are made in their place.
-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun rows (
-- CHECK: [[B:[a-z_0-9]+]]: mem.host = {{.*}}alloc
-- CHECK-NOT: alloc
-- CHECK: @ [[B]] -> {0; {{.*}} = {{.*}}segscan seq ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: in ([[B]],
entry rows [n] (m: i64) (xs: [n]f32) = map (\x -> scan (+) 0 (replicate m x)) xs
-- So is one that needs a sum first, of what the function is given; the copy that remains is of a
-- place to itself.
-- CHECK-LABEL: fun normalised (
-- CHECK: [[B:[a-z_0-9]+]]: mem.host = alloc
-- CHECK-NOT: alloc
-- CHECK: segmap seq ([[I:i_[0-9]+]] <
-- CHECK: segred
-- CHECK: @ [[B]] -> {({{m_[0-9]+}} * [[I]]); {{.*}} = {{.*}}segmap
-- CHECK: in ([[B]],
entry normalised [n] [m] (xss: [n][m]f32) = map (\xs -> let s = f32.sum xs in map (/ s) xs) xss
