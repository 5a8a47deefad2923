-- RUN: not futc check-syntax %s 2>&1 | FileCheck %s
-- CHECK: Expected an expression, but found `def`
-- CHECK: Expected `,` or `]`, but found `def`
-- CHECK: opened here
-- CHECK: every `if` needs both
def f = (1 +
def g = [1, 2
def h x = if x then 1
def ok = 3
