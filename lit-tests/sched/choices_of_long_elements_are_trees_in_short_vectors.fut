-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck %s --check-prefixes=CHECK,WIDE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=sched %s | FileCheck %s --check-prefixes=CHECK,NARROW
-- REQUIRES: x86
def first (a: f64, i: i64) (b: f64, j: i64) = if a > b || (a == b && i < j) then (a, i) else (b, j)

-- CHECK-LABEL: fun greatest (
-- WIDE: schedule { accumulators
-- NARROW: schedule { tree
entry greatest [n] (xs: [n]f64) : i64 = (reduce first (-f64.inf, i64.highest) (zip xs (iota n))).1

-- What divides makes no vectors, whatever they are.
-- CHECK-LABEL: fun greatest_remainder (
-- CHECK: schedule { tree
entry greatest_remainder [n] (xs: [n]i64) (k: i64) : i64 =
  (reduce first (-f64.inf, i64.highest) (zip (map (\x -> f64.i64 (x % k)) xs) (iota n))).1

-- Loops that go on as long for all points pay, whatever they multiply.
-- CHECK-LABEL: fun powers (
-- CHECK: schedule { lanes
entry powers [n] (xs: [n]i64) (k: i64) : [n]i64 = map (\x -> loop a = x for _i < k do i64.min (a * 3) (a + 1000) - 17) xs
