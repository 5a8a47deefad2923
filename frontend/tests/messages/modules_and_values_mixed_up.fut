module scaled (P: { val factor : i32 }) = { def scale (x: i32) = x * P.factor }
def factor = 3i32

def a = scaled.scale 4
def b = i32 + 1
def c = factor.(x + 1)
