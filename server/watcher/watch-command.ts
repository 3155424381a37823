/** `hearth watch DIR [--to URL] [--exclude REGEX]… [--no-catch-up] [--data-dir DIR]`. */
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { settingsSchema } from "../contract/process/settings.ts";
import { createLog } from "../process/log.ts";
import { createLogPrinter } from "../process/terminal/print-log.ts";
import { connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { parseFlags, resolveSettings, SettingsError } from "../process/settings/read-settings.ts";
import { workingDirectory } from "../process/settings/working-directory.ts";
import { queueFileIn } from "./journal/queue-file.ts";
import { runWatch } from "./run-watch.ts";
import type { WatchOptions } from "./watch-options.ts";

export const watchHelp = `Usage: hearth watch DIR [--to URL] [--exclude REGEX]… [--no-catch-up] [--data-dir DIR] [--log-level LEVEL]

Posts every change below DIR (df: path, ev: modify, attrib, move, create or delete) to a receiver. What has changed since
the last run comes first: create, modify and delete, up to 200,000 files.

  --to URL           the receiver; default http://127.0.0.1:3080/api/inotify/
  --exclude REGEX    do not report paths that match; may be repeated
  --no-catch-up      do not report what changed while no watcher ran, nor keep what that is told from
  --data-dir DIR     undelivered events, and what is known of DIR, are kept in its folder "watch"
  --log-level LEVEL  the least important log line to print; default info
`;

/**
 * Parses the command line of `hearth watch`.
 * @throws SettingsError naming the argument at fault.
 */
export function parseWatchCommand(argv: readonly string[], env = process.env, cwd = workingDirectory(env)) {
  const { own, values, positionals } = parseFlags(argv, {
    own: { to: { type: "string" }, exclude: { type: "string", multiple: true }, "catch-up": { type: "boolean" } },
    most: 1,
  });
  const [folder] = positionals;
  if (folder === undefined) throw new SettingsError("watch needs the folder to watch: hearth watch DIR");
  const settings = resolveSettings(values, env, cwd);
  const dir = resolve(cwd, folder);
  const receiver = own.to ?? `http://127.0.0.1:${String(settings.app_port || defaultAppPort)}/api/inotify/`;
  const options: WatchOptions = {
    dir,
    to: receiver,
    exclude: own.exclude ?? [],
    catchUp: own["catch-up"] === false ? "off" : "on",
    patternDeadlineMs: settings.foreign_deadline_ms,
    queueFile: queueFileIn(settings.data_dir, dir, receiver),
    ownFolder: settings.data_dir,
  };
  return { options, settings };
}

const defaultAppPort = settingsSchema.shape.app_port.parse(undefined);

/**
 * Watches until the process is asked to stop, with which it ends.
 * @throws SettingsError naming the argument at fault; Error when the system cannot watch the folder.
 */
export async function watchCommand(
  argv: readonly string[],
  env = process.env,
  cwd = workingDirectory(env),
): Promise<never> {
  const { options, settings } = parseWatchCommand(argv, env, cwd);
  // A scan of a large tree produces much short-lived garbage; a heap that grows for it would never shrink again.
  setFlagsFromString("--semi-space-growth-factor=1");
  const printer = createLogPrinter(settings, process.stdout);
  const log = createLog("watcher", settings, { write: (line) => printer.line("watcher", line.trimEnd()) });
  const { promise: ended, reject: onEnd } = Promise.withResolvers<never>();
  const watch = await runWatch({ ...options, onEnd }, log);
  stopWithParent(connectParent(), watch.stop);
  return ended;
}
