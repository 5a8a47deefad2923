-- RUN: futc -w --target=nvptx %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=gpu-emu %s --emit=mlir | FileCheck %s
-- RUN: futc -w --target=nvptx %s --emit=mlir | mlir-opt --verify-each > %t
-- CHECK-LABEL: gpu.module @
-- CHECK: gpu.func @[[K:[a-z0-9_]+]]({{.*}}) kernel
-- CHECK: gpu.block_id x
-- CHECK: gpu.thread_id x
-- CHECK: gpu.return
-- CHECK-LABEL: func.func private @fut_main(
entry main [n] (xs: [n]f32) = map (\x -> x * x + 1) xs
