-- Bytes are looked up in tables by vectors, where the processor permutes them. Whatever the size of the table and of
-- the map, and what surrounds a lookup, elements are those that they are one by one.
-- ==
-- entry: of_256 of_128 of_64 larger signed truths masked shifted rows two_tables tables_of_rows
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 63i64 } output { true }
-- input { 64i64 } output { true }
-- input { 65i64 } output { true }
-- input { 127i64 } output { true }
-- input { 191i64 } output { true }
-- input { 1000i64 } output { true }

-- ==
-- entry: rows_that_part in_branches of_neighbours words wider twice made guarded rounds sums in_place
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 63i64 } output { true }
-- input { 64i64 } output { true }
-- input { 65i64 } output { true }
-- input { 127i64 } output { true }
-- input { 191i64 } output { true }
-- input { 1000i64 } output { true }

-- ==
-- entry: of_unknown_size
-- input { 256i64 1000i64 } output { true }
-- input { 255i64 1000i64 } error: Index \[255\] out of bounds
-- input { 1000i64 1000i64 } output { true }

-- ==
-- entry: of_parameter
-- input { [7u8, 8u8, 9u8] [2u8, 1u8] } output { [9u8, 8u8] }
-- input { [7u8, 8u8, 9u8] [2u8, 3u8] } error: Index \[3\] out of bounds

def scramble (i: i64) : u8 = u8.i64 ((i * 167 + (i >> 3) * 29 + 13) % 256)

-- In memory, as are tables and results: nothing is computed where it is used.
def bytes (n: i64) : [n]u8 = opaque (tabulate n (\i -> scramble (i + 5)))

def table (n: i64) : [n]u8 =
  tabulate n (\i -> u8.i64 (i * i * 3 + 11 * i + 200))

-- What is in a table, without one.
def entry_of (i: i64) : u8 = u8.i64 (i * i * 3 + 11 * i + 200)

def opaque_table (m: i64) (n: i64) : [m]u8 =
  opaque (table (m + (n - n)) :> [m]u8)

def same [n] (a: [n]u8) (b: [n]u8) : bool = and (map2 (==) a b)

