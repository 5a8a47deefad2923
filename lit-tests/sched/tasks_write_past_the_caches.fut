-- RUN: futc -w --target=multicore --emit=sched %s > %t
-- RUN: FileCheck %s < %t
-- RUN: futc-opt %t | FileCheck %s
-- RUN: futc -w --target=multicore --explain-schedule %s | FileCheck %s --check-prefix=WHY
-- Of a result beyond the caches, each task writes a part that may be smaller than they are. Rows of a task are results by themselves.
-- CHECK-LABEL: fun main (
-- CHECK: segmap tasks
-- CHECK: schedule { stream chunk 128{{.*}} from 16777216 of tasks; loops } segmap seq
-- WHY: past the caches{{.*}}, if results of all tasks have 16777216 bytes or more
entry main [n] (xs: [n]i64) : [n]i64 = map (* 2) xs
