-- RUN: futc tokens %s | FileCheck %s
def f = 0x1F + 1_000i64 -- after
def g = "a\"b" 'x' 2.5e-3f32 M.x (...)

-- CHECK: Comment "-- RUN
-- CHECK: Def "def"
-- CHECK-NEXT: Ident "f"
-- CHECK-NEXT: Equals "="
-- CHECK-NEXT: Int "0x1F"
-- CHECK-NEXT: Op "+"
-- CHECK-NEXT: Int "1_000i64"
-- CHECK-NEXT: Comment "-- after"
-- CHECK: String "\"a\\\"b\""
-- CHECK-NEXT: Char "'x'"
-- CHECK-NEXT: Float "2.5e-3f32"
