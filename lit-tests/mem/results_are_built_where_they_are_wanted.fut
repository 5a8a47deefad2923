-- A row of the result is computed in its place; the copy that remains is of a place to itself.
-- RUN: futc -w %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun rows (
-- CHECK: [[B:[a-z_0-9]+]]: mem.host = alloc
-- CHECK-NOT: alloc
-- CHECK: segmap seq ([[I:i_[0-9]+]] <
-- CHECK: @ [[B]] -> {({{m_[0-9]+}} * [[I]]); {{.*}} = {{.*}}segscan
-- CHECK: in ([[B]],
entry rows [n] (m: i64) (xs: [n]f32) = map (\x -> scan (+) 0 (replicate m x)) xs
-- So is one that is computed from what the function is given.
-- CHECK-LABEL: fun normalised (
-- CHECK: [[B:[a-z_0-9]+]]: mem.host = alloc
-- CHECK-NOT: alloc
-- CHECK: segmap seq ([[I:i_[0-9]+]] <
-- CHECK: segred
-- CHECK: @ [[B]] -> {({{m_[0-9]+}} * [[I]]); {{.*}} = {{.*}}segmap
-- CHECK: in ([[B]],
entry normalised [n] [m] (xss: [n][m]f32) = map (\xs -> let s = f32.sum xs in map (/ s) xs) xss
