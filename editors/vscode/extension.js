// Starts `futc lsp` and joins it to the editor.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("futc").get("path");
  client = new LanguageClient(
    "futc",
    "Futhark",
    { command, args: ["lsp"] },
    { documentSelector: [{ scheme: "file", language: "futhark" }] },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showErrorMessage(
      `${command} lsp could not be started (${error.message}). Install futc, or set futc.path.`,
    );
  }
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("futc.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("futc.path")) {
        await stop();
        await start();
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
