-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- Much straight code after a reduction is a map of its own.
-- CHECK-LABEL: fun much (
-- CHECK: let [[S:[a-z]+_[0-9]+]]: {{.*}} = segred seq ({{i_[0-9]+}} < {{n_[0-9]+}}, {{i_[0-9]+}} < {{m_[0-9]+}})
-- CHECK: segmap seq ([[I:i_[0-9]+]] < {{n_[0-9]+}})
-- CHECK: index [[S]]{{\[}}[[I]]]
def polynomial (x: f64) : f64 =
  let step y = y * x + 1.5
  let steps = step >-> step >-> step >-> step >-> step >-> step
  in (steps >-> steps >-> steps >-> steps) 1
entry much [n] [m] (xss: [n][m]u32) : [n]f64 =
  map (\xs -> polynomial (f64.u32 (reduce (^) 0 xs))) xss
-- A little stays with it.
-- CHECK-LABEL: fun little (
-- CHECK: segmap seq ({{i_[0-9]+}} < {{n_[0-9]+}})
-- CHECK: segred seq ({{i_[0-9]+}} < {{m_[0-9]+}})
entry little [n] [m] (xss: [n][m]u32) : [n]f64 =
  map (\xs -> 2 * f64.u32 (reduce (^) 0 xs)) xss
