import { join } from "node:path";
import type { Damage } from "../contract/console/traffic/events.ts";
import { networkUrls } from "../http/connection/peer/addresses.ts";
import { createEventStreams } from "../http/connection/bodies/event-streams.ts";
import { defaultGraceMs } from "../http/connection/listen.ts";
import { serve } from "../http/connection/serve.ts";
import type { EventKernel } from "../kernel/feature.ts";
import { possibleConnections } from "../process/open-files.ts";
import { defaultLimits, type ServerLimits } from "../http/connection/server-limits.ts";
import { endPlacing } from "../store/backup/restored-data.ts";
import { checkDatabases } from "../store/check/check-databases.ts";
import { openDatabase } from "../store/open-database.ts";
import { appSchema } from "./check-database.ts";
import { listenForConsole } from "./console/listen-for-console.ts";
import { createApp, type AppDeps } from "./create-app.ts";
import { EventLog } from "./event-log/event-log.ts";
import { withEventWrites } from "./event-log/event-writes.ts";
import { appMigrations } from "./app-migrations.ts";
import { openFeatures, type AppTables, type FeatureDeps } from "./features.ts";
import { createRecording, type Recording } from "./requests/recording.ts";
import { openRequestStore } from "./requests/store/request-store.ts";

type Simulator = Awaited<FeatureDeps["simulator"]>;

interface Options<OpenSimulator extends Simulator>
  extends
    Pick<EventKernel<AppTables>, "settings" | "bus" | "clock" | "log">,
    Pick<FeatureDeps, "consoleToken" | "origins" | "watching">,
    Omit<AppDeps, "kernel" | "features" | "recording" | "streams" | "console"> {
  /** Starts the simulator, whose requests are recorded here, too. It is closed after the application server. */
  readonly startSimulator: (recording: Recording) => {
    readonly opened: Promise<OpenSimulator>;
    /** Where devices of the local network reach it; undefined: nowhere. */
    leadBuyersTo(url: string | undefined): void;
    close(graceMs?: number): Promise<void>;
  };
  readonly payments?: FeatureDeps["payments"];
  readonly interfaces?: FeatureDeps["lan"]["interfaces"];
  readonly openHttps?: FeatureDeps["lan"]["openHttps"];
  readonly console: Omit<FeatureDeps["console"], "damage" | "lanAddresses" | "addresses">;
  /** Delay after the start until all databases are checked; they are not checked without it. */
  readonly checkDatabasesAfterMs?: number;
  /** Other limits than the usual ones, for tests. */
  readonly limits?: Partial<ServerLimits>;
}

/** Recorded requests keep their bodies: days of a team's tests, on a disk that has room for models. */
const mostRecordedBytes = 1024 * 1_048_576;

/**
 * Opens the application server's storage and listens.
 * @throws PortInUseError, DatabaseProblem, or the error with which the simulator failed to start
 */
