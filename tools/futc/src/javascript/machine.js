// What stands around a module of WebAssembly that futc has made: how failures end calls, and the functions of WASI
// that the C library of the runtime calls. `host` says what of a system there is; see command.js and library.js.

// What a program throws that ends itself.
class Exit extends Error {
  constructor(status) {
    super(`the program has ended with status ${status}`);
    this.status = status;
  }
}

// What a failure throws; how it ends the call is `enum futc_ending` (runtime-c/src/guard.h). No error of
// JavaScript's, which would find out where it was thrown: nobody asks, and it takes longer than the failure.
class Unwinding {
  constructor(ending) {
    this.ending = ending;
  }
}

const RETURNED = 0;
const OVERFLOWED = 2;

// C's stack goes down to address 0, that of a worker to where its place says. A function that is called last uses it
// without saying so, hence the margin.
const STACK_MARGIN = 1 << 16;

// Of `left` bytes.
function isOverflow(error, left) {
  if (error instanceof RangeError) return true;
  // Firefox says so by an error of its own.
  if (error?.name === "InternalError") return true;
  return error instanceof WebAssembly.RuntimeError && left < STACK_MARGIN;
}

const ERRNO = {
  EACCES: 2, EBADF: 8, EEXIST: 20, EINVAL: 28, EIO: 29, EISDIR: 31, ENOENT: 44, ENOSPC: 51, ENOSYS: 52,
  ENOTDIR: 54, EPERM: 63, EPIPE: 64, EROFS: 69, ESPIPE: 70,
};
const OPEN_RIGHTS = { read: 1n << 1n, write: 1n << 6n };
const ROOT = 3;
const FILE_TYPES = { character: 2, directory: 3, file: 4, other: 0 };

// Makes an instance of a module. `shared`, where several threads run it, has the memory, what the runtime calls to
// start and end threads, and where C's stack ends; see threads.js and worker.js.
function instantiate(module, host, shared) {
  let exports;
  const data = () => new DataView(exports.memory.buffer);
  const bytes = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length >>> 0);
  const text = (at, length) => new TextDecoder().decode(bytes(at, length).slice());
  const put32 = (at, value) => data().setUint32(at >>> 0, value, true);
  const put64 = (at, value) => data().setBigUint64(at >>> 0, BigInt.asUintN(64, value), true);

  // Says how it went, in the numbers of WASI.
  const tried = (action) => {
    try {
      action();
      return 0;
    } catch (error) {
      if (typeof error?.code !== "string") throw error;
      return ERRNO[error.code] ?? ERRNO.EIO;
    }
  };

  const transfer = (vectors, count, result, move) =>
    tried(() => {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const at = data().getUint32((vectors >>> 0) + 8 * i, true);
        const length = data().getUint32((vectors >>> 0) + 8 * i + 4, true);
        const moved = length === 0 ? 0 : move(bytes(at, length));
        total += moved;
        if (moved < length) break;
      }
      put32(result, total);
    });

  const strings = (list) => list.map((s) => new TextEncoder().encode(`${s}\0`));
  const sizes = (list) => (count, size) => {
    put32(count, list.length);
    put32(size, list.reduce((sum, s) => sum + s.length, 0));
    return 0;
  };
  const contents = (list) => (pointers, buffer) => {
    let at = buffer >>> 0;
    list.forEach((s, i) => {
      put32((pointers >>> 0) + 4 * i, at);
      bytes(at, s.length).set(s);
      at += s.length;
    });
    return 0;
  };
  const args = strings(host.args);
  const environment = strings(host.environment);

  const status = (at, { type, size }) => {
    bytes(at, 64).fill(0);
    data().setUint8((at >>> 0) + 16, FILE_TYPES[type]);
    put64((at >>> 0) + 32, BigInt(size));
  };
  const absolute = (path) => `/${path}`;

  const wasi = {
    args_sizes_get: sizes(args),
    args_get: contents(args),
    environ_sizes_get: sizes(environment),
    environ_get: contents(environment),
    clock_time_get: (clock, precision, result) => {
      put64(result, clock === 0 ? BigInt(Date.now()) * 1000000n : host.now());
      return 0;
    },
    fd_read: (fd, vectors, count, result) => transfer(vectors, count, result, (to) => host.read(fd, to)),
    fd_write: (fd, vectors, count, result) => transfer(vectors, count, result, (from) => host.write(fd, from)),
    fd_seek: (fd, offset, whence, result) => tried(() => put64(result, BigInt(host.seek(fd, Number(offset), whence)))),
    fd_close: (fd) => tried(() => host.close(fd)),
    fd_fdstat_get: (fd, at) =>
      tried(() => {
        const { type } = fd === ROOT ? { type: "directory" } : host.status(fd);
        bytes(at, 24).fill(0);
        data().setUint8(at >>> 0, FILE_TYPES[type]);
        // Everything is allowed; who is asked may refuse.
        put64((at >>> 0) + 8, -1n);
        put64((at >>> 0) + 16, -1n);
      }),
    fd_fdstat_set_flags: () => 0,
    fd_filestat_get: (fd, at) => tried(() => status(at, host.status(fd))),
    fd_prestat_get: (fd, at) => {
      if (fd !== ROOT) return ERRNO.EBADF;
      put32(at, 0);
      put32((at >>> 0) + 4, 1);
      return 0;
    },
    fd_prestat_dir_name: (fd, at) => {
      bytes(at, 1)[0] = "/".charCodeAt(0);
      return 0;
    },
    path_filestat_get: (folder, flags, at, length, result) =>
      tried(() => status(result, host.statusOf(absolute(text(at, length))))),
    path_open: (folder, lookup, at, length, how, rights, inherited, flags, result) =>
      tried(() => {
        const wanted = {
          read: (rights & OPEN_RIGHTS.read) !== 0n,
          write: (rights & OPEN_RIGHTS.write) !== 0n,
          create: (how & 1) !== 0,
          exclusive: (how & 4) !== 0,
          truncate: (how & 8) !== 0,
          append: (flags & 1) !== 0,
        };
        put32(result, host.open(absolute(text(at, length)), wanted));
      }),
    proc_exit: (code) => {
      throw new Exit(code);
    },
    sched_yield: () => 0,
  };

  const futc = {
    guard: (work, context, argument) => {
      const pointer = exports.__stack_pointer;
      const stack = pointer.value;
      try {
        exports.__indirect_function_table.get(work)(context, argument);
        return RETURNED;
      } catch (error) {
        const there = pointer.value;
        pointer.value = stack;
        if (error instanceof Unwinding) return error.ending;
        if (isOverflow(error, there - (shared?.bottom() ?? 0))) return OVERFLOWED;
        throw error;
      }
    },
    unwind: (ending) => {
      throw new Unwinding(ending);
    },
    ...shared?.functions,
  };

  const imports = { wasi_snapshot_preview1: {}, env: { memory: shared?.memory }, futc };
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from === "wasi_snapshot_preview1") imports[from][name] = wasi[name] ?? (() => ERRNO.ENOSYS);
  }
  exports = new WebAssembly.Instance(module, imports).exports;
  return exports;
}
