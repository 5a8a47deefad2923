-- RUN: futc -w --target=seq %s --emit=mlir --target-cpu=x86-64-v3 | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=llvm --target-cpu=x86-64-v3 | FileCheck %s --check-prefix=LLVM

-- LLVM is asked to leave loops over few points as they are; not so the loop that a point has.
-- CHECK: loop_unroll<disable = true>
-- CHECK: loop_vectorize<disable = true>
-- CHECK: [[SCALAR:#loop_annotation[0-9]*]] = #llvm.loop_annotation<vectorize = #loop_vectorize, unroll = #loop_unroll>
-- CHECK-LABEL: func.func {{.*}}@fut_powers
-- CHECK: scf.for {{.*}} -> (vector<64xf32>)
-- CHECK: scf.for {{.*}} -> (f32)
-- CHECK: } {loop_annotation = [[SCALAR]]}
-- LLVM: !{!"llvm.loop.vectorize.enable", i1 false}
entry powers [n] (k: i64) (xs: [n]f32) : [n]f32 =
  map (\x -> loop p = 1 for _i < k do p * x + 1) xs
