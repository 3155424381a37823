import { join } from "node:path";
import type { Damage } from "../contract/console/traffic/events.ts";
import { bindsLoopback } from "../contract/own-url.ts";
import { networkUrls } from "../http/connection/peer/addresses.ts";
import { createEventStreams } from "../http/connection/bodies/event-streams.ts";
import { defaultGraceMs } from "../http/connection/listen.ts";
import { serve } from "../http/connection/serve.ts";
import { possibleConnections } from "../process/open-files.ts";
import { defaultLimits, type ServerLimits } from "../http/connection/server-limits.ts";
import { endPlacing } from "../store/backup/restored-data.ts";
import { checkDatabases } from "../store/check/check-databases.ts";
import { openDatabase } from "../store/open-database.ts";
import { appMigrations, appSchema, type AppTables } from "./app-tables.ts";
import { createBanList } from "./bans/ban-list.ts";
import { listenForConsole } from "./console/listen-for-console.ts";
import { createApp, type AppDeps } from "./create-app.ts";
import { createLanAccess, type LanHttps } from "./lan-access/lan-access.ts";
import { lanInterfaces } from "./lan-access/lan-interfaces.ts";
import { offeredServices } from "./lan-access/offered-services.ts";
import { createWatchedFolders, type WatchedFoldersDeps } from "./file-events/watched-folders.ts";
import type { PaymentsDeps } from "./payments/payments.ts";
import { createPaymentProvider } from "./payments/provider/create-payment-provider.ts";
import type { PaymentSimulator } from "./payments/provider/payment-access.ts";
import type { PaymentProvider } from "./payments/provider/provider-client.ts";
import { createRecording, type Recording } from "./requests/recording.ts";
import { openRequestStore } from "./requests/store/request-store.ts";
import { identityOptions } from "./sessions/identity-client.ts";
import { createHeldContents } from "./uploads/held-contents.ts";
import { openBlobs } from "./uploads/open-blobs.ts";
import { reconcileUploads, reportReconciled } from "./uploads/reconcile-uploads.ts";

/** The provider simulator: its address, and the credentials that a real provider issues on registration. */
interface Simulator {
  readonly url: string;
  readonly credentials: { readonly app_id: string; readonly app_secret: string };
  readonly payments: PaymentSimulator;
}

interface Options<OpenSimulator extends Simulator> extends Omit<
  AppDeps,
  | "database"
  | "recording"
  | "blobs"
  | "reconciled"
  | "bans"
  | "watchedFolders"
  | "lanAccess"
  | "identity"
  | "payments"
  | "console"
  | "atClose"
  | "streams"
> {
  /** Starts the simulator, whose requests are recorded here, too. It is closed after the application server. */
  readonly startSimulator: (recording: Recording) => {
    readonly opened: Promise<OpenSimulator>;
    /** Where devices of the local network reach it; undefined: nowhere. */
    leadBuyersTo(url: string | undefined): void;
    close(graceMs?: number): Promise<void>;
  };
  readonly payments?: Pick<PaymentsDeps, "createSettle" | "notificationPatienceMs"> & {
    /** Wraps the simulator, for tests. */
    readonly provider?: (simulator: PaymentProvider) => PaymentProvider;
  };
  readonly watching: Pick<WatchedFoldersDeps, "watcher" | "retryAfterMs">;
  /** The network interfaces by which other devices may reach this machine; the system's own unless given. */
  readonly interfaces?: typeof lanInterfaces;
  /** HTTPS for devices of the local network; they are answered by HTTP alone without it. */
  readonly openHttps?: () => LanHttps;
  readonly console: Omit<AppDeps["console"], "damage" | "lanAddresses" | "addresses"> & {
    /** Base URL of the model service while it is up. */
    readonly modelUrl: () => string | undefined;
  };
  /** Delay after the start until all databases are checked; they are not checked without it. */
  readonly checkDatabasesAfterMs?: number;
  /** Other limits than the usual ones, for tests. */
  readonly limits?: Partial<ServerLimits>;
}

