-- RUN: echo 3 | futc run -w -e nested %s | FileCheck --check-prefix=NESTED %s
-- RUN: echo 3 | futc run -w -e sums %s | FileCheck --check-prefix=SUMS %s
-- RUN: echo 0 | futc run -w -e empty %s | FileCheck --check-prefix=EMPTY %s
-- RUN: echo 3 | futc run -w -b -e nested %s | wc -c | FileCheck --check-prefix=BYTES %s

type t = {a: i32, b: f64}
type s2 = #one i32 | #other
type s = #none | #point i32 t | #two s2 bool

-- A result of several is a line for each; inside of them everything is written as in programs.
-- NESTED: {{^}}3i32{{$}}
-- NESTED-NEXT: {{^}}(4i32, (5i32, true)){{$}}
-- NESTED-NEXT: {{^}}{a = 3i32, b = 2.0f64}{{$}}
-- NESTED-NEXT: {{^}}{{\[\[\(3i32, \[1i32, 2i32\]\), \(4i32, \[3i32, 4i32\]\)\]\]$}}
-- As bytes it is a value for each scalar and array.
-- BYTES: 145
entry nested (x: i32) : (i32, (i32, (i32, bool)), t, [1][2](i32, [2]i32)) =
  (x, (x + 1, (x + 2, true)), {a = x, b = 2}, [[(x, [1, 2]), (x + 1, [3, 4])]])

-- SUMS: {{^}}[#none, #point 3i32 {a = 3i32, b = 1.5f64}, #two (#one 3i32) true, #two #other false]{{$}}
entry sums (x: i32) : [4]s = [#none, #point x {a = x, b = 1.5}, #two (#one x) true, #two #other false]

-- EMPTY: {{^}}empty([2][0]t){{$}}
-- EMPTY-NEXT: {{^}}empty([0]i32){{$}}
-- EMPTY-NEXT: {{^}}(){{$}}
entry empty (n: i64) : ([2][n]t, [n]i32, ()) = (replicate 2 (replicate n {a = 1, b = 2}), replicate n 1, ())
