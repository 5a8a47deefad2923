-- RUN: futc %s --emit=typed | FileCheck %s
-- CHECK-LABEL: def wanted : (i8, f16, u64) =
-- CHECK-NEXT: (1i8, 2.0f16, 3u64)
def wanted : (i8, f16, u64) = (1, 2, 3)
-- CHECK-LABEL: def free : (i32, f64) =
-- CHECK-NEXT: (1i32, 2.0f64)
def free = (1, 2.0)
-- CHECK-LABEL: def beside (x: u16) : u16 =
-- CHECK-NEXT: x + 1u16
def beside (x: u16) = x + 1
