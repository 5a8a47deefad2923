// What a worker does: it waits at its place in memory for the runtime to need a thread, and is that until it is not
// needed any more. See threads.js, and `struct futc_seat` in runtime-c/wasm/threads/seat.h.

const FREE = 0;
const CALLED = 1;
const TAKEN = 2;

const node = typeof require === "function" ? require("node:worker_threads") : undefined;

function workerHost() {
  if (node === undefined) return consoleHost();
  const fs = require("node:fs");
  return {
    ...consoleHost(),
    now: () => process.hrtime.bigint(),
    // The console of a worker waits for the main thread.
    write: (fd, from) => fs.writeSync(fd, from.slice()),
  };
}

function serve({ module, memory, number }) {
  const host = workerHost();
  let bottom = 0;
  const exports = instantiate(module, host, {
    memory,
    bottom: () => bottom,
    functions: {
      may_wait: () => 1,
      num_cpus: () => 1,
      start_thread: () => 0,
      crash: () => {
        throw new Exit(1);
      },
    },
  });
  const words = new Int32Array(memory.buffer);
  const seat = exports.futc_thread_seat(number) >>> 2;
  for (;;) {
    Atomics.wait(words, seat, FREE);
    if (Atomics.compareExchange(words, seat, CALLED, TAKEN) !== CALLED) continue;
    // Stack and variables may be in memory that was not there when this thread looked last.
    exports.futc_see_memory();
    exports.__stack_pointer.value = words[seat + 1];
    bottom = words[seat + 2] >>> 0;
    exports.__wasm_init_tls(words[seat + 3]);
    try {
      exports.futc_thread_run(number);
    } catch (error) {
      // Whoever waits for what this thread was to do waits in vain; the runtime's own end has said why already.
      if (!(error instanceof Exit)) host.write(2, new TextEncoder().encode(`${error?.stack ?? error}\n`));
      exports.futc_thread_crashed();
      return;
    }
    Atomics.store(words, seat, FREE);
    Atomics.notify(words, seat);
  }
}

if (node !== undefined) {
  serve(node.workerData);
} else {
  onmessage = ({ data }) => {
    postMessage("ready");
    serve(data);
  };
}
