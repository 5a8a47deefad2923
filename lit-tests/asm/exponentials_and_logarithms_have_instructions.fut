-- REQUIRES: x86
-- Powers of two, exponents, mantissas and results of special arguments are instructions of AVX-512.
-- RUN: futc -w --target=seq --target-cpu=znver5 %s --emit=asm | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=asm | FileCheck %s --check-prefix=V3

-- CHECK-LABEL: futc_entry_exponential:
-- CHECK: vscalefps {{.*}}%zmm
-- V3-NOT: vscalef
entry exponential (xs: []f32) : []f32 = map f32.exp xs

-- CHECK-LABEL: futc_entry_exponential_double:
-- CHECK: vscalefpd {{.*}}%zmm
entry exponential_double (xs: []f64) : []f64 = map f64.exp xs

-- CHECK-LABEL: futc_entry_logarithm:
-- CHECK-DAG: vgetexpps {{.*}}%zmm
-- CHECK-DAG: vgetmantps $0, {{.*}}%zmm
-- CHECK: vfixupimmps $0, {{.*}}%zmm
entry logarithm (xs: []f32) : []f32 = map f32.log xs
