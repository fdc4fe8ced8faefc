#!/usr/bin/env node
// Starts the program from this platform's package, and exits with its status or signal.
"use strict";

const { spawn } = require("node:child_process");

const platform = `@git-cora/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "git-cora.exe" : "git-cora";

let path;
try {
  path = require.resolve(`${platform}/bin/${program}`);
} catch {
  console.error(`error: the package '${platform}' is not installed`);
  console.error("hint: run 'npm install git-cora --include=optional'");
  console.error(
    "hint: see https://github.com/git-cora/git-cora#install for other ways to install it",
  );
  process.exit(2);
}

const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
// The terminal sends an interrupt to the program too; other signals come to this process alone.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: can't run '${path}': ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) {
    process.exit(status);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
