-- A task is no lane: that its range is another than that of the next one does not keep its reduction in one piece.
-- RUN: futc -w --target=multicore %s --emit=sched | FileCheck %s
-- CHECK:     segmap tasks
-- CHECK:       segred seq
-- CHECK-NOT:     if
-- CHECK:         index
-- CHECK:       segred seq
-- CHECK:     segred seq (task_
entry main [n] (xs: [n]f32) : f32 = f32.sum (map2 (*) xs (rotate 1 xs))
