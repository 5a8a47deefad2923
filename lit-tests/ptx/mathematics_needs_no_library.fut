-- The functions of the GPU's mathematics are linked in: nothing is left to be found elsewhere.
-- RUN: futc -w --target=nvptx %s --emit=ptx | FileCheck %s --implicit-check-not=.extern --implicit-check-not=__nv_
-- CHECK: .visible .entry
entry main [n] (xs: [n]f32) = map (\x -> f32.sin x + f32.exp x + f32.log (f32.abs x)) xs
