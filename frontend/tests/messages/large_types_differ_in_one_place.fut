type~ body = {name: []u8, tags: []i32, mass: f64, place: {x: f64, y: f64}, velocity: {dx: f64, dy: f64}}

def at_rest (name: []u8) : body =
  {name, tags = [1, 2], mass = 1.0, place = {x = 0.0, y = 0.0}, velocity = {dx = 0.0, dy = false}}
