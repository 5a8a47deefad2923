-- The number of ways to place n queens on a board so that none attacks another: partial boards,
-- one bit mask of columns and two of diagonals each, grow row by row.
-- ==
-- input { 1i32 } output { 1i64 }
-- input { 4i32 } output { 2i64 }
-- input { 6i32 } output { 4i64 }
-- input { 8i32 } output { 92i64 }

type board = {columns: u32, rising: u32, falling: u32}

def free (n: i32) (b: board) (column: i32) : bool =
  let taken = b.columns | b.rising | b.falling
  in column < n && (taken >> u32.i32 column) & 1 == 0

def place (b: board) (column: i32) : board =
  let bit = 1 << u32.i32 column
  in { columns = b.columns | bit
     , rising = (b.rising | bit) << 1
     , falling = (b.falling | bit) >> 1
     }

entry main (n: i32) : i64 =
  let empty : board = {columns = 0, rising = 0, falling = 0}
  let boards =
    loop boards = [empty] for _row < n do
      let candidates =
        flatten (map (\b -> map (\c -> (b, i32.i64 c)) (iota (i64.i32 n))) boards)
      in map (uncurry place) (filter (\(b, c) -> free n b c) candidates)
  in length boards
