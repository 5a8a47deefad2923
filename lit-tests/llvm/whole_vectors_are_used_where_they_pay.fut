-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=sapphirerapids %s --emit=llvm | FileCheck %s --check-prefix=WIDE
-- RUN: futc -w --target=seq --target-cpu=skylake-avx512 %s --emit=llvm | FileCheck %s --check-prefix=HALF
-- WIDE-LABEL: define {{.*}}@futc_entry_waves(
-- WIDE: call <16 x float> @_ZGVeN16v_sinf(
-- HALF-LABEL: define {{.*}}@futc_entry_waves(
-- HALF: call <8 x float> @_ZGVdN8v_sinf(
entry waves [n] (xs: [n]f32) = map f32.sin xs
