-- Neighbours in rows of pixels of a few channels, whose index is clamped, goes round or is asked for, and tables and
-- images that are read at indexes of which nothing need be checked, or only whether there is anything.

def clamp (n: i64) (i: i64) : i64 = i64.max 0 (i64.min (n - 1) i)

def picture (h: i64) (w: i64) (c: i64) : [h][w][c]i32 =
  tabulate_3d h w c (\i j k -> i32.i64 ((i * 31 + j * 17 + k * 5) % 23))

-- In both dimensions, taps from a table.
-- ==
-- entry: blur
-- input { 0i64 5i64 }
-- output { empty([0][5][3]i32) }
-- input { 3i64 0i64 }
-- output { empty([3][0][3]i32) }
-- input { 1i64 1i64 }
-- output { [[[0i32, 80i32, 160i32]]] }
-- input { 2i64 3i64 }
-- output { [[[77i32, 157i32, 168i32], [166i32, 223i32, 165i32], [209i32, 220i32, 231i32]], [[95i32, 175i32,
--   232i32], [138i32, 149i32, 183i32], [227i32, 100i32, 157i32]]] }
-- input { 2i64 20i64 }
-- output { [[[77i32, 157i32, 168i32], [166i32, 223i32, 165i32], [185i32, 219i32, 207i32], [181i32, 169i32,
--   203i32], [223i32, 165i32, 153i32], [219i32, 207i32, 149i32], [169i32, 203i32, 214i32], [165i32, 153i32,
--   233i32], [207i32, 149i32, 160i32], [203i32, 214i32, 133i32], [153i32, 233i32, 198i32], [149i32, 160i32,
--   217i32], [214i32, 133i32, 144i32], [233i32, 198i32, 117i32], [160i32, 217i32, 182i32], [133i32, 144i32,
--   201i32], [198i32, 117i32, 128i32], [217i32, 182i32, 101i32], [144i32, 201i32, 166i32], [72i32, 152i32,
--   209i32]], [[95i32, 175i32, 232i32], [138i32, 149i32, 183i32], [203i32, 145i32, 133i32], [199i32, 187i32,
--   129i32], [149i32, 183i32, 171i32], [145i32, 133i32, 167i32], [187i32, 129i32, 186i32], [183i32, 171i32,
--   251i32], [133i32, 167i32, 224i32], [129i32, 186i32, 151i32], [171i32, 251i32, 170i32], [167i32, 224i32,
--   235i32], [186i32, 151i32, 208i32], [251i32, 170i32, 135i32], [224i32, 235i32, 154i32], [151i32, 208i32,
--   219i32], [170i32, 135i32, 192i32], [235i32, 154i32, 119i32], [208i32, 219i32, 138i32], [136i32, 216i32,
--   227i32]]] }
def kernel : [3][3]i32 = [[1, 2, 1], [2, 4, 2], [1, 2, 1]]

entry blur (h: i64) (w: i64) : [h][w][3]i32 =
  let xs = picture h w 3
  let at i j c = xs[clamp h i, clamp w j, c]
  in tabulate_3d h w 3 (\i j c ->
       i32.sum (flatten (tabulate_2d 3 3 (\a b -> kernel[a, b] * at (i + a - 1) (j + b - 1) c))))

-- Pixels as arrays, and channels that are written out.
-- ==
-- entry: pixels
-- input { 3i64 1i64 }
-- output { [[[0i32, 5i32, 10i32, 15i32]], [[8i32, 13i32, 18i32, 0i32]], [[16i32, 21i32, 3i32, 8i32]]] [[[0i32,
--   0i32, 0i32]], [[0i32, 0i32, 0i32]], [[0i32, 0i32, 0i32]]] }
-- input { 1i64 19i64 }
-- output { [[[-11i32, -6i32, -1i32, 27i32], [-5i32, 0i32, 5i32, 10i32], [12i32, 40i32, -1i32, 4i32], [6i32, 11i32,
--   39i32, -2i32], [0i32, 5i32, 10i32, 38i32], [40i32, -1i32, 4i32, 9i32], [11i32, 39i32, -2i32, 3i32], [5i32,
--   10i32, 38i32, -3i32], [-1i32, 4i32, 9i32, 37i32], [39i32, -2i32, 3i32, 8i32], [10i32, 38i32, -3i32, 2i32],
--   [4i32, 9i32, 37i32, -4i32], [-2i32, 3i32, 8i32, 36i32], [38i32, -3i32, 2i32, 7i32], [9i32, 37i32, -4i32,
--   1i32], [3i32, 8i32, 36i32, -5i32], [-3i32, 2i32, 7i32, 12i32], [31i32, -10i32, -5i32, 0i32], [19i32, 24i32,
--   -17i32, -12i32]]] [[[6i32, 6i32, -11i32], [23i32, 46i32, -23i32], [11i32, 11i32, 22i32], [-12i32, -35i32,
--   45i32], [34i32, -12i32, -24i32], [11i32, 34i32, -47i32], [-35i32, 11i32, 22i32], [-12i32, -35i32, 45i32],
--   [34i32, -12i32, -24i32], [11i32, 34i32, -47i32], [-35i32, 11i32, 22i32], [-12i32, -35i32, 45i32], [34i32,
--   -12i32, -24i32], [11i32, 34i32, -47i32], [-35i32, 11i32, 22i32], [-12i32, -35i32, 22i32], [28i32, -18i32,
--   -36i32], [22i32, 22i32, -48i32], [-12i32, 34i32, -24i32]]] }
entry pixels (h: i64) (w: i64) : ([h][w][4]i32, [h][w][3]i32) =
  let xs = picture h w 4
  let ys = map (\row -> tabulate w (\j -> map2 (\a b -> 2 * a - b) row[clamp w (j - 1)] row[clamp w (j + 2)])) xs
  let zs = tabulate_2d h w (\i j ->
             let f c = ys[i, clamp w (j + 1), c] - ys[i, clamp w (j - 1), c]
             in [f 0, f 1, f 2 + f 3])
  in (ys, zs)

