-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun main (
-- CHECK: [[T:[a-z_0-9]+]]: mem.host = alloc
-- CHECK: segscan
-- CHECK: let () = release([[T]])
-- CHECK: in
entry main [n] (xs: [n]i32) = let sums = scan (+) 0 xs in i32.maximum (map2 (*) sums (reverse sums))
