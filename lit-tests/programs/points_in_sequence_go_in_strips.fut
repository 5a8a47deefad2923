-- Points that work in sequence go in strips of as many lanes as are best, with arrays of their own that lie element
-- beside element, and rows of other arrays transposed: of sizes at and around the ends of strips, down columns and along
-- rows, and beyond the room of a strip.
-- ==
-- entry: along_rows
-- input { 0i64 5i64 } output { 17i32 }
-- input { 5i64 0i64 } output { 17i32 }
-- input { 1i64 1i64 } output { 3857i32 }
-- input { 15i64 7i64 } output { 1605318693i32 }
-- input { 16i64 7i64 } output { 985225440i32 }
-- input { 17i64 1i64 } output { -1674971442i32 }
-- input { 31i64 33i64 } output { 2135580916i32 }
-- input { 32i64 32i64 } output { -2089948445i32 }
-- input { 33i64 31i64 } output { 1505133770i32 }
-- input { 40i64 3i64 } output { -213308011i32 }
-- input { 63i64 16i64 } output { -1442918003i32 }
-- input { 64i64 17i64 } output { -301143112i32 }
-- input { 65i64 2i64 } output { -478505366i32 }
-- input { 97i64 50i64 } output { -194819977i32 }
-- input { 32i64 700i64 } output { 1919672530i32 }
-- input { 35i64 2001i64 } output { 903129506i32 }
-- input { 16i64 20000i64 } output { -849162256i32 }
-- input { 2i64 40000i64 } output { -230185174i32 }

-- ==
-- entry: down_columns
-- input { 0i64 5i64 } output { 17i32 }
-- input { 5i64 0i64 } output { 17i32 }
-- input { 1i64 1i64 } output { 3857i32 }
-- input { 15i64 7i64 } output { 903057080i32 }
-- input { 16i64 7i64 } output { -1244699174i32 }
-- input { 17i64 1i64 } output { -372297914i32 }
-- input { 31i64 33i64 } output { 357359330i32 }
-- input { 32i64 32i64 } output { 479625129i32 }
-- input { 33i64 31i64 } output { -254249308i32 }
-- input { 40i64 3i64 } output { -455782737i32 }
-- input { 63i64 16i64 } output { 106101007i32 }
-- input { 64i64 17i64 } output { 1508412456i32 }
-- input { 65i64 2i64 } output { 1350732991i32 }
-- input { 97i64 50i64 } output { -1429111771i32 }
-- input { 32i64 700i64 } output { -288306740i32 }
-- input { 35i64 2001i64 } output { 612949988i32 }
-- input { 16i64 20000i64 } output { 1673975338i32 }
-- input { 2i64 40000i64 } output { 1383232257i32 }

-- ==
-- entry: both_ways
-- input { 0i64 5i64 } output { 17i32 }
-- input { 5i64 0i64 } output { 17i32 }
-- input { 1i64 1i64 } output { -4428373i32 }
-- input { 15i64 7i64 } output { -135159978i32 }
-- input { 16i64 7i64 } output { 1498999210i32 }
-- input { 17i64 1i64 } output { 1306599304i32 }
-- input { 31i64 33i64 } output { -61550085i32 }
-- input { 32i64 32i64 } output { 1241861974i32 }
-- input { 33i64 31i64 } output { 340930395i32 }
-- input { 40i64 3i64 } output { 946439823i32 }
-- input { 63i64 16i64 } output { -576450457i32 }
-- input { 64i64 17i64 } output { 1109612641i32 }
-- input { 65i64 2i64 } output { 1272086042i32 }
-- input { 97i64 50i64 } output { 1037827304i32 }
-- input { 32i64 700i64 } output { 574992865i32 }