-- Round, and only where there are neighbours.
-- ==
-- entry: round
-- input { 2i64 1i64 }
-- output { [[[-52i32, -32i32]], [[0i32, 0i32]]] }
-- input { 2i64 3i64 }
-- output { [[[143i32, 240i32], [69i32, 120i32], [-46i32, -26i32]], [[325i32, 80i32], [130i32, 230i32], [62i32,
--   82i32]]] }
-- input { 3i64 17i64 }
-- output { [[[135i32, 255i32], [144i32, 195i32], [324i32, 99i32], [228i32, 325i32], [224i32, 229i32], [128i32,
--   179i32], [308i32, 83i32], [212i32, 309i32], [208i32, 213i32], [43i32, 163i32], [292i32, 67i32], [173i32,
--   293i32], [192i32, 128i32], [27i32, 147i32], [276i32, 28i32], [-38i32, 82i32], [-54i32, -34i32]], [[263i32,
--   38i32], [157i32, 277i32], [246i32, 179i32], [44i32, 184i32], [292i32, 64i32], [218i32, 289i32], [213i32,
--   169i32], [47i32, 164i32], [272i32, 389i32], [198i32, 269i32], [193i32, 264i32], [372i32, 144i32], [252i32,
--   369i32], [293i32, 249i32], [173i32, 244i32], [157i32, 274i32], [-43i32, -26i32]], [[140i32, 240i32], [365i32,
--   120i32], [255i32, 375i32], [305i32, 241i32], [161i32, 281i32], [385i32, 137i32], [241i32, 361i32], [281i32,
--   217i32], [137i32, 257i32], [361i32, 113i32], [217i32, 337i32], [257i32, 262i32], [113i32, 233i32], [337i32,
--   112i32], [262i32, 313i32], [383i32, 388i32], [52i32, 49i32]]] }
entry round (h: i64) (w: i64) : [h][w][2]i32 =
  let xs = picture h w 2
  let ys = tabulate_3d h w 2 (\i j c -> xs[i, (j + w - 1) % w, c] + 3 * xs[i, (j + 1) % w, c])
  let at i j c = if j < 0 || j >= w || i < 0 || i >= h then 0 else ys[i, j, c]
  in tabulate_3d h w 2 (\i j c -> at (i - 1) (j - 2) c + 5 * at i (j + 1) c - at (i + 1) j (1 - c))

-- A reduction of a row of the image is made once for each point of a range that may be empty while the other is not.
-- ==
-- entry: apart
-- input { 0i64 5i64 }
-- output { 0i32 }
-- input { 4i64 5i64 }
-- output { 54i32 }
-- input { 4i64 0i64 }
-- output { 0i32 }
entry apart (n: i64) (m: i64) : i32 =
  let xs = map i32.i64 (iota n)
  in i32.sum (tabulate n (\i -> i32.i64 i * i32.sum (tabulate m (\k -> xs[clamp n k]))))

-- To another size: floats that are no numbers, too large or below zero are converted to what the image has.
-- ==
-- entry: resize
-- input { [1f32, 2f32, 4f32] [0f32, 0.5f32, 1.75f32, -3f32, 100f32, 1e30f32, f32.nan, f32.inf, -f32.inf] }
-- output { [1f32, 1.5f32, 3.5f32, 1f32, 4f32, 4f32, 1f32, 1f32, 1f32] }
-- input { empty([0]f32) empty([0]f32) } output { empty([0]f32) }
-- input { empty([0]f32) [0f32] } error: out of bounds
entry resize [n] (xs: [n]f32) (ys: []f32) : []f32 =
  map (\y ->
         let y = f32.max 0 y
         let i = i64.min (n - 1) (i64.f32 y)
         let j = i64.min (n - 1) (i + 1)
         let t = if y < 1000 then y - f32.i64 i else 0
         let t = f32.min t 1
         in xs[i] * (1 - t) + xs[j] * t)
      ys

-- ==
-- entry: code
-- input { [[77u8, 97u8, 110u8], [255u8, 0u8, 255u8]] } output { "TWFu/wD/" }
-- input { empty([0][3]u8) } output { empty([0]u8) }
def letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

entry code [n] (bytes: [n][3]u8) : []u8 =
  flatten (map (\b ->
    let x = (u32.u8 b[0] << 16) | (u32.u8 b[1] << 8) | u32.u8 b[2]
    in [letters[i64.u32 (x >> 18)], letters[i64.u32 ((x >> 12) & 63)],
        letters[i64.u32 ((x >> 6) & 63)], letters[i64.u32 (x & 63)]]) bytes)
