-- RUN: futc --emit=sched --target-cpu=x86-64-v4 %s -o %t 2>&1 | FileCheck %s
-- RUN: futc --emit=obj --target-cpu=x86-64-v4 %s -o %t 2>&1 | FileCheck %s
-- RUN: futc -Wno-schedule-refused -Wno-unknown-attribute --emit=sched %s -o %t 2>&1 | count 0

-- CHECK: [unknown-attribute] Warning: there is no schedule lane: the attribute does nothing
-- CHECK: did you mean lanes?
-- CHECK: [unknown-attribute] Warning: schedule has one name in parentheses
-- CHECK: there are loops, lanes, strips
-- CHECK: [schedule-refused] Warning: this operation cannot be scheduled as tree
-- CHECK: #[schedule(tree)] map
-- CHECK: it is no reduction of scalars without loops inside
-- CHECK: [schedule-refused] Warning: this operation cannot be scheduled as lanes
-- CHECK: #[schedule(lanes)] filter
-- CHECK: it is a loop, or becomes one, as filters do, and has no schedules
-- CHECK: #[schedule(lanes)] loop
-- CHECK: it is a loop, or becomes one, as filters do, and has no schedules

entry misspelt (xs: []i32) : []i32 = #[schedule(lane)] map (+ 1) xs

entry nothing (xs: []i32) : []i32 = #[schedule] map (+ 1) xs

entry no_tree (xs: []i32) : []i32 = #[schedule(tree)] map (+ 1) xs

entry filtered (xs: []i32) : []i32 = #[schedule(lanes)] filter (> 0) xs

entry looped (xs: []i32) : i32 = #[schedule(lanes)] loop s = 0 for x in xs do s + x
