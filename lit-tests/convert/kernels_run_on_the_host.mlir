// RUN: futc-mlir-opt --convert=kernels-to-host %s | FileCheck %s
// Threads ask the runtime where they are, wait for each other in it, and end by it; the runtime calls a function that
// takes pointers to the arguments.
// CHECK-LABEL: func.func private @kernel_0(
// CHECK: [[X:%.*]] = arith.constant 0 : i32
// CHECK: llvm.call @futc_emu_block_id([[X]])
// CHECK: llvm.call @futc_emu_thread_id(
// CHECK: llvm.call @futc_emu_barrier()
// CHECK: llvm.call @futc_emu_fail(%{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr) -> ()
// CHECK: return
// CHECK-LABEL: func.func private @futc_emu_kernel_0(%{{.*}}: !llvm.ptr)
// CHECK-COUNT-4: llvm.load
// CHECK: call @kernel_0(
// CHECK-NOT: gpu.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.func @futc_kernel_fail(!llvm.ptr, i32, !llvm.ptr)
    gpu.func @kernel_0(%xs: !llvm.ptr, %failure: !llvm.ptr) kernel {
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %i = arith.index_cast %block : index to i64
      %j = arith.index_cast %thread : index to i64
      llvm.store %i, %xs : i64, !llvm.ptr
      gpu.barrier
      llvm.store %j, %xs : i64, !llvm.ptr
      %code = arith.constant 3 : i32
      llvm.call @futc_kernel_fail(%failure, %code, %xs) : (!llvm.ptr, i32, !llvm.ptr) -> ()
      gpu.return
    }
  }
}
