-- RUN: futc tokens %s | FileCheck %s
-- RUN: futc %s --emit=tokens | FileCheck %s
def f = a >-> b ..< c
def g = a `M.op` ??? M.+ #some (#[unsafe] _y' - z)

-- CHECK: Ident "f"
-- CHECK-NEXT: Equals "="
-- CHECK-NEXT: Ident "a"
-- CHECK-NEXT: Op ">->"
-- CHECK-NEXT: Ident "b"
-- CHECK-NEXT: DotsLess "..<"
-- CHECK-NEXT: Ident "c"

-- CHECK: Ident "g"
-- CHECK-NEXT: Equals "="
-- CHECK-NEXT: Ident "a"
-- CHECK-NEXT: Backtick "`"
-- CHECK-NEXT: Ident "M"
-- CHECK-NEXT: Dot "."
-- CHECK-NEXT: Ident "op"
-- CHECK-NEXT: Backtick "`"
-- CHECK-NEXT: Hole "???"
-- CHECK-NEXT: QualOp "M.+"
-- CHECK-NEXT: Constructor "#some"
-- CHECK-NEXT: LParen "("
-- CHECK-NEXT: HashBracket "#["
-- CHECK-NEXT: Ident "unsafe"
-- CHECK-NEXT: RBracket "]"
-- CHECK-NEXT: Ident "_y'"