-- ==
-- entry: several
-- input { 0i64 5i64 } output { 17i32 3i64 17i32 }
-- input { 5i64 0i64 } output { 17i32 3i64 487649872i32 }
-- input { 1i64 1i64 } output { 746i32 2999715i64 232i32 }
-- input { 15i64 7i64 } output { -42462111i32 3655021408500820367i64 2062288920i32 }
-- input { 16i64 7i64 } output { 1032514261i32 6500217645627515293i64 -493550043i32 }
-- input { 17i64 1i64 } output { 251791264i32 116503784428250245i64 -378066212i32 }
-- input { 31i64 33i64 } output { 1003030247i32 -5462681001750297081i64 -1697002200i32 }
-- input { 32i64 32i64 } output { -2079232154i32 8667346185199621347i64 -601061468i32 }
-- input { 33i64 31i64 } output { 1224010441i32 -577181720542592093i64 -150729075i32 }
-- input { 40i64 3i64 } output { -169137544i32 -5213502569664993247i64 -1389209048i32 }
-- input { 63i64 16i64 } output { 1141280717i32 3712029726929716165i64 -1564262987i32 }
-- input { 64i64 17i64 } output { 603307776i32 4812630173903740401i64 -1520492118i32 }
-- input { 65i64 2i64 } output { -1568280958i32 -7696586541678152607i64 -2077331563i32 }
-- input { 97i64 50i64 } output { 2024878947i32 4657201135194644091i64 1900553387i32 }
-- input { 32i64 700i64 } output { 855205601i32 -3344519704999621299i64 -117405587i32 }

-- ==
-- entry: places
-- input { 1i64 1i64 } output { -73i32 }
-- input { 15i64 7i64 } output { -1048119979i32 }
-- input { 16i64 7i64 } output { 1732571801i32 }
-- input { 17i64 1i64 } output { 1485894246i32 }
-- input { 31i64 33i64 } output { 146262694i32 }
-- input { 32i64 32i64 } output { 1132240925i32 }
-- input { 33i64 31i64 } output { -239601437i32 }
-- input { 40i64 3i64 } output { 515147615i32 }
-- input { 63i64 16i64 } output { 731479855i32 }
-- input { 64i64 17i64 } output { -407603271i32 }
-- input { 65i64 2i64 } output { -1573630853i32 }
-- input { 97i64 50i64 } output { 220975636i32 }
-- input { 32i64 700i64 } output { -560869141i32 }

-- ==
-- entry: tables
-- input { 0i64 5i64 } output { 17i32 }
-- input { 1i64 1i64 } output { 538i32 }
-- input { 15i64 7i64 } output { 555412396i32 }
-- input { 16i64 7i64 } output { 967848549i32 }
-- input { 17i64 1i64 } output { -1767828080i32 }
-- input { 31i64 33i64 } output { -800034418i32 }
-- input { 32i64 32i64 } output { -1070150099i32 }
-- input { 33i64 31i64 } output { -1571268746i32 }
-- input { 40i64 3i64 } output { -1590938531i32 }
-- input { 63i64 16i64 } output { 416803973i32 }
-- input { 64i64 17i64 } output { 2084923955i32 }
-- input { 65i64 2i64 } output { -1540701119i32 }
-- input { 97i64 50i64 } output { 1134540541i32 }
-- input { 32i64 700i64 } output { 208942199i32 }

-- ==
-- entry: fails
-- input { 40i64 20i64 -5i64 0i64 } output { -2123948073i32 }
-- input { 40i64 20i64 0i64 0i64 } error: Index \[0, 20\] out of bounds for array of shape \[40\]\[20\]
-- input { 40i64 20i64 7i64 19i64 } error: Index \[7, 27\] out of bounds for array of shape \[40\]\[20\]
-- input { 40i64 20i64 31i64 3i64 } error: Index \[31, 51\] out of bounds for array of shape \[40\]\[20\]
-- input { 40i64 20i64 32i64 3i64 } error: Index \[32, 52\] out of bounds for array of shape \[40\]\[20\]
-- input { 40i64 20i64 39i64 19i64 } error: Index \[39, 59\] out of bounds for array of shape \[40\]\[20\]
-- input { 70i64 9i64 69i64 8i64 } error: Index \[69, 78\] out of bounds for array of shape \[70\]\[9\]
-- input { 33i64 9i64 32i64 0i64 } error: Index \[32, 41\] out of bounds for array of shape \[33\]\[9\]
-- input { 20i64 9i64 19i64 4i64 } error: Index \[19, 28\] out of bounds for array of shape \[20\]\[9\]
-- input { 10i64 9i64 8i64 4i64 } error: Index \[8, 17\] out of bounds for array of shape \[10\]\[9\]

-- ==
-- entry: fails_for_all
-- input { 40i64 20i64 20i64 } output { -2123948073i32 }
-- input { 40i64 20i64 21i64 } output { 2059814819i32 }
-- input { 40i64 20i64 12i64 } error: Index \[12\] out of bounds for array of shape \[12\]
-- input { 33i64 5i64 0i64 } error: Index \[0\] out of bounds for array of shape \[0\]
-- input { 5i64 5i64 4i64 } error: Index \[4\] out of bounds for array of shape \[4\]

