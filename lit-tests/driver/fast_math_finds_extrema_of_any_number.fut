-- With --fast-math, LLVM's vectoriser of loops may make of extrema what it likes: of any number of rounds, of several types, and beside each other.
-- RUN: futc -w --target=seq --fast-math -O2 %s -o %t
-- RUN: echo 1 | %t -e many | FileCheck %s
-- RUN: echo 1 | %t -e several | FileCheck %s --check-prefix=SEVERAL
-- RUN: futc -w --target=seq --fast-math %s -o %t1
-- RUN: echo 1 | %t1 -e many | FileCheck %s
-- RUN: echo 1 | %t1 -e several | FileCheck %s --check-prefix=SEVERAL
-- CHECK: [1.0f32, 2.0f32, 3.0f32, 4.0f32, 5.0f32, 6.0f32, 7.0f32, 8.0f32, 9.0f32, 10.0f32, 11.0f32, 12.0f32, 13.0f32, 14.0f32, 15.0f32, 16.0f32, 17.0f32, 18.0f32, 19.0f32, 20.0f32, 21.0f32, 22.0f32, 23.0f32, 24.0f32, 25.0f32, 26.0f32, 27.0f32, 28.0f32, 29.0f32, 30.0f32, 31.0f32, 32.0f32, 33.0f32, 34.0f32, 35.0f32, 36.0f32, 37.0f32, 38.0f32, 39.0f32, 40.0f32]
-- CHECK: [-1.0f64, -2.0f64, -3.0f64, -4.0f64, -5.0f64, -6.0f64, -7.0f64, -8.0f64, -9.0f64, -10.0f64, -11.0f64, -12.0f64, -13.0f64, -14.0f64, -15.0f64, -16.0f64, -17.0f64, -18.0f64, -19.0f64, -20.0f64, -21.0f64, -22.0f64, -23.0f64, -24.0f64, -25.0f64, -26.0f64, -27.0f64, -28.0f64, -29.0f64, -30.0f64, -31.0f64, -32.0f64, -33.0f64, -34.0f64, -35.0f64, -36.0f64, -37.0f64, -38.0f64, -39.0f64, -40.0f64]
-- CHECK: [1.0f64, 2.0f64, 3.0f64, 4.0f64, 5.0f64, 6.0f64, 7.0f64, 8.0f64, 9.0f64, 10.0f64, 11.0f64, 12.0f64, 13.0f64, 14.0f64, 15.0f64, 16.0f64, 17.0f64, 18.0f64, 19.0f64, 20.0f64, 21.0f64, 22.0f64, 23.0f64, 24.0f64, 25.0f64, 26.0f64, 27.0f64, 28.0f64, 29.0f64, 30.0f64, 31.0f64, 32.0f64, 33.0f64, 34.0f64, 35.0f64, 36.0f64, 37.0f64, 38.0f64, 39.0f64, 40.0f64]
-- CHECK: [-1.0f32, -2.0f32, -3.0f32, -4.0f32, -5.0f32, -6.0f32, -7.0f32, -8.0f32, -9.0f32, -10.0f32, -11.0f32, -12.0f32, -13.0f32, -14.0f32, -15.0f32, -16.0f32, -17.0f32, -18.0f32, -19.0f32, -20.0f32, -21.0f32, -22.0f32, -23.0f32, -24.0f32, -25.0f32, -26.0f32, -27.0f32, -28.0f32, -29.0f32, -30.0f32, -31.0f32, -32.0f32, -33.0f32, -34.0f32, -35.0f32, -36.0f32, -37.0f32, -38.0f32, -39.0f32, -40.0f32]

def numbers 't (n: i64) (of: i64 -> t) : [n]t = scatter (tabulate n (\i -> of (i + 1))) (map (+ 1) (iota 0)) []
def most (n: i64) (x: f32) : f32 = f32.maximum (numbers n (\i -> x * f32.i64 i))
def least (n: i64) (x: f64) : f64 = f64.minimum (numbers n (\i -> - x * f64.i64 i))
def most64 (n: i64) (x: f64) : f64 = f64.maximum (numbers n (\i -> x * f64.i64 i))
def least32 (n: i64) (x: f32) : f32 = f32.minimum (numbers n (\i -> - x * f32.i64 i))

entry many (x: f64) : ([40]f32, [40]f64, [40]f64, [40]f32) =
  let y = f32.f64 x
  in ( [most 1 y, most 2 y, most 3 y, most 4 y, most 5 y, most 6 y, most 7 y, most 8 y, most 9 y, most 10 y, most 11 y, most 12 y, most 13 y, most 14 y, most 15 y, most 16 y, most 17 y, most 18 y, most 19 y, most 20 y, most 21 y, most 22 y, most 23 y, most 24 y, most 25 y, most 26 y, most 27 y, most 28 y, most 29 y, most 30 y, most 31 y, most 32 y, most 33 y, most 34 y, most 35 y, most 36 y, most 37 y, most 38 y, most 39 y, most 40 y]
     , [least 1 x, least 2 x, least 3 x, least 4 x, least 5 x, least 6 x, least 7 x, least 8 x, least 9 x, least 10 x, least 11 x, least 12 x, least 13 x, least 14 x, least 15 x, least 16 x, least 17 x, least 18 x, least 19 x, least 20 x, least 21 x, least 22 x, least 23 x, least 24 x, least 25 x, least 26 x, least 27 x, least 28 x, least 29 x, least 30 x, least 31 x, least 32 x, least 33 x, least 34 x, least 35 x, least 36 x, least 37 x, least 38 x, least 39 x, least 40 x]
     , [most64 1 x, most64 2 x, most64 3 x, most64 4 x, most64 5 x, most64 6 x, most64 7 x, most64 8 x, most64 9 x, most64 10 x, most64 11 x, most64 12 x, most64 13 x, most64 14 x, most64 15 x, most64 16 x, most64 17 x, most64 18 x, most64 19 x, most64 20 x, most64 21 x, most64 22 x, most64 23 x, most64 24 x, most64 25 x, most64 26 x, most64 27 x, most64 28 x, most64 29 x, most64 30 x, most64 31 x, most64 32 x, most64 33 x, most64 34 x, most64 35 x, most64 36 x, most64 37 x, most64 38 x, most64 39 x, most64 40 x]
     , [least32 1 y, least32 2 y, least32 3 y, least32 4 y, least32 5 y, least32 6 y, least32 7 y, least32 8 y, least32 9 y, least32 10 y, least32 11 y, least32 12 y, least32 13 y, least32 14 y, least32 15 y, least32 16 y, least32 17 y, least32 18 y, least32 19 y, least32 20 y, least32 21 y, least32 22 y, least32 23 y, least32 24 y, least32 25 y, least32 26 y, least32 27 y, least32 28 y, least32 29 y, least32 30 y, least32 31 y, least32 32 y, least32 33 y, least32 34 y, least32 35 y, least32 36 y, least32 37 y, least32 38 y, least32 39 y, least32 40 y] )

-- One loop, of several types.
-- SEVERAL: 37.0f32
-- SEVERAL: -37.0f64
-- SEVERAL: 37.0f64
-- SEVERAL: -37.0f16
entry several (x: f64) : (f32, f64, f64, f16) =
  let values = numbers 37 (\i -> (f32.f64 x * f32.i64 i, - x * f64.i64 i, x * f64.i64 i, - (f16.f64 x * f16.i64 i)))
  in reduce (\(a, b, c, d) (e, f, g, h) -> (f32.max a e, f64.min b f, f64.max c g, f16.min d h))
            (-f32.inf, f64.inf, -f64.inf, f16.inf) values
