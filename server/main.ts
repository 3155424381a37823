/** The `app` process: application server and provider simulator, each on its own listener. They speak HTTP to each other. */
import { existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import packageJson from "../package.json" with { type: "json" };
import { createBanList } from "./app/bans/ban-list.ts";
import { reconcileUploads, reportReconciled } from "./app/uploads/reconcile-uploads.ts";
import { createWatchedFolders } from "./app/file-events/watched-folders.ts";
import { appMigrations, type AppTables } from "./app/app-tables.ts";
import { createApp } from "./app/create-app.ts";
import { createPaymentProvider } from "./app/payments/provider/create-payment-provider.ts";
import { createRecording } from "./app/requests/recording.ts";
import { isDiskFull } from "./contract/process/disk-full.ts";
import type { Damage } from "./contract/console/events.ts";
import type { FromService } from "./contract/process/process-messages.ts";
import type { ServiceStatus } from "./contract/process/services.ts";
import { EventBus } from "./events/event-bus.ts";
import { networkUrls } from "./http/connection/addresses.ts";
import { measureLag } from "./http/conventions/not-ready.ts";
import { PortInUseError } from "./http/connection/listen.ts";
import { serve } from "./http/connection/serve.ts";
import { createAdjustableClock } from "./process/adjustable-clock.ts";
import { fullDiskText, roomProblem } from "./process/disk-room.ts";
import { limitsOf } from "./process/settings/limits-of.ts";
import { createLog } from "./process/log.ts";
import { answerPings, connectParent, stopWithParent } from "./process/lifetime/parent-link.ts";
import { readOrigins, readSettings, SettingsError } from "./process/settings/read-settings.ts";
import { createLineReader } from "./process/lifetime/service-lines.ts";
import { commandVariable, ownCommand } from "./process/terminal/own-command.ts";
import { startProviderThread } from "./provider/start-thread.ts";
import { identityOptions } from "./app/sessions/identity-client.ts";
import { openDiskBlobStore } from "./store/blob-store.ts";
import { checkDatabases } from "./store/check/check-databases.ts";
import { openDatabase } from "./store/database.ts";
import { createGroupedWrites } from "./store/grouped-writes.ts";
import { openPreparedReads } from "./store/prepared-reads.ts";
import { openRequestStore } from "./app/requests/store/request-store.ts";
import { endPlacing } from "./store/backup/restored-data.ts";
import { runWatch } from "./watcher/run-watch.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** Beside the bundle, or where the build puts it when this file runs from source. */
const built = (folder: string) =>
  [join(here, folder), join(here, "../dist", folder)].find((path) => existsSync(path)) ?? here;

// The console shows the line that threw: ten frames may all be of a library, or of Node.
Error.stackTraceLimit = 30;

// Databases and uploads hold secrets; whatever is written here is for its owner alone.
process.umask(0o077);
const settings = readSettings();
/** The start comes first, before the databases are read through. */
const checkAfterMs = 3_000;
const log = createLog("app", settings);
const link = connectParent();
const closers: (() => Promise<unknown>)[] = [];
stopWithParent(link, async () => {
  for (const close of closers.reverse()) await close();
});

/** One of the provider's thread has lost its class on its way. */
const isDatabaseProblem = (error: unknown) => String((error as { code?: unknown }).code).startsWith("database_");

/** What the supervisor needs to tell a person: the setting at fault, and what to do. */
function explain(error: unknown): Omit<Extract<FromService, { type: "failed" }>, "type"> {
  if (error instanceof PortInUseError) {
    const setting = error.port === settings.provider_port ? "provider_port" : "app_port";
    const flag = `--${setting.replace("_", "-")}`;
    return {
      code: "port_in_use",
      port: error.port,
      message: `port ${String(error.port)} is in use by another program: stop it, or choose another port with ${flag} (setting ${setting})`,
    };
  }
  if (error instanceof SettingsError)
    return { code: "bad_setting", message: `the application server cannot start: ${error.message}` };
  const { code, message } = error as NodeJS.ErrnoException;
  const noRoom = roomProblem(settings.data_dir);
  // A database may call it an error of the disk.
  if (isDiskFull(error) || (noRoom !== undefined && code?.startsWith("SQLITE_") === true))
    return { code: "disk_full", message: `the application server cannot start: ${noRoom ?? fullDiskText(error)}` };
  if (isDatabaseProblem(error)) return { code: code ?? "", message: `the application server cannot start: ${message}` };
  return {
    code: code ?? "start_failed",
    message: `the application server cannot start: ${message} (data directory ${settings.data_dir}, setting data_dir)`,
  };
}

const damage: Damage[] = [];
function noteDamage(found: Damage): void {
  damage.push(found);
  log.error(found.text);
}

try {
  const clock = createAdjustableClock();
  const { now } = clock;
  const restored = await endPlacing(settings.data_dir);
  if (restored)
    log.warn(restored, "a restore that was cut off has been ended; the settings in it count from the next start on");
  const requests = openRequestStore(
    join(settings.data_dir, "requests.db"),
    { maxRows: settings.record_limit, maxBytes: settings.record_limit_mb * 1_048_576 },
    (kept) =>
      noteDamage({
        file: kept,
        text: `the recorded requests were damaged: they are kept as ${kept}, and recording begins anew`,
      }),
  );
  closers.push(async () => requests.close());
  const recording = createRecording({ settings, store: requests, log, now });
  closers.push(() => recording.flush());
  const consoleToken = process.env["HEARTH_CONSOLE_TOKEN"] ?? randomBytes(32).toString("base64url");
  const simulator = startProviderThread({
    entry: new URL(import.meta.url.endsWith(".ts") ? "./provider/thread.ts" : "./provider.js", import.meta.url),
    settings,
    consoleToken,
    clock,
    take: recording.recorder.take,
  });
  closers.push(() => simulator.close());
  const databaseFile = join(settings.data_dir, "hearth.db");
  const count = { writes: 0 };
  const db = await openDatabase<AppTables>(databaseFile, appMigrations, count, settings.durability, (copy) =>
    log.info({ copy }, "hearth.db is brought up to date; a copy of it as it was is kept"),
  );
  closers.push(() => db.destroy());
  const reads = openPreparedReads(databaseFile, count);
  const writes = createGroupedWrites(db, count);
  closers.push(async () => reads.close());
  const blobs = await openDiskBlobStore(join(settings.data_dir, "uploads"));
  const reconciled = await reconcileUploads(db, blobs);
  reportReconciled(reconciled, log);
  const provider = await simulator.opened;
  // What a call leaves behind is mostly gone when the next look is taken. By itself V8 lets several times of what lives gather
  // until then, now more, now less, and gives none of it back: the process would seem to grow for hours. Not before the thread
  // runs: with flags that have changed, nothing of Node that was compiled ahead is of use to it.
  setFlagsFromString("--heap-growing-percent=100");

  const bus = new EventBus((error) => log.error({ err: error }, "an event listener failed"));
  let services: readonly ServiceStatus[] = [];
  let appUrl = "";
  link.onMessage((message) => {
    if (message.type !== "services") return;
    const before = new Map(services.map((one) => [one.name, one]));
    services = message.services;
    for (const one of services)
      if (before.get(one.name)?.since !== one.since)
        bus.publish({ type: "service.changed", source: "/supervisor", subject: one.name, data: one });
  });

  const lag = measureLag();
  closers.push(async () => lag.stop());
  const watcherLog = createLog("watcher", settings);
  const watchedFolders = await createWatchedFolders({
    db,
    watcher: {
      watch: (options) => runWatch({ ...options, patternDeadlineMs: settings.foreign_deadline_ms }, watcherLog),
    },
    patternDeadlineMs: settings.foreign_deadline_ms,
    dataDir: settings.data_dir,
    appUrl: () => appUrl,
    log,
    now,
  });
  const app = createApp({
    settings,
    origins: readOrigins(settings),
    watchedFolders,
    bans: await createBanList(db, now),
    lagMs: lag.lagMs,
    db,
    reads,
    writes,
    recording,
    atClose: (close) => closers.push(async () => close()),
    blobs,
    reconciled,
    bus,
    log,
    clock,
    identity: identityOptions(settings, provider),
    payments: {
      provider: createPaymentProvider({ settings, simulator: provider.payments, ownUrl: () => appUrl }),
    },
    consoleToken,
    consoleSessionKey: process.env["HEARTH_CONSOLE_SESSION_KEY"] ?? randomBytes(32).toString("base64url"),
    consoleFolder: built("renderer"),
    clientFolder: built("client"),
    apiDocs: {
      // Also where it is missing, so that the description can say what is.
      folder: join(here, import.meta.url.endsWith(".ts") ? "../dist" : "", "api-docs"),
      configuration: process.env["HEARTH_CONFIGURATION"] === "Debug" ? "Debug" : "Release",
    },
    console: {
      version: packageJson.version,
      command: ownCommand(process.env[commandVariable] ?? "npx hearth", settings.data_dir),
      services: () => services,
      requestRestart: (request) => link.send(request),
      lines: createLineReader(link),
      damage: () => damage,
      lanAddresses: () => (appUrl === "" ? [] : networkUrls(settings.host, Number(new URL(appUrl).port))),
      addresses: () => {
        const model = services.find((one) =>
          one.state === "up" || one.state === "external" ? one.name === "model" : false,
        )?.urls["model"];
        return { app: appUrl, provider: provider.url, ...(model !== undefined && { model }) };
      },
    },
  });
  const { host, app_port: port } = settings;
  const listener = await serve(app, { host, port, limits: limitsOf(settings), log });
  closers.push(() => listener.close());
  answerPings(link, async () => listener.findProblem() ?? (await simulator.findProblem()));
  appUrl = listener.url;
  closers.push(() => watchedFolders.close());
  void watchedFolders.start();
  log.info({ app: listener.url, provider: provider.url }, "listening");
  link.send({ type: "ready", urls: { app: listener.url, provider: provider.url } });
  const files = ["hearth.db", "provider.db", "requests.db"].map((name) => join(settings.data_dir, name));
  const listeners = {
    onDamage(found: Damage) {
      noteDamage(found);
      bus.publish({ type: "database.damaged", source: "/app", subject: found.file, data: found });
    },
    onError: (error: unknown) => log.error({ err: error }, "the databases cannot be read through"),
  };
  setTimeout(() => closers.push(checkDatabases(files, listeners)), checkAfterMs).unref();
} catch (error) {
  const failure = explain(error);
  // The supervisor tells what fits one line; the stack is for what nobody has foreseen.
  const foreseen = /^(port_in_use|bad_setting|disk_full|database_.*)$/.test(failure.code);
  if (!(foreseen && link.hasParent)) log.fatal({ err: error }, failure.message);
  link.send({ type: "failed", ...failure });
  process.exitCode = 1;
  for (const close of closers.reverse()) await close();
}
