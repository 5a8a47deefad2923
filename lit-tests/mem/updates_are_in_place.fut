-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun once (
-- CHECK-SAME: *[[B:xs_mem_[0-9]+]]: mem.host
-- CHECK-NOT: alloc
-- CHECK: @ [[B]] -> {{.*}} update
-- CHECK-NOT: alloc
-- CHECK: in ([[B]],
entry once (xs: *[]i32) = xs with [0] = 1
-- CHECK-LABEL: fun looped (
-- CHECK-SAME: *[[B:xs_mem_[0-9]+]]: mem.host
-- CHECK-NOT: alloc
-- CHECK: loop
-- CHECK-NOT: alloc
-- CHECK: update
-- CHECK-NOT: alloc
-- CHECK: in ([[B]],
entry looped [n] (xs: *[n]i32) = loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]
-- CHECK-LABEL: fun copied (
-- CHECK: alloc
-- CHECK: copy
-- CHECK-NOT: alloc
-- CHECK: update
entry copied (xs: []i32) = copy xs with [0] = 1
