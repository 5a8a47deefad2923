-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- CHECK-LABEL: fun scanned (
-- CHECK: segscan seq ({{i_[0-9]+}} < {{n_[0-9]+}}) op [0i32] \({{.*}}: i32, {{.*}}: i32) : (i32)
entry scanned [n] (xs: [n]i32) = scan (+) 0 xs
-- CHECK-LABEL: fun counted (
-- CHECK: seghist seq ({{i_[0-9]+}} < {{n_[0-9]+}})
entry counted [n] (is: [n]i64) = hist (+) 0 10 is (replicate n 1i32)
-- CHECK-LABEL: fun scattered (
-- CHECK: segmap seq
-- CHECK: in (write {{.*}} = {{.*}})
entry scattered [n] (xs: *[]i32) (is: [n]i64) (vs: [n]i32) = scatter xs is vs
