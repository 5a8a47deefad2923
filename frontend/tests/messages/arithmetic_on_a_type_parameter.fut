def f 't (x: t) : t = x + 1
