-- Strings: words, automata, a parallel lexer, a parser by tables, regular expressions.
-- ==
-- entry: words_count
-- input { "the quick  brown fox the" } output { 5i64 [3i64,5,5,3,3] }

-- ==
-- entry: lex
-- input { "let x12 = 34+(y*5)" }
-- output { [0i64, 4, 8, 10, 12, 13, 14, 15, 16, 17] [1i64, 1, 3, 2, 3, 3, 1, 3, 2, 3] [3i64, 3, 1, 2, 1, 1, 1, 1, 1, 1] }

-- ==
-- entry: matches
-- input { "aab" } output { true }
-- input { "aaba" } output { false }
-- input { "b" } output { true }

-- ==
-- entry: eval
-- input { "1+2*(3+4)-5" } output { 10i64 }

-- ==
-- entry: balanced
-- input { "(()())" } output { true }
-- input { "(()))(" } output { false }

-- ==
-- entry: lcs
-- input { "ACCGGTA" "CCGTTA" } output { 5i64 }

-- ==
-- entry: nw
-- input { "ACCGGTA" "CCGTTA" } output { 2 2 }

-- ==
-- entry: sw
-- input { "ACCGGTA" "CCGTTA" } output { 9 }

-- ==
-- entry: suffix_array
-- input { "banana" } output { [5i64,3,1,0,4,2] }

-- ==
-- entry: lev
-- input { "kitten" "sitting" } output { 3i64 }

type char = u8
type string [n] = [n]char
def is_space (c: char) = c == ' ' || c == '\n' || c == '\t'
def is_digit (c: char) = c >= '0' && c <= '9'
def is_alpha (c: u8) = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'

def words [n] (s: string [n]) : ?[k].[k](i64, i64) =
  let starts = map (\i -> !is_space s[i] && (i == 0 || is_space s[i - 1])) (iota n)
  let ends = map (\i -> !is_space s[i] && (i == n - 1 || is_space s[i + 1])) (iota n)
  let st = filter (\i -> starts[i]) (iota n)
  let en = filter (\i -> ends[i]) (iota n)
  let k = length st
  in zip (st :> [k]i64) (map2 (\s e -> e - s + 1) (st :> [k]i64) (en :> [k]i64))

entry words_count [n] (s: string [n]) = let ws = words s in (length ws, map (.1) ws)

