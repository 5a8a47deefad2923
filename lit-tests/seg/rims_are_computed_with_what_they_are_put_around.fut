-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s

-- A rim around an array, of a function that is called more than once: what is inside needs no array.
def around [n] [m] (t: [n][m]f32) : [n + 2][m + 2]f32 =
  let inside n i = i64.max 0 (i64.min (n - 1) (i - 1))
  let cell i j =
    let here = t[inside n i, inside m j]
    let rim_x = j == 0 || j == m + 1
    let rim_y = i == 0 || i == n + 1
    in if rim_x && rim_y then 0.5 * here else if rim_x then -here else if rim_y then 0 else here
  in tabulate_2d (n + 2) (m + 2) cell

-- CHECK-LABEL: fun one (
-- CHECK: segmap seq ({{i_[0-9]+}} < {{t_[0-9]+}}, {{i_[0-9]+}} < {{t_[0-9]+}})
-- CHECK: index xs_
-- CHECK-NOT: segmap
-- CHECK: {{^}}}
entry one [n] [m] (xs: [n][m]f32) = around (map (map (* 2)) xs)

-- CHECK-LABEL: fun another (
-- CHECK: segmap seq ({{i_[0-9]+}} < {{t_[0-9]+}}, {{i_[0-9]+}} < {{t_[0-9]+}})
-- CHECK: index ys_
-- CHECK-NOT: segmap
-- CHECK: {{^}}}
entry another [n] [m] (ys: [n][m]f32) = around (map (map (+ 1)) ys)
