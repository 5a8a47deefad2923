// Shows a page in headless Chromium, and prints what it is when it says that it is done (`data-done` of its body). Its
// files come from examples/web/serve.mjs, as they do for people, but with a picture that is loaded only then: Chromium
// looks at pages that are loaded.
// node page.mjs SERVE FOLDER QUERY SCRATCH [HOST]; HOST is another name for this machine.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

const [serve, folder, query, scratch, host = "127.0.0.1"] = process.argv.slice(2);
const files = spawn(process.execPath, [serve, folder, "0"], { stdio: ["ignore", "pipe", "inherit"] });
const [origin] = await once(createInterface(files.stdout), "line");

const SCRIPT = `<script>
  const timer = setInterval(() => {
    if (document.body.dataset.done === undefined) return;
    clearInterval(timer);
    fetch("/done");
  }, 20);
</script><img src="/picture" alt="" /></body>`;

let done;
const isDone = new Promise((resolve) => {
  done = resolve;
});
const server = createServer(async ({ url }, response) => {
  if (url === "/picture") await isDone;
  if (url === "/done") done();
  if (url === "/picture" || url === "/done") {
    response.writeHead(204).end();
    return;
  }
  const file = await fetch(new URL(url, origin));
  let body = Buffer.from(await file.arrayBuffer());
  if (file.headers.get("content-type") === "text/html") body = body.toString().replace("</body>", SCRIPT);
  const isolation = [...file.headers].filter(([name]) => name === "content-type" || name.startsWith("cross-origin-"));
  response.writeHead(file.status, Object.fromEntries(isolation)).end(body);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const options = ["--headless", "--no-sandbox", "--disable-gpu", "--timeout=200000", "--dump-dom"];
options.push(`--user-data-dir=${scratch}`, `--host-resolver-rules=MAP ${host} 127.0.0.1`);
const page = `http://${host}:${server.address().port}/${query}`;
const chromium = spawn("chromium", [...options, page], { stdio: ["ignore", "inherit", "ignore"] });
const [status] = await once(chromium, "exit");
files.kill();
process.exit(status ?? 1);
