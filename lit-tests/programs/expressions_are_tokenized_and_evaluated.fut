-- A tokenizer that scans over compositions of functions (as tables), an evaluator with stacks and
-- sum types, and a checker of brackets.
-- ==
-- entry: eval
-- input { "1+2*3" } output { 7i64 true }
-- input { "(1+2)*3-4/2" } output { 7i64 true }
-- input { "2*(3+4)*5" } output { 70i64 true }
-- input { "-3+10" } output { 7i64 true }
-- input { "1/0" } output { 0i64 false }
-- input { "12 * ( 3 + 100 )" } output { 1236i64 true }
-- input { "(1" } output { 0i64 false }

-- ==
-- entry: count
-- input { "foo bar2 12 + (x)" } output { 7i64 [0i32, 0, 1, 2, 3, 0, 4] [3i64, 4, 2, 1, 1, 1, 1] }

-- ==
-- entry: depth
-- input { "{\"a\": [1, 2, {\"b\": \"}]\"}], \"c\": {}}" } output { 3i64 true }
-- input { "[[]" } output { 2i64 false }

type token = #num i64 | #op u8 | #lparen | #rparen
type result 'a = #ok a | #error

def is_digit (c: u8) = c >= '0' && c <= '9'
def is_alpha (c: u8) = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'
def is_space (c: u8) = c == ' ' || c == 10 || c == 9

def tokens [n] (s: [n]u8): []token =
  let starts = map (\i -> is_digit s[i] && (i == 0 || !is_digit s[i - 1])) (iota n)
  let number i : i64 =
    (loop (acc, j) = (0, i) while j < n && is_digit s[j] do
       (acc * 10 + i64.u8 (s[j] - '0'), j + 1)).0
  in map3 (\i c start ->
             if start then (true, #num (number i))
             else if is_digit c || is_space c then (false, #lparen)
             else match c
                  case '(' -> (true, #lparen)
                  case ')' -> (true, #rparen)
                  case _ -> (true, #op c) : (bool, token))
          (iota n) s starts
     |> filter (.0)
     |> map (\(_, t: token) -> t)

def prec (op: u8): i32 =
  match op
  case '+' -> 1
  case '-' -> 1
  case '*' -> 2
  case '/' -> 2
  case 'n' -> 3
  case _ -> 0

type stack [n] = {vals: [n]i64, nv: i64, ops: [n]u8, no: i64, ok: bool}

def binary (op: u8) (a: i64) (b: i64): result i64 =
  match op
  case '+' -> #ok (a + b)
  case '-' -> #ok (a - b)
  case '*' -> #ok (a * b)
  case '/' -> if b == 0 then #error else #ok (a / b)
  case _ -> #error

def apply_top [n] ({vals, nv, ops, no, ok}: *stack [n]): *stack [n] =
  let fail = {vals = copy vals, nv, ops = copy ops, no, ok = false}
  in if no < 1 then fail
     else if ops[no - 1] == 'n'
     then if nv < 1 then fail
          else let v = -vals[nv - 1]
               in {vals = vals with [nv - 1] = v, nv, ops, no = no - 1, ok}
     else if nv < 2 then fail
     else match binary ops[no - 1] vals[nv - 2] vals[nv - 1]
          case #ok v -> {vals = vals with [nv - 2] = v, nv = nv - 1, ops, no = no - 1, ok}
          case #error -> fail

def push_val [n] (v: i64) (s: *stack [n]): *stack [n] =
  let nv = s.nv
  in {vals = s.vals with [nv] = v, nv = nv + 1, ops = s.ops, no = s.no, ok = s.ok}

def push_op [n] (o: u8) ({vals, nv, ops, no, ok}: *stack [n]): *stack [n] =
  {vals, nv, ops = ops with [no] = o, no = no + 1, ok}

entry eval (text: []u8): (i64, bool) =
  let ts = tokens text
  let m = length ts + 2
  let s: *stack [m] = {vals = replicate m 0, nv = 0, ops = replicate m 0u8, no = 0, ok = true}
  let (s, _) =
    loop (s, unary) = (s, true) for t in ts do
      match t
      case #num v -> (push_val v s, false)
      case #lparen -> (push_op '(' s, true)
      case #op o ->
        if unary then (push_op (if o == '-' then 'n' else '?') s, true)
        else
          let s = loop s while s.ok && s.no > 0 && prec s.ops[s.no - 1] >= prec o do apply_top s
          in (push_op o s, true)
      case #rparen ->
        let s = loop s while s.ok && s.no > 0 && s.ops[s.no - 1] != '(' do apply_top s
        in (if s.no == 0 then s with ok = false else s with no = s.no - 1, false)
  let s = loop s while s.ok && s.no > 0 do apply_top s
  in if s.ok && s.nv == 1 then (s.vals[0], true) else (0, false)

-- Lexing by composing transition functions, states: 0 start, 1 ident, 2 number, 3 symbol
def nstates = 4i64
type transition = [4]u8

def step (c: u8): transition =
  if is_alpha c then [1, 1, 1, 1]
  else if is_digit c then [2, 1, 2, 2]
  else if is_space c then [0, 0, 0, 0]
  else [3, 3, 3, 3]

def compose (f: transition) (g: transition): transition = map (\s -> g[i64.u8 s]) f

type kind = #ident | #number | #plus | #open | #close
def ord (k: kind): i32 =
  match k case #ident -> 0 case #number -> 1 case #plus -> 2 case #open -> 3 case #close -> 4

entry count [n] (s: [n]u8) =
  let states = map step s |> scan compose (map u8.i64 (iota 4)) |> map (.[0])
  let begins i = states[i] != 0 && (i == 0 || states[i] == 3 || states[i - 1] != states[i])
  let at = filter begins (iota n)
  let kind i : kind =
    if states[i] == 1 then #ident else if states[i] == 2 then #number
    else match s[i] case '(' -> #open case ')' -> #close case _ -> #plus
  let len i = (loop j = i + 1 while j < n && states[j] == states[i] && states[i] != 3 do j + 1) - i
  in (length at, map (kind >-> ord) at, map len at)

entry depth [n] (s: [n]u8): (i64, bool) =
  let quotes = map (\c -> i64.bool (c == '"')) s |> scan (+) 0
  let inside = map (\q -> q % 2 == 1) quotes
  let delta c = if c == '{' || c == '[' then 1 else if c == '}' || c == ']' then -1 else 0
  let ds = map2 (\c q -> if q then 0 else delta c) s inside |> scan (+) 0
  in (i64.maximum ds, n == 0 || (all (>= 0) ds && last ds == 0))
