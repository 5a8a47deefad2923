type t = {entry: i32, f: i32}

def + a b = a

def sum_of (xs: []f64) = f64.summ xs

def counts (n: i64) = for i < n do i

def next (n: i64) = loop i = 0 while i < n do i = i + 1