export async function openApp<OpenSimulator extends Simulator>({
  startSimulator,
  payments = {},
  interfaces,
  openHttps,
  checkDatabasesAfterMs,
  limits: changedLimits,
  ...deps
}: Options<OpenSimulator>) {
  const { settings, log, bus, clock } = deps;
  const { now } = clock;
  const { data_dir: dataDir, host, app_port: port } = settings;
  const closers: ((graceMs: number) => Promise<unknown> | void)[] = [];
  let deadline: number | undefined;
  /** Of the time for requests in flight, which begins when the listeners close: what ends before them takes none of it. */
  function remaining(graceMs: number): number {
    deadline ??= performance.now() + graceMs;
    return Math.max(deadline - performance.now(), 0);
  }
  /**
   * @param graceMs how long requests in flight may go on: those of the simulator, which answers the application server until
   * that has ended, no longer than its own
   */
  async function close(graceMs = defaultGraceMs): Promise<void> {
    for (const end of closers.toReversed()) await end(graceMs);
  }
  const damage: Damage[] = [];
  function noteDamage(found: Damage): void {
    damage.push(found);
    log.error(found.text);
  }
  let listener: Awaited<ReturnType<typeof serve>> | undefined;
  let consoleListener: typeof listener;
  const appUrl = () => listener?.url ?? "";

  try {
    const restored = await endPlacing(dataDir);
    if (restored)
      log.warn(restored, "an interrupted restore was completed; its settings take effect at the next start");
    const requests = openRequestStore(
      join(dataDir, "requests.db"),
      { maxRows: settings.record_limit, maxBytes: mostRecordedBytes },
      (kept) =>
        noteDamage({
          file: kept,
          text: `the recorded requests were damaged: they are kept as ${kept}, and recording begins anew`,
        }),
    );
    closers.push(() => requests.close());
    const recording = createRecording({ settings, store: requests, log, now, consoleToken: deps.consoleToken });
    closers.push(() => recording.flush());
    const simulator = startSimulator(recording);
    closers.push((graceMs) => simulator.close(remaining(graceMs)));
    const database = await openDatabase<AppTables>({
      url: settings.database_url,
      schema: appSchema,
      file: join(dataDir, "hearth.db"),
      migrations: appMigrations,
      durability: settings.durability,
      onCopied: (copy) => log.info({ copy }, "hearth.db is brought up to date; a copy of it as it was is kept"),
    });
    closers.push(() => database.close());
    const onError = (error: unknown) => log.error({ err: error }, "the log of events cannot be written");
    const events = new EventLog({ database, now, onError });
    const kernel: EventKernel<AppTables> = {
      settings,
      database: withEventWrites({ database, events, bus, onError }),
      bus,
      clock,
      log,
      atClose: (end) => void closers.push(end),
    };
    const limits = { ...defaultLimits, maxConnections: possibleConnections(), ...changedLimits };
    const streams = createEventStreams(limits.maxEventStreams);
    const forConsole: FeatureDeps["console"] = {
      ...deps.console,
      damage: () => damage,
      lanAddresses: () => (listener ? [...networkUrls(host, listener.port), ...features.lanAccess.appUrls()] : []),
      addresses: () => ({
        app: appUrl(),
        console: consoleListener?.url ?? "",
        provider: provider.url,
        model: deps.console.modelUrl(),
      }),
    };
    const features = await openFeatures(kernel, {
      ...deps,
      payments,
      recording,
      events,
      streams,
      appUrl,
      simulator: simulator.opened,
      lan: {
        app: () => listener && { port: listener.port, handler: handlers.app },
        onProviderUrl: (url) => simulator.leadBuyersTo(url),
        interfaces,
        openHttps,
        limits,
      },
      console: forConsole,
    });
    const provider = await simulator.opened;
    const handlers = createApp({ ...deps, kernel, features, recording, streams, console: forConsole });
    const opened = await serve(handlers.app, { host, port, limits, log });
    listener = opened;
    const listeners: { close(graceMs: number): Promise<unknown> }[] = [opened, features.lanAccess];
    closers.push((graceMs) => {
      const left = remaining(graceMs);
      return Promise.all(listeners.map((one) => one.close(left)));
    });
    const ownConsole = await listenForConsole(settings, (at) =>
      serve(handlers.console, { host, port: at, limits, log }),
    );
    listeners.push(ownConsole);
    consoleListener = ownConsole;
    closers.push(() => streams.close());
    features.start();
    if (checkDatabasesAfterMs !== undefined) setTimeout(check, checkDatabasesAfterMs).unref();
    const { url, server } = opened;
    const findProblem = () => opened.findProblem() ?? ownConsole.findProblem();
    return {
      url,
      consoleUrl: ownConsole.url,
      consoleServer: ownConsole.server,
      port: opened.port,
      server,
      findProblem,
      provider,
      db: database.db,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  function check(): void {
    const names = settings.database_url === undefined ? ["hearth.db", "provider.db", "requests.db"] : ["requests.db"];
    const files = names.map((name) => join(dataDir, name));
    const onDamage = (found: Damage) => {
      noteDamage(found);
      bus.publish({ type: "database.damaged", source: "/app", subject: found.file, data: found });
    };
    const onError = (error: unknown) => log.error({ err: error }, "the databases cannot be checked");
    closers.push(checkDatabases(files, { onDamage, onError }));
  }
}
