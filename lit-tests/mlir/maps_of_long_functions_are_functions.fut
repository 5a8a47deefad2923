-- RUN: futc --target=seq -w --emit=mlir %s | FileCheck %s

-- Each map of a function that has many is a function of its own, which makes sizes again of what it is given.
-- CHECK-COUNT-24: func.func private @apart_
-- CHECK: func.func private @fut_many
-- CHECK-COUNT-24: call @apart_
-- CHECK: func.func private @fut_few
-- CHECK-NOT: call @apart_
-- CHECK: func.func private @futc_entry_
def smooth [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[i] + xs[(i * i) % n])

entry many [n] (xs: [n]f64) : [n]f64 =
  #[unroll]
  loop xs for _i < 24i64 do smooth xs

entry few [n] (xs: [n]f64) : [n]f64 =
  #[unroll]
  loop xs for _i < 23i64 do smooth xs
