-- A vector of 32 or 64 comparisons becomes an integer 16 bits at a time, as LLVM 22 cannot select larger ones but of bytes.
-- RUN: futc -w --target=wasm %s --emit=asm | FileCheck %s
-- CHECK: futc_entry_products:
-- CHECK: i16x8.ne
-- CHECK: i16x8.ne
-- CHECK: i8x16.bitmask
entry products [b] [n] (x: [b][n][n]i16) (y: [b][n][n]i16) : bool =
  let square = \(x: [n][n]i16) ->
    tabulate_2d n n (\i j -> loop s = 0 for k < n do s + x[k, i] * x[k, j])
  in and (map2 (\x y -> and (map2 (\x y -> and (map2 (==) x y)) x y)) x (map square y))
