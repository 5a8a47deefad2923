-- Reductions and scans inside of points that also store elements go by lanes, as in normalising a vector round after round.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun normalised
-- CHECK: #[strip] schedule { lanes
-- CHECK: let (red_{{[0-9]+}}: f32, map_{{[0-9]+}}: {{.*}}) = schedule { {{.*}} } segred seq
entry normalised [q] [t] [s] (factors: [q][t]f32) (m: [s][s]f32) : [q]f32 =
  map (\fs ->
    let a = loop a = replicate s 1 for f in fs do
      let b = map (\row -> f * f32.sum (map2 (*) row a)) m
      let z = f32.sum b
      in map (/ z) b
    in a[0]) factors
