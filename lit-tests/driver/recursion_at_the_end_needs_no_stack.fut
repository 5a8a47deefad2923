-- RUN: futc %s -o %t
-- RUN: echo 1000000000i64 1u32 | %t | FileCheck %s

-- CHECK: 540334593u32
def go (n: i64) (i: i64) (x: u32) : u32 = if i < n then go n (i + 1) (x * 1664525 + 1013904223) else x
entry main (n: i64) (x: u32) = go n 0 x
