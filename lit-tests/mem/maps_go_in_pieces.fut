-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- The checks and the branch are gone from the main piece, which all pieces but the first are.
-- CHECK-LABEL: fun before (
-- CHECK: segmap
-- CHECK-NEXT: in (return 0i32)
-- CHECK: [[FIRST:i_[0-9]+]]: i64 = #[index] add.i64(
-- CHECK-NEXT: [[AT:t_[0-9]+]]: i64 = sub.i64([[FIRST]], 1)
-- CHECK-NEXT: [[X:xs_[0-9]+]]: i32 = index {{.*}}[[[AT]]]
-- CHECK-NEXT: in (return [[X]])
-- CHECK: concat(0, [
entry before [n] (xs: [n]i32) : [n]i32 =
  tabulate n (\i -> if i < 1 then 0 else xs[i - 1])

-- The index that goes round is one distance away in the main piece.
-- CHECK-LABEL: fun round (
-- CHECK: segmap
-- CHECK: if
-- CHECK: segmap
-- CHECK-NOT: if
-- CHECK: index
-- CHECK: segmap
-- CHECK: if
entry round [n] (k: i64) (xs: [n]i32) : [n]i32 = map (+ 1) (rotate k xs)

-- Every row has its own pieces.
-- CHECK-LABEL: fun rows (
-- CHECK: segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}) :
-- CHECK: segmap
-- CHECK: concat
-- CHECK: in (return
entry rows [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j -> if j > i then 0 else xs[i, j] * xs[i, j] + xs[0, j])

-- A factor that the run knows: the check is gone where it holds at both ends.
-- CHECK-LABEL: fun strided (
-- CHECK: assert({{.*}}out of bounds
-- CHECK: segmap
-- CHECK-NOT: assert
-- CHECK: index
-- CHECK: in (return
-- CHECK: segmap
-- CHECK: assert({{.*}}out of bounds
entry strided [n] (k: i64) (m: i64) (xs: [n]i32) : [m]i32 = tabulate m (\i -> xs[i * k])

-- What is reduced and stored goes in pieces, too: what lies outside has little to do on either side, and
-- what the pieces come to is put together.
-- CHECK-LABEL: fun banded (
-- CHECK: ([[LOW:total_[0-9]+]]: i32, {{.*}}) = segred
-- CHECK-NOT: index
-- CHECK: in (return 0i32, return 0i32)
-- CHECK: ([[NEXT:total_[0-9]+]]: i32, {{.*}}) = segred
-- CHECK: if
-- CHECK: ([[MAIN:total_[0-9]+]]: i32, {{.*}}) = segred
-- CHECK-NOT: if
-- CHECK-NOT: out of bounds
-- CHECK: in (return
-- CHECK: segred
-- CHECK: ([[HIGH:total_[0-9]+]]: i32, {{.*}}) = segred
-- CHECK: in (return 0i32, return 0i32)
-- CHECK: [[FIRST:t_[0-9]+]]: i32 = smax.i32([[LOW]], [[NEXT]])
-- CHECK-NEXT: smax.i32([[FIRST]], [[MAIN]])
-- CHECK: concat(0, [
entry banded [n] (k: i64) (xs: [n]i32) : ([n]i32, i32) =
  let ys = tabulate n (\i -> if i < k || i >= n - k then 0 else xs[i - k] * xs[i - k] + xs[i + k])
  in (ys, i32.maximum ys)

-- Divisions that are the same all along a row stand before it, with a divisor that is never zero.
-- CHECK-LABEL: fun around (
-- CHECK:     segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}})
-- CHECK:       [[D:divisor_[0-9]+]]: i64 = {{(<.*> )?}}umax.i64(n_{{[0-9]+}}, 1)
-- CHECK:       smod.i64({{.*}}, [[D]])
-- CHECK:       segmap
-- CHECK-NOT:   smod.i64({{.*}}, n_{{[0-9]+}})
-- CHECK:     }
entry around [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  tabulate_2d n m (\i j -> xs[(i - 1) % n, j] + xs[i, (j + 1) % m])

-- In rows that have a main piece, what lies beside it is the border.
-- CHECK-LABEL: fun border (
-- CHECK: #[peeled] segmap
-- CHECK-NOT: if
-- CHECK: in (return 0i32)
-- CHECK: segmap
-- CHECK: index xs_
-- CHECK: #[peeled] segmap
-- CHECK-NOT: if
-- CHECK: in (return 0i32)
-- CHECK: concat(0, [
entry border [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  tabulate_2d n m (\i j ->
    if i == 0 || j == 0 || j == m - 1 then 0 else xs[i - 1, j - 1] + xs[i - 1, j + 1] + xs[i, j])
