-- Simulations with sums in records: a machine with a stack, a turtle, a game, accounts and events.
-- ==
-- entry: machine
-- input { [0,0,1,4,2] [5,7,0,0,0] } output { 35 [35, 0, 0, 0] 5 true }
-- input { [0,5] [1,0] } output { 1 [1, 0, 0, 0] 2 true }
-- input { [1] [0] } output { 0 [0, 0, 0, 0] 1 false }

-- ==
-- entry: turtle
-- input { "FFLFFLFFLFF" } output { 0 0 true }
-- input { "FFRF" } output { 1 2 false }

-- ==
-- entry: winner
-- input { [1,1,1,0,2,2,0,0,0] } output { 1 }
-- input { [2,1,1,1,2,0,0,0,2] } output { 2 }
-- input { [0,0,0,0,0,0,0,0,0] } output { 0 }

-- ==
-- entry: accounts
-- input { } output { [70f64, 80f64, 0f64] 1 }

type instr = #push i32 | #add | #mul | #dup | #swap | #halt
type status = #running | #stopped | #failed {at: i32}
type vm = {stack: [4]i32, sp: i64, pc: i64, status: status, steps: i32}

def decode (op: i32) (arg: i32) : instr =
  match op
  case 0 -> #push arg
  case 1 -> #mul
  case 2 -> #halt
  case 3 -> #add
  case 4 -> #swap
  case _ -> #halt

def fail (m: vm) : vm = m with status = #failed {at = i32.i64 m.pc}

def step (m: vm) (i: instr) : vm =
  let m = m with pc = m.pc + 1 with steps = m.steps + 1
  let binary f =
    if m.sp < 2 then fail m
    else let r : i32 = f m.stack[m.sp - 2] m.stack[m.sp - 1]
         in m with stack = (copy m.stack with [m.sp - 2] = r with [m.sp - 1] = 0) with sp = m.sp - 1
  in match (m.status, i)
     case (#running, #push x) -> if m.sp == 4 then fail m else m with stack = (copy m.stack with [m.sp] = x) with sp = m.sp + 1
     case (#running, #add) -> binary (+)
     case (#running, #mul) -> binary (*)
     case (#running, #dup) -> fail m
     case (#running, #swap) ->
       if m.sp < 2 then m
       else m with stack = (copy m.stack with [m.sp - 1] = m.stack[m.sp - 2] with [m.sp - 2] = m.stack[m.sp - 1])
     case (#running, #halt) -> m with status = #stopped
     case (_, _) -> m

entry machine [n] (ops: [n]i32) (args: [n]i32) =
  let m0 : vm = {stack = replicate 4 0, sp = 0, pc = 0, status = #running, steps = 0}
  let m = foldl step m0 (map2 decode ops args)
  in (m.stack[0], m.stack, m.steps, match m.status case #stopped -> true case _ -> false)

type heading = #north | #east | #south | #west
type turtle = {x: i32, y: i32, heading: heading}

def left (h: heading) : heading = match h case #north -> #west case #west -> #south case #south -> #east case #east -> #north
def right = left >-> left >-> left
def forward (t: turtle) : turtle =
  match t.heading
  case #north -> t with y = t.y + 1
  case #south -> t with y = t.y - 1
  case #east -> t with x = t.x + 1
  case #west -> t with x = t.x - 1

entry turtle (s: []u8) =
  let t = loop t = {x = 0, y = 0, heading = #north} : turtle for c in s do
    match c
    case 'F' -> forward t
    case 'L' -> t with heading = left t.heading
    case 'R' -> t with heading = right t.heading
    case _ -> t
  in (t.x, t.y, t.x == 0 && t.y == 0)

def lines : [8][3]i64 =
  [[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]]
entry winner (b: [9]i32) : i32 =
  map (\l -> let [p] (vs: [p]i32) = map (\i -> b[i]) l
             in if all (== vs[0]) vs then vs[0] else 0) lines |> i32.maximum

type event = #deposit {to: i64, amount: f64} | #transfer {from: i64, to: i64, amount: f64} | #close i64
type bank [n] = {balance: [n]f64, rejected: i32}

def apply [n] (b: *bank [n]) (e: event) : *bank [n] =
  let {balance, rejected} = b
  in match e
     case #deposit {to, amount} -> {balance = balance with [to] = balance[to] + amount, rejected}
     case #transfer {from, to, amount} ->
       if balance[from] < amount then {balance, rejected = rejected + 1}
       else let balance = balance with [from] = balance[from] - amount
            in {balance = balance with [to] = balance[to] + amount, rejected}
     case #close i -> {balance = balance with [i] = 0, rejected}

entry accounts =
  let events : []event =
    [ #deposit {to = 0, amount = 100}, #transfer {from = 0, to = 1, amount = 30}
    , #transfer {from = 2, to = 1, amount = 1}, #deposit {to = 1, amount = 50}
    , #deposit {to = 2, amount = 5}, #close 2 ]
  let b : *bank [3] = {balance = replicate 3 0, rejected = 0}
  let b = loop b for e in events do apply b e
  in (b.balance, b.rejected)
