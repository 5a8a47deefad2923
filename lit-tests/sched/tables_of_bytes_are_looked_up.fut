-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --emit=sched | FileCheck %s --check-prefixes=CHECK,BYTES
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=sched | FileCheck %s --check-prefixes=CHECK,NONE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=sched | FileCheck %s --check-prefixes=CHECK,NONE
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --explain-schedule | FileCheck %s --check-prefix=WHY
-- RUN: futc -w --target=seq --target-cpu=znver4 %s --emit=sched > %t.first
-- RUN: futc-opt %t.first > %t.second
-- RUN: futc-opt %t.second | diff %t.second -

-- A processor that permutes bytes looks up whole vectors of them; the index as a word counts for nothing.
-- CHECK-LABEL: fun rows (
-- BYTES: schedule { lanes 128; lanes 64; scalar } segmap seq
-- NONE: schedule { {{.*}}loops } segmap seq
-- WHY: worth it: there is no loop inside, but elements of tables of bytes are read
entry rows [h][w] (table: [256]u8) (picture: [h][w]u8) : [h][w]u8 =
  map (map (\p -> table[i64.u8 p])) picture

-- Smaller tables, and bytes of other types.
-- CHECK-LABEL: fun masked (
-- BYTES: schedule { lanes 128; lanes 64; scalar } segmap seq
-- NONE: schedule { {{.*}}loops } segmap seq
entry masked [n] (table: [64]bool) (xs: [n]i8) : [n]bool = map (\x -> table[i64.i8 (x & 63)]) xs

-- Also in place: no point is computed twice then.
-- CHECK-LABEL: fun in_place (
-- BYTES: schedule { lanes 128; lanes 64; scalar } segmap seq
-- NONE: schedule independent { {{.*}}loops } segmap seq
entry in_place [n] (table: [256]u8) (xs: *[n]u8) : [n]u8 = map (\x -> table[i64.u8 x] + x) xs

-- Not: signed indexes, wider elements, and those that are checked.
-- CHECK-LABEL: fun signed (
-- CHECK-NOT: lanes
-- CHECK-LABEL: fun words (
-- CHECK-NOT: lanes
-- CHECK-LABEL: fun of_any_size (
-- BYTES-NOT: lanes
entry signed [n] (table: [256]u8) (xs: [n]i8) : [n]u8 = map (\x -> #[unsafe] table[i64.i8 x]) xs
entry words [n] (table: [256]i32) (xs: [n]u8) : [n]i32 = map (\x -> table[i64.u8 x]) xs
entry of_any_size [n][m] (table: [m]u8) (xs: [n]u8) : [n]u8 = map (\x -> table[i64.u8 x]) xs
