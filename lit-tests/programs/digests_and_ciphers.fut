-- MD5 of texts and of many words, and a block cipher: tables, rotations, wrapping arithmetic.
-- ==
-- entry: digest
-- input { "hello" } output { [0x5du8,0x41u8,0x40u8,0x2au8,0xbcu8,0x4bu8,0x2au8,0x76u8,0xb9u8,0x71u8,0x9du8,0x91u8,0x10u8,0x17u8,0xc5u8,0x92u8] }
-- input { "" } output { [0xd4u8,0x1du8,0x8cu8,0xd9u8,0x8fu8,0x00u8,0xb2u8,0x04u8,0xe9u8,0x80u8,0x09u8,0x98u8,0xecu8,0xf8u8,0x42u8,0x7eu8] }

-- ==
-- entry: crack
-- input { 100i32 } output { 66 }

-- ==
-- entry: idea
-- input { [1u8,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16] } output { true }

type md5 = (u32, u32, u32, u32)
def rs : [64]u32 = map u32.i32
  [ 7, 12, 17, 22,  7, 12, 17, 22,  7, 12, 17, 22,  7, 12, 17, 22,
    5,  9, 14, 20,  5,  9, 14, 20,  5,  9, 14, 20,  5,  9, 14, 20,
    4, 11, 16, 23,  4, 11, 16, 23,  4, 11, 16, 23,  4, 11, 16, 23,
    6, 10, 15, 21,  6, 10, 15, 21,  6, 10, 15, 21,  6, 10, 15, 21 ]
def ks : [64]u32 = tabulate 64 (\i -> u32.f64 (f64.floor (f64.abs (f64.sin (f64.i64 (i + 1))) * 4294967296)))
def rotl (x: u32) (n: u32) = (x << n) | (x >> (32 - n))
def bytes (x: u32) : [4]u8 = [u8.u32 x, u8.u32 (x >> 8), u8.u32 (x >> 16), u8.u32 (x >> 24)]
def unbytes (bs: [4]u8) : u32 = u32.u8 bs[0] | u32.u8 bs[1] << 8 | u32.u8 bs[2] << 16 | u32.u8 bs[3] << 24
def unbytes_block (b: [64]u8) : [16]u32 = map unbytes (unflatten (b :> [16 * 4]u8))
def chunk ((a0, b0, c0, d0): md5) (m: [16]u32) : md5 =
  let (a, b, c, d) =
    loop (a, b, c, d) = (a0, b0, c0, d0) for i < 64i64 do
      let (f, g) =
        if i < 16 then ((b & c) | (!b & d), i)
        else if i < 32 then ((d & b) | (!d & c), (5 * i + 1) % 16)
        else if i < 48 then (b ^ c ^ d, (3 * i + 5) % 16)
        else (c ^ (b | !d), (7 * i) % 16)
      let f = f + a + ks[i] + m[g]
      in (d, b + rotl f rs[i], b, c)
  in (a0 + a, b0 + b, c0 + c, d0 + d)
def init : md5 = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
def md5 [n] (ms: [n][16]u32) : md5 = loop st = init for i < n do chunk st ms[i]
def pad [n] (bs: [n]u8) =
  let zeros = (119 - n % 64) % 64
  let bits = u32.i64 n * 8
  in bs ++ [0x80] ++ replicate zeros 0 ++ bytes bits ++ [0, 0, 0, 0]
entry digest [n] (bs: [n]u8) : [16]u8 =
  let p = pad bs
  let k = length p / 64
  let blocks = unflatten (p :> [k * 64]u8)
  let (a, b, c, d) = md5 (map unbytes_block blocks)
  in bytes a ++ bytes b ++ bytes c ++ bytes d
def word (i: i32) : [8]u8 = tabulate 8 (\k -> u8.i32 (i32.i64 'a' + (i >> (4 * i32.i64 k)) & 15))
entry crack (n: i32) =
  let target = (n * 2) / 3
  let h i =
    let w = word i
    let blk = tabulate 64 (\k -> if k < 8 then w[k] else if k == 8 then 0x80 else if k == 56 then 64 else 0)
    in md5 [unbytes_block blk]
  let goal = h target
  in reduce i32.max (-1) (map (\i -> let (a, b, c, d) = h (i32.i64 i)
                                     let (a', b', c', d') = goal
                                     in if a == a' && b == b' && c == c' && d == d' then i32.i64 i else -1) (iota (i64.i32 n)))

def mulm (a: u32) (b: u32) : u32 =
  let a = if a == 0 then 65536u64 else u64.u32 a
  let b = if b == 0 then 65536u64 else u64.u32 b
  in u32.u64 ((a * b) % 65537) & 0xFFFF
def inv (x: u32) : u32 =
  if x <= 1 then x else
  let (_, _, r) = loop (a, e, r) = (x, 65535u32, 1u32) while e > 0 do (mulm a a, e / 2, if e & 1 == 1 then mulm r a else r)
  in r
def rounds (k: [52]u32) (b: [4]u32) : [4]u32 =
  let (x1, x2, x3, x4) =
    loop (x1, x2, x3, x4) = (b[0], b[1], b[2], b[3]) for r < 8i64 do
      let o = 6 * r
      let a = mulm x1 k[o]
      let c = (x2 + k[o + 1]) & 0xFFFF
      let d = (x3 + k[o + 2]) & 0xFFFF
      let e = mulm x4 k[o + 3]
      let t0 = mulm (a ^ d) k[o + 4]
      let t1 = mulm ((t0 + (c ^ e)) & 0xFFFF) k[o + 5]
      let t2 = (t0 + t1) & 0xFFFF
      in (a ^ t1, d ^ t1, c ^ t2, e ^ t2)
  in [mulm x1 k[48], (x3 + k[49]) & 0xFFFF, (x2 + k[50]) & 0xFFFF, mulm x4 k[51]]
def enc_key (u: [8]u32) : [52]u32 =
  loop k = u ++ replicate 44 0 :> [52]u32 for i in 8..<52 do
    let j = i % 8
    let v = if j < 6 then (k[i - 7] << 9) | (k[i - 6] >> 7)
            else if j == 6 then (k[i - 7] << 9) | (k[i - 14] >> 7)
            else (k[i - 15] << 9) | (k[i - 14] >> 7)
    in k with [i] = v & 0xFFFF
def neg16 (x: u32) = (0x10000 - x) & 0xFFFF
def dec_key (z: [52]u32) : [52]u32 =
  tabulate 52 (\i ->
    let r = i / 6
    let j = i % 6
    let b = 48 - 6 * r
    in match j
       case 0 -> inv z[b]
       case 1 -> neg16 z[if r == 0 || r == 8 then b + 1 else b + 2]
       case 2 -> neg16 z[if r == 0 || r == 8 then b + 2 else b + 1]
       case 3 -> inv z[b + 3]
       case 4 -> z[b - 2]
       case _ -> z[b - 1])
entry idea [n] (text: [n]u8) : bool =
  let m = n / 8
  let blocks = map (\i -> map (\j -> u32.u8 text[8 * i + 2 * j] | u32.u8 text[8 * i + 2 * j + 1] << 8) (iota 4)) (iota m) :> [m][4]u32
  let k = enc_key (map u32.i64 [111, 2222, 3333, 4444, 5555, 6666, 7777, 888])
  let e = map (rounds k) blocks
  let d = map (rounds (dec_key k)) e
  in d == blocks && e != blocks
