-- Tuples in tuples are written as what they consist of, by programs and by the interpreter.
--
-- RUN: futc -w %s -o %t
-- RUN: echo 7 | %t -b > %t.program
-- RUN: futc dataset --text < %t.program | FileCheck %s
-- RUN: echo 7 | futc run -w -b %s | cmp - %t.program
-- CHECK: 7i32
-- CHECK-NEXT: 8i32
-- CHECK-NEXT: [true, false]

entry main (x: i32) : (i32, (i32, [2]bool)) = (x, (x + 1, [true, false]))
