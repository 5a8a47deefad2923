// RUN: futc-mlir-opt --convert=kernels-to-own-functions %s | FileCheck %s
// RUN: futc-mlir-opt --convert=kernels-to-own-functions,memref-to-pointers %s | FileCheck %s --check-prefix=CALLS
// A function of ours is defined once, in the module of the kernels, of one float. What hardly ever happens is left to
// the library.
// CHECK: gpu.module @kernels
// CHECK-LABEL: func.func private @futc.exp.f32(
// CHECK-SAME: %[[X:.*]]: f32) -> f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[X]] : f32
// CHECK: math.fma %{{.*}} : f32
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func private @futc.sin.f64(
// CHECK: scf.if
// CHECK-NEXT: math.sin
// CHECK-LABEL: func.func private @futc.futc_fmod.f32(
// CHECK: scf.if
// CHECK-NEXT: llvm.call @futc_fmodf(
// CHECK-NOT: func.func private
// CHECK-LABEL: gpu.func @kernel_0(
// CHECK: call @futc.exp.f32(
// CHECK: call @futc.sin.f64(
// CHECK: call @futc.exp.f32(
// CHECK: call @futc.futc_fmod.f32(
// Ours would err by more, or there is none.
// CHECK: math.tan
// CHECK: math.sin
// CALLS: llvm.func @sin(f64) -> f64
// CALLS-LABEL: func.func private @futc.sin.f64(
// CALLS: llvm.call @sin(
gpu.module @kernels {
  llvm.func @futc_fmodf(f32, f32) -> f32
  gpu.func @kernel_0(%x: f32, %y: f64, %result: !llvm.ptr) kernel {
    %a = math.exp %x : f32
    %b = math.sin %y : f64
    %c = math.exp %a : f32
    %d = llvm.call @futc_fmodf(%c, %x) : (f32, f32) -> f32
    %e = math.tan %b : f64
    %f = math.sin %d : f32
    llvm.store %e, %result : f64, !llvm.ptr
    llvm.store %f, %result : f32, !llvm.ptr
    gpu.return
  }
}
// What the host calls stays.
// CHECK-LABEL: func.func @host(
// CHECK: math.exp
func.func @host(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}
