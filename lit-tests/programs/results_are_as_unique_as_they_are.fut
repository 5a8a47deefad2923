-- A module type asks for more of a result to be unique than the definition says, and it is.
-- ==
-- input { [1i64, 2i64] } output { [9i64, 3i64] [2i64, 3i64] [1i64, 2i64] }

module type finder = { val find [n] [u]: *[n]i64 -> [u]i64 -> *([n]i64, [u]i64) }

module m: finder = {
  def find [n] [u] (a: *[n]i64) (h: [u]i64): (*[n]i64, [u]i64) = (a, map (+ 1) h)
}

def main [n] (h: [n]i64): ([n]i64, [n]i64, [n]i64) =
  let (_, a) = m.find [0i64] h
  let (_, b) = m.find [0i64] h
  in (a with [0] = 9, b, copy h)
