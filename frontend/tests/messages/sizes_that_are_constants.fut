def width = 4i64

module grid = {
  def height = 3i64
  module cell = { def depth = 2i64 }
}

module mk (P: { val n: i64 }) = { def whole (xs: [P.n]i32) = xs }
module ten = mk { def n = 10i64 }

def row (xs: [width]i32) = xs
def column (xs: [grid.height]i32) = xs
def deep (xs: [grid.cell.depth]i32) = xs

def rows = row [1, 2, 3]
def columns = column [1, 2]
def depths = deep [1]
def all_of_it = ten.whole [1]
