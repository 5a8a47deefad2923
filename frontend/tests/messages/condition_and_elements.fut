def table = [1, 2, true]

def first (i: i32) = if i then 1 else 2
