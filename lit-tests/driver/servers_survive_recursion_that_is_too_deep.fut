-- RUN: futc %s --server -o %t
-- RUN: printf '100000000i64 5i64' | futc dataset -b > %t.in
-- RUN: printf 'restore %t.in n i64 m i64\ncall f r n\ncall f r n\ncall f r m\nstore %t.out r\n' | %t | FileCheck %s
-- RUN: futc dataset < %t.out | FileCheck %s --check-prefix=VALUE

-- CHECK: %%% FAILURE
-- CHECK-NEXT: Error: Stack overflow: the recursion is too deep.
-- CHECK: %%% OK
-- CHECK: %%% FAILURE
-- CHECK-NEXT: Error: Stack overflow: the recursion is too deep.
-- CHECK: %%% OK
-- CHECK-NEXT: runtime:
-- CHECK-NEXT: %%% OK
-- VALUE: 126i64
def go (n: i64) : i64 = if n == 0 then 1 else (go (n - 1) * 3) ^ n
entry f (n: i64) = go n
