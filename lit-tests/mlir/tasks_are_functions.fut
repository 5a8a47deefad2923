-- RUN: futc --target=multicore %s --emit=mlir | FileCheck %s
-- What tasks need from outside lies in words on the stack of who waits for them.
-- CHECK-LABEL: func.func private @fut_doubled(
-- CHECK-DAG: [[ROOM:%.*]] = memref.cast
-- CHECK-DAG: memref.store
-- CHECK: [[SITE:%.*]] = llvm.mlir.addressof @[[SITE_NAME:site_task_[0-9]+]]
-- CHECK: [[TASK:%.*]] = {{.*}}constant @[[TASK_NAME:task_[0-9]+]]
-- CHECK: call @futc_parallel_for({{.*}}, [[SITE]], [[TASK]],
entry doubled [n] (xs: [n]f32) = map (* 2) xs
