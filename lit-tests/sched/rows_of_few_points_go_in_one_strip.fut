-- REQUIRES: x86
-- Rows of fewer points than a register has lanes are one strip: of as many lanes, or with a mask of those that have a point.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=sched %s | FileCheck --check-prefixes=CHECK,V4 %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --emit=sched %s | FileCheck --check-prefixes=CHECK,V3 %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --emit=mlir %s | FileCheck --check-prefix=MLIR %s

def go (r: f32) (x: f32) = loop s = x while s < 100 do s * (1.1 + r) + 1

-- CHECK-LABEL: fun four (
-- CHECK: schedule { lanes 4; scalar } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < 4)
entry four [n] (xs: [n][4]f32) = map (\r -> map (go r[0]) r) xs

-- CHECK-LABEL: fun three (
-- V4: schedule { lanes 4 partial 1; scalar } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < 3)
-- V3: schedule { {{loops|scalar}} } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < 3)
-- MLIR: func.func {{.*}}three
-- MLIR: [[MASK:%[0-9a-z_]+]] = arith.cmpi slt, %{{[0-9a-z_]+}}, %{{[0-9a-z_]+}} : vector<4xi64>
-- MLIR: vector.maskedload {{.*}} vector<4xf32>
-- MLIR: vector.maskedstore {{.*}}, [[MASK]], {{.*}} vector<4xf32>
entry three [n] (xs: [n][3]f32) = map (\r -> map (go r[0]) r) xs

-- CHECK-LABEL: fun unknown (
-- V4: lanes 8; lanes 8 partial 1; scalar } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < m_{{[0-9]+}})
-- V3: lanes 4; scalar } segmap seq (i_{{[0-9]+}} < n_{{[0-9]+}}, i_{{[0-9]+}} < m_{{[0-9]+}})
entry unknown [n] [m] (xs: [n][m]f32) = map (\r -> map (go 0.5) r) xs
