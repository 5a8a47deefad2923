-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- Both directions of an edge are written where they are computed: no rows, no flat array of them.
-- CHECK-LABEL: fun both (
-- CHECK: replicate(
-- CHECK: segmap seq (
-- CHECK-NOT: reshape
-- CHECK: write {{.*}} {[{{[a-z]+_[0-9]+}}] = {{[a-z]+_[0-9]+}}, [{{[a-z]+_[0-9]+}}] = {{[a-z]+_[0-9]+}}})
-- CHECK-NOT: segmap
entry both [n] (k: i64) (is: [n]i64) (js: [n]i64) : [k]i64 =
  let (to, values) = map2 (\i j -> [(i, j), (j, i)]) is js |> flatten |> unzip
  in scatter (replicate k 0) to values
