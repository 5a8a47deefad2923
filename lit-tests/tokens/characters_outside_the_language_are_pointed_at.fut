-- RUN: not futc check-syntax %s 2>&1 | FileCheck %s
def f = "no end
def g = 0x
-- CHECK: characters_outside_the_language_are_pointed_at.fut:2:9
-- CHECK: characters_outside_the_language_are_pointed_at.fut:3:9