def digest [n] (xs: [n]i32) : i32 = loop h = 17 for x in xs do h * 31 + x

def matrix (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729 + i * j * 31) % 1009) - 300)

-- Forwards and backwards, each element by what the one before has become.
def sweep [m] (xs: [m]i32) : [m]i32 =
  let (ys, ws, _) =
    loop (ys, ws, c) = (replicate m 0, replicate m 0, 1) for j < m do
      let c = (xs[j] * 3 - c * 5) ^ (c >> 3)
      in (ys with [j] = c, ws with [j] = c - xs[j], c)
  in (loop (ys, x) = (ys, 7) for k < m do
        let j = m - 1 - k
        let x = ys[j] - ws[j] * x
        in (ys with [j] = x, x)).0

entry along_rows (n: i64) (m: i64) : i32 =
  map sweep (matrix n m) |> flatten |> digest

entry down_columns (n: i64) (m: i64) : i32 =
  map sweep (transpose (matrix n m)) |> flatten |> digest

entry both_ways (n: i64) (m: i64) : i32 =
  let step xss = map sweep (transpose xss) |> transpose |> map sweep
  in iterate 2 step (matrix n m) |> flatten |> digest

-- Several results, scalars among them, of elements of several widths, under branches that points take each their own way.
entry several (n: i64) (m: i64) : (i32, i64, i32) =
  let line (xs: [m]i32) =
    let (bytes, words, s) =
      loop (bytes, words, s) = (replicate m 0u8, replicate m 0i64, 1i64) for j < m do
        let s = if xs[j] % 3 == 0 then s * 5 + i64.i32 xs[j] else s ^ i64.i64 j
        let words = if s % 2 == 0 then words with [j] = s else words with [m - 1 - j] = s + 1
        in (bytes with [j] = u8.i64 (s >> 3), words, s)
    in (bytes, words, i32.i64 s)
  let (bss, wss, ss) = unzip3 (map line (matrix n m))
  let mix [k] (xs: [k]i64) : i64 = loop h = 3 for x in xs do h * 1000003 + x
  in (digest (map i32.u8 (flatten bss)), mix (flatten wss), digest ss)

-- What is read: its own row at another place, the row of all, and the one beside.
entry places (n: i64) (m: i64) : i32 =
  let xss = matrix n m
  let yss = matrix m m
  let line i =
    let ys = replicate m 0
    let (ys, _) =
      loop (ys, c) = (ys, i32.i64 i) for j < m do
        let at = i64.max 0 (i64.min (m - 1) (j - 1))
        let c = c * 7 + xss[i, at] - xss[i, m - 1 - j] + xss[(i + 1) % n, j] + yss[j, m / 2]
        in (ys with [j] = c, c)
    in ys
  in tabulate n line |> flatten |> digest

-- Tables of a point of two dimensions, rows of which are maps.
entry tables (n: i64) (m: i64) : i32 =
  let line (xs: [m]i32) =
    let (t, _) =
      loop (t, c) = (replicate 3 (replicate m 1), 2) for j < m do
        let c = c * 3 + xs[j] + t[0, i64.max 0 (j - 1)] + t[1, i64.max 0 (j - 2)]
        let t = t with [0, j] = c
        let t = t with [1, j] = c ^ 5
        in (t with [2, j] = t[2, j] + xs[m - 1 - j], c)
    in map2 (\a b -> a - b * 2) t[0] t[2] |> map2 (+) t[1]
  in map line (matrix n m) |> flatten |> digest

-- A loop over points of which one fails: what fails first is the point `bad` at its element `at`.
entry fails (n: i64) (m: i64) (bad: i64) (at: i64) : i32 =
  let xss = matrix n m
  let line i =
    let (ys, _) =
      loop (ys, c) = (replicate m 0, 0) for j < m do
        let k = if i == bad && j == at then m + i else if i == bad + 1 && j == 0 then m + 2 * n else j
        let c = c * 3 + xss[i, k]
        in (ys with [j] = c, c)
    in ys
  in tabulate n line |> flatten |> digest

-- Halves of the state are checked for all points alike.
entry fails_for_all (n: i64) (m: i64) (most: i64) : i32 =
  let line (xs: [m]i32) =
    let (ys, _) =
      loop (ys, c) = (replicate most 0, 0) for j < m do
        let c = c * 3 + xs[j]
        in (ys with [j] = c, c)
    in ys
  in map line (matrix n m) |> flatten |> digest
