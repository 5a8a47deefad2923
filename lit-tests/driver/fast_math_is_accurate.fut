-- With --fast-math, roots, reciprocals of roots and quotients err by less than 2^-21 of themselves, from the least normal number
-- to the greatest, with vectors of any width; and roots of zero and infinity are what they are.
-- RUN: futc -w --target=seq %s -o %t
-- RUN: futc -w --target=seq --fast-math %s -o %t1
-- RUN: echo 300000 | %t1 -b -e computed | %t -e right | FileCheck %s
-- RUN: echo "[0f32, f32.inf, 4f32, 0f32, f32.inf, 9f32, 0f32, f32.inf, -1f32, f32.nan, 16f32, 0f32, 0f32, 25f32, 0f32, f32.inf, 0f32]" | %t1 -e edges | FileCheck %s --check-prefix=EDGES
-- RUN: futc -w --target=seq --target-cpu=x86-64-v2 --fast-math %s -o %t2
-- RUN: echo 300000 | %t2 -b -e computed | %t -e right | FileCheck %s
-- CHECK: true
-- CHECK: true
-- CHECK: true
-- CHECK: true
-- CHECK: true

-- EDGES: [0.0f32, f32.inf, 2.0f32, 0.0f32, f32.inf, 3.0f32, 0.0f32, f32.inf, f32.nan, f32.nan, 4.0f32, 0.0f32, 0.0f32, 5.0f32, 0.0f32, f32.inf, 0.0f32]
-- EDGES: [f32.inf, 0.0f32, 0.5f32, f32.inf, 0.0f32, 0.33333{{[0-9]*}}f32, f32.inf, 0.0f32, f32.nan, f32.nan, 0.25f32, f32.inf,

-- Numbers of all exponents.
def numbers (n: i64) : [n]f32 =
  tabulate n (\i -> f32.from_bits (0x800000 + u32.i64 (i * 0x7effffff / n)))

entry computed (n: i64) : ([n]f32, [n]f32, [n]f32, [n]f32, [n]f32) =
  let xs = numbers n
  in ( map f32.sqrt xs
     , map (\x -> 3 / f32.sqrt x) xs
     , map (\x -> 7 / (x * f32.sqrt x)) xs
     , map (\x -> 5 / (f32.sqrt x * (x + 1))) xs
     , map (\x -> 3 / x) xs
     )

def near (found: f32) (real: f64) =
  real < 1.2e-38 || real > 3.4e38 || f64.abs (f64.f32 found - real) < real / 2097152

entry right [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) (d: [n]f32) (e: [n]f32) : (bool, bool, bool, bool, bool) =
  let xs = map f64.f32 (numbers n)
  let all_near f ys = and (map2 (\y x -> near y (f x)) ys xs)
  in ( all_near f64.sqrt a
     , all_near (\x -> 3 / f64.sqrt x) b
     , all_near (\x -> 7 / (x * f64.sqrt x)) c
     , all_near (\x -> 5 / (f64.sqrt x * (x + 1))) d
     , all_near (\x -> 3 / x) e
     )

entry edges [n] (xs: [n]f32) : ([n]f32, [n]f32) = (map f32.sqrt xs, map (\x -> 1 / f32.sqrt x) xs)
