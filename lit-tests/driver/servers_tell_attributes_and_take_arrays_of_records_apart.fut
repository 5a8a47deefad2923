-- RUN: futc %s --server -o %t
-- RUN: printf 'attributes moved\nattributes main\nfields []point\nfields "[](i32, [](i8, bool))"\n' > %t.in
-- RUN: printf 'call points ps\nunzip ps as bs\ntype as\ntype bs\nzip qs []point as bs\ncall sum s qs\nstore %t.out s\n' >> %t.in
-- RUN: printf 'call nested ns\nunzip ns is rows\nshape rows\nunzip rows js ks\nshape ks\nunzip is x\n' >> %t.in
-- RUN: %t < %t.in | FileCheck %s
-- RUN: futc dataset < %t.out | FileCheck %s --check-prefix=SUM

type point = {a: i32, b: [2]f64}

-- CHECK: %%% OK
-- CHECK-NEXT: prop(gen(points), size(3))
-- CHECK-NEXT: noinline
-- CHECK-NEXT: %%% OK
#[prop(gen(points),size(3))]
#[noinline]
entry moved (p: point) : point = p with a = 1

-- CHECK-NEXT: %%% OK
entry main (x: i32) = x

-- CHECK-NEXT: a []i32
-- CHECK-NEXT: b [][]f64
-- CHECK-NEXT: %%% OK
entry points : []point = [{a = 1, b = [2, 3]}, {a = 4, b = [5, 6]}]

-- CHECK-NEXT: 0 []i32
-- CHECK-NEXT: 1 [][](i8, bool)
-- CHECK-NEXT: %%% OK
entry nested : [](i32, [3](i8, bool)) =
  replicate 5 (1, [(2, true), (3, false), (4, true)])

-- CHECK-NEXT: runtime:
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: []i32
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: [][]f64
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: runtime:
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% OK
-- SUM: 21.0f64
entry sum (ps: []point) = f64.sum (map (\p -> f64.i32 p.a + f64.sum p.b) ps)

-- CHECK-NEXT: runtime:
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: 5
-- CHECK-NEXT: 3
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: 5
-- CHECK-NEXT: 3
-- CHECK-NEXT: %%% OK
-- CHECK-NEXT: %%% FAILURE
-- CHECK-NEXT: Not an array of records: []i32
