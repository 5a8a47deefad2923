-- Where ranges end, few points are reduced in another order than lanes reduce theirs: sizes alone decide where that is.
-- RUN: futc -w %s -o %t
-- RUN: echo 100 8193 | %t --num-threads=1 > %t.1
-- RUN: echo 100 8193 | %t --num-threads=2 > %t.2
-- RUN: echo 100 8193 | %t --num-threads=3 > %t.3
-- RUN: cmp %t.1 %t.2
-- RUN: cmp %t.1 %t.3
entry main (r: i64) (c: i64) : []f32 =
  let a = tabulate_2d r c (\i j -> f32.i64 ((i * 7919 + j * 104729) % 65537) / 65536)
  in map (\x -> let m = f32.sum x in f32.sum (map (\y -> (y - m) * (y - m)) x)) (transpose a)
