-- The greatest sum of neighbouring elements (of none at the least), by a reduction over summaries of
-- pieces.
-- ==
-- random input { [8000000]i8 }
-- input { [-2i8, 1i8, -3i8, 4i8, -1i8, 2i8, 1i8, -5i8, 4i8] }
-- output { 6i32 }

-- The greatest sum of any segment, of a segment at the left end, of one at the right end, and of all.
type summary = {any: i32, left: i32, right: i32, all: i32}

def join (a: summary) (b: summary) : summary =
  { any = i32.max (i32.max a.any b.any) (a.right + b.left)
  , left = i32.max a.left (a.all + b.left)
  , right = i32.max b.right (b.all + a.right)
  , all = a.all + b.all
  }

def single (x: i8) : summary =
  let positive = i32.i8 (i8.max 0 x)
  in {any = positive, left = positive, right = positive, all = i32.i8 x}

entry main [n] (xs: [n]i8) : i32 =
  (reduce join {any = 0, left = 0, right = 0, all = 0} (map single xs)).any
