-- Functions that call themselves and each one before them.
-- ==
-- entry: factorials
-- input { [0i64, 1i64, 5i64, 20i64] } output { [1i64, 1i64, 120i64, 2432902008176640000i64] }

-- ==
-- entry: ackermann
-- input { 2i64 3i64 } output { 9i64 }

-- ==
-- entry: greatest_divisor
-- input { 48i64 36i64 } output { 12i64 }

-- ==
-- entry: summed
-- input { [1, 2, 3, 4, 5] } output { 15i32 }
-- input { empty([0]i32) } output { 0i32 }

def fact (n: i64) : i64 = if n <= 1 then 1 else n * fact (n - 1)

entry factorials [n] (ns: [n]i64) : [n]i64 =
  loop out = replicate n 0 for i < n do out with [i] = fact ns[i]

def ack (m: i64) (n: i64) : i64 =
  if m == 0 then n + 1
  else if n == 0 then ack (m - 1) 1
  else ack (m - 1) (ack m (n - 1))

entry ackermann (m: i64) (n: i64) : i64 = ack m n

def gcd (a: i64) (b: i64) : i64 = if b == 0 then a else gcd b (a % b)

entry greatest_divisor (a: i64) (b: i64) : i64 = gcd a b

def sum_of (xs: []i32) : i32 =
  match length xs
  case 0 -> 0
  case 1 -> xs[0]
  case n -> sum_of xs[:n / 2] + sum_of xs[n / 2:]

entry summed (xs: []i32) : i32 = sum_of xs
