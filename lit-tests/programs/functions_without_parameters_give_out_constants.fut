-- Definitions without parameters that are functions, of results that may be constants: a copy is
-- changed, and the constant stays as it is.
-- ==
-- entry: copied
-- input { true } output { [9, 2, 3] [1, 2, 3] }
-- input { false } output { empty([0]i32) [1, 2, 3] }

-- ==
-- entry: given
-- input { true } output { [1, 2, 3] 6 }
-- input { false } output { empty([0]i32) 0 }

def table: [3]i32 = [1, 2, 3]

def or_empty (c: []i32) (b: bool): []i32 = if b then c else []

def partial = or_empty table

entry copied (b: bool): ([]i32, []i32) =
  let mine = copy (partial b)
  let mine = if length mine > 0 then mine with [0] = 9 else mine
  in (mine, copy table)

entry given (b: bool): ([]i32, i32) = (partial b, i32.sum (partial b))
