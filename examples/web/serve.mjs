// Serves this folder, or the one that is named, to browsers on this machine: modules are not loaded from files.
// node serve.mjs [FOLDER [PORT]]; of port 0, a free one is taken. Says where the page is.
//
// A page shares memory with workers only if it is by itself, which the headers Cross-Origin-… ask for: libraries for
// several threads need them.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2] ?? dirname(fileURLToPath(import.meta.url));
const types = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };

const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = join(folder, path === "/" ? "index.html" : path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404).end("not found\n");
    return;
  }
  response.writeHead(200, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
    ...isolation,
  });
  createReadStream(file).pipe(response);
});
server.listen(Number(process.argv[3] ?? 8000), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}/`);
});
