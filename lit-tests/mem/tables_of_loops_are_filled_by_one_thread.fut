-- What a loop replaces row by row, one thread fills, as long as it fits its caches: other threads would have the lines that
-- the loop comes to. What is written as a whole is filled in tasks.
-- RUN: futc --target=multicore --emit=mem %s | FileCheck %s

-- CHECK-LABEL: fun rows
-- CHECK: [[ELEMENTS:t_[0-9]+]]: i64 = mul.i64(n_{{[0-9]+}}, m_{{[0-9]+}})
-- CHECK: sle.i64([[ELEMENTS]], 1048576)
-- CHECK: replicate(
entry rows (n: i64) (m: i64) : [n][m]i32 =
  loop table = replicate n (replicate m 0i32) for k in 1..<n do
    table with [k] = map (\x -> x * 3 + i32.i64 k) table[k - 1]

-- CHECK-LABEL: fun whole
-- CHECK-NOT: 1048576
-- CHECK: replicate(
entry whole (n: i64) (m: i64) : [n][m]i32 =
  loop table = replicate n (replicate m 0i32) for k < 10 do
    map2 (map2 (\x y -> x * 3 + y + i32.i64 k)) table (reverse table)
