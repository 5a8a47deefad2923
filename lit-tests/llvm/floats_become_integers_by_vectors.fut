-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=asm | FileCheck %s
-- x86 has no conversions that saturate: what is out of range is selected before and after them, not lane by lane.
-- CHECK-LABEL: futc_entry_colours:
-- CHECK: vcvttps2dq %{{[yz]}}mm
-- CHECK-LABEL: futc_entry_words:
-- CHECK: vcvttpd2qq
entry colours (xs: []f32) = map u8.f32 xs
entry words (xs: []f64) = map i64.f64 xs
-- Lanes of a body with a loop, too.
-- CHECK-LABEL: futc_entry_rounded:
-- CHECK: vcvttps2dq %{{[yz]}}mm
-- CHECK-NOT: vpinsrd
-- CHECK: ret
entry rounded (xs: []f32) =
  map (\x -> let y = loop y = x while y < 100 do y * (x + 2) in i32.f32 y) xs
