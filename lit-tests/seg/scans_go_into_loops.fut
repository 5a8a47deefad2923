-- RUN: futc -w %s --emit=seg | FileCheck %s
-- A filter by sums accumulates them itself.
-- CHECK-LABEL: fun below (
-- CHECK-NOT: segscan
-- CHECK: loop (
-- CHECK-NOT: segscan
-- CHECK: update
entry below (xs: []i32) : []i32 = filter (< 100) (scan (+) 0 xs)
