-- What is emitted goes through MLIR's own conversions alone, as through ours.
-- RUN: futc-mlir-opt --standard-pipeline > %t.options
-- RUN: futc -w --target=seq %s --emit=mlir | mlir-opt --verify-each @%t.options > %t.mlir
-- RUN: FileCheck %s --implicit-check-not=scf. --implicit-check-not=memref. --implicit-check-not=linalg. --implicit-check-not=' vector.' --implicit-check-not=unrealized < %t.mlir
-- CHECK: llvm.func internal @fut_product(
-- CHECK: llvm.func internal @fut_turned(
entry product [n] [m] [k] (a: [n][m]f32) (b: [m][k]f32) : [n][k]f32 =
  map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
entry turned [n] [m] (a: [n][m]f64) : [m][n]f64 = copy (transpose a)
entry picked [n] [m] (xs: [n]f32) (is: [m]i64) : [m]f32 =
  map (\i -> let x = xs[i] in if x < 0 then f32.sin x else f32.sqrt x) is
entry filled (n: i64) : ([n]i32, [n][n]bool) = (scan (+) 0 (replicate n 2), replicate n (replicate n true))
