-- A sum is its tag and as many values of each type as its largest constructor needs.
-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK-LABEL: fun main (
-- CHECK: let ({{[a-z]+_[0-9]+}}: i8, {{[a-z]+_[0-9]+}}: f32, {{[a-z]+_[0-9]+}}: f32) = if
-- CHECK: [[TAG:[a-z]+_[0-9]+]]: i8 = opaque
-- CHECK: [[X:[a-z]+_[0-9]+]]: f32 = opaque
-- CHECK: [[Y:[a-z]+_[0-9]+]]: f32 = opaque
-- CHECK: match [[TAG]] case
-- CHECK: fmul.f32([[X]], [[X]])
-- CHECK: fmul.f32([[Y]], [[X]])
type shape = #circle f32 | #box {w: f32, h: f32} | #none
def area (s: shape) =
  match s case #circle r -> r * r case #box b -> b.w * b.h case #none -> 0
entry main (k: f32) (r: f32) =
  area (opaque (if r > k then #circle r else #box {w = r, h = k}))
