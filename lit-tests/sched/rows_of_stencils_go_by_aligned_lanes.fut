-- REQUIRES: x86
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=sched --target-cpu=znver4 | FileCheck %s

-- Neighbours beside one another, in rows of which nobody knows the length.
-- Vectors have 32 bytes: of longer ones each would lie across two lines of the cache.
-- CHECK-LABEL: fun smooth (
-- CHECK: schedule { {{.*}}lanes 8 aligned; scalar } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, {{.*}}) : (f32)
entry smooth [n] [m] (xss: [n][m]f32) : [n][]f32 =
  tabulate_2d n (m - 2) (\i j -> #[unsafe] xss[i, j] + xss[i, j + 1] + xss[i, j + 2])

-- Three rows beneath one another, of wider elements.
-- CHECK-LABEL: fun down (
-- CHECK: schedule { {{.*}}lanes 4 aligned; scalar } segmap seq
entry down [n] [m] (xss: [n][m]f64) : [][m]f64 =
  tabulate_2d (n - 2) m (\i j -> #[unsafe] xss[i, j] + xss[i + 1, j] + xss[i + 2, j])

-- Left to LLVM: what is read once; one dimension; rows of a length that is known; two rows that are far apart.
-- CHECK-LABEL: fun once (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry once [n] [m] (xss: [n][m]f32) : [n][m]f32 = map (map (\x -> x * x + 1)) xss

-- CHECK-LABEL: fun line (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry line [n] (xs: [n]f32) : []f32 = tabulate (n - 2) (\j -> #[unsafe] xs[j] + xs[j + 1] + xs[j + 2])

-- CHECK-LABEL: fun short (
-- CHECK: schedule { {{.*}}outer 1 } segmap seq
entry short [n] (xss: [n][20]f32) : [n][18]f32 =
  tabulate_2d n 18 (\i j -> #[unsafe] xss[i, j] + xss[i, j + 1] + xss[i, j + 2])

-- CHECK-LABEL: fun two (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry two [n] [m] (xss: [n][m]f32) : [][m]f32 =
  tabulate_2d (n - 1) m (\i j -> #[unsafe] xss[i, j] - xss[i + 1, j])

-- And what vectors cannot do: a function that they do not have.
-- CHECK-LABEL: fun functions (
-- CHECK: schedule { {{.*}}loops } segmap seq
entry functions [n] [m] (xss: [n][m]f32) : [n][]f32 =
  tabulate_2d n (m - 1) (\i j -> #[unsafe] f32.lgamma (xss[i, j] + xss[i, j + 1]))
