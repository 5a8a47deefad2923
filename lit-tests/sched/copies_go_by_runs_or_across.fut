-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w %s --emit=sched --target=gpu-emu | FileCheck %s --check-prefix=DEVICE
-- What is dense on both sides is one run, rows of others are runs.
-- CHECK-LABEL: fun joined (
-- CHECK: schedule { runs 0 } concat
entry joined (xs: []f32) (ys: []f32) : []f32 = xs ++ ys
-- CHECK-LABEL: fun tails (
-- CHECK: schedule { runs 1 } copy
entry tails [n][m] (xs: [n][m]f32) : [n][]f32 = copy xs[:, 1:]
-- CHECK-LABEL: fun beside (
-- CHECK: schedule { along; panels (0, 1) rows 1024 ahead 32 least 64 from 16777216; squares (0, 1) lanes 8 side 2 } concat
entry beside [n][m][k] (xs: [n][m]f32) (ys: [n][k]f32) : [][n]f32 = transpose xs ++ transpose ys
-- Short rows go by loops, and so does what has no neighbours.
-- CHECK-LABEL: fun strided (
-- CHECK: schedule { loops } copy
entry strided [n] (xs: [n][2]f32) : [n]f32 = copy xs[:, 0]
-- CHECK-LABEL: fun narrow (
-- CHECK: schedule { loops } copy
entry narrow [n] (xs: [n][8]f32) : [n][4]f32 = copy xs[:, :4]
-- What goes across may turn out to be one row, is read by panels if it is large, and goes in squares; where there are no
-- vectors, in tiles.
-- CHECK-LABEL: fun turned (
-- CHECK: schedule { along; panels (0, 1) rows 1024 ahead 32 least 64 from 16777216; squares (0, 1) lanes 8 side 2 } copy
-- DEVICE-LABEL: fun turned (
-- DEVICE: schedule { tiles (0, 1) size 32 } copy
entry turned [n][m] (xs: [n][m]f32) : [m][n]f32 = copy (transpose xs)
-- A few columns are read one after the other.
-- CHECK-LABEL: fun few (
-- CHECK: schedule { innermost 0 } copy
-- DEVICE-LABEL: fun few (
-- DEVICE: schedule { loops } copy
entry few [n] (xs: [n][3]f32) : [3][n]f32 = copy (transpose xs)
-- CHECK-LABEL: fun few_rows (
-- CHECK: schedule { loops } copy
entry few_rows [n] (xs: [3][n]f32) : [n][3]f32 = copy (transpose xs)
-- CHECK-LABEL: fun added (
-- CHECK: schedule { {{.*}}innermost 0 } segmap
entry added [n] (xs: [n][3]f32) : [3][n]f32 = map (map (+ 1)) (transpose xs)
-- It is known to be small.
-- CHECK-LABEL: fun small (
-- CHECK: schedule { along; squares (0, 1) lanes 4 side 2 } copy
entry small (xs: [64][64]f64) : [64][64]f64 = copy (transpose xs)
-- CHECK-LABEL: fun put (
-- CHECK: schedule { runs 0 } update
entry put [n][m] (xs: *[n][m]f32) (ys: [m]f32) : [n][m]f32 = let xs[0] = ys in xs

-- Eight columns of two bytes are few.
-- CHECK-LABEL: fun narrow_columns (
-- CHECK: schedule { innermost 0 } copy(
entry narrow_columns [n] (a: [n][8]u16) : [8][n]u16 = copy (transpose a)
