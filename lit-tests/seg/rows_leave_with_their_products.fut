-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- Products of products leave the map of both, with the rows between them.
-- CHECK-LABEL: fun layers (
-- CHECK: let [[T:[a-z]+_[0-9]+]]: {{.*}} = segred seq ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{k_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: let [[H:[a-z]+_[0-9]+]]: {{.*}} = segmap seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}, [[J:i_[0-9]+]] < {{k_[0-9]+}})
-- CHECK: index [[T]]{{\[}}[[I]], [[J]]]
-- CHECK: let [[R:[a-z]+_[0-9]+]]: {{.*}} = segred seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}, {{i_[0-9]+}} < {{p_[0-9]+}}, [[K:i_[0-9]+]] < {{k_[0-9]+}})
-- CHECK: index [[H]]{{\[}}[[I]], [[K]]]
-- CHECK-NOT: = seg
-- CHECK: in [[R]]
entry layers [n][m][k][p] (x: [n][m]f32) (w: [m][k]f32) (v: [k][p]f32) =
  let product a b = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose v)) (map (map f32.exp) (product x w))
-- So does a product that a function follows, if only down columns.
-- CHECK-LABEL: fun step (
-- CHECK: let [[T:[a-z]+_[0-9]+]]: {{.*}} = segred seq ({{i_[0-9]+}} < {{m_[0-9]+}}, {{i_[0-9]+}} < {{n_[0-9]+}})
-- CHECK: segmap seq ([[I:i_[0-9]+]] < {{m_[0-9]+}})
-- CHECK: index [[T]]{{\[}}[[I]]]
entry step [n][m] (x: [n]f32) (w: [n][m]f32) =
  map (\c -> f32.tanh (f32.sum (map2 (*) x c))) (transpose w)
-- Arithmetic stays with it.
-- CHECK-LABEL: fun relu (
-- CHECK: segmap seq ({{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: segred seq ({{i_[0-9]+}} < {{n_[0-9]+}})
entry relu [n][m] (x: [n]f32) (w: [n][m]f32) =
  map (\c -> f32.max 0 (f32.sum (map2 (*) x c))) (transpose w)
