-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- A product whose elements are used further becomes an operation of its own.
-- CHECK-LABEL: fun gemm (
-- CHECK: let [[T:[a-z]+_[0-9]+]]: {{.*}} = segred seq ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{p_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: segmap seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}, [[J:i_[0-9]+]] < {{p_[0-9]+}})
-- CHECK: index [[T]]{{\[}}[[I]], [[J]]]
entry gemm [n][m][p] (a: [n][m]f32) (b: [m][p]f32) (c: [n][p]f32) =
  map2 (\r -> map2 (\c x -> 1.5 * reduce (+) 0 (map2 (*) r c) + 0.5 * x) (transpose b)) a c
-- A small one stays where it is, as straight code.
-- CHECK-LABEL: fun small (
-- CHECK: segmap seq ({{i_[0-9]+}} < 4, {{i_[0-9]+}} < 4)
-- CHECK-NOT: segred
entry small (a: [4][4]f32) (b: [4][4]f32) =
  map (\r -> map (\c -> 1 + reduce (+) 0 (map2 (*) r c)) (transpose b)) a
