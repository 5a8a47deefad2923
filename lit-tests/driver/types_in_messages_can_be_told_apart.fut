-- Sizes are shown as they are written; different variables of one name have ticks.
-- RUN: not futc check %s 2>&1 | FileCheck %s
-- CHECK: [size-mismatch] Error: the 3rd argument of map2 should have type [n]i32, but has type [n + 1]i32: the sizes n and n + 1 are not the same
def f [n] (xs: [n]i32) (ys: [n + 1]i32) = map2 (+) xs ys
-- CHECK: [size-mismatch] Error: the result of h should have type [n]i32, but has type [n']i32: the sizes n and n' are not the same
def g [n] (xs: [n]i32) = let h [n] (ys: [n]i32) : [n]i32 = map (+ 1) xs in h xs
