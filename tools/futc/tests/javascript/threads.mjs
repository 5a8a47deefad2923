// Threads of a library: results, failures in tasks, options, and that nothing is left behind.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import test from "node:test";
import { Worker } from "node:worker_threads";

const url = pathToFileURL(`${process.env.MODULES}/threads.mjs`);
const { newFutharkContext, FutharkError, FutharkOutOfMemory } = await import(url);

// Of i * i % 7, whose sum over 7 neighbours is 14.
const sum = (n) => {
  let total = BigInt(Math.floor(n / 7) * 14);
  for (let i = 0; i < n % 7; i++) total += BigInt((i * i) % 7);
  return total;
};

for (const threads of [undefined, 1, 2, 5]) {
  test(`with ${threads ?? "as many as there are processors"}`, async () => {
    const fc = await newFutharkContext(threads === undefined ? undefined : { threads });
    for (let round = 0; round < 3; round++) {
      assert.equal(fc.sum(10_000_003), sum(10_000_003));
      const xs = fc.ramp(1_000_000);
      const sums = fc.upto(xs);
      const read = sums.toTypedArray();
      assert.equal(read[999_999], (999_999 * 1_000_000) / 2);
      assert.equal(read[1234], (1234 * 1235) / 2);
      xs.free();
      sums.free();
    }
    // Of many tasks that fail, the first in the program's order is told.
    for (const k of [0, 1, 500_000, 999_999, 123_456, 999_000]) {
      assert.throws(() => fc.pick(1_000_000, k), new RegExp(`Index \\[${1_000_000 + k}\\] out of bounds`));
    }
    assert.equal(fc.pick(700_000, 700_000), 2_100_000n);
    for (const k of [0, 99_999, 60_000]) {
      assert.throws(() => fc.deep(100_000, k), /Stack overflow: the recursion is too deep/);
      assert.equal(fc.sum(70_000), 140_000n);
    }
    assert.throws(() => fc.ramp(2n ** 31n), FutharkOutOfMemory);
    // More memory than there was at first.
    const large = fc.ramp(20_000_000);
    assert.equal(large.toTypedArray()[19_999_999], 19_999_999);
    assert.ok(Math.abs(fc.total(large) / 59_628_479_156 - 1) < 1e-3);
    large.free();
    fc.free();
    assert.throws(() => fc.sum(1), /the context was freed/);
  });
}

test("results do not depend on the number of threads, to the last bit", async () => {
  const totals = [];
  for (const threads of [1, 2, 3]) {
    const fc = await newFutharkContext({ threads });
    const xs = fc.ramp(3_000_001);
    totals.push(fc.total(xs));
    fc.free();
  }
  assert.equal(totals[0], totals[1]);
  assert.equal(totals[0], totals[2]);
});

test("contexts have threads of their own", async () => {
  const contexts = await Promise.all([2, 3, 2].map((threads) => newFutharkContext({ threads })));
  for (let round = 0; round < 3; round++) {
    for (const fc of contexts) assert.equal(fc.sum(7_000_000), 14_000_000n);
  }
  contexts[1].free();
  assert.equal(contexts[2].sum(7_000_000), 14_000_000n);
  for (const fc of [contexts[0], contexts[2]]) fc.free();
});

// Workers that begin while others make the memory larger.
test("memory grows while threads begin", async () => {
  for (let round = 0; round < 40; round++) {
    const fc = await newFutharkContext({ threads: 2 + (round % 4) });
    const sums = fc.upto(fc.ramp(1_000_000));
    assert.equal(sums.toTypedArray()[999_999], (999_999 * 1_000_000) / 2);
    fc.free();
  }
});

test("options", async () => {
  for (const threads of [0, -1, 1.5, "2", 1025, NaN, null]) {
    await assert.rejects(newFutharkContext({ threads }), /^FutharkError: threads: .* is not a number from 1 to 1024$/);
  }
  await assert.rejects(newFutharkContext({ thread: 2 }), /there is no option thread; options are source and threads/);
  await assert.rejects(newFutharkContext(2), FutharkError);
  await assert.rejects(newFutharkContext({ source: 2 }), FutharkError);
  const bytes = readFileSync(new URL("threads.wasm", url));
  for (const given of [bytes, { source: bytes }, { source: await WebAssembly.compile(bytes), threads: 2 }]) {
    const fc = await newFutharkContext(given);
    assert.equal(fc.sum(7_000_000), 14_000_000n);
    fc.free();
  }
});

test("without SharedArrayBuffer", async () => {
  const there = globalThis.SharedArrayBuffer;
  try {
    delete globalThis.SharedArrayBuffer;
    await assert.rejects(newFutharkContext({ threads: 2 }), /threads need SharedArrayBuffer.*threads: 1/);
    const fc = await newFutharkContext({ threads: 1 });
    assert.equal(fc.sum(7_000_000), 14_000_000n);
    fc.free();
  } finally {
    globalThis.SharedArrayBuffer = there;
  }
});

test("threads keep no program from ending", () => {
  const program = `
    const { newFutharkContext } = await import(${JSON.stringify(url.href)});
    const fc = await newFutharkContext({ threads: 4 });
    console.log(String(fc.sum(70_000_000)));`;
  const { stdout, status, error } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.deepEqual([stdout, status, error], ["140000000\n", 0, undefined]);
});

test("a worker of one's own may call", async () => {
  const program = `
    const { parentPort } = require("node:worker_threads");
    import(${JSON.stringify(url.href)}).then(async ({ newFutharkContext }) => {
      const fc = await newFutharkContext({ threads: 2 });
      parentPort.postMessage(fc.sum(7_000_000));
      fc.free();
    });`;
  const worker = new Worker(program, { eval: true });
  const told = await new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
  });
  assert.equal(told, 14_000_000n);
  await worker.terminate();
});
