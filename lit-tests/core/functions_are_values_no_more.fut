-- Closures, composition and choice between functions leave first-order code.
-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK-LABEL: fun composed (
-- CHECK: map({{.*}}, \([[X:x_[0-9]+]]: i32) : (i32) {
-- CHECK: [[A:t_[0-9]+]]: i32 = add.i32([[X]], {{k_[0-9]+}})
-- CHECK-NEXT: mul.i32([[A]], 2i32)
-- CHECK-NOT: call
entry composed [n] (k: i32) (xs: [n]i32) = map ((+ k) >-> (* 2)) xs
-- CHECK-LABEL: fun folded (
-- CHECK: loop ({{.*}}) for
-- CHECK: fmul.f32
-- CHECK-NOT: call
entry folded [n] (xs: [n]f32) = foldr (\x acc -> acc * 0.5 + x) 0 xs
