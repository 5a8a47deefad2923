-- Functions without annotations are as general as they can be; uses say at what types.
-- RUN: futc %s --emit=typed | FileCheck %s
-- CHECK-LABEL: def first 't{{[0-9]*}} 't{{[0-9]*}}
def first (x, _) = x
-- CHECK-LABEL: def same 'a (x: a) : a =
def same 'a (x: a) : a = x
-- CHECK-LABEL: def used (x: i64) : (i64, bool) =
-- CHECK-NEXT: (@{{[0-9.]+}}{i64} x, @{{[0-9.]+}}{bool} true)
def used (x: i64) = (same x, same true)
