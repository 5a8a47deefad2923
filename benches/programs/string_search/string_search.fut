-- Where a pattern occurs in a text over an alphabet of four letters (a byte's lowest bits), but for so many letters: the
-- number of places, and the first one. How far a place is looked at depends on how soon it differs.
-- ==
-- random input { 4i64 [2000000]u8 [24]u8 }
-- input { 1i64 [0u8, 1u8, 2u8, 3u8, 1u8, 2u8] [4u8, 1u8, 3u8] }
-- output { 1i64 0i64 }
-- input { 0i64 [1u8] [1u8, 1u8] }
-- output { 0i64 -1i64 }

entry main [n] [m] (most: i64) (text: [n]u8) (pattern: [m]u8) : (i64, i64) =
  let places = i64.max 0 (n - m + 1)
  let matches i =
    let (_, wrong) =
      loop (k, wrong) = (0, 0) while k < m && wrong <= most do
        (k + 1, wrong + i64.bool ((text[i + k] ^ pattern[k]) & 3 != 0))
    in wrong <= most
  let found = map matches (iota places)
  let first = i64.minimum (map2 (\i f -> if f then i else i64.highest) (iota places) found)
  in (i64.sum (map i64.bool found), if first == i64.highest then -1 else first)