/**
 * Opens the application server's storage and listens.
 * @throws PortInUseError, DatabaseProblem, or the error with which the simulator failed to start
 */
export async function openApp<OpenSimulator extends Simulator>({
  startSimulator,
  payments = {},
  watching,
  interfaces = lanInterfaces,
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
      { maxRows: settings.record_limit, maxBytes: settings.record_limit_mb * 1_048_576 },
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
    const { db } = database;
    const blobs = await openBlobs(settings);
    const held = createHeldContents(database.instances);
    const reconciled = blobs.isRemote ? undefined : await reconcileUploads(db, blobs, held);
    if (reconciled) reportReconciled(reconciled, blobs.place, log);
    const provider = await simulator.opened;
    const watchedFolders = await createWatchedFolders({
      ...watching,
      db,
      patternDeadlineMs: settings.foreign_deadline_ms,
      dataDir,
      appUrl,
      bus,
      log,
      now,
    });
    const paymentProvider = createPaymentProvider({ settings, simulator: provider.payments, ownUrl: appUrl });
    const limits = { ...defaultLimits, maxConnections: possibleConnections(settings), ...changedLimits };
    const lanAccess = await createLanAccess({
      db,
      services: offeredServices({
        app: () => listener && { port: listener.port, handler: handlers.app },
        providerUrl: provider.url,
        modelUrl: deps.console.modelUrl,
        services: deps.console.services,
        token: deps.consoleToken,
        corsOrigins: settings.cors_origins,
      }),
      interfaces,
      onProviderUrl: (url) => simulator.leadBuyersTo(url),
      openedByHost: !bindsLoopback(host),
      limits,
      https: openHttps?.(),
      bus,
      log,
      now: Date.now, // whoever moves the simulated clock must let nobody in or out
    });
    const streams = createEventStreams(limits.maxEventStreams);
    const handlers = createApp({
      ...deps,
      streams,
      database,
      recording,
      blobs,
      reconciled,
      watchedFolders,
      lanAccess,
      bans: await createBanList({
        db,
        instances: database.instances,
        now,
        onError: (error) => log.error({ err: error }, "bans cannot be read"),
      }),
      identity: identityOptions(settings, provider),
      payments: { ...payments, provider: payments.provider?.(paymentProvider) ?? paymentProvider },
      console: {
        ...deps.console,
        damage: () => damage,
        lanAddresses: () => (listener ? [...networkUrls(host, listener.port), ...lanAccess.appUrls()] : []),
        addresses: () => {
          const model = deps.console.modelUrl();
          const own = { app: appUrl(), console: consoleListener?.url ?? "", provider: provider.url };
          return { ...own, ...(model !== undefined && { model }) };
        },
      },
      atClose: (end) => void closers.push(end),
    });
    const opened = await serve(handlers.app, { host, port, limits, log });
    listener = opened;
    const listeners = [opened];
    closers.push((graceMs) => {
      const left = remaining(graceMs);
      return Promise.all([...listeners.map((one) => one.close(left)), lanAccess.close(left)]);
    });
    const forConsole = await listenForConsole(settings, (at) =>
      serve(handlers.console, { host, port: at, limits, log }),
    );
    listeners.push(forConsole);
    consoleListener = forConsole;
    closers.push(() => streams.close());
    closers.push(() => watchedFolders.close());
    void watchedFolders.start();
    void lanAccess.start();
    if (checkDatabasesAfterMs !== undefined) setTimeout(check, checkDatabasesAfterMs).unref();
    const { url, server } = opened;
    const findProblem = () => opened.findProblem() ?? forConsole.findProblem();
    return {
      url,
      consoleUrl: forConsole.url,
      consoleServer: forConsole.server,
      port: opened.port,
      server,
      findProblem,
      provider,
      db,
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
