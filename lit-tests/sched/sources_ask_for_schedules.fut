-- RUN: futc --target=seq %s --emit=sched --target-cpu=x86-64-v4 | FileCheck %s

-- `#[schedule(…)]` of an expression or a definition goes before what the compiler expects to pay.

-- CHECK-LABEL: fun plain
-- CHECK: = schedule { loops } segmap seq
entry plain (xs: []f32) : []f32 = map (\x -> x * x + 1) xs[:1000]

-- CHECK-LABEL: fun lanes
-- CHECK: = #[schedule(lanes)] schedule { lanes {{[0-9]+}}; loops } segmap seq
entry lanes (xs: []f32) : []f32 = #[schedule(lanes)] map (\x -> x * x + 1) xs[:1000]

-- CHECK-LABEL: fun of_definition
-- CHECK: = #[schedule(stream)] schedule { stream chunk 128 from 0; loops } segmap seq
#[schedule(stream)]
entry of_definition (xs: []f32) : []f32 = map (\x -> x * x + 1) xs

-- What lanes would gain by is left to loops. What stands inside of a point is not asked.
-- CHECK-LABEL: fun point_by_point
-- CHECK: = #[schedule(loops)] schedule { loops } segmap seq
-- CHECK-NOT: #[schedule(
entry point_by_point (xs: []f32) : []f32 =
  #[schedule(loops)]
  map (\x -> loop y = x while y < 100 do y * 1.5 + 1) xs

-- CHECK-LABEL: fun sums
-- CHECK: = #[schedule(accumulators)] schedule { accumulators 64 least 64; loops } segred seq
entry sums (xs: []i32) : i32 = #[schedule(accumulators)] reduce (+) 0 xs
