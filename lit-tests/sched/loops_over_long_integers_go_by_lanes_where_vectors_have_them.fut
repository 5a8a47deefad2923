-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck %s --check-prefixes=CHECK,WIDE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=sched %s | FileCheck %s --check-prefixes=CHECK,NARROW
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --explain-schedule %s | FileCheck %s --check-prefix=SAID
-- REQUIRES: x86

-- Before AVX-512, vectors neither multiply nor shift integers of 64 bits by an instruction.
-- CHECK-LABEL: fun lengths (
-- WIDE: schedule { lanes
-- NARROW: schedule { loops
-- SAID: Lanes: not worth it: 64-bit integers are multiplied, divided or shifted in the loops inside
entry lengths [n] (xs: [n]i64) : [n]i64 =
  map (\x -> (loop (x, c) = (x, 0) while x > 1 do (if x % 2 == 0 then x / 2 else 3 * x + 1, c + 1)).1) xs

-- CHECK-LABEL: fun lengths_of_short (
-- CHECK: schedule { lanes
entry lengths_of_short [n] (xs: [n]u32) : [n]i32 =
  map (\x -> (loop (x, c) = (x, 0) while x > 1 do (if x & 1 == 0 then x >> 1 else 3 * x + 1, c + 1)).1) xs
