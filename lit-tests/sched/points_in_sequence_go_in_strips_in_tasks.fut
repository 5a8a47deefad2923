-- REQUIRES: x86
-- RUN: futc -w --target=multicore --emit=sched --target-cpu=x86-64-v3 %s | FileCheck %s

-- The index of a point is a sum in a task; its arrays still lie in the strip's block, element beside element.
-- CHECK: segmap tasks
-- CHECK: #[strip] schedule { lanes
entry running [m] [n] (xss: [m][n]f64) : [m][n]f64 =
  map (\xs ->
         (loop (ys, p) = (replicate n 0, 0) for j < n do
            let p = (p + xs[j]) / (2 + p * p)
            in (ys with [j] = p, p)).0)
      xss