-- Lexer as monoid of state functions
type state = #start | #ident | #num | #sym | #space | #bad
def states : [6]state = [#start, #ident, #num, #sym, #space, #bad]
def step (s: state) (c: char) : state =
  if is_space c then #space
  else if is_alpha c then (match s case #num -> #bad case #bad -> #bad case _ -> #ident)
  else if is_digit c then (match s case #ident -> #ident case #bad -> #bad case _ -> #num)
  else #sym
def code (s: state) : i64 =
  match s case #start -> 0 case #ident -> 1 case #num -> 2 case #sym -> 3 case #space -> 4 case #bad -> 5
type fn = [6]i64
def compose (f: fn) (g: fn) : fn = map (\i -> g[i]) f
def char_fn (c: char) : fn = map (\s -> code (step s c)) states
entry lex [n] (s: string [n]) =
  let table = map (\i -> char_fn (u8.i64 i)) (iota 256)
  let fs = scan compose (iota 6) (map (\c -> table[i64.u8 c]) s)
  let st = map (\f -> f[0]) fs
  let is_start i = i == 0 || st[i] != st[i - 1] || st[i] == 3
  let tok = filter (\i -> is_start i && st[i] != 4) (iota n)
  let kinds = map (\i -> st[i]) tok
  let lens = map (\i -> (loop j = i + 1 while j < n && !is_start j do j + 1) - i) tok
  in (tok, kinds, lens)

-- a regular expression by a derivative-free NFA as bit sets: a*b
def nfa_step (set: u32) (c: char) : u32 =
  let t = [(0u32, 'a', 0u32), (0, 'b', 1)]
  in reduce (|) 0 (map (\(f, ch, to) -> if (set >> f) & 1 == 1 && ch == c then 1 << to else 0) t)
entry matches [n] (s: [n]u8) : bool =
  let final = foldl nfa_step 1 s
  in u32.get_bit 1 final == 1

-- a stack-based evaluator
entry eval [n] (s: [n]u8) : i64 =
  let prec (c: u8) : i32 = match c case '+' -> 1 case '-' -> 1 case '*' -> 2 case _ -> 0
  let apply (vals: *[n + 1]i64) (vp: i64) (op: u8) : *[n + 1]i64 =
    let a = vals[vp - 2]
    let b = vals[vp - 1]
    let r = match op case '+' -> a + b case '-' -> a - b case _ -> a * b
    in vals with [vp - 2] = r
  let (vals, vp, ops, op, _) =
    loop (vals, vp, ops, op, i) = (replicate (n + 1) 0i64, 0i64, replicate (n + 1) 0u8, 0i64, 0i64) while i < n do
      let c = s[i]
      in if is_digit c then
           let (v, j) = loop (v, j) = (0i64, i) while j < n && is_digit s[j] do
             (v * 10 + i64.u8 (s[j] - '0'), j + 1)
           in (vals with [vp] = v, vp + 1, ops, op, j)
         else if c == '(' then (vals, vp, ops with [op] = c, op + 1, i + 1)
         else if c == ')' then
           let (vals, vp, op) = loop (vals, vp, op) while ops[op - 1] != '(' do
             (apply vals vp ops[op - 1], vp - 1, op - 1)
           in (vals, vp, ops, op - 1, i + 1)
         else
           let (vals, vp, op) = loop (vals, vp, op) while op > 0 && prec ops[op - 1] >= prec c do
             (apply vals vp ops[op - 1], vp - 1, op - 1)
           in (vals, vp, ops with [op] = c, op + 1, i + 1)
  let (vals, _, _) = loop (vals, vp, op) while op > 0 do
    (apply vals vp ops[op - 1], vp - 1, op - 1)
  in vals[0]

entry balanced [n] (s: [n]u8) : bool =
  let (close, opn) =
    s |> map (\c -> match c case '(' -> (0i64, 1i64) case ')' -> (1, 0) case _ -> (0, 0))
      |> reduce (\(a, b) (c, d) -> let m = i64.min b c in (a + c - m, b - m + d)) (0, 0)
  in close == 0 && opn == 0

-- wavefront dynamic programming
entry lcs [n][m] (a: [n]u8) (b: [m]u8) : i64 =
  let (_, cur) =
    loop (prev, cur) = (replicate (n + 1) 0i64, replicate (n + 1) 0i64) for d in 2...n + m do
      let new = tabulate (n + 1) (\i ->
        let j = d - i
        in if i < 1 || j < 1 || i > n || j > m then 0
           else if a[i - 1] == b[j - 1] then prev[i - 1] + 1
           else i64.max cur[i - 1] cur[i])
      in (cur, new)
  in cur[n]

def dp [n][m] (local': bool) (a: [n]u8) (b: [m]u8) (match': i32) (mis: i32) (gap: i32) : ([n + 1][m + 1]i32, i32) =
  let init i j = if local' then 0 else if i == 0 then gap * i32.i64 j else if j == 0 then gap * i32.i64 i else 0
  let t = tabulate_2d (n + 1) (m + 1) init
  let t = loop t for d in 2..3..<(n + m + 1) do
    let lo = i64.max 1 (d - m)
    let hi = i64.min n (d - 1)
    let is = map (+ lo) (iota (i64.max 0 (hi - lo + 1)))
    let vs = map (\i -> let j = d - i
                        let s = t[i - 1, j - 1] + (if a[i - 1] == b[j - 1] then match' else mis)
                        let best = i32.max s (i32.max (t[i - 1, j] + gap) (t[i, j - 1] + gap))
                        in if local' then i32.max 0 best else best) is
    in scatter_2d t (map (\i -> (i, d - i)) is) vs
  in (t, i32.maximum (flatten t))
entry nw [n][m] (a: [n]u8) (b: [m]u8) = let (t, _) = dp false a b 1 (-1) (-2) in (t[n, m], last (last t))
entry sw [n][m] (a: [n]u8) (b: [m]u8) = (dp true a b 2 (-1) (-1)).1

def argsort [n] 'k (lt: k -> k -> bool) (ks: [n]k) : [n]i64 =
  let rank = map (\i -> i64.sum (map (\j -> i64.bool (lt ks[j] ks[i] || (j < i && !(lt ks[i] ks[j])))) (iota n))) (iota n)
  in scatter (replicate n 0) rank (iota n)
entry suffix_array [n] (s: [n]u8) : [n]i64 =
  let rank = map i64.u8 s
  let (rank, _, sa) =
    loop (rank, k, sa) = (rank, 1i64, iota n) while k < 2 * n do
      let keys = map (\i -> (rank[i], if i + k < n then rank[i + k] else -1)) (iota n)
      let lt (a, b) (c, d) = a < c || (a == c && b < d)
      let sa = argsort lt keys
      let heads = map (\i -> if i == 0 then 0 else i64.bool (keys[sa[i]] != keys[sa[i - 1]])) (iota n)
      let new = scatter (replicate n 0) sa (scan (+) 0 heads)
      in (new, k * 2, sa)
  in sa

entry lev [n][m] (a: [n]u8) (b: [m]u8) : i64 =
  let row0 = iota (m + 1)
  in last (loop row = row0 for i < n do
    let diag = map2 (\p q -> if q == a[i] then p else p + 1) (init row :> [m]i64) b
    let up = map (+ 1) (tail row :> [m]i64)
    let cand = [i + 1] ++ map2 i64.min diag up
    -- prefix minimum of c[j] - j
    let shifted = map2 (-) cand (indices cand)
    let mins = scan i64.min i64.highest shifted
    in map2 (+) mins (indices mins) :> [m + 1]i64)
