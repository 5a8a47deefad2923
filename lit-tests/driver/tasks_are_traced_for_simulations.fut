-- RUN: futc --target=multicore %s -o %t
-- RUN: echo 1000000 | %t --num-threads=4 --trace-loops=%t.trace -n -r 1
-- RUN: FileCheck %s < %t.trace
-- RUN: not %t --num-threads=4 --trace-loops=/nowhere/trace < /dev/null 2>&1 | FileCheck %s --check-prefix=NOWHERE

-- Loops are cut as for four threads, and each task is a line; of many runs, the last is traced. A scan's tasks ask
-- what those before them come to.
-- CHECK: threads 4
-- CHECK-NEXT: rule fork {{[0-9]+}}
-- CHECK: rule most-nested {{[0-9]+}}
-- CHECK-NEXT: begin {{[0-9]+}} main
-- CHECK-NEXT: chain {{[0-9]+}} {{[0-9]+}} {{[0-9]+|inf}} [[TASKS:[0-9]+]] 1 {{.*}}traced_for_simulations.fut:
-- CHECK: mark {{[0-9]+}}
-- CHECK-NEXT: task {{[0-9]+}}
-- CHECK-NEXT: mark {{[0-9]+}}
-- CHECK-NEXT: task {{[0-9]+}}
-- CHECK: end {{[0-9]+}}
-- CHECK: end {{[0-9]+}}
-- CHECK-NOT: begin

-- NOWHERE: /nowhere/trace cannot be written

entry main (n: i64) : []i64 = scan (+) 0 (map (\i -> i * i % 7) (iota n))
