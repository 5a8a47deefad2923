-- RUN: futc %s --emit=ast | FileCheck %s
-- CHECK: (tuple (..< 0 (var n)) (... 1 3 9) (..> 5 0))
def j = (0..<n, 1..3...9, 5..>0)
-- CHECK: (index (var xs) (slice 1 _ _) (slice _ _ 2))
def i = xs[1:, ::2]
-- CHECK: (with (apply (var f) (var x)) (path (index 0)) 1)
def g = f x with [0] = 1
-- CHECK: (loop (tuple (bind a) (bind b)) (while (< (var a) (var b))) (tuple (var b) (var a)))
def o = loop (a, b) while a < b do (b, a)
-- CHECK: (match (var x) (case (#some (tuple 1 _)) 2) (case (bind y) (var y)))
def l = match x case #some (1, _) -> 2 case y -> y
