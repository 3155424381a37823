/** Runs a command. Exit codes: 0 done, 1 could not run, 2 bad command line, 3 waited in vain. */
import { CommanderError } from "commander";
import { fileURLToPath } from "node:url";
import { ActionError } from "../actions/action-error.ts";
import { isDiskFull } from "../contract/process/disk-full.ts";
import { keepLoopbackDirect } from "../process/direct-loopback.ts";
import { fullDiskText } from "../process/disk-room.ts";
import { commandFirst } from "../process/command-line/command-first.ts";
import { SettingsError } from "../process/settings/read-settings.ts";
import { workingDirectory } from "../process/settings/working-directory.ts";
import { commandName } from "../process/terminal/own-command.ts";
import {
  outliveOutput,
  OutputError,
  outputWritten,
  printError,
  printLine,
  printLines,
} from "../process/terminal/print-text.ts";
import { createNodeFork } from "../supervisor/processes/fork-node.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";
import { RunError } from "../supervisor/run-error.ts";
import { projectCommands, runCommands } from "./built-in-commands.ts";
import { isAmong, parseCommandLine } from "./command-parser.ts";

/** Replaced by the bundler with the package's version; sources that run unbundled have none. */
declare const hearthVersion: string;
const ownVersion = typeof hearthVersion === "undefined" ? "0.0.0" : hearthVersion;

const badCommandLine = 2;

async function runCommand(argv: readonly string[], host: ProgramHost): Promise<number> {
  // The schemas of the actions take time to load, and a start does not need them.
  const early = [...runCommands, ...projectCommands];
  const commands = isAmong(argv, early) ? early : (await import("./commands.ts")).commands;
  const { row, input } = parseCommandLine(argv, commands);
  const run = await row.load();
  const code = run(input, { env: process.env, cwd: workingDirectory(process.env), host, version: ownVersion });
  // A command that runs until it is stopped ends with the code of its work, even if its output is lost.
  if (row.runsOn !== true) {
    await code;
    await outputWritten();
  }
  return code;
}

/** `--version` prints the program's version, but some commands have a flag of this name. */
function asksForVersion(argv: readonly string[]): boolean {
  const [word = ""] = commandFirst(argv);
  return argv.includes("--version") && (word.startsWith("-") || ["start", "serve", "open", "token"].includes(word));
}

/** Prints the version, or runs a command. @returns the exit code */
async function answer(argv: readonly string[], host: ProgramHost): Promise<number> {
  try {
    if (!asksForVersion(argv)) return await runCommand(argv, host);
    printLine(ownVersion);
  } catch (error) {
    // Help was printed.
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
  }
  await outputWritten();
  return 0;
}

const underNode = (): ProgramHost => ({
  fork: createNodeFork(),
  command: commandName(fileURLToPath(new URL("./cli.js", import.meta.url))),
});

/** An error of a file, a folder or a port: its message names the refused operation, so a stack would not help. */
const isSystemError = (error: unknown) => error instanceof Error && "syscall" in error && "code" in error;

/** @param host the desktop program, if that runs the command */
export async function main(argv: readonly string[], host = underNode()): Promise<void> {
  keepLoopbackDirect(process.env);
  outliveOutput();
  try {
    process.exitCode = await answer(argv, host);
  } catch (error) {
    const isFull = isDiskFull(error);
    printError(isFull ? fullDiskText(error) : error instanceof Error ? error.message : String(error));
    const isForeseen =
      isFull ||
      isSystemError(error) ||
      [SettingsError, RunError, ActionError, OutputError].some((foreseen) => error instanceof foreseen);
    if (error instanceof Error && !isForeseen) printLines(`${error.stack ?? ""}\n`, process.stderr);
    process.exitCode =
      error instanceof SettingsError ? badCommandLine : error instanceof ActionError ? error.exitCode : 1;
  }
}
