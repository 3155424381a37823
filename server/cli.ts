#!/usr/bin/env node
/**
 * The command `hearth`. This file alone must run on any Node: the rest needs a current one, which the checkout brings
 * along.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface CommandModule {
  main: (argv: readonly string[]) => Promise<void>;
}

const oldestMajor = 22;

function runWith(node: string): void {
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  // The terminal's signals reach the child by themselves; those sent to this process alone must be passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void child.kill(signal));
  child.once("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}

if (Number(process.versions.node.split(".")[0]) >= oldestMajor) {
  // Not a literal: the bundler must leave it a file of its own.
  const { main } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
  await main(process.argv.slice(2));
} else {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url));
  if (existsSync(node)) runWith(node);
  else {
    console.error(`Hearth needs Node ${oldestMajor} or newer; this is ${process.version}.`);
    process.exitCode = 1;
  }
}
