def twice 'a (f: a -> a) (x: a) : a = f (f x)

def bad = twice (\(x: i32) -> x > 0) 3
