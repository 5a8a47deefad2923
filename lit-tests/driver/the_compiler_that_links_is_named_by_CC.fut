-- RUN: env CC="cc -O1" futc %s --no-cache --target=seq -o %t && %t < /dev/null | FileCheck %s
-- RUN: env CC= futc %s --no-cache --target=seq -o %t && %t < /dev/null | FileCheck %s
-- RUN: not env CC=/no/such/compiler futc %s --no-cache --target=seq -o %t 2>&1 | FileCheck %s --check-prefix=NONE
-- RUN: not env CC=false futc %s --no-cache --target=seq -o %t 2>&1 | FileCheck %s --check-prefix=FAILS
-- RUN: env LD_RUN_PATH=/some/folder futc %s --no-cache --target=seq -o %t && llvm-readelf -d %t | FileCheck %s --check-prefix=RUNPATH
-- CHECK: 42i32
-- NONE: cannot run /no/such/compiler
-- FAILS: linking failed: false: exit status: 1
-- RUNPATH: /some/folder
entry main : i32 = 42
