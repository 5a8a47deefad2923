type shape = #circle f64 | #square f64

def area (s: shape) =
  match s
  case #circle r -> f64.pi * r * r
  case #square a -> [a, a]
