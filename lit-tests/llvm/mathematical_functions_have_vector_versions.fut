-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 %s --emit=llvm | FileCheck %s
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --exact-math %s --emit=llvm | FileCheck %s --check-prefix=EXACT
-- EXACT-NOT: _ZGV
-- CHECK-LABEL: define {{.*}}@futc_entry_waves(
-- CHECK-NOT: call <8 x float> @_ZGVdN8v_expf(
-- CHECK: call <8 x float> @_ZGVdN8v_sinf(
entry waves [n] (xs: [n]f32) = map (\x -> f32.exp x + f32.sin x) xs
-- CHECK-LABEL: define {{.*}}@futc_entry_powers(
-- CHECK: call <4 x double> @_ZGVdN4vv_pow(
entry powers [n] (xs: [n]f64) (ys: [n]f64) = map2 (**) xs ys
-- What has an instruction needs no library.
-- CHECK-LABEL: define {{.*}}@futc_entry_roots(
-- CHECK: call <8 x float> @llvm.sqrt.v8f32(
-- CHECK: call <8 x float> @llvm.floor.v8f32(
entry roots [n] (xs: [n]f32) = map (\x -> f32.floor (f32.sqrt x)) xs
-- The library's err too much: ours become part of the loop, and nothing else is left of them.
-- CHECK-LABEL: define {{.*}}@futc_entry_growth(
-- CHECK: call <8 x float> @llvm.fma.v8f32(<8 x float> {{.*}}, <8 x float> splat (float 0x3FF7154760000000)
-- CHECK: fdiv <8 x float>
-- CHECK-NOT: @futc.{{exp|log|each}}
entry growth [n] (xs: [n]f32) = map (\x -> f32.log (1 + f32.exp x)) xs
