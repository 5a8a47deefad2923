-- REQUIRES: x86
-- RUN: futc --target=seq --emit=sched --target-cpu=x86-64-v3 %s | FileCheck %s

-- The points that index-set splitting peels off either end, and those that are too few for lanes, have loops as small as code can
-- be. What they have less to do at one end is not worth code of its own.

-- CHECK-LABEL: fun sums (
-- CHECK: #[peeled] schedule { scalar } segmap
-- CHECK: schedule {{.*}}{ loops } segmap
-- CHECK: #[peeled] schedule { scalar } segmap
-- CHECK-NOT: segmap
-- CHECK: concat(0,
entry sums [n] (xs: [n]f32) =
  let at i = if i < 0 || i >= n then 0 else xs[i]
  in tabulate n (\i -> at (i - 2) + at (i - 1) + xs[i] + at (i + 1) + at (i + 2))

-- CHECK-LABEL: fun powers (
-- CHECK: schedule { lanes 16; lanes 8; scalar } segmap
entry powers [n] (xs: [n]f32) =
  map (\x -> loop y = x while y < 100 do y * 1.5 + 1) xs

-- CHECK-LABEL: fun total (
-- CHECK: schedule { lanes 32; lanes {{[0-9]+}}; scalar } segred
entry total [n] (xs: [n]f32) (k: i32) =
  i64.sum (map (\x -> i64.f32 (loop y = x for _i < k do y * y - x)) xs)

-- What is left out of a main piece at one end may be nearly all there is: that is no peeled range, and what it has less to do is
-- left out.
-- CHECK-LABEL: fun first (
-- CHECK-NOT: peeled
-- CHECK: in (return 1.0f32)
-- CHECK-NOT: peeled
-- CHECK: concat(0,
entry first (k: i64) : []f32 =
  tabulate 100000 (\i -> if i < 100 then f32.sqrt (f32.i64 i * 2 + 1) * f32.i64 (i + 3) - f32.i64 (i * k) else 1)

-- Where one side of a branch is a few points at an end, the main piece is the other, whatever there is to do: the branch at the left
-- checks its index, and the one at the right does not.
-- CHECK-LABEL: fun smooth (
-- CHECK: #[peeled] schedule { scalar } segmap
-- CHECK: schedule {{.*}}{ loops } segmap
-- CHECK-NOT: if
-- CHECK: #[peeled] schedule { scalar } segmap
-- CHECK-NOT: segmap
-- CHECK: concat(0,
entry smooth [n] (xs: [n]f64) =
  let at j = if j < 0 then xs[0] else if j >= n then xs[n - 1] else xs[j]
  in tabulate n (\j -> (at (j - 1) + 2 * at j + at (j + 1)) / 4)
