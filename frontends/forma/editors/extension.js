// Starts the language server for files of Forma.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("forma").get("server_path");
  const documents = { documentSelector: [{ language: "forma" }] };
  client = new LanguageClient("forma", "Forma", { command, args: ["--forma"] }, documents);
  return client.start();
};

exports.deactivate = () => client?.stop();
