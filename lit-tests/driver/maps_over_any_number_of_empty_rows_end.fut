-- As many rows as there may be, none of which has elements: how many tasks that makes is computed from the size.
-- RUN: futc --target=multicore %s -o %t && echo 9223372036854775807i64 0i64 | timeout 60 %t | FileCheck %s
-- RUN: futc --target=small-tasks %s -o %t && echo 9223372036854775807i64 0i64 | timeout 60 %t | FileCheck %s
-- CHECK: 9223372036854775807i64
entry main (n: i64) (m: i64) : i64 =
  let xss = tabulate n (\i -> if i % 7 == 3 then replicate m i else iota m)
  in length xss + (if m > 0 then xss[0, 0] else 0)
