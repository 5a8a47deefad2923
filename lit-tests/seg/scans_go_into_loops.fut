-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- A filter by sums accumulates them itself.
-- CHECK-LABEL: fun below (
-- CHECK-NOT: segscan
-- CHECK: loop (
-- CHECK-NOT: segscan
-- CHECK: update
entry below (xs: []i32) : []i32 = filter (< 100) (scan (+) 0 xs)

-- Places that a scan counts are counted by who writes there, even if what is counted is read elsewhere
-- too, as long as it can be made again.
-- CHECK-LABEL: fun by_bit (
-- CHECK-NOT: segscan
-- CHECK: segred
-- CHECK: replicate
-- CHECK-NEXT: loop (
-- CHECK-NOT: segscan
-- CHECK: [[INSIDE:inside_[0-9]+]]: bool = ult.i64(
-- CHECK: if [[INSIDE]] {
-- CHECK-NEXT: update
entry by_bit [n] (xs: [n]u32) (bit: i32) : [n]u32 =
  let ones = map (\x -> i64.i32 (u32.get_bit bit x)) xs
  let upto = scan (+) 0 ones
  let zeros = n - i64.sum ones
  let place i one k = if one == 1 then zeros + k - 1 else i - k
  in scatter (replicate n 0) (map3 place (iota n) ones upto) xs

-- Sums of floats are not: they are made for several elements at a time.
-- CHECK-LABEL: fun by_sum (
-- CHECK: segscan
-- CHECK: segmap
-- CHECK: write
entry by_sum [n] (xs: [n]f32) : [n]f32 =
  scatter (replicate n 0) (map i64.f32 (scan (+) 0 xs)) xs
