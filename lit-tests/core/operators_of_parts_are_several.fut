-- RUN: futc -w %s --emit=core | FileCheck %s
-- A sum and a count in one operator are a sum and a count.
-- CHECK-LABEL: fun main (
-- CHECK-DAG: op [0.0f32]
-- CHECK-DAG: op [0i32]
entry main (xs: []f32) =
  reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0i32)
         (map (\x -> if x > 0 then (x, 1) else (0, 0)) xs)
