-- RUN: futc -w --target=seq %s --emit=mem | FileCheck %s

-- Rows of a map: no branch has a block of its own, and who yields what is there copies it.
-- CHECK-LABEL: fun rows (
-- CHECK: [[B:[a-z]+_mem_[0-9]+]]: mem.host = alloc(
-- CHECK-NOT: alloc
-- CHECK: @ [[B]] -> {(m_{{[0-9]+}} * [[I:i_[0-9]+]]); {{.*}} = if
-- CHECK: @ [[B]] -> {(m_{{[0-9]+}} * [[I]]); {{.*}} = segscan
-- CHECK: @ [[B]] -> {(m_{{[0-9]+}} * [[I]]); {{.*}} = if
-- CHECK: @ [[B]] -> {(m_{{[0-9]+}} * [[I]]); {{.*}} = segmap
-- CHECK: @ [[B]] -> {(m_{{[0-9]+}} * [[I]]); {{.*}} = copy(
-- CHECK-NOT: copy(
-- CHECK: in ([[B]],
entry rows [n][m] (ps: [n]i64) (xs: [n][m]f64) : [n][m]f64 =
  map2 (\p x -> if p == 0 then scan (+) 0 x else if p == 1 then map (* 2) x else x) ps xs

-- A part of a concatenation.
-- CHECK-LABEL: fun part (
-- CHECK: [[B:[a-z]+_mem_[0-9]+]]: mem.host = alloc(
-- CHECK-NOT: alloc
-- CHECK: @ [[B]] -> {0; {{.*}} = if
-- CHECK: @ [[B]] -> {0; {{.*}} = segscan
-- CHECK: @ [[B]] -> {0; {{.*}} = segmap
-- CHECK-NOT: copy(
-- CHECK: concat
entry part [n] (c: bool) (xs: [n]f64) (ys: []f64) : []f64 =
  (if c then scan (+) 0 xs else map (+ 1) xs) ++ scan (+) 0 ys

-- A row of a parameter that is consumed: nobody else has it. First it is checked that there is one.
-- CHECK-LABEL: fun row (
-- CHECK-NOT: alloc
-- CHECK: assert
-- CHECK: @ [[B:dest_mem_[0-9]+]] -> {{.*}} = if
-- CHECK: @ [[B]] -> {{.*}} = segmap
-- CHECK: @ [[B]] -> {{.*}} = segscan
-- CHECK-NOT: copy(
-- CHECK: update
entry row [n][m] (c: bool) (i: i64) (dest: *[n][m]f64) (xs: [m]f64) : [n][m]f64 =
  let a = if c then map (* 2) xs else scan (+) 0 xs
  in dest with [i] = a

-- What the branches read of it is what it was.
-- CHECK-LABEL: fun shifted (
-- CHECK: = if
-- CHECK: alloc
-- CHECK: segscan
-- CHECK: copy(
-- CHECK: update
entry shifted [n][m] (c: bool) (i: i64) (j: i64) (xs: *[n][m]f64) : [n][m]f64 =
  let row = if c then scan (+) 0 xs[i] else map (* 2) xs[j]
  in xs with [i] = row
