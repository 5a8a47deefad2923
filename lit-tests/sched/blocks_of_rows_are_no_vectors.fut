-- Loops around rows of known length are no vectors of rows themselves, however many rows there are: LLVM would scatter.
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s

-- CHECK-LABEL: fun kronecker (
-- CHECK: schedule { outer 1 } segmap seq (block_{{[0-9]+}} < 32) : ([32]f32)
-- CHECK: schedule { loops } segmap seq (k_{{[0-9]+}} < 32) : (f32)
entry kronecker (b: [1024]f32) : [1024][1024]f32 =
  let b = unflatten (b :> [32 * 32]f32)
  in map (\i -> map (\j -> b[i / 32, j / 32] * b[i % 32, j % 32]) (iota 1024)) (iota 1024)
