-- RUN: futc -w %s --emit=core | FileCheck %s
-- CHECK-LABEL: fun pairs (
-- CHECK-SAME: [[N:n_[0-9]+]]: i64, [[XS:xs_[0-9]+]]: {{\[}}[[N]]]i32, [[YS:xs_[0-9]+]]: {{\[}}[[N]]]f32)
-- CHECK: map([[N]], {{\[}}[[XS]], [[YS]]], \({{.*}}: i32, {{.*}}: f32) : (f32, i32)
entry pairs [n] (xs: [n](i32, f32)) = map (\(a, b) -> (b * 2, a + 1)) xs
-- What is taken apart and put together again is not touched.
-- CHECK-LABEL: fun unzipped (
-- CHECK-NOT: map
-- CHECK: }
entry unzipped [n] (xs: [n](i32, f32)) = unzip xs
