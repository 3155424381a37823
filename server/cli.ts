#!/usr/bin/env node
/** The command `hearth`. Only this file runs on any Node: the rest needs a current one, which the checkout contains. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { nodeVersionProblem } from "./process/installation/node-version.ts";
import { askToStop } from "./process/lifetime/ask-to-stop.ts";
import { exitCodeOf, onStopRequest } from "./process/lifetime/stop-request.ts";

interface CommandModule {
  main: (argv: readonly string[]) => Promise<void>;
}

function runWith(node: string): void {
  // The end of the channel tells the child that this process has ended, for any reason.
  const child = spawn(node, process.argv.slice(1), { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  onStopRequest(() => askToStop(child));
  child.once("exit", (code, signal) => process.exit(exitCodeOf(code, signal)));
}

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  // Not a literal, so that the bundler keeps it as a separate file.
  const { main } = (await import(new URL("./cli-main.js", import.meta.url).href)) as CommandModule;
  await main(process.argv.slice(2));
} else {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url));
  if (existsSync(node)) runWith(node);
  else {
    console.error(problem);
    process.exitCode = 1;
  }
}
