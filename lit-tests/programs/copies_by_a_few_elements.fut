-- Copies of arrays to places a few elements further or less far, of lengths below and above those that the C library copies otherwise.

def lengths : []i64 = [0, 1, 63, 64, 255, 256, 511, 512, 513, 600, 1000, 1024, 2047, 2048, 2049, 5000, 70000]

def ok (n: i64) (k: i64) : bool =
  let xs = map i32.i64 (iota n)
  let ys = map (\i -> i32.i64 (- i - 1)) (iota k)
  let together = ys ++ xs
  let right = and (map (\i -> if i < k then together[i] == i32.i64 (- i - 1) else together[i] == i32.i64 (i - k)) (iota (n + k)))
  let turned = rotate k xs
  in right && and (map (\i -> turned[i] == i32.i64 ((i + k) % n)) (iota n))

-- ==
-- entry: main
-- input { }
-- output { true }
entry main : bool = and (map (\n -> and (map (ok n) (iota 40))) lengths)

-- ==
-- entry: bytes
-- input { }
-- output { true }
entry bytes : bool =
  let n = 9000
  let xs = map u8.i64 (iota n)
  let right k = let ys = replicate k 77u8 ++ xs in and (map (\i -> ys[i] == if i < k then 77 else u8.i64 (i - k)) (iota (n + k)))
  in and (map right (iota 70))
