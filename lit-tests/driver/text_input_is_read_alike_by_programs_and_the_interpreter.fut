-- Arrays without elements are written `empty(…)`, no comma stands before a bracket, and `nan` has its type.
--
-- RUN: futc -w %s -o %t
-- RUN: not sh -c "echo '[] 1' | %t" 2>&1 | FileCheck %s --check-prefix=EMPTY
-- RUN: not sh -c "echo '[] 1' | futc run -w %s" 2>&1 | FileCheck %s --check-prefix=EMPTY
-- RUN: not sh -c "echo '[1,] 1' | %t" 2>&1 | FileCheck %s --check-prefix=COMMA
-- RUN: not sh -c "echo '[1,] 1' | futc run -w %s" 2>&1 | FileCheck %s --check-prefix=COMMA
-- RUN: not sh -c "echo '[1] nan' | %t" 2>&1 | FileCheck %s --check-prefix=NAN
-- RUN: not sh -c "echo '[1] nan' | futc run -w %s" 2>&1 | FileCheck %s --check-prefix=NAN
-- RUN: not sh -c "echo '[1] -inf' | %t" 2>&1 | FileCheck %s --check-prefix=NAN
-- RUN: not sh -c "echo '[1] -inf' | futc run -w %s" 2>&1 | FileCheck %s --check-prefix=NAN
-- RUN: echo 'empty([0]i32) f64.nan' | %t | FileCheck %s
-- RUN: echo 'empty([0]i32) f64.nan' | futc run -w %s | FileCheck %s
-- EMPTY: #0 (xs){{.*}}an empty array must be written
-- COMMA: Error{{.*}}#0 (xs)
-- NAN: Error{{.*}}#1 (x)
-- CHECK: empty([0]i32)
-- CHECK-NEXT: f64.nan

entry main (xs: []i32) (x: f64) : ([]i32, f64) = (xs, x)
