def main (xs: []i32) (yss: [][]i32) = xs[0, 1] + yss[0, 1:2, 3, 4]

def misspelled (xs: []f64) = f64.summ xs
