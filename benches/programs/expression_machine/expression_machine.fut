-- A machine with a stack evaluates formulas, each a list of instructions, at many points, and tells how
-- far each is from what was measured there: how genetic programming judges its formulas.
-- ==
-- random input { [200][24]u8 [200][24]f32 [8000]f32 [8000]f32 }
-- input { [[0u8, 1u8, 2u8, 3u8, 4u8], [1u8, 5u8, 0u8, 6u8, 9u8]]
--         [[0.5f32, 0f32, 0f32, 0f32, 0f32], [0f32, 0f32, 0f32, 0.25f32, 0f32]]
--         [0.5f32, 0.25f32, 1f32] [1f32, 0f32, 0.5f32] }
-- output { [0.41666666f32, 2.4166667f32] }

type instruction
  = #constant f32
  | #variable
  | #add
  | #subtract
  | #multiply
  | #divide
  | #sine
  | #absolute

def decode (code: u8) (number: f32) : instruction =
  match code % 10
  case 0 -> #constant number
  case 1 -> #variable
  case 2 -> #add
  case 3 -> #subtract
  case 4 -> #multiply
  case 5 -> #divide
  case 6 -> #sine
  case 7 -> #absolute
  case 8 -> #variable
  case _ -> #constant (number - 1)

module stack = {
  def size : i64 = 32

  type t = {values: [size]f32, top: i64}

  def empty () : *t = {values = replicate size 0, top = 0}
  def push (x: f32) (s: *t) : *t =
    let {values, top} = s
    in {values = values with [top] = x, top = top + 1}

  -- Replaces the topmost value.
  def unary (f: f32 -> f32) (s: *t) : *t =
    let {values, top} = s
    let x = if top < 1 then 0 else values[top - 1]
    in {values = values with [i64.max 0 (top - 1)] = f x, top = i64.max 1 top}

  -- Replaces the two topmost values. What is missing is zero.
  def binary (f: f32 -> f32 -> f32) (s: *t) : *t =
    let {values, top} = s
    let y = if top < 1 then 0 else values[top - 1]
    let x = if top < 2 then 0 else values[top - 2]
    in {values = values with [i64.max 0 (top - 2)] = f x y, top = i64.max 1 (top - 1)}

  def result (s: t) : f32 = if s.top < 1 then 0 else s.values[s.top - 1]
}

-- Division without poles.
def quotient (x: f32) (y: f32) : f32 = x * y / (y * y + 0.01)

def execute (x: f32) (s: *stack.t) (i: instruction) : *stack.t =
  match i
  case #constant c -> stack.push c s
  case #variable -> stack.push x s
  case #add -> stack.binary (+) s
  case #subtract -> stack.binary (-) s
  case #multiply -> stack.binary (*) s
  case #divide -> stack.binary quotient s
  case #sine -> stack.unary f32.sin s
  case #absolute -> stack.unary f32.abs s

def evaluate [n] (program: [n]instruction) (x: f32) : f32 =
  stack.result (loop s = stack.empty () for i in program do execute x s i)

def error [n] [p] (xs: [p]f32) (ys: [p]f32) (program: [n]instruction) : f32 =
  let squared x y =
    let d = evaluate program x - y
    in f32.min 100 (d * d)
  in f32.sum (map2 squared xs ys) / f32.i64 p

entry main [k] [n] [p] (codes: [k][n]u8) (numbers: [k][n]f32) (xs: [p]f32) (ys: [p]f32) : [k]f32 =
  map (error xs ys) (map2 (map2 decode) codes numbers)
