-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- RUN: futc -w %s --target=gpu-emu --emit=mem | FileCheck %s --check-prefix=KERNEL

-- Three sums in turn: the third where the first was.
-- CHECK-LABEL: fun stages (
-- CHECK: [[A:[a-z]+_mem_[0-9]+]]: mem.host = alloc((n_{{[0-9]+}} * 8), host)
-- CHECK: [[B:[a-z]+_mem_[0-9]+]]: mem.host = alloc((n_{{[0-9]+}} * 8), host)
-- CHECK-NOT: alloc
-- CHECK: loop
-- CHECK-NOT: alloc
-- CHECK: @ [[A]] -> {{.*}} = segscan
-- CHECK: @ [[B]] -> {{.*}} = segscan
-- CHECK: @ [[A]] -> {{.*}} = segscan
-- CHECK: alloc
def neighbours [n] (xs: [n]i64) : [n]i64 =
  tabulate n (\i -> xs[i] + xs[(i + 1) % n])

entry stages [n] (k: i64) (xs: [n]i64) : [n]i64 =
  loop ys = xs for _i < k do
    let a = scan (+) 0 ys
    let b = scan i64.max 0 (neighbours a)
    let c = scan (+) 1 (neighbours b)
    in neighbours c

-- Every thread has a share of two blocks, and of no third.
-- KERNEL-LABEL: fun threads (
-- KERNEL: [[A:[a-z]+_mem_[0-9]+]]: mem.device = alloc(((n_{{[0-9]+}} * m_{{[0-9]+}}) * 8), device)
-- KERNEL: [[B:[a-z]+_mem_[0-9]+]]: mem.device = alloc(((n_{{[0-9]+}} * m_{{[0-9]+}}) * 8), device)
-- KERNEL-NOT: alloc
-- KERNEL: segmap grid
-- KERNEL-NOT: alloc
-- KERNEL: @ [[A]] -> {{.*}} = segscan
-- KERNEL: @ [[B]] -> {{.*}} = segscan
-- KERNEL: @ [[A]] -> {{.*}} = segscan
entry threads [n][m] (xss: [n][m]i64) : [n]i64 =
  map (\xs ->
         let a = scan (+) 0 xs
         let b = scan i64.max 0 (neighbours a)
         let c = scan (+) 1 (neighbours b)
         in i64.maximum (neighbours c))
      xss

-- What is a thread's own stays in the kernel.
-- KERNEL-LABEL: fun own (
-- KERNEL-NOT: local
-- KERNEL: segmap grid
-- KERNEL: alloc(192, local)
entry own [n] (xs: [n]i64) : [n]i64 =
  map (\x ->
         let a = loop a = replicate 24 x for i < 24 do a with [i] = a[(i + 1) % 24] * 3
         in loop s = 0 for i < 24 do s + a[i])
      xs
