-- RUN: futc -w --target=seq %s --emit=seg | FileCheck %s
-- One thread knows how many it has kept: no scan, no array of counts.
-- CHECK-LABEL: fun positive (
-- CHECK-NOT: segscan
-- CHECK: [[BUFFER:buffer_[0-9]+]]: [[[N:d_[0-9]+]]]i32 = scratch(i32, [[[N]]])
-- CHECK: loop ([[C:kept_[0-9]+]]: i64 = 0, [[OUT:[a-z]+_[0-9]+]]: [[[N]]]i32 = [[BUFFER]]) for {{i_[0-9]+}}: i64 < [[N]]
-- CHECK: update [[OUT]][[[C]]] with
-- CHECK: index {{[a-z]+_[0-9]+}}[0 :+ {{[a-z]+_[0-9]+}} * 1]
entry positive (xs: []i32) : []i32 = filter (> 0) xs

-- Whoever wants the flags as well gets them from the scan.
-- CHECK-LABEL: fun flagged (
-- CHECK: segscan
entry flagged [n] (xs: [n]i32) : ([n]bool, []i32) =
  let flags = map (> 0) xs
  in (flags, map (.1) (filter (.0) (zip flags xs)))

-- What is kept may be what something does not hold for.
-- CHECK-LABEL: fun unequal (
-- CHECK-NOT: segscan
-- CHECK: loop ([[C:kept_[0-9]+]]: i64 = 0, {{.*}}) for
entry unequal [n] (xs: [n]i32) (ys: [n]i32) : []i32 =
  zip xs ys |> filter (\(x, y) -> x != y) |> map (\(x, y) -> x - y)

-- A range of which somebody has computed how long it is, and somebody else whether it is empty.
-- CHECK-LABEL: fun upto (
-- CHECK-NOT: segscan
-- CHECK: loop ([[C:kept_[0-9]+]]: i64 = 0, {{.*}}) for
entry upto (n: i64) : []i64 = filter (\i -> i % 3 != 1) (2...n)

-- Each part of a partition goes to a buffer of its own.
-- CHECK-LABEL: fun parts (
-- CHECK-NOT: segscan
-- CHECK: loop ([[C:kept_[0-9]+]]: i64 = 0, [[A:[a-z]+_[0-9]+]]: {{[^,]*}}, [[B:[a-z]+_[0-9]+]]: {{[^,]*}}) for [[I:i_[0-9]+]]: i64
-- CHECK: update [[A]][[[C]]] with
-- CHECK: [[J:place_[0-9]+]]: i64 = sub.i64([[I]], [[C]])
-- CHECK: update [[B]][[[J]]] with
-- CHECK-NOT: concat
entry parts (xs: []i32) : ([]i32, []i32) = partition (> 0) xs

-- So do the three of a partition by two conditions.
-- CHECK-LABEL: fun three (
-- CHECK-NOT: segscan
-- CHECK: loop (kept_{{[0-9]+}}: i64 = 0, kept_{{[0-9]+}}: i64 = 0, {{.*}}) for
-- CHECK-NOT: concat
entry three (xs: []i32) : ([]i32, []i32, []i32) = partition2 (> 0) (== 0) xs

-- How many there are is a reduction, if that is all.
-- CHECK-LABEL: fun count (
-- CHECK-NOT: segscan
-- CHECK: segred
entry count (xs: []i32) : i64 = length (filter (> 0) xs)
