-- SHA-256 of many messages of as many blocks each, given as words.
-- ==
-- random input { [20000][2][16]u32 }
-- input { [[[1633837952u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32,
--            0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 24u32]]] }
-- output { [[3128432319u32, 2399260650u32, 1094795486u32, 1571693091u32,
--            2953011619u32, 2518121116u32, 3021012833u32, 4060091821u32]] }

module sha256 = {
  type word = u32
  type hash = [8]word

  def rounds : [64]word =
    [ 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5
    , 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
    , 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3
    , 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
    , 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc
    , 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
    , 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7
    , 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
    , 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13
    , 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
    , 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3
    , 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
    , 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5
    , 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
    , 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208
    , 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 ]

  def initial : hash =
    [ 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a
    , 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 ]

  def rotate (x: word) (k: word) : word = (x >> k) | (x << (32 - k))

  def schedule (block: [16]word) : [64]word =
    #[unroll] loop w = block ++ replicate 48 0 :> [64]word for i in 16..<64 do
      let a = w[i - 15]
      let b = w[i - 2]
      let s0 = rotate a 7 ^ rotate a 18 ^ (a >> 3)
      let s1 = rotate b 17 ^ rotate b 19 ^ (b >> 10)
      in w with [i] = w[i - 16] + s0 + w[i - 7] + s1

  def compress (h: hash) (block: [16]word) : hash =
    let w = schedule block
    let start = (h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7])
    let (a, b, c, d, e, f, g, k) =
      #[unroll] loop (a, b, c, d, e, f, g, k) = start for i < 64 do
        let s1 = rotate e 6 ^ rotate e 11 ^ rotate e 25
        let choice = (e & f) ^ (!e & g)
        let t1 = k + s1 + choice + rounds[i] + w[i]
        let s0 = rotate a 2 ^ rotate a 13 ^ rotate a 22
        let majority = (a & b) ^ (a & c) ^ (b & c)
        in (t1 + s0 + majority, a, b, c, d + t1, e, f, g)
    in map2 (+) h [a, b, c, d, e, f, g, k]

  def hash [b] (blocks: [b][16]word) : hash = foldl compress (copy initial) blocks
}

entry main [n] [b] (messages: [n][b][16]u32) : [n][8]u32 = map sha256.hash messages
