/** Chooses the command. Exit codes: 0 done, 1 could not run, 2 bad command line. */
import { fileURLToPath } from "node:url";
import { isDiskFull } from "../contract/process/disk-full.ts";
import { keepLoopbackDirect } from "../process/direct-loopback.ts";
import { fullDiskText } from "../process/disk-room.ts";
import { parseFlags, resolveRun, SettingsError } from "../process/settings/read-settings.ts";
import { helpText } from "../process/settings/help-text.ts";
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
import { createNodeFork } from "../supervisor/fork-node.ts";
import type { ProgramHost } from "../supervisor/program-host.ts";
import { RunError } from "../supervisor/run-error.ts";
import { serveUntilStopped } from "./serve.ts";
import { startInWindow } from "./window/start-in-window.ts";

/** Replaced by the bundler with the package's version. */
declare const hearthVersion: string;

const badCommandLine = 2;

/** The exit code of a command that has done its work; or what runs on, and does so when its output is lost. */
type Outcome = number | (() => Promise<number>);

const asksForHelp = (arg: string) => arg === "--help" || arg === "-h";

/** `hearth watch`: a separate module, so that the other commands do not load it. */
async function watch(argv: readonly string[]): Promise<Outcome> {
  const { watchCommand, watchHelp } = await import("../watcher/watch-command.ts");
  if (argv.some(asksForHelp)) printLines(watchHelp);
  else return () => watchCommand(argv, process.env, workingDirectory(process.env));
  return 0;
}

/** `hearth exec`: everything after it belongs to the command that it runs. */
async function exec(argv: readonly string[], host: ProgramHost): Promise<Outcome> {
  const { exec, execHelp } = await import("./exec/exec.ts");
  if (argv.slice(0, 1).some(asksForHelp)) printLines(execHelp);
  else return () => exec(argv, workingDirectory(process.env), host);
  return 0;
}

/** `hearth types`. */
async function types(argv: readonly string[], host: ProgramHost): Promise<number> {
  const { typesCommand, typesHelp } = await import("./types/types-command.ts");
  if (argv.some(asksForHelp)) printLines(typesHelp);
  else return typesCommand(argv, workingDirectory(process.env), host);
  return 0;
}

/** `hearth init`. */
async function init(argv: readonly string[]): Promise<number> {
  const { initCommand, initHelp } = await import("./init/init-command.ts");
  if (argv.some(asksForHelp)) printLines(initHelp);
  else initCommand(argv, workingDirectory(process.env));
  return 0;
}

/** `hearth check-receiver`: it has options of its own. */
async function checkReceiver(argv: readonly string[], host: ProgramHost): Promise<number> {
  const { checkReceiver } = await import("./receiver/check-receiver.ts");
  const { checkReceiverHelp } = await import("./receiver/receiver-arguments.ts");
  if (argv.some(asksForHelp)) printLines(checkReceiverHelp);
  else return checkReceiver(argv, process.env, workingDirectory(process.env), host);
  return 0;
}

/** `hearth doctor`: works where a start would not. */
async function doctor(argv: readonly string[], host: ProgramHost): Promise<number> {
  const { doctor, doctorHelp } = await import("./doctor/doctor.ts");
  if (argv.some(asksForHelp)) printLines(doctorHelp);
  else return doctor(argv, workingDirectory(process.env), { fork: host.fork, version: hearthVersion });
  return 0;
}

/** `hearth backup` and `hearth restore`. */
async function backups(name: "backup" | "restore", argv: readonly string[]): Promise<number> {
  const { backupCommand, backupHelp } = await import("./backup/backup-command.ts");
  if (argv.some(asksForHelp)) printLines(backupHelp);
  else
    return backupCommand(name, argv, { env: process.env, cwd: workingDirectory(process.env), version: hearthVersion });
  return 0;
}

/** `hearth migrate`. */
async function migrate(argv: readonly string[]): Promise<number> {
  const { migrateCommand, migrateHelp } = await import("./migrate/migrate-command.ts");
  if (argv.some(asksForHelp)) printLines(migrateHelp);
  else return migrateCommand(argv, process.env, workingDirectory(process.env));
  return 0;
}

/** `hearth devices`: asks the running Hearth. */
async function devices(argv: readonly string[]): Promise<number> {
  const { devicesCommand, devicesHelp } = await import("./devices/devices-command.ts");
  if (argv.some(asksForHelp)) printLines(devicesHelp);
  else return devicesCommand(argv, process.env, workingDirectory(process.env));
  return 0;
}

/** `hearth keys`. */
async function keys(argv: readonly string[]): Promise<number> {
  const { keysCommand, keysHelp } = await import("./keys/keys-command.ts");
  if (argv.some(asksForHelp)) printLines(keysHelp);
  else return keysCommand(argv, process.env, workingDirectory(process.env));
  return 0;
}

