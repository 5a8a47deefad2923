-- RUN: futc -w --target=seq --print-after=internalise %s -o %t 2> %t.txt
-- RUN: sed '/^-- after/d' %t.txt | futc-opt --passes=sequentialise,explicit,interleave | FileCheck %s

-- A loop that needs several slots for the loops inside begins with slots that are there before it, and not with those
-- that it leaves.
-- CHECK-LABEL: fun main (
-- CHECK: slots_mem
-- CHECK: #[strip]
entry main [n] (k: i64) (zs: [n]i64) : [n][n]i64 =
  let again (xs: [n]i64) (_: i32) : [n]i64 =
    reduce (map2 (+)) (replicate n 0)
           (reduce (map2 (map2 i64.min)) (replicate n (replicate n 9)) (replicate n (replicate n xs)))
  in map (\z -> foldl again (replicate n z) (replicate k 1i32)) zs
