-- RUN: futc --target=seq --emit=sched %s | FileCheck %s

-- A loop over nearly all of a row takes as long as transposing it, wherever it begins.
-- CHECK-LABEL: fun from_second (
-- CHECK: #[strip] schedule {{.*}} segmap
entry from_second [n] [m] (xs: [n][m]f32) : [n]f32 =
  map (\x -> loop a = 0 for k in 1..<m do a * 0.9 + x[k]) xs

-- CHECK-LABEL: fun differences (
-- CHECK: #[strip] schedule {{.*}} segmap
entry differences [n] [m] (xs: [n][m]f32) : [n]f32 =
  map (\x -> loop a = 0 for k < m - 1 do a * 0.9 + (x[k + 1] - x[k])) xs

-- Of half a row it is not known.
-- CHECK-LABEL: fun half (
-- CHECK-NOT: #[strip]
entry half [n] [m] (xs: [n][m]f32) : [n]f32 =
  map (\x -> loop a = 0 for k < m / 2 do a * 0.9 + x[k]) xs
