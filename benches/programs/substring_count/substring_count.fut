-- At how many places of a text a short pattern begins. Both are over an alphabet of four letters, a
-- byte's lowest bits.
-- ==
-- random input { [5]u8 [4000000]u8 }
-- input { "aba" "abababba" }
-- output { 2i64 }
-- input { "long" "txt" }
-- output { 0i64 }

def matches [n] [k] (pattern: [k]u8) (text: [n]u8) (at: i64) : bool =
  all (\j -> (pattern[j] ^ text[at + j]) & 3 == 0) (iota k)

entry main [k] [n] (pattern: [k]u8) (text: [n]u8) : i64 =
  let places = i64.max 0 (n - k + 1)
  in i64.sum (map (\at -> i64.bool (matches pattern text at)) (iota places))