entry of_256 (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let r = opaque (map (\p -> t[i64.u8 p]) xs)
  in same r (map (\p -> entry_of (i64.u8 p)) xs)

entry of_128 (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 128 n
  let r = opaque (map (\p -> t[i64.u8 (p & 127)]) xs)
  in same r (map (\p -> entry_of (i64.u8 p % 128)) xs)

entry of_64 (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 64 n
  let r = opaque (map (\p -> t[i64.u8 (p & 63)]) xs)
  in same r (map (\p -> entry_of (i64.u8 p % 64)) xs)

entry larger (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 300 n
  let r = opaque (map (\p -> t[i64.u8 p] ^ t[i64.u8 (p & 85)]) xs)
  in same r (map (\p -> entry_of (i64.u8 p) ^ entry_of (i64.u8 (p & 85))) xs)

entry signed (n: i64) : bool =
  let xs = bytes n
  let t = map i8.u8 (opaque_table 128 n)
  let r = opaque (map (\p -> t[i64.i8 (p & 127)]) (map i8.u8 xs))
  in same (map u8.i8 r) (map (\p -> entry_of (i64.u8 p % 128)) xs)

entry truths (n: i64) : bool =
  let xs = bytes n
  let t = map (> 100) (opaque_table 256 n)
  let r = opaque (map (\p -> t[i64.u8 p] && p != 7) xs)
  in and (map2 (==) r (map (\p -> entry_of (i64.u8 p) > 100 && p != 7) xs))

entry masked (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 128 n
  let r = opaque (map (\p -> t[i64.u32 (u32.u8 p & 107)]) xs)
  in same r (map (\p -> entry_of (i64.u8 (p & 107))) xs)

entry shifted (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 64 n
  let r = opaque (map (\p -> t[i64.u8 (p >> 2)] + t[i64.u8 (p >> 4)]) xs)
  in same r
          (map (\p -> entry_of (i64.u8 (p >> 2)) + entry_of (i64.u8 (p >> 4)))
               xs)

entry rows (n: i64) : bool =
  let t = opaque_table 256 n
  let picture = opaque (tabulate_2d 3 n (\i j -> scramble (i * 1000 + j)))
  let r = opaque (map (map (\p -> t[i64.u8 p])) picture)
  in and (map2 same r (map (map (\p -> entry_of (i64.u8 p))) picture))

entry two_tables (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let s = opaque (map (+ 3) (table 64))
  let r = opaque (map (\p -> s[i64.u8 (t[i64.u8 p] & 63)] * 5 + p) xs)
  in same r
          (map (\p ->
                  (entry_of (i64.u8 (entry_of (i64.u8 p) & 63)) + 3) * 5 + p)
               xs)

entry tables_of_rows (n: i64) : bool =
  let ts = opaque (tabulate_2d 3 256 (\k i -> entry_of i + u8.i64 k))
  let picture = opaque (tabulate_2d 3 n (\i j -> scramble (i * 1000 + j)))
  let r = opaque (tabulate_2d 3 n (\k i -> ts[k, i64.u8 picture[k, i]]))
  in and (tabulate 3 (\k ->
                        same r[k]
                             (map (\p -> entry_of (i64.u8 p) + u8.i64 k)
                                  picture[k])))

entry in_branches (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let r =
    opaque (map (\p ->
                   if p > 200 then t[i64.u8 p]
                   else if p < 20 then t[i64.u8 (p + 1)] / (p + 3)
                   else p)
                xs)
  in same r
          (map (\p ->
                  if p > 200 then entry_of (i64.u8 p)
                  else if p < 20 then entry_of (i64.u8 p + 1) / (p + 3)
                  else p)
               xs)

entry of_neighbours (n: i64) : bool =
  let t = opaque_table 256 n
  let xs = bytes (n + 2)
  let r = opaque (tabulate n (\i -> t[i64.u8 (xs[i] + xs[i + 2])] - xs[i + 1]))
  in same r
          (tabulate n (\i -> entry_of (i64.u8 (xs[i] + xs[i + 2])) - xs[i + 1]))

entry words (n: i64) : bool =
  let t = opaque_table 256 n
  let xs = opaque (tabulate n (\i -> u32.i64 (i * 1234567)))
  let r = opaque (map (\x -> u32.u8 t[i64.u8 (u8.u32 (x >> 8))] + x) xs)
  in and (map2 (==)
               r
               (map (\x -> u32.u8 (entry_of (i64.u8 (u8.u32 (x >> 8)))) + x)
                    xs))

entry wider (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let r = opaque (map (\p -> f64.u8 t[i64.u8 p] * 0.5 + f64.i64 (i64.u8 p)) xs)
  in and (map2 (==)
               r
               (map (\p -> f64.u8 (entry_of (i64.u8 p)) * 0.5 + f64.u8 p) xs))

entry twice (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let (a, b) =
    opaque (unzip (map (\p ->
                          let x = t[i64.u8 p] in (x, t[i64.u8 (t[i64.u8 x])]))
                       xs))
  let f p = entry_of (i64.u8 p)
  in same a (map f xs) && same b (map (\p -> f (f (f p))) xs)

-- Indexes that are made of counters.
entry made (n: i64) : bool =
  let t = opaque_table 256 n
  let r = opaque (tabulate n (\i -> t[i64.u8 (u8.i64 i)]))
  in same r (tabulate n (\i -> entry_of (i % 256)))

-- Only what is inside is read.
entry guarded (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 100 n
  let r = opaque (map (\p -> if p < 100 then t[i64.u8 p] else 0) xs)
  in same r (map (\p -> if p < 100 then entry_of (i64.u8 p) else 0) xs)

entry rounds (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let r = opaque (map (\p -> loop p for k < 5 do t[i64.u8 (p ^ u8.i64 k)]) xs)
  in same r
          (map (\p -> loop p for k < 5 do entry_of (i64.u8 (p ^ u8.i64 k))) xs)

entry sums (n: i64) : bool =
  let xs = bytes n
  let t = opaque_table 256 n
  let r = reduce (+) 0 (map (\p -> i64.u8 t[i64.u8 p]) xs)
  in r == reduce (+) 0 (map (\p -> i64.u8 (entry_of (i64.u8 p))) xs)

-- Tables that are looked up in themselves, and results that lie where the bytes did.
entry in_place (n: i64) : bool =
  let t = opaque_table 256 n
  let t = loop t for _i < 3 do map (\p -> t[i64.u8 p]) t
  let e = loop e = table 256 for _i < 3 do map (\i -> e[i64.u8 e[i]]) (iota 256)
  let r = loop xs = bytes n for _i < 3 do map (\p -> t[i64.u8 p]) xs
  let s = loop xs = bytes n for _i < 3 do map (\p -> e[i64.u8 p]) xs
  in same t e && same r s

entry of_unknown_size (m: i64) (n: i64) : bool =
  let xs = bytes n
  let t = opaque (table m)
  let r = opaque (map (\p -> t[i64.u8 p]) xs)
  in same r (map (\p -> entry_of (i64.u8 p)) xs)

entry of_parameter [m] [n] (t: [m]u8) (xs: [n]u8) : [n]u8 =
  map (\p -> t[i64.u8 p]) xs

-- Which row a lane looks its byte up in is the same for all only in the first round.
entry rows_that_part (n: i64): bool =
  let xs = bytes n
  let ts = opaque (tabulate_2d 3 256 (\k i -> entry_of i + u8.i64 (k + n - n)))
  let f look p = (loop (p, k) = (p, 0) for _i < 4 do (look k p, (k + i64.u8 p) % 3)).0
  let r = opaque (map (f (\k p -> #[unsafe] ts[k, i64.u8 p])) xs)
  in same r (map (f (\k p -> entry_of (i64.u8 p) + u8.i64 k)) xs)
