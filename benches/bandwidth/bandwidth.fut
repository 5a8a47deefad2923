-- Programs that do nothing but move memory. `cargo xtask bench` compares the bytes they read and
-- write in a second with those of a copy (copy.c), over the same numbers.
-- ==
-- entry: sum increment running_sum
-- "2^26" script input { numbers 67108864i64 }

entry numbers (n: i64) : [n]f32 = map (\i -> f32.i64 (i %% 1000) * 0.001) (iota n)

-- Reads each number.
entry sum [n] (xs: [n]f32) : f32 = reduce (+) 0 xs

-- Reads each number and writes one.
entry increment [n] (xs: [n]f32) : [n]f32 = map (+ 1) xs

-- Reads each number and writes one.
entry running_sum [n] (xs: [n]f32) : [n]f32 = scan (+) 0 xs
