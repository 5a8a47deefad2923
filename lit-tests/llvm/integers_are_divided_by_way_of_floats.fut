-- REQUIRES: x86
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=llvm | FileCheck %s
-- x86 divides vectors of floats, not of integers.
-- CHECK-LABEL: define {{.*}}@futc_entry_words(
-- CHECK: fdiv <{{[0-9]+}} x double>
-- CHECK-NOT: sdiv <
-- CHECK: ret void
entry words [n] (xs: [n]i32) (ys: [n]i32) = map2 (%) xs ys
-- What all lanes are divided by has one reciprocal.
-- CHECK-LABEL: define {{.*}}@futc_entry_bytes(
-- CHECK-NOT: fdiv {{.*}}<
-- CHECK: fdiv float
-- CHECK: fmul <{{[0-9]+}} x float>
-- CHECK-NOT: fdiv {{.*}}<
-- CHECK-NOT: udiv <
-- CHECK: ret void
entry bytes [n] (k: u8) (xs: [n]u8) = map (/ k) xs
-- Signed divisors, too, which must not be -1 or 0.
-- CHECK-LABEL: define {{.*}}@futc_entry_signed(
-- CHECK-NOT: fdiv {{.*}}<
-- CHECK: fdiv double
-- CHECK: fmul <{{[0-9]+}} x double>
-- CHECK-NOT: fdiv {{.*}}<
-- CHECK: ret void
entry signed [n] (k: i32) (xs: [n]i32) = map (/ k) xs
-- Of 64 bits, if all lanes are small enough.
-- CHECK-LABEL: define {{.*}}@futc_entry_divisors(
-- CHECK: fdiv <{{[0-9]+}} x double>
-- CHECK: ret void
entry divisors [n] (xs: [n]i64) =
  map (\x -> (loop (a, b) = (x, 360) while b != 0 do (b, a % b)).0) xs
