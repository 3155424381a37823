/** `hearth watch`: reports the changes below a folder, in a process of its own. */
import { foreignDeadlineMs } from "../foreign/foreign-limits.ts";
import { resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { addressWithoutSecrets } from "../contract/process/hide-credentials.ts";
import { settingsSchema } from "../contract/process/settings.ts";
import { createLog } from "../process/log.ts";
import { createLogPrinter } from "../process/terminal/print-log.ts";
import { connectParent, stopWithParent } from "../process/lifetime/parent-link.ts";
import { resolveSettings } from "../process/settings/read-settings.ts";
import { homePath } from "../file-system/home-path.ts";
import { queueFileIn } from "./journal/queue-file.ts";
import { runWatch } from "./run-watch.ts";
import type { WatchInput } from "./watch-input.ts";
import { announceWatch } from "./watch-processes.ts";
import type { WatchOptions } from "./watch-options.ts";

interface WatchContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** @throws SettingsError naming the argument at fault */
function watchOptions(
  { dir: folder, to, exclude, catch_up, quiet: _, ...values }: WatchInput,
  { env, cwd }: WatchContext,
) {
  const settings = resolveSettings(values, env, cwd);
  const dir = resolve(cwd, homePath(folder));
  const receiver = to ?? `http://127.0.0.1:${String(settings.app_port || defaultAppPort)}/api/inotify/`;
  const options = {
    dir,
    to: receiver,
    exclude: exclude ?? [],
    catchUp: catch_up === false ? "off" : "on",
    patternDeadlineMs: foreignDeadlineMs,
    queueFile: queueFileIn(settings.data_dir, dir, receiver),
    ownFolder: settings.data_dir,
  } satisfies WatchOptions;
  return { options, settings };
}

const defaultAppPort = settingsSchema.shape.app_port.parse(undefined);

/**
 * Watches until the process is asked to stop, with which it ends.
 * @throws SettingsError naming the argument at fault; Error when the system cannot watch the folder.
 */
export async function watchCommand(input: WatchInput, context: WatchContext): Promise<never> {
  const { options, settings } = watchOptions(input, context);
  // A scan of a large tree produces much short-lived garbage; a heap that grows for it would never shrink again.
  setFlagsFromString("--semi-space-growth-factor=1");
  const printer = createLogPrinter(settings, process.stdout);
  const log = createLog("watcher", settings, { write: (line) => printer.line("watcher", line.trimEnd()) });
  const { promise: ended, reject: onEnd } = Promise.withResolvers<never>();
  const onSent: WatchOptions["onSent"] = ({ df, ev }) => log.info({ ev, df }, "sent");
  const watch = await runWatch({ ...options, onEnd, ...(input.quiet !== true && { onSent }) }, log);
  const { dir, to, queueFile } = options;
  const receiver = addressWithoutSecrets(new URL(to));
  const announced = { pid: process.pid, path: dir, to: receiver, started_at: new Date().toISOString() };
  const withdraw = announceWatch(queueFile, announced);
  stopWithParent(connectParent(), async () => {
    withdraw();
    await watch.stop();
  });
  return ended;
}
