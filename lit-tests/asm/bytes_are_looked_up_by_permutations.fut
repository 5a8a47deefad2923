-- REQUIRES: x86
-- RUN: futc --target=seq --target-cpu=znver4 --emit=asm %s | FileCheck %s

-- The table is in registers: four vectors of it, of which two permutations and a mask choose.
-- CHECK-LABEL: futc_entry_curve:
-- CHECK: vperm{{[it]}}2b %zmm{{[0-9]+}}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}}
-- CHECK: vpmovb2m %zmm{{[0-9]+}}, %k{{[0-9]}}
entry curve [n] (seed: i64) (xs: [n]u8) : [n]u8 =
  let table = tabulate 256 (\i -> u8.i64 (i * i / (seed + 3)))
  in map (\x -> table[i64.u8 x]) xs
