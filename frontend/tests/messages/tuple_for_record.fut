type point = {x: f64, y: f64}

def norm (p: point) = f64.sqrt (p.x * p.x + p.y * p.y)

def unit = norm (1.0, 2.0)
