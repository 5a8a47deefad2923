-- An array of 96 MiB goes to a file and comes back in an address space that has no room for a second one.
-- RUN: futc %s --server -o %t
-- RUN: echo 25165824 > %t.size
-- RUN: printf 'restore %t.size n i64\ncall make xs n\nstore %t.file xs\nfree xs\n' > %t.in
-- RUN: printf 'restore %t.file ys []i32\nstore %t.file ys\ncall last y ys\nstore %t.out y\n' >> %t.in
-- RUN: sh -c 'ulimit -v 150000; exec %t' < %t.in | FileCheck %s
-- RUN: futc dataset < %t.out | FileCheck %s --check-prefix=LAST
-- RUN: rm %t.file

-- CHECK-NOT: FAILURE
-- CHECK-COUNT-9: %%% OK
-- LAST: 25165823i32
entry make (n: i64) : [n]i32 = map i32.i64 (iota n)
entry last [n] (xs: [n]i32) : i32 = xs[n - 1]
