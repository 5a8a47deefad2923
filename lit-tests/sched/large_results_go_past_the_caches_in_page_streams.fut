-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s --check-prefixes=CHECK,PAGES
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=znver4 | FileCheck %s --check-prefixes=CHECK,ENDS

-- One array to read and one to write: eight pages of 4096 bytes at a time.
-- CHECK-LABEL: fun one (
-- PAGES: schedule { stream chunk 128 pages (8, 1024, 128) least 1048576 from 16777216; loops } segmap seq
-- ENDS: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry one [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- CHECK-LABEL: fun two (
-- PAGES: schedule { stream chunk 128 pages (4, 1024, 128) least 524288 from 16777216; loops } segmap seq
-- ENDS: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry two [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (+) xs ys

-- CHECK-LABEL: fun five (
-- PAGES: schedule { stream chunk 128 pages (2, 512, 128) least 104857 from 16777216; loops } segmap seq
-- ENDS: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry five [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (d: [n]f64) (e: [n]f64) : [n]f64 =
  map5 (\a b c d e -> a + b * c - d * e) a b c d e

-- A page of bytes has more of them.
-- CHECK-LABEL: fun bytes (
-- PAGES: schedule { stream chunk 128 pages (8, 4096, 128) least 4194304 from 16777216; loops } segmap seq
-- ENDS: schedule { stream chunk 128 from 16777216; loops } segmap seq
entry bytes [n] (xs: [n]u8) : [n]u8 = map (^ 255) xs

-- What is only read, too.
-- CHECK-LABEL: fun sum (
-- PAGES: pages (8, 1024, {{[0-9]+}}) least 1048576
-- ENDS: schedule { loops } segred seq
entry sum [n] (xs: [n]f32) : f32 = f32.sum xs
