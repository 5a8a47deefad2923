def get (i: f32) (xs: []i32) = xs[i]

def set (xs: *[]i32) : *[]i32 = xs with [0] = 1.5
