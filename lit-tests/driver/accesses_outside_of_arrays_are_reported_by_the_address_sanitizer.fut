-- Checks are gone where the program is unsafe; the sanitizer looks at each access.
-- RUN: futc %s -o %t.seq --sanitize=address --target=seq
-- RUN: futc %s -o %t.emu --sanitize=address --target=gpu-emu
-- RUN: echo '[1, 2, 3] 2' | %t.seq | FileCheck %s --check-prefix=INSIDE
-- RUN: echo '[1, 2, 3] 2' | %t.emu | FileCheck %s --check-prefix=INSIDE
-- RUN: echo '[1, 2, 3] 3' | not %t.seq 2>&1 | FileCheck %s
-- RUN: echo '[1, 2, 3] 3' | not %t.emu 2>&1 | FileCheck %s
-- RUN: echo '[1, 2, 3] -1' | not %t.seq 2>&1 | FileCheck %s
-- RUN: echo '[1, 2, 3] -1' | not %t.emu 2>&1 | FileCheck %s
-- RUN: not futc test --no-terminal --sanitize=address %s 2>&1 | FileCheck %s --check-prefix=TEST
-- Memory that is asked for in vain is no fault.
-- RUN: echo '5000000000000' | not %t.seq -e many 2>&1 | FileCheck %s --check-prefix=MEMORY
-- Without the option nothing is checked.
-- RUN: futc %s --emit=llvm | FileCheck %s --check-prefix=PLAIN
-- RUN: futc %s --emit=llvm --sanitize=address | FileCheck %s --check-prefix=CHECKED
-- RUN: not futc %s --sanitize=address --target=nvptx 2>&1 | FileCheck %s --check-prefix=NVPTX
-- RUN: not futc test %s --sanitize=address --backend=interpreter 2>&1 | FileCheck %s --check-prefix=BACKEND
-- ==
-- entry: main
-- input { [1, 2, 3] 3i64 } error: .

-- CHECK: ERROR: AddressSanitizer
-- CHECK: READ of size 4
-- INSIDE: 3i32
-- TEST: reported by a sanitizer
-- TEST: ERROR: AddressSanitizer
-- MEMORY: Cannot allocate
-- MEMORY-NOT: AddressSanitizer
-- PLAIN-NOT: asan
-- CHECKED: sanitize_address
-- CHECKED: __asan_report
-- NVPTX: --sanitize needs --target=seq or {{.*}}--target=gpu-emu
-- BACKEND: --sanitize needs --backend=seq or {{.*}}--backend=gpu-emu
entry main (xs: []i32) (i: i64) : i32 = #[unsafe] xs[i]

entry many (n: i64) : []i32 = replicate n 1
