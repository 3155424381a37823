import { join } from "node:path";
import type { Logger } from "pino";
import type { Settings } from "../contract/process/settings.ts";
import type { Damage } from "../contract/process/damage.ts";
import { networkUrls } from "../http/connection/peer/addresses.ts";
import { createEventStreams } from "../http/connection/bodies/event-streams.ts";
import { defaultGraceMs } from "../http/connection/listen.ts";
import { serve, type Listener } from "../http/connection/serve.ts";
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

type AppParts = Pick<EventKernel<AppTables>, "settings" | "bus" | "clock" | "log">;

interface Options<OpenSimulator extends Simulator>
  extends
    AppParts,
    Pick<FeatureDeps, "consoleToken" | "origins" | "watching">,
    Omit<AppDeps, "kernel" | "features" | "recording" | "streams" | "console"> {
  /** Starts the simulator, whose requests are recorded here, too. It is closed after the application server. */
  readonly startSimulator: (recording: Recording) => {
    readonly opened: Promise<OpenSimulator>;
    /** Sets the address at which devices of the local network reach it; undefined: none. */
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

/** Work for the end. The last registered work is done first. */
class Closing {
  readonly #work: ((graceMs: number) => Promise<unknown> | void)[] = [];
  #deadline: number | undefined;

  readonly add = (close: (graceMs: number) => Promise<unknown> | void): void => void this.#work.push(close);

  /** The rest of the time for requests in flight, which begins when the listeners close. */
  remaining(graceMs: number): number {
    this.#deadline ??= performance.now() + graceMs;
    return Math.max(this.#deadline - performance.now(), 0);
  }

  /**
   * @param graceMs how long requests in flight may go on. The simulator answers the application server until that has
   * ended, and its own requests no longer than this
   */
  readonly close = async (graceMs = defaultGraceMs): Promise<void> => {
    for (const close of this.#work.toReversed()) await close(graceMs);
  };
}

/** The damage that this run finds in its databases. */
class FoundDamage {
  readonly all: Damage[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(found: Damage): void {
    this.all.push(found);
    this.#log.error(found.text);
  }

  /** Checks the databases in the background. Returns a function that stops that. */
  checkAll({ settings, bus }: Pick<EventKernel<AppTables>, "settings" | "bus">): () => Promise<unknown> | void {
    const names = settings.database_url === undefined ? ["hearth.db", "provider.db", "requests.db"] : ["requests.db"];
    const files = names.map((name) => join(settings.data_dir, name));
    const onDamage = (found: Damage) => {
      this.add(found);
      bus.publish({ type: "database.damaged", source: "/app", subject: found.file, data: found });
    };
    const onError = (error: unknown) => this.#log.error({ err: error }, "the databases cannot be checked");
    return checkDatabases(files, { onDamage, onError });
  }
}

/**
 * Opens the application server's storage and listens.
 * @throws PortInUseError, DatabaseProblem, or the error with which the simulator failed to start
 */
export async function openApp<OpenSimulator extends Simulator>(options: Options<OpenSimulator>) {
  const closing = new Closing();
  try {
    return { ...(await open(options, closing)), close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function open<OpenSimulator extends Simulator>(options: Options<OpenSimulator>, closing: Closing) {
  const { settings, log, clock, payments = {}, interfaces, openHttps, checkDatabasesAfterMs } = options;
  const { data_dir: dataDir, host, app_port: port } = settings;
  const restored = await endPlacing(dataDir);
  if (restored) log.warn(restored, "an interrupted restore was completed; its settings take effect at the next start");
  const damage = new FoundDamage(log);
  const requests = openRequests(settings, damage);
  closing.add(() => requests.close());
  const { consoleToken } = options;
  const recording = createRecording({ settings, store: requests, log, now: clock.now, consoleToken });
  closing.add(() => recording.recorder.flush());
  const simulator = options.startSimulator(recording);
  closing.add((graceMs) => simulator.close(closing.remaining(graceMs)));
  const { kernel, events } = await openKernel(options, closing);

  const limits = { ...defaultLimits, maxConnections: possibleConnections(), ...options.limits };
  const streams = createEventStreams(limits.maxEventStreams);
  const listeners: { app?: Listener; console?: Listener } = {};
  const appUrl = () => listeners.app?.url ?? "";
  const forConsole: FeatureDeps["console"] = {
    ...options.console,
    damage: () => damage.all,
    lanAddresses: () =>
      listeners.app ? [...networkUrls(host, listeners.app.port), ...features.lanAccess.appUrls()] : [],
    addresses: () => ({
      app: appUrl(),
      console: listeners.console?.url ?? "",
      provider: provider.url,
      model: options.console.modelUrl(),
    }),
  };
  const shared = { ...options, recording, streams, console: forConsole };
  const features = await openFeatures(kernel, {
    ...shared,
    payments,
    events,
    appUrl,
    simulator: simulator.opened,
    lan: {
      app: () => listeners.app && { port: listeners.app.port, handler: handlers.app },
      onProviderUrl: (url) => simulator.leadBuyersTo(url),
      interfaces,
      openHttps,
      limits,
    },
  });
  const provider = await simulator.opened;
  const handlers = createApp({ ...shared, kernel, features });

  const app = await serve(handlers.app, { host, port, limits, log });
  listeners.app = app;
  closing.add((graceMs) => {
    const left = closing.remaining(graceMs);
    return Promise.all([app.close(left), features.lanAccess.close(left), listeners.console?.close(left)]);
  });
  const serveConsole = (at: number) => serve(handlers.console, { host, port: at, limits, log });
  const ownConsole = await listenForConsole(settings, serveConsole);
  listeners.console = ownConsole;
  closing.add(() => streams.close());
  features.start();
  if (checkDatabasesAfterMs !== undefined)
    setTimeout(() => closing.add(damage.checkAll(options)), checkDatabasesAfterMs).unref();
  return {
    url: app.url,
    port: app.port,
    server: app.server,
    consoleUrl: ownConsole.url,
    consoleServer: ownConsole.server,
    findProblem: () => app.findProblem() ?? ownConsole.findProblem(),
    provider,
    db: kernel.database.db,
  };
}

function openRequests({ data_dir: dataDir, record_limit, durability }: Settings, damage: FoundDamage) {
  const limits = { maxRows: record_limit, maxBytes: mostRecordedBytes, durability };
  return openRequestStore(join(dataDir, "requests.db"), limits, (kept) =>
    damage.add({
      file: kept,
      text: `the recorded requests were damaged and are kept as ${kept}, and a new file was started`,
    }),
  );
}

async function openKernel({ settings, log, bus, clock }: AppParts, closing: Closing) {
  const database = await openDatabase<AppTables>({
    url: settings.database_url,
    schema: appSchema,
    file: join(settings.data_dir, "hearth.db"),
    migrations: appMigrations,
    durability: settings.durability,
    onCopied: (copy) => log.info({ copy }, "updated hearth.db; a copy of the old file is kept"),
  });
  closing.add(() => database.close());
  const onError = (error: unknown) => log.error({ err: error }, "the log of events cannot be written");
  const events = new EventLog({ database, now: clock.now, onError });
  const withEvents = withEventWrites({ database, events, bus, onError });
  const kernel: EventKernel<AppTables> = { settings, database: withEvents, bus, clock, log, atClose: closing.add };
  return { kernel, events };
}
