-- What goes round the whole range is split in a task's part of it, too; and it is no block of strip-mining, however far it is.
-- RUN: futc -w --target=multicore %s --emit=sched | FileCheck %s
-- RUN: futc -w --target=seq %s --emit=sched | FileCheck %s --check-prefix=SEQ

-- CHECK: segmap tasks (
-- CHECK: smod.i64
-- CHECK: [[J:t_[0-9]+]]: i64 = add.i64({{i_[0-9]+}}, 2)
-- CHECK-NEXT: index u_{{[0-9]+}}[[[J]]]
-- SEQ-NOT: squot
-- SEQ: smod.i64
-- SEQ: [[J:t_[0-9]+]]: i64 = add.i64({{i_[0-9]+}}, 2)
-- SEQ-NEXT: index u_{{[0-9]+}}[[[J]]]
-- SEQ: smod.i64
entry shifted [n] (u: [n]f64) : [n]f64 = tabulate n (\i -> u[(i + 2) % n])
