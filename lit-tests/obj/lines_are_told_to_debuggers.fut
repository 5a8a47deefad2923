-- With -g, a debugger and a profiler find the line that an instruction comes from: the program's
-- own lines, for what the prelude does as well.
-- RUN: futc -w -g %s --emit=obj -o %t.o
-- RUN: llvm-dwarfdump --debug-info --debug-line %t.o | FileCheck %s
-- RUN: futc -w %s --emit=obj -o %t.o
-- RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=WITHOUT
-- WITHOUT-NOT: name:
-- CHECK: DW_TAG_subprogram
-- CHECK: name: "lines_are_told_to_debuggers.fut"
-- CHECK-NOT: name: "soacs.fut"

def f (x: f32) : f32 =
  -- CHECK-DAG: {{0x[0-9a-f]+ +}}[[@LINE+1]]{{ }}
  x * x * 3 + 1

entry main [n] (xs: [n]f32) (is: [n]i64) : (f32, [n]f32) =
  -- CHECK-DAG: {{0x[0-9a-f]+ +}}[[@LINE+1]]{{ }}
  let s = loop acc = 0 for x in xs do acc + f x
  -- CHECK-DAG: {{0x[0-9a-f]+ +}}[[@LINE+1]]{{ }}
  in (s, map (\i -> xs[i]) is)
