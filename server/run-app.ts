/** An `app` process: application server and provider simulator, each on its own listener. They speak HTTP to each other. */
import { foreignDeadlineMs } from "./foreign/foreign-limits.ts";
import { existsSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import type { HearthAddresses } from "./actions/hearth-api.ts";
import type { FeatureDeps } from "./app/features.ts";
import { openApp } from "./app/open-app.ts";
import type { Settings } from "./contract/process/settings.ts";
import { isDiskFull } from "./contract/process/disk-full.ts";
import type { FromService } from "./contract/process/process-messages.ts";
import type { ServiceStatus } from "./contract/process/services.ts";
import { EventBus } from "./events/event-bus.ts";
import { measureLag } from "./http/conventions/not-ready.ts";
import { PortInUseError } from "./http/connection/listen.ts";
import { loadWhenAsked } from "./http/load-when-asked.ts";
import { createAdjustableClock } from "./time/adjustable-clock.ts";
import { fullDiskText, roomProblem } from "./process/disk-room.ts";
import { createLog, type Log } from "./process/log.ts";
import { createDrain } from "./process/lifetime/drain.ts";
import { answerPings, connectParent, stopWithParent, type ParentLink } from "./process/lifetime/parent-link.ts";
import { readStart, type Start } from "./process/lifetime/read-start.ts";
import { holdData } from "./process/lifetime/services-lock.ts";
import { readOrigins, SettingsError } from "./process/settings/read-settings.ts";
import { portsOf } from "./process/settings/same-port.ts";
import { createLineReader } from "./process/lifetime/service-lines.ts";
import { commandName, commandVariable, ownCommand } from "./process/terminal/own-command.ts";
import type { ProviderOptions, RunningProvider } from "./provider/running-provider.ts";
import { refusalOfHost } from "./stand-in/destinations.ts";
import { openDeviceHttps } from "./stand-in/device-https.ts";
import { isDatabaseError } from "./store/database-problem.ts";
import { createAskFolder } from "./watcher/folder/ask-folder.ts";
import { forgetQueue } from "./watcher/journal/queue-file.ts";
import { runWatch } from "./watcher/run-watch.ts";
import { runningWatches } from "./watcher/watch-processes.ts";

const isSource = import.meta.url.endsWith(".ts");
const here = dirname(fileURLToPath(import.meta.url));
/** A built file: next to the bundle, or in dist when this file runs from source. */
const built = (name: string) =>
  [join(here, name), join(here, "../dist", name)].find((path) => existsSync(path)) ?? here;

const apiDocs = {
  // Also if the folder is missing, so that the description can report that.
  folder: join(here, isSource ? "../dist" : "", "api-docs"),
  configuration: process.env["HEARTH_CONFIGURATION"] === "Debug" ? ("Debug" as const) : ("Release" as const),
  version: packageJson.version,
};

/** Runs the process until its supervisor, or a signal, ends it. */
export async function runApp(
  startProvider: (options: ProviderOptions) => RunningProvider,
  read: () => Promise<Start> = readStart,
): Promise<void> {
  // The console shows the line that threw; the default ten frames may all belong to a library or Node.
  Error.stackTraceLimit = 30;
  // Databases and uploads hold secrets, so all files are private to their owner.
  process.umask(0o077);
  const link = connectParent();
  const start = await read();
  const { settings } = start;
  const log = createLog("app", settings);
  holdData(settings.data_dir);
  const lag = measureLag();
  const consoleToken = start.token ?? randomBytes(32).toString("base64url");
  let simulator: RunningProvider | undefined;
  const drain = createDrain(settings, () => simulator?.drain());
  const parts = { settings, log, link, consoleToken, lagMs: lag.lagMs, isDraining: drain.hasBegun };
  const opening = openServers(parts, (options) => (simulator = startProvider(options)));
  const stop = async () => {
    const opened = await opening.catch(() => undefined);
    await Promise.all([opened?.standIn?.close(drain.graceMs), opened?.app.close(drain.graceMs)]);
  };
  stopWithParent(link, stop, drain);
  try {
    const { app, standIn } = await opening;
    answerPings(link, async () => app.findProblem() ?? (await simulator?.findProblem()));
    const urls = {
      app: app.url,
      console: app.consoleUrl,
      provider: app.provider.url,
      ...(standIn && { stand_in: standIn.url }),
    };
    log.info(urls, "listening");
    link.send({ type: "ready", urls });
  } catch (error) {
    refuseStart(error, parts);
    lag.stop();
  }
}

interface Parts {
  readonly settings: Settings;
  readonly log: Log;
  readonly link: ParentLink;
  readonly consoleToken: string;
  /** The current delay of the event loop. */
  readonly lagMs: () => number;
  /** True once the process is being ended. */
  readonly isDraining: () => boolean;
}

/** Opens the application server with its simulator, and the stand-in for the real platform's hosts if the setting is on. */
async function openServers(parts: Parts, startProvider: (options: ProviderOptions) => RunningProvider) {
  const { settings, log, link, consoleToken } = parts;
  const bus = new EventBus((error) => log.error({ err: error }, "an event listener failed"));
  const clock = createAdjustableClock();
  const services = followServices(link, bus);
  const located = Promise.withResolvers<HearthAddresses>();
  const app = await openApp({
    ...parts,
    origins: readOrigins(settings),
    clock,
    bus,
    consoleFolder: built("renderer"),
    clientFolder: built("client"),
    apiDocs,
    startSimulator: ({ recorder }) =>
      startProvider({
        ...{ settings, consoleToken, apiDocs, clock },
        take: (exchange) => recorder.take(exchange),
        publish: (event) => bus.publish(event),
      }),
    ...(settings.mcp !== "off" && { mcp: serveAgents(settings, located.promise) }),
    ...(settings.https && { openHttps: () => openDeviceHttps(settings.data_dir) }),
    watching: watchingOf(settings),
    console: {
      version: packageJson.version,
      command: ownCommand(process.env[commandVariable] ?? commandName(built("cli.js")), settings.data_dir),
      services,
      requestRestart: (request) => link.send(request),
      lines: createLineReader(link),
      modelUrl: () => {
        const model = services().find(({ name }) => name === "model");
        return model?.state === "up" || model?.state === "external" ? model.urls["model"] : undefined;
      },
    },
    checkDatabasesAfterMs: 3_000,
  });
  located.resolve({ app: app.url, provider: app.provider.url, consoleToken });
  try {
    return { app, standIn: await openOwnStandIn(parts, app.provider.url) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** The endpoint for agents, loaded for the first one. */
const serveAgents = (settings: Settings, addresses: Promise<HearthAddresses>) =>
  loadWhenAsked(async () => {
    const { openMcp } = await import("./mcp/open-mcp.ts");
    return openMcp({ locate: () => addresses, isReadOnly: settings.mcp === "read-only" }, packageJson.version);
  });

/** The states of all services, as the supervisor reports them. Each change is an event. */
function followServices(link: ParentLink, bus: EventBus): () => readonly ServiceStatus[] {
  let services: readonly ServiceStatus[] = [];
  link.onMessage((message) => {
    if (message.type !== "services") return;
    const before = new Map(services.map((one) => [one.name, one]));
    services = message.services;
    for (const one of services)
      if (before.get(one.name)?.since !== one.since)
        bus.publish({ type: "service.changed", source: "/supervisor", subject: one.name, data: one });
  });
  return () => services;
}

function watchingOf(settings: Settings): FeatureDeps["watching"] {
  const askFolder = createAskFolder();
  const log = createLog("watcher", settings);
  return {
    watcher: {
      watch: (options) => runWatch({ ...options, askFolder, patternDeadlineMs: foreignDeadlineMs }, log),
      ask: askFolder,
      forget: forgetQueue,
    },
    processes: runningWatches,
  };
}

async function openOwnStandIn({ settings, consoleToken, log }: Parts, provider: string) {
  if (!settings.stand_in) return undefined;
  const [{ openAuthority }, { openStandIn }] = await Promise.all([
    import("./stand-in/authority-files.ts"),
    import("./stand-in/open-stand-in.ts"),
  ]);
  return openStandIn({
    provider,
    consoleToken,
    authority: openAuthority(settings.data_dir, Date.now()),
    passes: settings.stand_in_passes,
    port: settings.stand_in_port,
    onRefused: (host) => log.warn(refusalOfHost(host)),
    at: Date.now(),
  });
}

/** Reports why the process cannot start. */
function refuseStart(error: unknown, { settings, log, link }: Parts): void {
  const failure = explain(error, settings);
  // The supervisor reports one line; the stack helps with unforeseen errors.
  const foreseen = /^(port_in_use|bad_setting|disk_full|database_.*)$/.test(failure.code);
  if (!(foreseen && link.hasParent)) log.fatal({ err: error }, failure.message);
  link.send({ type: "failed", ...failure });
  process.exitCode = 1;
}

/** An error from the provider's thread has lost its class. */
const isDatabaseProblem = (error: unknown) => String((error as { code?: unknown }).code).startsWith("database_");

/** Explains an error to a person: the invalid setting, and what to do. */
function explain(error: unknown, settings: Settings): Omit<Extract<FromService, { type: "failed" }>, "type"> {
  if (error instanceof PortInUseError) {
    const setting = portsOf(settings).find((name) => settings[name] === error.port) ?? "app_port";
    const flag = `--${setting.replaceAll("_", "-")}`;
    return {
      code: "port_in_use",
      port: error.port,
      message: `port ${String(error.port)} is in use by another program: stop it, or choose another port with ${flag} (setting ${setting})`,
    };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  // A listener's error from the provider's thread may have lost its class.
  if (error instanceof SettingsError || code === "bad_setting")
    return { code: "bad_setting", message: `the application server cannot start: ${message}` };
  const noRoom = roomProblem(settings.data_dir);
  // A database may report it as an error of the disk.
  if (isDiskFull(error) || (noRoom !== undefined && isDatabaseError(error)))
    return { code: "disk_full", message: `the application server cannot start: ${noRoom ?? fullDiskText(error)}` };
  if (isDatabaseProblem(error)) return { code: code ?? "", message: `the application server cannot start: ${message}` };
  return {
    code: code ?? "start_failed",
    message: `the application server cannot start: ${message} (data directory ${settings.data_dir}, setting data_dir)`,
  };
}
