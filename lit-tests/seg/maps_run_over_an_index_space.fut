-- For one thread, a map is a loop over points; what is read stands in its body. A nest of maps, or
-- of maps around a reduction, is one operation.
-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- CHECK: level seg
-- CHECK-LABEL: fun sums (
-- CHECK: segred seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}, [[J:i_[0-9]+]] < {{m_[0-9]+}})
-- CHECK: index {{xss_[0-9]+}}{{\[}}[[I]], [[J]]]
-- CHECK: in (return
-- CHECK-NOT: {{seg(map|red)}}
entry sums [n] [m] (xss: [n][m]f32) = map f32.sum xss
-- What does not depend on the inner index moves in with it.
-- CHECK-LABEL: fun scaled (
-- CHECK: segmap seq ([[I:i_[0-9]+]] < {{n_[0-9]+}}, [[J:i_[0-9]+]] < {{m_[0-9]+}}) : (f32)
-- CHECK-NOT: {{seg(map|red)}}
entry scaled [n] [m] (xs: [n]f32) (xss: [n][m]f32) = map2 (\x -> map (* f32.exp x)) xs xss
-- A sum that a row is divided by is not computed for every element of the row.
-- CHECK-LABEL: fun normalised (
-- CHECK: segmap seq ({{i_[0-9]+}} < {{n_[0-9]+}}) : ({{\[}}
-- CHECK: segred seq ({{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: segmap seq ({{i_[0-9]+}} < {{m_[0-9]+}})
entry normalised [n] [m] (xss: [n][m]f32) = map (\xs -> let s = f32.sum xs in map (/ s) xs) xss
-- Rows of sizes of their own have checks between them, which stay.
-- CHECK-LABEL: fun scans (
-- CHECK: segscan seq ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}}) op
entry scans [n] [m] (xss: [n][m]i32) = map (scan (+) 0) xss
