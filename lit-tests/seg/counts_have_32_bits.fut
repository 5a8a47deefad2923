-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- Indexes and counts are halved where they fit.
-- CHECK-LABEL: fun greatest (
-- CHECK: [[FITS:fits_[0-9]+]]: bool = sle.i64({{n_[0-9]+}}, 2147483647)
-- CHECK: if [[FITS]] {
-- CHECK: : (f32, i32) {
-- CHECK: sext.i32.i64
-- CHECK: } else {
-- CHECK: : (f32, i64) {
entry greatest [n] (xs: [n]f32) : i64 =
  let op (x: f32, i: i64) (y, j) = if y > x then (y, j) else (x, i)
  in (reduce op (-f32.inf, -1) (zip xs (iota n))).1

-- CHECK-LABEL: fun count (
-- CHECK: add.i32(
-- CHECK: btoi.i32(
entry count [n] (xs: [n]f32) : i64 = i64.sum (map (\x -> i64.bool (x > 0)) xs)
