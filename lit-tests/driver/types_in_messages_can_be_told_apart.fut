-- Sizes are shown as they are written; different variables of one name have ticks.
-- RUN: not futc check %s 2>&1 | FileCheck %s
-- CHECK: [type-mismatch] Error: expected [n]i32 but this has type [n + 1]i32
def f [n] (xs: [n]i32) (ys: [n + 1]i32) = map2 (+) xs ys
-- CHECK: [type-mismatch] Error: expected [n]i32 but this has type [n']i32
def g [n] (xs: [n]i32) = let h [n] (ys: [n]i32) : [n]i32 = map (+ 1) xs in h xs
