-- RUN: futc -w %s --emit=seg | FileCheck %s
-- One thread knows how many it has kept: no scan, no array of counts.
-- CHECK-LABEL: fun positive (
-- CHECK-NOT: segscan
-- CHECK: [[ROOM:room_[0-9]+]]: [[[N:d_[0-9]+]]]i32 = scratch(i32, [[[N]]])
-- CHECK: loop ([[C:kept_[0-9]+]]: i64 = 0, [[OUT:[a-z]+_[0-9]+]]: [[[N]]]i32 = [[ROOM]]) for {{i_[0-9]+}}: i64 < [[N]]
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
