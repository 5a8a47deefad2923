-- RUN: futc -w %s -o %t.prog
-- RUN: sh -c "echo 1e-7f32 1e16f64 123456789012345680.0 1e15 0.0001 0.00001f32 6e-8f16 -2.5e-10 | %t.prog | tee %t.text"
-- RUN: sh -c "echo 1e-7f32 1e16f64 123456789012345680.0 1e15 0.0001 0.00001f32 6e-8f16 -2.5e-10 | futc run %s | diff %t.text -"
-- RUN: FileCheck %s < %t.text

-- CHECK: 1.0e-7f32
-- CHECK: 1.0e16f64
-- CHECK: 1.2345678901234568e17f64
-- CHECK: 1000000000000000.0f64
-- CHECK: 0.0001f64
-- CHECK: 1.0e-5f32
-- CHECK: 6.0e-8f16
-- CHECK: -2.5e-10f64
entry main (a: f32) (b: f64) (c: f64) (d: f64) (e: f64) (f: f32) (g: f16) (h: f64) =
  (a, b, c, d, e, f, g, h)
