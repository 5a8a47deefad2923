// Arrays of all element types and ranks go in and come out; scalars, opaque values, failures; memory does not grow.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import test from "node:test";

const load = (name) => import(pathToFileURL(`${process.env.MODULES}/${name}.mjs`));
const { newFutharkContext, FutharkError, FutharkOutOfMemory } = await load("values");
const fc = await newFutharkContext();

const PRIMS = {
  i8: [Int8Array, [-128, 127]], i16: [Int16Array, [-32768, 32767]], i32: [Int32Array, [-(2 ** 31), 2 ** 31 - 1]],
  i64: [BigInt64Array, [-(2n ** 63n), 2n ** 63n - 1n]], u8: [Uint8Array, [0, 255]], u16: [Uint16Array, [0, 65535]],
  u32: [Uint32Array, [0, 2 ** 32 - 1]], u64: [BigUint64Array, [0n, 2n ** 64n - 1n]], f16: [Uint16Array, [-1.5, 65504]],
  f32: [Float32Array, [-0.25, Infinity]], f64: [Float64Array, [0.1, NaN]], bool: [Uint8Array, [true, false]],
};

const nested = (shape, at, elements) =>
  Array.from({ length: shape[at] }, () =>
    at + 1 === shape.length ? elements.next().value : nested(shape, at + 1, elements));
function* forever(list) {
  for (;;) yield* list;
}

test("arrays of all types and ranks", async () => {
  const arrays = await (await load("arrays")).newFutharkContext();
  for (const [prim, [Elements, samples]] of Object.entries(PRIMS)) {
    for (let rank = 1; rank <= 5; rank++) {
      for (const first of [0, 1, 3]) {
        const shape = [first, 2, 1, 2, 3].slice(0, rank);
        const given = nested(shape, 0, forever(samples));
        const array = arrays[`new_${prim}_${rank}d_from_jsarray`](given);
        const result = arrays[`${prim}_${rank}`](array);
        const wanted = first === 0 ? [0, ...shape.slice(1).map(() => 0)] : shape;
        assert.deepEqual(result.shape(), wanted.map(BigInt));
        assert.deepEqual(result.toArray(), given, `${prim} ${rank}`);
        const flat = result.toTypedArray();
        assert.ok(flat instanceof Elements);
        const again = arrays[`new_${prim}_${rank}d`](flat, ...wanted);
        assert.deepEqual(again.toArray(), given);
        for (const value of [array, result, again]) value.free();
      }
    }
  }
  arrays.free();
});

test("scalars of all types", () => {
  for (const [prim, [, samples]] of Object.entries(PRIMS)) {
    for (const x of samples) assert.deepEqual(fc[`same_${prim}`](x), x, prim);
  }
  assert.equal(fc.same_i64(5), 5n);
  for (const [method, x] of [["same_i32", "1"], ["same_i32", 1n], ["same_i64", 1.5], ["same_bool", null], ["same_f64"]]) {
    assert.throws(() => fc[method](...(x === undefined ? [] : [x])), FutharkError);
  }
});

test("halves are rounded to the nearest", () => {
  for (const [x, y] of [
    [65519, 65504], [65520, Infinity], [-65520, -Infinity], [2049, 2048], [2051, 2052], [3e-8, 2 ** -24], [2 ** -25, 0],
    [2.9e-8, 0], [0.1, 0.0999755859375], [2 ** -14, 2 ** -14], [2 ** -14 - 2 ** -26, 2 ** -14], [-0, -0],
  ]) {
    assert.ok(Object.is(fc.same_f16(x), y), `${x}: ${fc.same_f16(x)}`);
  }
});

test("opaque values", () => {
  const state = fc.make(3, 2.5);
  assert.equal(fc.total(state), 5.5);
  const other = fc.line(2);
  assert.throws(() => fc.total(other), /argument 0 is of type state, not a value of type \[\]point/);
  state.free();
  assert.throws(() => fc.total(state), /was freed/);
  assert.throws(() => state.free(), /was freed/);
  other.free();
  assert.equal(fc["quoted'"](4), 5);
  assert.deepEqual(fc.nothing(), []);
});

test("values stay in their context", async () => {
  const other = await newFutharkContext();
  const xs = other.new_i32_1d(new Int32Array([1]), 1);
  assert.throws(() => fc.sum(xs), /another context/);
  assert.equal(other.sum(xs), 1);
  other.free();
  assert.throws(() => xs.toArray(), /context was freed/);
});

test("failures leave the context usable", () => {
  const text = /division by zero\n\nBacktrace:\n-> #0 .*values\.fut:/;
  for (let i = 0; i < 1000; i++) assert.throws(() => fc.divide(1, 0), text);
  assert.equal(fc.divide(7, 2), 3);
  // At, below and above the limits of 32 bits, and of 64.
  for (const n of [2n ** 28n, 2n ** 29n - 1n, 2n ** 29n, 2n ** 29n + 1n, 2n ** 31n, 2n ** 32n + 1n, 2n ** 61n]) {
    assert.throws(() => fc.ramp(n), FutharkOutOfMemory, String(n));
  }
  assert.throws(() => fc.ramp(-1), FutharkError);
  // Memory up to its limit can be had, and goes back.
  for (let i = 0; i < 3; i++) fc.ramp(2n ** 25n).free();
  assert.throws(() => fc.deep(10n ** 9n), /Stack overflow/);
  assert.equal(fc.deep(2), 4n);
  assert.equal(fc.divide(7, 2), 3);
});

test("a context that a failure has broken says so", async () => {
  // The stack may end inside of the runtime, or outside.
  const other = await newFutharkContext();
  assert.throws(() => other.wide(10n ** 9n), /Stack overflow/);
  try {
    assert.equal(other.divide(7, 2), 3);
  } catch (error) {
    assert.match(error.message, /cannot be used any more/);
  }
});

test("wrong arrays are refused", () => {
  const ints = new Int32Array(6);
  assert.throws(() => fc.new_i32_1d(ints, 5), FutharkError);
  assert.throws(() => fc.new_i32_1d(ints, -1), FutharkError);
  assert.throws(() => fc.new_i32_1d(ints, 2, 3), FutharkError);
  assert.throws(() => fc.new_i32_1d([1, 2], 2), FutharkError);
  assert.throws(() => fc.new_i32_1d(new Float64Array(2), 2), FutharkError);
  assert.throws(() => fc.new_i32_1d_from_jsarray(5), FutharkError);
  assert.throws(() => fc.new_i32_1d_from_jsarray(["x"]), FutharkError);
  assert.throws(() => fc.sum(), FutharkError);
});

test("memory does not grow", () => {
  const peak = () => JSON.stringify(JSON.parse(fc.report()).memory);
  const call = (i) => {
    const xs = fc.new_i32_1d(new Int32Array([i, 1]), 2);
    assert.equal(fc.sum(xs), (i + 1) | 0);
    xs.free();
  };
  call(0);
  const before = peak();
  for (let i = 0; i < 100000; i++) call(i);
  assert.notEqual(before, "{}");
  assert.equal(peak(), before);
});
