-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- CHECK-LABEL: fun main
-- CHECK: [[BOTH:concat_mem_[0-9]+]]: mem.host = alloc
-- CHECK-NOT: alloc
-- CHECK: @ [[BOTH]] -> {0; {{.*}}segmap
-- CHECK: @ [[BOTH]] -> {{.*}}segscan
-- CHECK: concat
entry main [n] (xs: [n]i32) : []i32 =
  map (+ 1) xs ++ scan (+) 0 xs
