-- Sizes known become parts of types, sizes unknown are bound where they arise.
-- RUN: futc %s --emit=typed | FileCheck %s
-- CHECK-LABEL: def doubled [n] (xs: [n]i32) : [n + n]i32 =
def doubled [n] (xs: [n]i32) = xs ++ xs
-- CHECK-LABEL: def positive [n] (xs: [n]i32) : ?[k].[k]i32 =
def positive [n] (xs: [n]i32) = filter (> 0) xs
-- CHECK-LABEL: def anonymous [d] (xs: [d]i32) : [d]i32 =
def anonymous (xs: []i32) = map (+ 1) xs
