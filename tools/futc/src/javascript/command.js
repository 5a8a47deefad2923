// Runs the module as a program of Node.js.

const load = typeof require === "function" ? require : process.getBuiltinModule;
const fs = load("node:fs");
const pause = new Int32Array(new SharedArrayBuffer(4));

// Standard streams may be pipes that others have opened not to wait.
function waiting(action) {
  for (;;) {
    try {
      return action();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function node() {
  // Numbers that the program sees, with the file's and the place where it goes on; streams have none.
  const files = new Map([0, 1, 2].map((fd) => [fd, { fd, at: null }]));
  const file = (fd) => {
    const found = files.get(fd);
    if (found === undefined) throw Object.assign(new Error("no such file"), { code: "EBADF" });
    return found;
  };
  const advance = (f, moved) => {
    if (f.at !== null) f.at += moved;
    return moved;
  };
  const kind = (info) => {
    if (info.isFile()) return "file";
    if (info.isDirectory()) return "directory";
    return info.isCharacterDevice() ? "character" : "other";
  };
  const described = (info) => ({ type: kind(info), size: info.size });
  return {
    args: process.argv.slice(1),
    environment: Object.entries({ ...process.env, PWD: process.cwd() }).map(([name, value]) => `${name}=${value}`),
    now: () => process.hrtime.bigint(),
    read: (fd, to) => {
      const f = file(fd);
      return advance(f, waiting(() => fs.readSync(f.fd, to, 0, to.length, f.at)));
    },
    write: (fd, from) => {
      const f = file(fd);
      return advance(f, waiting(() => fs.writeSync(f.fd, from, 0, from.length, f.at)));
    },
    seek: (fd, offset, whence) => {
      const f = file(fd);
      if (f.at === null) throw Object.assign(new Error("a stream"), { code: "ESPIPE" });
      f.at = offset + [0, f.at, whence === 2 ? fs.fstatSync(f.fd).size : 0][whence];
      return f.at;
    },
    status: (fd) => described(fs.fstatSync(file(fd).fd)),
    statusOf: (path) => described(fs.statSync(path)),
    open: (path, { read, write, create, exclusive, truncate, append }) => {
      const c = fs.constants;
      let flags = write ? (read ? c.O_RDWR : c.O_WRONLY) : c.O_RDONLY;
      if (create) flags |= c.O_CREAT;
      if (exclusive) flags |= c.O_EXCL;
      if (truncate) flags |= c.O_TRUNC;
      if (append) flags |= c.O_APPEND;
      const opened = fs.openSync(path, flags, 0o666);
      let fd = ROOT + 1;
      while (files.has(fd)) fd++;
      files.set(fd, { fd: opened, at: fs.fstatSync(opened).isFile() ? 0 : null });
      return fd;
    },
    close: (fd) => {
      const { fd: opened } = file(fd);
      files.delete(fd);
      if (fd > 2) fs.closeSync(opened);
    },
  };
}

// A function that runs for long, once, is never replaced by better code while it does: the first must be good.
load("node:v8").setFlagsFromString("--no-liftoff");

// Gives the status to end with.
function run() {
  const module = new WebAssembly.Module(Buffer.from(MODULE, "base64"));
  const crew = crewOf(module, () => nodeWorkplace(load));
  try {
    instantiate(module, node(), crew)._start();
    return 0;
  } catch (error) {
    if (error instanceof Exit) return error.status;
    throw error;
  } finally {
    crew?.end();
  }
}

process.exit(run());
