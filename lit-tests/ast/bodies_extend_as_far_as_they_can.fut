-- Lambdas, conditionals, assertions and attributes reach to the end of what encloses them.
-- RUN: futc %s --emit=ast | FileCheck %s
-- CHECK: (def f (lambda (bind x) (+ (var x) 1)))
def f = \x -> x + 1
-- CHECK: (def h (if (var a) (var b) (+ (var c) 1)))
def h = if a then b else c + 1
-- CHECK: (def p (assert (parens (&& (var a) (var b))) (:> (var c) (array (size (var n)) i32))))
def p = assert (a && b) c :> [n]i32
-- CHECK: (def q (attr #[unsafe] (+ (index (var xs) (var i)) (var y))))
def q = #[unsafe] xs[i] + y
