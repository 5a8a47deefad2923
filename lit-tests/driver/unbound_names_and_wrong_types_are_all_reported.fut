-- RUN: not futc check %s 2>&1 | FileCheck %s
-- CHECK: [type-mismatch] Error: the result of f should have type bool, but has type i32
-- CHECK: unbound_names_and_wrong_types_are_all_reported.fut:[[@LINE+1]]:25
def f (x: i32) : bool = x
-- CHECK: [unknown-name] Error: there is no value named nowhere here
-- CHECK: unbound_names_and_wrong_types_are_all_reported.fut:[[@LINE+1]]:9
def h = nowhere 2
