// RUN: futc-mlir-opt --convert=memref-to-pointers %s | FileCheck %s
// A function of C is declared once, before it is called.
// CHECK: llvm.func @sinf(f32) -> f32
// CHECK-NOT: llvm.func @sinf
// CHECK-LABEL: func.func @functions(
// CHECK: llvm.call_intrinsic "llvm.sqrt"
// CHECK: llvm.call_intrinsic "llvm.fma"
// CHECK: llvm.call @sinf(
// CHECK: llvm.call @sinf(
// CHECK: llvm.call_intrinsic "llvm.minnum"
func.func @functions(%x: f32, %y: f32) -> f32 {
  %a = math.sqrt %x : f32
  %b = math.fma %a, %x, %y : f32
  %c = math.sin %b : f32
  %d = math.sin %c : f32
  %e = arith.minnumf %d, %y : f32
  return %e : f32
}
// CHECK-LABEL: func.func @doubles(
// CHECK: llvm.call @pow({{.*}}) : (f64, f64) -> f64
func.func @doubles(%x: f64, %y: f64) -> f64 {
  %a = math.powf %x, %y : f64
  return %a : f64
}
// CHECK-LABEL: func.func @bits(
// CHECK: llvm.intr.ctpop
// CHECK: "llvm.intr.ctlz"({{.*}}) <{is_zero_poison = false}>
// CHECK: "llvm.intr.cttz"
func.func @bits(%x: i32) -> i32 {
  %a = math.ctpop %x : i32
  %b = math.ctlz %a : i32
  %c = math.cttz %b : i32
  return %c : i32
}
