-- An index stands under the certificate of its check, which knows the position and who called.
-- RUN: futc -w %s --emit=core | FileCheck %s
def at [n] (xs: [n]i32) (i: i64) = xs[i]
-- CHECK-LABEL: fun main (
-- CHECK: [[LOW:t_[0-9]+]]: bool = sle.i64(0, [[I:i_[0-9]+]])
-- CHECK: [[HIGH:t_[0-9]+]]: bool = slt.i64([[I]], [[N:n_[0-9]+]])
-- CHECK: [[BOTH:t_[0-9]+]]: bool = logand([[LOW]], [[HIGH]])
-- CHECK: [[C:cert_[0-9]+]]: cert = assert([[BOTH]], "Index [", [[I]]: i64, "] out of bounds for array of shape ", "[", [[N]]: i64, "]", ".") at "{{.*}}:3:{{[0-9-]+}}\n-> #1 {{.*}}:[[@LINE+2]]:{{[0-9-]+}}"
-- CHECK: = <[[C]]> index xs_{{[0-9]+}}{{\[}}[[I]]]
entry main [n] (xs: [n]i32) (i: i64) = at xs i
-- A loop's own counter needs no check.
-- CHECK-LABEL: fun counted (
-- CHECK-NOT: assert
entry counted [n] (xs: [n]i32) = loop s = 0 for i < n do s + xs[i]
-- Nor does what is marked as safe.
-- CHECK-LABEL: fun trusted (
-- CHECK-NOT: assert
-- CHECK: index
entry trusted [n] (xs: [n]i32) (i: i64) = #[unsafe] xs[i]