/** `hearth ca`. */
async function ca(argv: readonly string[]): Promise<number> {
  const { ca, caHelp } = await import("./ca.ts");
  if (argv.some(asksForHelp)) printLines(caHelp);
  else return ca(argv, process.env, workingDirectory(process.env));
  return 0;
}

/** `hearth uninstall`. */
async function uninstall(argv: readonly string[], host: ProgramHost): Promise<number> {
  const { uninstall, uninstallHelp } = await import("./uninstall.ts");
  if (argv.some(asksForHelp)) printLines(uninstallHelp);
  else return uninstall(argv, process.env, workingDirectory(process.env), host);
  return 0;
}

const modelCommandNames = ["run", "pull", "list", "ls", "rm", "create"] as const;

/** `hearth pull` and its like call the running model service. */
async function models(name: (typeof modelCommandNames)[number], argv: readonly string[]): Promise<number> {
  const { modelCommand, modelCommandsHelp } = await import("./models/model-commands.ts");
  if (argv.some(asksForHelp)) printLines(modelCommandsHelp);
  else return modelCommand(name, argv, process.env, workingDirectory(process.env));
  return 0;
}

async function runCommand(argv: readonly string[], host: ProgramHost): Promise<Outcome> {
  if (argv[0] === "watch") return watch(argv.slice(1));
  if (argv[0] === "exec") return exec(argv.slice(1), host);
  if (argv[0] === "check-receiver") return checkReceiver(argv.slice(1), host);
  if (argv[0] === "types") return types(argv.slice(1), host);
  if (argv[0] === "init") return init(argv.slice(1));
  if (argv[0] === "devices") return devices(argv.slice(1));
  if (argv[0] === "keys") return keys(argv.slice(1));
  if (argv[0] === "ca") return ca(argv.slice(1));
  if (argv[0] === "doctor") return doctor(argv.slice(1), host);
  if (argv[0] === "uninstall") return uninstall(argv.slice(1), host);
  if (argv[0] === "migrate") return migrate(argv.slice(1));
  if (argv[0] === "backup" || argv[0] === "restore") return backups(argv[0], argv.slice(1));
  if (argv[0] === "help" && argv[1] !== undefined) return runCommand([argv[1], "--help"], host);
  const aboutModels = modelCommandNames.find((name) => name === argv[0]);
  if (aboutModels !== undefined) return models(aboutModels, argv.slice(1));
  if (argv.some(asksForHelp) || argv[0] === "help") {
    printLines(helpText());
    return 0;
  }
  if (argv.includes("--version")) {
    printLine(hearthVersion);
    return 0;
  }
  const { values, own, positionals } = parseFlags(argv, {
    own: argv.includes("open") ? ({ print: { type: "boolean" } } as const) : {},
  });
  const [command = "start", ...rest] = positionals;
  if (command !== "start" && command !== "serve" && command !== "token" && command !== "open")
    throw new SettingsError(`unknown command ${command}; --help lists them`);
  const [surplus] = command === "token" ? rest.slice(1) : rest;
  if (surplus !== undefined) throw new SettingsError(`unexpected argument ${surplus}; --help lists the flags`);
  const settings = resolveRun(values);
  if (command === "token") return (await import("./token.ts")).printToken(settings, rest[0] ?? "console");
  if (command === "open") return (await import("./open-console.ts")).openConsole(settings, own.print === true);
  return () =>
    command === "serve" ? serveUntilStopped({ ...settings, headless: true }, host) : startInWindow(settings, host);
}

const underNode = (): ProgramHost => ({
  fork: createNodeFork(),
  command: commandName(fileURLToPath(new URL("./cli.js", import.meta.url))),
});

/** Of a file, a folder or a port: it says what the system refused, and no stack tells more. */
const isSystemError = (error: unknown) => error instanceof Error && "syscall" in error && "code" in error;

/** @param host the desktop program, where that runs the command */
export async function main(argv: readonly string[], host = underNode()): Promise<void> {
  keepLoopbackDirect(process.env);
  outliveOutput();
  try {
    const outcome = await runCommand(argv, host);
    if (typeof outcome === "number") await outputWritten();
    process.exitCode = typeof outcome === "number" ? outcome : await outcome();
  } catch (error) {
    const isFull = isDiskFull(error);
    printError(isFull ? fullDiskText(error) : error instanceof Error ? error.message : String(error));
    const isForeseen =
      isFull ||
      isSystemError(error) ||
      [SettingsError, RunError, OutputError].some((foreseen) => error instanceof foreseen);
    if (error instanceof Error && !isForeseen) printLines(`${error.stack ?? ""}\n`, process.stderr);
    process.exitCode = error instanceof SettingsError ? badCommandLine : 1;
  }
}
