-- A schedule for what is at a place, as if the attribute stood there.
-- RUN: futc --explain-schedule --force-schedule=14:33=tree %s | FileCheck %s
-- RUN: futc --explain-schedule --force-schedule=14:33-47=tree %s | FileCheck %s
-- RUN: futc --explain-schedule=json --force-schedule=%s:14:33=tree %s | FileCheck %s --check-prefix=JSON
-- RUN: not futc --force-schedule=15:34=tree %s -o %t 2>&1 | FileCheck %s --check-prefix=REFUSED
-- RUN: not futc --force-schedule=14:34=tree %s -o %t 2>&1 | FileCheck %s --check-prefix=NONE
-- RUN: not futc --force-schedule=14:33=trees %s -o %t 2>&1 | FileCheck %s --check-prefix=UNKNOWN

-- CHECK: fut:14:33-47: a reduction, in total
-- CHECK-NEXT: Schedule: blocks of {{[0-9]+}} elements as trees
-- CHECK: Asked for: tree.
-- CHECK: fut:15:34-53: a map, in next
-- CHECK-NOT: Asked for
entry total (xs: []i32) : i32 = reduce (+) 0 xs
entry next (xs: []i32) : []i32 = map (\x -> x + 1) xs

-- JSON: "alternatives": [
-- JSON: "kind": "reduction"
-- JSON: "place": "{{.*}}.fut:14:33-47"
-- JSON: "strategies": [
-- JSON-NEXT: "tree 1024"
-- REFUSED: 15:34=tree: not possible: it is no reduction of scalars without loops inside
-- NONE: 14:34=tree: no map, reduction, scan or histogram is there
-- UNKNOWN: there is no schedule 'trees'; there are loops, lanes
