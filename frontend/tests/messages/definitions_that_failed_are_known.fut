type point = {x: f64, y: float}

module geometry = {
  type line = (point, missing)
  def length (l: line) = 1f64
}

def origin : point = {x = 0, y = 0}

def far (p: point) = geometry.length (p, origin) > 100
