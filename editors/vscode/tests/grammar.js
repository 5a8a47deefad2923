// The grammar as the editor reads it: which scope stands at which word. `npm install && npm test`.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");

const file = path.join(__dirname, "../syntaxes/futhark.tmLanguage.json");

// A line, and for some of its words the scope that they must have; no scope for those that have none but the file's.
const CASES = [
  ["-- a comment", [["comment", "comment.line.double-dash.futhark"]]],
  ["-- | Doc.", [["Doc", "comment.block.documentation.futhark"]]],
  [
    "def f' [n] 'a (xs: [n]i32) : i64 = length xs",
    [
      ["def", "keyword.declaration.futhark"],
      ["f'", "entity.name.function.futhark"],
      ["'a", "variable.parameter.type.futhark"],
      ["i32", "support.type.futhark"],
      ["length", undefined],
    ],
  ],
  [
    "entry main = if x <= 0x1fi32 then 1.5e-3f32 else f64.nan",
    [
      ["entry", "keyword.declaration.futhark"],
      ["main", "entity.name.function.futhark"],
      ["if", "keyword.control.futhark"],
      ["<=", "keyword.operator.futhark"],
      ["0x1fi32", "constant.numeric.futhark"],
      ["1.5e-3f32", "constant.numeric.futhark"],
      ["f64", "entity.name.namespace.futhark"],
      ["nan", undefined],
    ],
  ],
  [
    "let s = \"a\\n\" in match s case #some _ -> true",
    [
      ["a", "string.quoted.double.futhark"],
      ["\\n", "constant.character.escape.futhark"],
      ["#some", "constant.other.constructor.futhark"],
      ["true", "constant.language.futhark"],
    ],
  ],
  ["#[unsafe] xs[0] with [1] = 'x'", [
    ["#[unsafe]", "meta.attribute.futhark"],
    ["with", "keyword.control.futhark"],
    ["'x'", "constant.character.futhark"],
  ]],
  ["module type m = { val definition : i3 }", [
    ["module", "keyword.declaration.futhark"],
    ["m", "entity.name.type.module.futhark"],
    ["definition", "entity.name.function.futhark"],
    ["i3", undefined],
  ]],
  ["import \"lib/a\"", [["import", "keyword.control.import.futhark"]]],
];

async function main() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.futhark");
  let checked = 0;
  for (const [line, words] of CASES) {
    const { tokens } = grammar.tokenizeLine(line, INITIAL);
    let from = 0;
    for (const [word, wanted] of words) {
      const at = line.indexOf(word, from);
      assert(at >= 0, `${word} does not stand in ${line}`);
      from = at + word.length;
      const token = tokens.find((t) => t.startIndex <= at && at < t.endIndex);
      const scopes = token.scopes.slice(1);
      if (wanted === undefined) {
        assert.deepStrictEqual(scopes, [], `${word} in: ${line}`);
      } else {
        assert(scopes.includes(wanted), `${word} in: ${line}\nhas ${scopes.join(" ") || "no scope"}`);
      }
      checked++;
    }
  }
  console.log(`${checked} words have the scopes that they should have`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
