// Results and messages go to the console; there are no files.

function consoleHost() {
  const lines = ["", "", ""];
  const missing = (code) => {
    throw Object.assign(new Error("there are no files"), { code });
  };
  return {
    args: [],
    environment: [],
    now: () => BigInt(Math.round(performance.now() * 1e6)),
    read: () => 0,
    write: (fd, from) => {
      if (fd > 2) missing("EBADF");
      const all = (lines[fd] + new TextDecoder().decode(from.slice())).split("\n");
      lines[fd] = all.pop();
      for (const line of all) (fd === 2 ? console.error : console.log)(line);
      return from.length;
    },
    seek: () => missing("ESPIPE"),
    status: (fd) => (fd > 2 ? missing("EBADF") : { type: "character", size: 0 }),
    statusOf: () => missing("ENOENT"),
    open: () => missing("ENOENT"),
    close: () => {},
  };
}
