def scale (k: f64) (xs: []f64) : []f64 = map (* k) xs

def main (xs: []f64) = scale xs 2.0
