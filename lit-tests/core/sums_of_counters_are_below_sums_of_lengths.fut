-- RUN: futc --emit=core %s | FileCheck %s

-- Lengths of what callers have in memory are no more than memory has, so that their sums do not wrap.

-- CHECK-LABEL: fun product (
-- CHECK-NOT: Index [
-- CHECK-LABEL: fun convolution (
entry product [n] [m] (a: [n]u32) (b: [m]u32) : [n + m]u32 =
  loop r = replicate (n + m) 0 for i < n do
    let (r, carry) =
      loop (r, carry) = (r, 0) for j < m do
        let t = u64.u32 a[i] * u64.u32 b[j] + u64.u32 r[i + j] + carry
        in (r with [i + j] = u32.u64 t, t >> 32)
    in r with [i + m] = u32.u64 carry

-- CHECK-NOT: Index [
-- CHECK-LABEL: fun too_far (
entry convolution [n] [m] (a: [n]f64) (b: [m]f64) =
  loop r = replicate (n + m - 1) 0 for i < n do
    loop r for j < m do r with [i + j] = r[i + j] + a[i] * b[j]

-- One more is one too many, and rows may be more than memory has bytes if they have no elements.
-- CHECK: Index [
-- CHECK-LABEL: fun of_rows (
entry too_far [n] [m] (a: [n]f64) (b: [m]f64) =
  loop r = replicate (n + m - 1) 0 for i < n do
    loop r for j < m + 1 do r with [i + j] = r[i + j] + a[i]

-- CHECK: Index [
entry of_rows [n] [k] [m] (_: [n][k]f64) (b: [m]f64) =
  loop r = replicate (n + m) 0 for i < n do
    loop r for j < m do r with [i + j] = r[i + j] + b[j]
