-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- One block for the sums and the offsets made of them.
-- CHECK-LABEL: fun offsets (
-- CHECK: [[B:[a-z]+_mem_[0-9]+]]: mem.host = alloc(
-- CHECK-NOT: alloc
-- CHECK: @ [[B]] -> {{.*}} = segscan
-- CHECK: @ [[B]] -> {{.*}} = segmap
-- CHECK: in ([[B]],
entry offsets [n] (xs: [n]i64) : [n]i64 = map2 (-) (scan (+) 0 xs) xs

-- Flags that nothing reads have no memory.
-- CHECK-LABEL: fun segments (
-- CHECK-NOT: alloc(n_
-- CHECK: [n_{{[0-9]+}}]bool, {{.*}} = segscan
entry segments [n] (flags: [n]bool) (xs: [n]f32) : [n]f32 =
  let op (f, x) (g, y) = (f || g, if g then y else x + y)
  in map (.1) (scan op (false, 0) (zip flags xs))
