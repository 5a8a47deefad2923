// Runs scripts that futc has made, one after the other, as if each had a process of its own; see node.rs.
// A request is a line of JSON, [path, arguments, bytes of input], and the input; an answer is one,
// [status, bytes of output, bytes of errors], and these.

const fs = require("node:fs");

// What a script throws that ends itself.
class Ended {
  constructor(status) {
    this.status = status;
  }
}

function exactly(buffer) {
  for (let at = 0; at < buffer.length; ) {
    const read = fs.readSync(0, buffer, at, buffer.length - at, null);
    if (read === 0) process.exit(0);
    at += read;
  }
  return buffer;
}

function line() {
  const bytes = [];
  for (const byte = Buffer.alloc(1); exactly(byte)[0] !== 10; ) bytes.push(byte[0]);
  return Buffer.from(bytes).toString();
}

function send(buffer) {
  for (let at = 0; at < buffer.length; ) at += fs.writeSync(1, buffer, at);
}

// The standard streams of a script, and all other files.
function files(input, written) {
  let at = 0;
  const stream = { size: 0, isFile: () => false, isDirectory: () => false, isCharacterDevice: () => false };
  return {
    ...fs,
    readSync: (fd, to, offset, length, position) => {
      if (fd !== 0) return fs.readSync(fd, to, offset, length, position);
      const part = input.subarray(at, at + length);
      to.set(part, offset);
      at += part.length;
      return part.length;
    },
    writeSync: (fd, from, offset, length, position) => {
      if (fd !== 1 && fd !== 2) return fs.writeSync(fd, from, offset, length, position);
      // The memory of a program moves when it grows, and is not there any more when it has ended.
      written[fd].push(Buffer.from(from.subarray(offset, offset + length)));
      return length;
    },
    fstatSync: (fd) => (fd <= 2 ? stream : fs.fstatSync(fd)),
  };
}

let last;

// One script.
function serve() {
  const [path, args, length] = JSON.parse(line());
  const input = exactly(Buffer.alloc(length));
  const written = { 1: [], 2: [] };
  // The memory of programs is more than the collector thinks.
  if (path !== last?.path) {
    last = { path, script: new Function("require", "process", fs.readFileSync(path, "utf8").replace(/^#!.*/, "")) };
    gc();
  }
  const seen = {
    argv: [process.argv[0], path, ...args],
    env: process.env,
    cwd: process.cwd,
    hrtime: process.hrtime,
    exit: (status) => {
      throw new Ended(status);
    },
  };
  const found = files(input, written);
  let status = 0;
  try {
    last.script((name) => (name === "node:fs" ? found : require(name)), seen);
  } catch (error) {
    status = error instanceof Ended ? error.status : 1;
    if (!(error instanceof Ended)) written[2].push(Buffer.from(`${error?.stack ?? error}\n`));
  }
  const [output, errors] = [Buffer.concat(written[1]), Buffer.concat(written[2])];
  send(Buffer.from(`${JSON.stringify([status, output.length, errors.length])}\n`));
  send(output);
  send(errors);
}

// Workers that a script has ended are gone only when this process does nothing.
function go() {
  serve();
  setImmediate(go);
}
go();
