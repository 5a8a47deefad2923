-- REQUIRES: x86
-- Where an element goes, as each step of a radix sort selects it, is a selection in the points of an unrolled loop.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=asm | FileCheck %s

-- CHECK-LABEL: futc_entry_main:
-- CHECK-COUNT-4: cmove
entry main [n] (xs: [n]u32) : [n]u32 =
  loop xs for b < 16 do
    let bits = map (\x -> i64.u32 ((x >> u32.i32 b) & 1)) xs
    let zeros = scan (+) 0 (map (1 -) bits)
    let count = if n == 0 then 0 else zeros[n - 1]
    let ones = map (+ count) (scan (+) 0 bits)
    in scatter (copy xs) (map3 (\b z o -> if b == 0 then z - 1 else o - 1) bits zeros ones) xs
