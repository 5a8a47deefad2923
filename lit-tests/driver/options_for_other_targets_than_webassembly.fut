-- RUN: not futc -w --target=wasm --python %s -o %t 2>&1 | FileCheck %s --check-prefix=PYTHON
-- RUN: not futc -w --target=wasm --library --lib-kind=shared %s -o %t 2>&1 | FileCheck %s --check-prefix=KIND
-- RUN: not futc -w --target=wasm --sanitize=address %s -o %t 2>&1 | FileCheck %s --check-prefix=SANITIZE
-- RUN: not futc -w --target=wasm --library -e free %s -o %t 2>&1 | FileCheck %s --check-prefix=NAME
-- RUN: not futc -w --target=wasm-multicore --python %s -o %t 2>&1 | FileCheck %s --check-prefix=PYTHON
-- RUN: not futc -w --target=wasm-multicore --sanitize=thread %s -o %t 2>&1 | FileCheck %s --check-prefix=SANITIZE
-- PYTHON: --python needs --target=seq or --target=multicore
-- KIND: --lib-kind needs --target=seq or --target=multicore
-- SANITIZE: --sanitize needs --target=seq
-- NAME: the entry point 'free' has a name that contexts have for something else; rename it
def free (x: i32) : i32 = x
entry main (x: i32) : i32 = free x
