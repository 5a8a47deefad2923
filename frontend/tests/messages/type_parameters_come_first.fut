def nth (k: i64) [n] (xs: [n]i32) = xs[k]
def main (xs: []i32) = nth 1 xs
