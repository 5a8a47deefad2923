// RUN: futc-mlir-opt --convert=launches-to-calls %s | FileCheck %s
// RUN: futc-mlir-opt --convert=launches-to-calls,memref-to-pointers %s | FileCheck %s --check-prefix=CONVERTED
// RUN: mlir-opt --verify-each %s > %t
// A kernel is called by its number, with pointers to words that have its arguments; the runtime adds the failure record.
// CHECK-LABEL: func.func @launches(
// CHECK-SAME: [[CONTEXT:%[a-z0-9_]+]]: !llvm.ptr, [[BLOCK:%[a-z0-9_]+]]: memref<?xi8>, [[N:%[a-z0-9_]+]]: i64, [[GRID:%[a-z0-9_]+]]: i64)
// CHECK: [[WORDS:%.*]] = llvm.alloca %{{.*}} x i64
// CHECK: [[POINTERS:%.*]] = llvm.getelementptr {{.*}}[[WORDS]][2]
// CHECK: memref.extract_aligned_pointer_as_index [[BLOCK]]
// CHECK: llvm.store %{{.*}}, [[WORDS]] {{.*}} : !llvm.ptr, !llvm.ptr
// CHECK: llvm.store [[WORDS]], [[POINTERS]]
// CHECK: [[SECOND:%.*]] = llvm.getelementptr {{.*}}[[WORDS]][1]
// CHECK: llvm.store [[N]], [[SECOND]]
// CHECK: llvm.store [[SECOND]], %
// CHECK: [[NUMBER:%.*]] = arith.constant 1 : i64
// CHECK: llvm.call @futc_launch([[CONTEXT]], [[NUMBER]], [[GRID]], {{.*}}, [[POINTERS]])
// CHECK-NOT: gpu.launch_func
// CHECK: return
// CONVERTED: llvm.store %arg1, %{{.*}} : !llvm.ptr, !llvm.ptr
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel_0(%failure: !llvm.ptr) kernel { gpu.return }
    gpu.func @kernel_1(%block: memref<?xi8>, %n: i64, %failure: !llvm.ptr) kernel { gpu.return }
  }
  func.func @launches(%context: !llvm.ptr, %block: memref<?xi8>, %n: i64, %grid: i64) {
    %one = arith.constant 1 : i64
    %threads = arith.constant 256 : i64
    %failure = llvm.mlir.zero : !llvm.ptr
    gpu.launch_func @kernels::@kernel_1 blocks in (%grid, %one, %one) threads in (%threads, %one, %one) : i64
      args(%block : memref<?xi8>, %n : i64, %failure : !llvm.ptr)
    return
  }
}
