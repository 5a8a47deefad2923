-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s --check-prefix=WIDE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=sched | FileCheck %s --check-prefix=AVX2
-- RUN: futc -w --target=seq --target-cpu=x86-64-v2 %s --emit=sched | FileCheck %s --check-prefix=NONE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched > %t.first
-- RUN: futc-opt %t.first > %t.second
-- RUN: futc-opt %t.second | diff %t.second -

-- Vectors have as many lanes as there are of the widest element, and of bytes no more than of words.
-- WIDE-LABEL: fun words (
-- WIDE: #[compacts] schedule { compress 16; loops } loop
-- AVX2-LABEL: fun words (
-- AVX2: #[compacts] schedule { compress 8; loops } loop
-- NONE-LABEL: fun words (
-- NONE: #[compacts] loop
entry words [n] (xs: [n]i32) : []i32 = filter (\x -> x % 3 == 0) xs

-- WIDE-LABEL: fun bytes (
-- WIDE: compress 16
-- AVX2-LABEL: fun bytes (
-- AVX2: compress 8
entry bytes [n] (xs: [n]u8) : ([]u8, []u8) = partition (> 7) xs

-- WIDE-LABEL: fun pairs (
-- WIDE: compress 8
-- AVX2-LABEL: fun pairs (
-- AVX2: compress 4
entry pairs [n] (xs: [n]f32) : ([]f32, []i64) =
  unzip (filter (\(x, _) -> x > 0.5) (zip xs (iota n)))
