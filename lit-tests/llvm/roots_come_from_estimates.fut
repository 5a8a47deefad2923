-- REQUIRES: x86
-- With --fast-math, what is divided by roots is multiplied by estimates of their reciprocals, better by a step of Newton's method;
-- roots beside that are, too, where that is quicker. Other targets have nothing of it.
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --fast-math %s --emit=llvm | FileCheck %s --check-prefixes=CHECK,WIDE
-- RUN: futc -w --target=seq --target-cpu=x86-64-v3 --fast-math %s --emit=llvm | FileCheck %s --check-prefixes=CHECK,HALF
-- RUN: futc -w --target=seq --target-cpu=x86-64-v2 --fast-math %s --emit=llvm | FileCheck %s --check-prefixes=CHECK,NARROW
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 %s --emit=llvm | FileCheck %s --check-prefix=EXACT
-- RUN: futc -w --target=wasm --fast-math %s --emit=llvm | FileCheck %s --check-prefix=EXACT
-- RUN: futc -w --target=nvptx --fast-math %s --emit=ptx | FileCheck %s --check-prefix=PTX
-- RUN: futc -w --target=seq --target-cpu=x86-64-v4 --fast-math %S/../../benches/programs/nbody/nbody.fut --emit=llvm | FileCheck %s --check-prefix=BODIES
-- BODIES: llvm.x86.avx512.rsqrt14.ps.512
-- BODIES-NOT: fdiv {{.*}} <
-- EXACT-NOT: rsqrt
-- EXACT-NOT: "reciprocal-estimates"

-- PTX: sqrt.approx.f32
-- PTX: div.approx.f32

-- CHECK-LABEL: define internal void @futc_entry_pulls
-- WIDE: llvm.x86.avx.rsqrt.ps.256
-- HALF: llvm.x86.avx.rsqrt.ps.256
-- NARROW: llvm.x86.sse.rsqrt.ps
-- CHECK-NOT: fdiv {{.*}}<
entry pulls [n] (k: f32) (xs: [n]f32) : [n]f32 = map (\x -> k / (x * f32.sqrt x)) xs

-- CHECK: define internal void @futc_entry_roots
-- WIDE: llvm.x86.avx.rsqrt.ps.256
-- HALF: llvm.sqrt.v8f32
-- HALF-NOT: rsqrt
-- NARROW: llvm.sqrt.v4f32
-- NARROW-NOT: rsqrt
-- CHECK: define internal void @futc_init
entry roots [n] (xs: [n]f32) : [n]f32 = map f32.sqrt xs

-- CHECK: attributes {{.*}}"reciprocal-estimates"="none"
