/** `hearth watch DIR [--to URL] [--exclude REGEX]… [--no-catch-up] [--data-dir DIR]`. */
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { settingsSchema } from "../contract/process/settings.ts";
import { createLog } from "../process/log.ts";
import { createLogPrinter } from "../process/terminal/print-log.ts";
import { connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { parseFlags, resolveSettings, SettingsError } from "../process/settings/read-settings.ts";
import { queueFileIn, runWatch, type WatchOptions } from "./run-watch.ts";

export const watchHelp = `Usage: hearth watch DIR [--to URL] [--exclude REGEX]… [--no-catch-up] [--data-dir DIR] [--log-level LEVEL]

Posts every change below DIR (df: path, ev: modify, attrib, move, create or delete) to a receiver. What has changed since
the last run comes first: create, modify and delete, up to 200,000 files.

  --to URL           the receiver; default http://127.0.0.1:3080/api/inotify/
  --exclude REGEX    do not report paths that match; may be repeated
  --no-catch-up      do not report what changed while no watcher ran, nor keep what that is told from
  --data-dir DIR     undelivered events, and what is known of DIR, are kept in its folder "watch"
  --log-level LEVEL  the least important log line to print; default info
`;

const noCatchUp = "--no-catch-up";

/** Separates the flags that only this command has from the settings. */
function parseArguments(argv: readonly string[]) {
  const own: Record<"--to" | "--exclude", string[]> = { "--to": [], "--exclude": [] };
  const others: string[] = [];
  let catchesUp = true;
  for (let i = 0; i < argv.length; i++) {
    const arg = argv[i] ?? "";
    if (arg === noCatchUp) {
      catchesUp = false;
      continue;
    }
    const [flag = "", inline] = arg.split(/=(.*)/s);
    if (flag !== "--to" && flag !== "--exclude") {
      others.push(arg);
      continue;
    }
    const value = inline ?? argv[++i];
    if (value === undefined) throw new SettingsError(`flag ${flag} needs a value`);
    own[flag].push(value);
  }
  return { to: own["--to"].at(-1), exclude: own["--exclude"], catchesUp, others };
}

/**
 * Parses the command line of `hearth watch`.
 * @throws SettingsError naming the argument at fault.
 */
export function parseWatchCommand(argv: readonly string[], env = process.env, cwd = process.cwd()) {
  const { to, exclude, catchesUp, others } = parseArguments(argv);
  const { values, positionals } = parseFlags(others);
  const [folder, surplus] = positionals;
  if (folder === undefined) throw new SettingsError("watch needs the folder to watch: hearth watch DIR");
  if (surplus !== undefined) throw new SettingsError(`unexpected argument ${surplus}; watch takes one folder`);
  const settings = resolveSettings(values, env, cwd);
  const dir = resolve(cwd, folder);
  const receiver = to ?? `http://127.0.0.1:${String(settings.app_port || defaultAppPort)}/api/inotify/`;
  const options: WatchOptions = {
    dir,
    to: receiver,
    exclude,
    catchUp: catchesUp ? "on" : "off",
    patternDeadlineMs: settings.foreign_deadline_ms,
    queueFile: queueFileIn(settings.data_dir, dir, receiver),
    ownFolder: settings.data_dir,
  };
  return { options, settings };
}

const defaultAppPort = settingsSchema.shape.app_port.parse(undefined);

/**
 * Watches until it is asked to stop. Resolves once watching has begun.
 * @throws SettingsError naming the argument at fault; Error when the system cannot watch the folder.
 */
export async function watchCommand(argv: readonly string[], env = process.env, cwd = process.cwd()): Promise<void> {
  const { options, settings } = parseWatchCommand(argv, env, cwd);
  // A scan of a large tree produces much short-lived garbage; a heap that grows for it would never shrink again.
  setFlagsFromString("--semi-space-growth-factor=1");
  const printer = createLogPrinter(settings, process.stdout);
  const log = createLog("watcher", settings, { write: (line) => printer.line("watcher", line.trimEnd()) });
  const watch = await runWatch(options, log);
  stopWithParent(connectParent(), watch.stop);
}
