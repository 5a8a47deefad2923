-- A maximum that comes to a block as two values is one instruction, which is taken apart once. (futc ended by a signal, on
-- gpu-emu.)
-- ==
-- entry: main
-- input { [6f64, 1f64, 2.75f64] } output { [1f64, 2f64, 3f64, 7f64, 11f64] }
-- input { empty([0]f64) } output { [2f64, 4f64, 5f64, 6f64, 7f64] }

entry main [n] (xs: *[n]f64) : [5]f64 =
  let firsts: [5]f64 =
    loop acc = replicate 5 1 with [0] = 2 for _x in xs do tabulate 5 (\_ -> acc[0])
  let around i =
    let l = if i > 0 then firsts[i - 1] else firsts[i]
    let r = if i < 5 - 1 then firsts[i + 1] else firsts[i]
    in f64.max (l * r) 1
  in scan (+) 0 (scatter (map around (iota 5)) (reverse (iota n)) (replicate n 1))
