-- RUN: futc -w %s --emit=core | FileCheck %s
-- Of what runs a number of times that is known, nothing is left but its rounds: not even their checks.
-- CHECK-LABEL: fun powers (
-- CHECK-NOT: loop (
-- CHECK-NOT: out of bounds
-- CHECK-COUNT-2: mul.i32(
-- CHECK-NOT: mul.i32(
entry powers (xs: [3]i32) : i32 = #[unroll] loop p = 1 for i < 3 do p * xs[i]

-- The loop inside is another one.
-- CHECK-LABEL: fun nested (
-- CHECK-COUNT-2: loop (
-- CHECK-NOT: loop (
entry nested [n] (xs: [n]i32) : i32 =
  #[unroll] loop p = 1 for _i < 2 do loop q = p for x in xs do q * (q + x)

-- How often this one runs is not known.
-- CHECK-LABEL: fun unknown (
-- CHECK: loop (
entry unknown (n: i64) : i64 = #[unroll] loop p = 1 for _i < n do p * p + 1
