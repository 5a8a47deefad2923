def apply 'a 'b (f: a -> b) (x: a) : b = f x

def root (x: i32) = apply f64.sqrt x
