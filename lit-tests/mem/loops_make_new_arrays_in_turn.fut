-- Each round frees the array of the round before.
-- FIXME: two blocks before the loop would do, in place of one made in each round.
-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s
-- CHECK-LABEL: fun main (
-- CHECK: loop ([[OLD:[a-z_0-9]+]]: mem.host =
-- CHECK: [[NEW:[a-z_0-9]+]]: mem.host = alloc
-- CHECK: segmap
-- CHECK: let () = release([[OLD]])
-- CHECK: in ([[NEW]],
entry main [n] (k: i32) (xs: [n]f32) = 
  loop xs for _i < k do map2 (\x y -> x * 0.5 + y) xs (reverse xs)
