-- Functions that call themselves last are loops: with the call on either side of the branch, with arguments that change places,
-- with what comes before the branch, and with checks in it.
-- ==
-- entry: gcds
-- input { [12i64, 17i64, 0i64] [18i64, 5i64, 4i64] } output { [6i64, 1i64, 4i64] }
-- entry: collatz
-- input { [1i64, 6i64, 7i64] } output { [0i64, 8i64, 16i64] }
-- entry: find
-- input { [3i64, 1i64, 4i64] [4i64, 3i64] } output { [2i64, 0i64] }
-- input { [3i64, 1i64, 4i64] [4i64, 5i64] } error: out of bounds
-- entry: search
-- input { [1i64, 5i64, 9i64, 12i64] [0i64, 9i64, 10i64, 13i64] } output { [0i64, 2i64, 3i64, 4i64] }

def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)
entry gcds = map2 gcd

def steps (n: i64) (x: i64) : i64 =
  let half = x / 2
  let odd = x - 2 * half
  in if x == 1 then n else steps (n + 1) (if odd == 1 then 3 * x + 1 else half)
entry collatz = map (steps 0)

def index_of (xs: []i64) (x: i64) (i: i64) : i64 =
  let y = xs[i]
  in if y != x then index_of xs x (i + 1) else i
entry find (xs: []i64) (ys: []i64) : []i64 = map (\y -> index_of xs y 0) ys

-- Two calls.
def lower (xs: []i64) (x: i64) (l: i64) (r: i64) : i64 =
  if l >= r then l
  else let m = (l + r) / 2
       in if xs[m] < x then lower xs x (m + 1) r else lower xs x l m
entry search (xs: []i64) (ys: []i64) : []i64 = map (\y -> lower xs y 0 (length xs)) ys
