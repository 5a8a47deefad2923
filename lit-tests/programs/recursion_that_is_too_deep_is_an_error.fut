-- Neither the interpreter nor compiled code ends by a signal.
-- ==
-- entry: deep
-- input { 10i64 } output { 692i64 }
-- compiled input { 100000000i64 } error: Stack overflow
-- compiled input { 10i64 } output { 692i64 }

-- ==
-- entry: endless
-- input { 1i64 } error: Stack overflow

def f (n: i64) : i64 = if n == 0 then 1 else (f (n - 1) * 3) ^ n

entry deep (n: i64) = f n % 1000

def h (n: i64) : i64 = if n == 0 then 0 else (h (n + 1) * 3) ^ n

entry endless (n: i64) = h n
