-- RUN: futc --target=seq --explain-schedule --target-cpu=x86-64-v4 %s | FileCheck %s
-- RUN: futc --explain-schedule --target-cpu=x86-64-v4 --target=multicore %s | FileCheck %s --check-prefix=TASKS
-- RUN: not futc --target=seq --explain-schedule --emit=mem %s 2>&1 | FileCheck %s --check-prefix=BOTH

-- CHECK: {{.*}}.fut:[[# @LINE + 7]]:{{[0-9-]+}}: a map, in straight
-- CHECK-NEXT: Schedule: {{.*}}point by point, of which LLVM makes vectors where it can.
-- CHECK-NEXT: Lanes: not worth it: there is no loop inside, so LLVM can make vectors by itself.
-- TASKS: a map, in straight{{$}}
-- TASKS-NEXT: Cut into tasks, which threads share.
-- TASKS: a map, in straight, in a task
-- BOTH: cannot be used with
entry straight (xs: []f32) : []f32 = map (\x -> x * x + 1) xs

-- CHECK: {{.*}}.fut:[[# @LINE + 3]]:{{[0-9-]+}}: a map, in looped
-- CHECK-NEXT: Schedule: {{[0-9]+}} points at a time, each in a lane of vectors
-- CHECK-NEXT: Lanes: worth it: for a round of the outermost loops inside, they save {{[0-9]+}} operations and cost 0.
entry looped (xs: []f32) : []f32 = map (\x -> loop y = x while y < 100 do y * 1.5 + 1) xs

-- What stood in the way, and where.
-- CHECK: {{.*}}: a map, in calls
-- CHECK-NEXT: Schedule: point by point
-- CHECK-NEXT: Lanes: not possible: a call of far, which is not inlined (at {{.*}}.fut:[[# @LINE + 4]]:{{[0-9-]+}}).
#[noinline]
def far (x: f32) : f32 = loop y = x while y < 100 do y * 1.5 + 1

entry calls (xs: []f32) : []f32 = map (\x -> far x + 1) xs

-- CHECK: {{.*}}: a reduction, in total
-- CHECK-NEXT: Schedule:
-- CHECK-NEXT: Lanes:
-- CHECK-NEXT: Asked for: tree
entry total (xs: []i32) : i32 = #[schedule(tree)] reduce (+) 0 xs

-- CHECK: {{.*}}: a scan, in sums
-- CHECK-NEXT: Schedule: scanned by vectors of {{[0-9]+}} elements.
entry sums (xs: []i32) : []i32 = scan (+) 0 xs

-- Rows of a stencil.
-- CHECK: {{.*}}: a map over 2 dimensions, in smooth
-- CHECK-NEXT: Schedule: {{.*}}8 points at a time, aligned with the result, each in a lane of vectors, if there are as many; else point by point, as these are few.
-- CHECK-NEXT: Lanes: worth it: in rows of any length, of which neighbours are read that lie across lines of the cache.
entry smooth [n] [m] (xss: [n][m]f32) : [n][]f32 =
  tabulate_2d n (m - 1) (\i j -> #[unsafe] xss[i, j] + xss[i, j + 1])
