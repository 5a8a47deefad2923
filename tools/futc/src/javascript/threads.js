// Several threads: workers that have instances of the module on the same memory (worker.js, whose text is WORKER), and
// what the runtime asks of them (runtime-c/wasm/threads/threads.c). PAGES says how large the memory is to be.

// Workers of Node.js, whose modules `load` gives. They start while the program runs.
function nodeWorkplace(load) {
  return {
    cpus: () => load("node:os").availableParallelism(),
    start: (data) => {
      const { Worker } = load("node:worker_threads");
      const worker = new Worker(WORKER, { eval: true, execArgv: [], workerData: data });
      // They wait for work for ever, and keep no program from ending. What they say when they fail, they say themselves.
      worker.unref();
      worker.on("error", () => {});
      return worker;
    },
  };
}

// Workers of a browser. They start only when the page does nothing: `ready` is a promise that they have.
function webWorkplace() {
  return {
    cpus: () => globalThis.navigator?.hardwareConcurrency ?? 1,
    start: (data) => {
      const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
      const worker = new Worker(url);
      worker.ready = new Promise((resolve, reject) => {
        worker.onmessage = resolve;
        worker.onerror = (event) => reject(new Error(event.message ?? `workers cannot be started from ${url}`));
      }).finally(() => URL.revokeObjectURL(url));
      worker.postMessage(data);
      return worker;
    },
  };
}

// Engines may have less room for addresses than the module could use.
function newMemory() {
  for (let { initial, maximum } = PAGES; ; maximum = Math.floor(maximum / 2)) {
    try {
      return new WebAssembly.Memory({ initial, maximum, shared: true });
    } catch (error) {
      if (!(error instanceof RangeError) || maximum / 2 < initial) throw error;
    }
  }
}

// The main thread of a page may not.
function mayWait() {
  try {
    // It is not 1.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return 1;
  } catch {
    return 0;
  }
}

// The memory of a program and its workers, which a workplace starts.
function crewOf(module, place) {
  const memory = newMemory();
  const workers = [];
  const { cpus, start } = place();
  const started = (number) => (workers[number] ??= start({ module, memory, number }));
  return {
    memory,
    bottom: () => 0,
    functions: {
      may_wait: mayWait,
      num_cpus: cpus,
      start_thread: (number) => {
        try {
          started(number);
          return 1;
        } catch {
          // The system has no more.
          return 0;
        }
      },
      crash: () => {
        throw new Exit(1);
      },
    },
    // Starts the first workers; a promise that they are there, where that takes waiting.
    ready: (count) => Promise.all(Array.from({ length: count }, (_, number) => started(number).ready)),
    end: () => {
      for (const worker of workers.splice(0)) worker?.terminate();
    },
  };
}
