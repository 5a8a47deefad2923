-- Only the llvm dialect; mlir-opt reads it, and mlir-translate makes LLVM IR of it.
-- RUN: futc -w --target=seq %s --emit=llvm-dialect > %t.mlir
-- RUN: mlir-opt --verify-each %t.mlir > %t.again
-- RUN: mlir-translate --mlir-to-llvmir %t.mlir > %t.ll
-- RUN: FileCheck %s --implicit-check-not=scf. --implicit-check-not=arith. --implicit-check-not=func.func --implicit-check-not=memref. < %t.mlir
-- CHECK: llvm.func internal @fut_main(
-- CHECK: llvm.cond_br
entry main [n] (xs: [n]i32) = i32.sum (map (\x -> if x > 0 then x / 3 else 0) xs)
