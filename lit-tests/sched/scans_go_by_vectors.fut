-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64 | FileCheck %s --check-prefixes=CHECK,V1
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,V3
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s --check-prefixes=CHECK,V4

-- CHECK-LABEL: fun sums (
-- V1: schedule { vectors 4 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
-- V3: schedule { vectors 8 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
-- V4: schedule { vectors 16 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
entry sums [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs

-- What is known to be small is better off in the caches.
-- CHECK-LABEL: fun small (
-- V1: schedule { vectors 4 chunk 1024 } segscan seq
-- V3: schedule { vectors 8 chunk 1024 } segscan seq
-- V4: schedule { vectors 16 chunk 1024 } segscan seq
entry small (xs: [1000]f32) : [1000]f32 = scan (+) 0 xs

-- An operator of a few operations that vectors have.
-- CHECK-LABEL: fun linear (
-- V1: schedule { vectors 4 chunk 1024 {{.*}}} segscan seq
-- V3: schedule { vectors 8 chunk 1024 {{.*}}} segscan seq
entry linear [n] (xs: [n](f32, f32)) : [n](f32, f32) =
  scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) xs

-- Truth values are bytes.
-- CHECK-LABEL: fun flags (
-- V1: schedule { vectors 16 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
-- V3: schedule { vectors 32 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
-- V4: schedule { vectors 64 chunk 1024 ahead 8 least 128 from 16777216 } segscan seq
entry flags [n] (xs: [n]bool) : [n]bool = scan (||) false xs

-- Short rows, of which nobody knows how short they are, go in order.
-- CHECK-LABEL: fun rows (
-- V1: schedule { vectors 4 chunk 1024 rows 32 {{.*}}; loops } segscan seq
-- V3: schedule { vectors 8 chunk 1024 rows 32 {{.*}}; loops } segscan seq
-- V4: schedule { vectors 16 chunk 1024 rows 32 {{.*}}; loops } segscan seq
entry rows [n] [m] (xss: [n][m]f32) : [n][m]f32 = map (scan (+) 0) xss
