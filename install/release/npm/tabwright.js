#!/usr/bin/env node
// Starts the program of this platform, which lies in an optional dependency.
"use strict";

const { spawn } = require("node:child_process");

const name = `@tabwright/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "tabwright.exe" : "tabwright";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`tabwright: the package ${name} is not installed.

  It is an optional dependency: install tabwright again without --no-optional (--omit=optional).
  There are packages for Linux, macOS and Windows on x64 and arm64.`);
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (err) => {
  console.error(`tabwright: ${program}: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
