-- A long literal of constants is copied from a table in the object, and equal ones share it; what
-- holds a variable, and what is short, is stored.
-- RUN: futc -w %s --emit=mlir | FileCheck %s
-- CHECK-LABEL: func.func private @fut_short(
-- CHECK-NOT: llvm.intr.memcpy
-- CHECK: llvm.mlir.global internal unnamed_addr constant @[[TABLE:table_[0-9]+]]("\00\01\02\03\04\05\06\07\08\09\0A\0B\0C\0D\0E\FF")
-- CHECK-NOT: constant @table
-- CHECK-LABEL: func.func private @fut_long(
-- CHECK: llvm.mlir.addressof @[[TABLE]]
-- CHECK: llvm.intr.memcpy
-- CHECK-LABEL: func.func private @fut_again(
-- CHECK: llvm.mlir.addressof @[[TABLE]]
-- CHECK: llvm.intr.memcpy
entry short (x: u8) : []u8 = [1, 2, 3, x]
entry long (x: u8) : ([]u8, []u8) =
  ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255],
   [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, x])
entry again (x: u8) : ([]u8, u8) =
  ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255], x + 1)
