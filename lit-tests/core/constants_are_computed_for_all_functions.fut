-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK: global ([[TABLE:[a-z]+_[0-9]+]]: [100]i64) = {
-- CHECK-LABEL: fun main (
-- CHECK: index [[TABLE]][
def table = map (\i -> i * i % 7) (iota 100)
entry main (i: i64) = #[unsafe] table[i]
