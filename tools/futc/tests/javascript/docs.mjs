// docs/javascript.md: its programs are compiled, its commands run, and what its examples print is compared with the
// comments behind them. In the folder at hand; FUTC is the compiler.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

const [page] = process.argv.slice(2);
const text = readFileSync(page, "utf8");
const counts = { futhark: 0, console: 0, js: 0 };
let script = "";
let wrong = 0;

function same(where, expected, actual) {
  if (expected === actual) return;
  wrong++;
  console.error(`${where}\n  expected: ${expected}\n  but got:  ${actual}`);
}

function shell(body) {
  // Lines that begin with $ are commands; others are what these print.
  for (const [, command, prints] of body.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
    const run = command.replaceAll(/\bfutc\b/g, '"$FUTC" --no-cache');
    const { stdout, stderr, status } = spawnSync("sh", ["-c", run], { encoding: "utf8" });
    same(command, `0 ${prints}`, `${status} ${stdout}${status === 0 ? "" : stderr}`);
  }
}

for (const [, language, body] of text.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
  counts[language]++;
  if (language === "futhark") writeFileSync(body.split("\n")[0].replace("-- ", ""), body);
  else if (language === "console") shell(body);
  else script += body;
}

const expected = [...script.matchAll(/(?:console\.log\(|told\(\(\) =>).*; \/\/ (.*)$/gm)].map((m) => m[1]);
writeFileSync("examples.mjs", script);
const printed = [];
const log = console.log;
console.log = (...values) => printed.push(values.map((v) => (typeof v === "string" ? v : inspect(v))).join(" "));
await import(pathToFileURL("examples.mjs"));
console.log = log;
same("the number of lines", String(expected.length), String(printed.length));
expected.forEach((line, i) => same(`line ${i + 1} of the output`, line, printed[i]));
if (Object.values(counts).some((n) => !(n > 0))) wrong++;
process.exit(wrong === 0 ? 0 : 1);
