-- RUN: futc %s --emit=ast | FileCheck %s
-- CHECK-LABEL: (def f
-- CHECK: (+ (var a) (* (var b) (var c)))
def f a b c = a + b * c
-- CHECK-LABEL: (def g
-- CHECK: (*+ (*+ (var a) (var b)) (var c))
def g a b c = a *+ b *+ c
-- CHECK-LABEL: (def h
-- CHECK: (|| (&& (var a) (var b)) (== (var c) (var a)))
def h a b c = a && b || c == a
