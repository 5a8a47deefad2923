-- LLVM's vectoriser of loops would forget one element more than vectors have. With -O3 such loops are mostly unrolled before.
-- RUN: futc -w --target=seq -O2 %s -o %t
-- RUN: echo 1 | %t | FileCheck %s

-- CHECK: [4.0f64, 5.0f64, 9.0f64, 13.0f64, 17.0f64]

def largest (n: i64) (x: f64) : f64 =
  f64.maximum (scatter (tabulate n (\i -> x * f64.i64 (i + 1))) (map (+ 1) (iota 0)) [])

entry main (x: f64) : [5]f64 = [largest 4 x, largest 5 x, largest 9 x, largest 13 x, largest 17 x]
