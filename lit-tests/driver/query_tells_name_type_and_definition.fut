-- RUN: futc query %s 13 12 | FileCheck %s --check-prefix=USE
-- USE: Name: xs
-- USE: Kind: variable
-- USE: Type: [n]f32
-- USE: Definition: {{.*}}query_tells_name_type_and_definition.fut:11:12-13
-- RUN: futc query %s 13 5 | FileCheck %s --check-prefix=PRELUDE
-- PRELUDE: Name: map
-- PRELUDE: Definition: /prelude/
-- RUN: not futc query %s 99 1 2>&1 | FileCheck %s --check-prefix=NOWHERE
-- NOWHERE: has no line 99
def f [n] (xs: [n]f32) =
  -- What is asked about is below.
    map id xs

def wrong = 1 + true
