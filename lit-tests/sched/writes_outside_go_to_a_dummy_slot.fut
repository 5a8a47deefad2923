-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s
-- RUN: futc -w %s --emit=sched --target=gpu-emu | FileCheck %s --check-prefix=GPU

-- A host's scatter has no branch around a write: who filters by indexes does so at random.
-- CHECK-LABEL: fun scattered (
-- CHECK: schedule dummy { loops{{.*}} } segmap seq
-- GPU-LABEL: fun scattered (
-- GPU: schedule { threads 256 } segmap grid
entry scattered [n] [m] (xs: *[n]f32) (is: [m]i64) (ys: [m]f32) : [n]f32 = scatter xs is ys
