-- A long literal of constants is copied from a table in the object, and equal ones share it; what
-- holds a variable, and what is short, is stored.
-- RUN: futc -w --target=seq %s --emit=mlir | FileCheck %s
-- CHECK-LABEL: func.func private @fut_short(
-- CHECK-NOT: linalg.copy
-- CHECK: memref.global "private" constant @[[TABLE:table_[0-9]+]] : memref<16xi8> = dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1]>
-- CHECK-NOT: constant @table
-- CHECK-LABEL: func.func private @fut_long(
-- CHECK: memref.get_global @[[TABLE]]
-- CHECK: linalg.copy
-- CHECK-LABEL: func.func private @fut_again(
-- CHECK: memref.get_global @[[TABLE]]
-- CHECK: linalg.copy
entry short (x: u8) : []u8 = [1, 2, 3, x]
entry long (x: u8) : ([]u8, []u8) =
  ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255],
   [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, x])
entry again (x: u8) : ([]u8, u8) =
  ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255], x + 1)
