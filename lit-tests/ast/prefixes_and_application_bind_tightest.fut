-- RUN: futc %s --emit=ast | FileCheck %s
-- CHECK: (def f (+ (negate (var a)) (apply (var g) (var x) (var y))))
def f = -a + g x y
-- CHECK: (def g (* (** (negate (var x)) (var y)) (var z)))
def g = -x ** y * z
-- CHECK: (def h (|> (<| (var f) (apply (var g) (var x))) (var h)))
def h = f <| g x |> h
-- CHECK: (def i (#some (index (var xs) (var i)) #none))
def i = #some xs[i] #none
-- CHECK: (def j (apply (var f) (array (var x))))
def j = f [x]
