-- RUN: futc %s -o %t 2>&1 | FileCheck %s
-- RUN: futc -w %s -o %t 2>&1 | count 0
-- RUN: futc -Wno-run-time-check %s -o %t 2>&1 | FileCheck %s --check-prefix=LOOPS
-- RUN: not futc -Werror %s -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
-- RUN: futc --target=gpu-emu %s -o %t 2>&1 | FileCheck %s
-- RUN: futc check %s 2>&1 | count 0

-- CHECK: [run-time-check] Warning: a check is left for run time
-- CHECK: def get
-- CHECK: it fails with: Index […] out of bounds
-- CHECK: #[warn(safety_checks)] map
-- CHECK: of this expression
-- CHECK: [run-time-check] Warning
-- CHECK: def far
-- CHECK: of this expression
-- CHECK: [run-time-check] Warning
-- CHECK: it fails with: division by zero
-- CHECK: [run-time-check] Warning
-- CHECK: [loop-not-unrolled] Warning: this loop is not unrolled
-- CHECK: loop acc = 0 for i < n
-- CHECK: how often it runs is not known
-- CHECK: [loop-not-unrolled] Warning
-- CHECK: loop acc = x for i < 40000
-- CHECK: its rounds together would be too large
-- CHECK: {{^}}warning: 6 warnings
-- LOOPS-NOT: a check is left
-- LOOPS: warning: 2 warnings
-- ERROR: [run-time-check] Error
-- ERROR: [loop-not-unrolled] Error

-- #[unroll], of loops that stay; #[warn(safety_checks)], of checks that stay, wherever they are.

def get [n] (xs: [n]i32) (i: i64) = xs[i]

#[noinline]
def far [n] (xs: [n]i32) (i: i64) = xs[i + 1] / xs[i]

entry sum (n: i64) : i64 = #[unroll] loop acc = 0 for i < n do acc + i

entry known (x: i64) : i64 = #[unroll] loop acc = x for i < 4 do acc + i

entry large (x: i64) : i64 = #[unroll] loop acc = x for i < 40000 do acc * acc + i

entry pick (xs: []i32) (is: []i64) : []i32 =
  #[warn(safety_checks)] map (\i -> get xs i) is

entry called (xs: []i32) (i: i64) : i32 =
  let y = xs[i + 7]
  in y + #[warn(safety_checks)] far xs i

-- Nothing to be said.
entry next (xs: []i32) : []i32 = #[warn(safety_checks)] map (\x -> x + 1) xs

entry both_ways [n] (xs: [n]i32) =
  #[warn(safety_checks)] tabulate n (\i -> xs[i] + xs[n - 1 - i] + xs[i / 2])
