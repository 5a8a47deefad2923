-- The block cipher IDEA: blocks of four words of 16 bits are encrypted, and what comes out is decrypted. The
-- results are the encrypted words and whether all of the message came back.
-- ==
-- random input { [8]u16 [200000][4]u16 }
-- input { [1u16, 2u16, 3u16, 4u16, 5u16, 6u16, 7u16, 8u16] [[0u16, 1u16, 2u16, 3u16], [65535u16, 0u16, 7u16, 9u16]] }
-- output { [[4603u16, 60715u16, 408u16, 28133u16], [52224u16, 62775u16, 65361u16, 20827u16]] true }

-- The multiplicative group modulo 2 to the 16 and 1, where 0 stands for 2 to the 16.
module group = {
  type t = u16

  -- 2 to the 16 is -1 there, so that the low half of a product less its high half is left.
  def (a: t) * (b: t) : t =
    if a == 0
    then 1 - b
    else if b == 0
    then 1 - a
    else let product = u32.u16 a u32.* u32.u16 b
         let (low, high) = (u16.u32 product, u16.u32 (product >> 16))
         in low - high + u16.bool (low < high)

  -- By Fermat's little theorem: x to the 2^16 - 1.
  def inverse (x: t) : t =
    let (power, _) = loop (power, square) = (1, x) for _i < 16i32 do (power * square, square * square)
    in power
}

module idea = {
  type block = (u16, u16, u16, u16)
  type keys = [52]u16

  def encryption_keys (key: [8]u16) : keys =
    let later = replicate 44 0
    in loop ks = key ++ later :> keys for i in 8..<52 do
         let (j, r) = (i % 8, i - i % 8 - 8)
         let a = ks[r + (j + 1) % 8]
         let b = ks[r + (j + 2) % 8]
         in ks with [i] = (a << 9) | (b >> 7)

  def decryption_keys (ks: keys) : keys =
    let inverse = group.inverse
    let part i =
      let (round, j) = (i / 6, i % 6)
      let from = 6 * (8 - round)
      -- Between the rounds the middle words change places.
      let (x, y) = if round == 0 || round == 8 then (1, 2) else (2, 1)
      in match j
         case 0 -> inverse ks[from]
         case 1 -> -ks[from + x]
         case 2 -> -ks[from + y]
         case 3 -> inverse ks[from + 3]
         case 4 -> ks[from - 2]
         case _ -> ks[from - 1]
    in tabulate 52 part

  def round (ks: keys) ((a, b, c, d): block) (r: i64) : block =
    let k i = ks[6 * r + i]
    let a = a group.* k 0
    let b = b + k 1
    let c = c + k 2
    let d = d group.* k 3
    let e = (a ^ c) group.* k 4
    let f = (e + (b ^ d)) group.* k 5
    let g = e + f
    in (a ^ f, c ^ f, b ^ g, d ^ g)

  def crypt (ks: keys) (x: block) : block =
    let (a, b, c, d) = loop x for r < 8 do round ks x r
    in (a group.* ks[48], c + ks[49], b + ks[50], d group.* ks[51])
}

def block (x: [4]u16) : idea.block = (x[0], x[1], x[2], x[3])

entry main [n] (key: [8]u16) (message: [n][4]u16) : ([n][4]u16, bool) =
  let ks = idea.encryption_keys key
  let plain = map block message
  let secret = map (idea.crypt ks) plain
  let back = map (idea.crypt (idea.decryption_keys ks)) secret
  in (map (\(a, b, c, d) -> [a, b, c, d]) secret, and (map2 (==) plain back))
