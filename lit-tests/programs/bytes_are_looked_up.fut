-- Bytes in tables of 256 bytes, by permutations where processors have them, against single elements.
-- ==
-- entry: values truths signed masked chosen twice in_rows at_rims summed
-- input { [0i64, 1i64, 3i64, 15i64, 16i64, 63i64, 64i64, 65i64, 127i64, 128i64, 129i64, 200i64, 1000i64] }
-- output { true }

def table (seed: i64) : [256]u8 = tabulate 256 (\i -> u8.i64 ((i * 167 + seed * 13 + (i >> 3)) % 256))
def bytes (n: i64) : [n]u8 = tabulate n (\i -> u8.i64 ((i * i * 31 + i * 7 + 3) % 256))

def compare 'a (eq: a -> a -> bool) (ns: []i64) (one: u8 -> a) : bool =
  loop ok = true for n in ns do
    let xs = opaque (bytes n)
    let got = opaque (map one xs)
    -- In a loop, element by element.
    in loop ok for i < n do ok && (got[i] `eq` one xs[i])

entry values ns =
  let t = table 1 in compare (==) ns (\x -> t[i64.u8 x])

entry truths ns =
  let t = map (\x -> x % 3 == 1) (table 2)
  in compare (==) ns (\x -> t[i64.u8 x])

entry signed ns =
  let t = map (\x -> i8.u8 x) (table 3)
  in compare (==) ns (\x -> -t[i64.u8 (x ^ 0x5a)])

entry masked ns =
  let t = table 4
  let s = take 64 (table 5)
  in compare (==) ns (\x -> t[i64.u8 (x & 63)] + #[unsafe] s[i64.u8 (x & 63)])

entry chosen ns =
  let (s, t) = (table 6, table 7)
  let one x = if x % 5 == 0 then s[i64.u8 x] else if x > 100 then t[i64.u8 (x + 1)] / (x - 99) else x
  in compare (==) ns one

entry twice ns =
  let (s, t) = (table 8, table 9)
  let one x = t[i64.u8 s[i64.u8 x]] ^ s[i64.u8 t[i64.u8 x]]
  in compare (==) ns one

entry in_rows ns =
  let t = table 10
  in loop ok = true for n in ns do
    let rows = tabulate_2d 3 n (\i j -> u8.i64 ((i * 91 + j * 17) % 256))
    let got = opaque (map (map (\x -> t[i64.u8 x] * 2)) rows)
    in loop ok for i < 3 do loop ok for j < n do ok && got[i, j] == t[i64.u8 rows[i, j]] * 2

-- Tables that are of another size, begin elsewhere or are not dense.
entry at_rims ns =
  let u = tabulate 600 (\i -> u8.i64 (i * 7 % 256))
  let (a, b, c) = (u[100:356], u[:512:2], reverse (take 256 u))
  let one x = a[i64.u8 x] + 3 * #[unsafe] b[i64.u8 x] + 5 * c[i64.u8 x] + #[unsafe] u[i64.u8 x]
  in compare (==) ns one

-- The byte is also computed with, and so is what is found, in wider numbers.
entry summed ns =
  let t = table 11
  let one x = i64.u8 x * 1000 + i64.u8 t[i64.u8 x]
  in compare (==) ns one
     && (loop ok = true for n in ns do
           let xs = opaque (bytes n)
           let want = loop sum = 0i32 for x in xs do sum + i32.u8 t[i64.u8 x]
           in ok && want == i32.sum (map (\x -> i32.u8 t[i64.u8 x]) xs))
