import { join } from "node:path";
import type { Logger } from "pino";
import { createBanList } from "../../../server/app/bans/ban-list.ts";
import { createWatchedFolders } from "../../../server/app/file-events/watched-folders.ts";
import { appMigrations, type AppTables } from "../../../server/app/app-tables.ts";
import { createApp, type AppDeps } from "../../../server/app/create-app.ts";
import { createPaymentProvider } from "../../../server/app/payments/provider/create-payment-provider.ts";
import type { PaymentsDeps } from "../../../server/app/payments/payments.ts";
import type { PaymentProvider } from "../../../server/app/payments/provider/provider-client.ts";
import { createRecording } from "../../../server/app/requests/recording.ts";
import { reconcileUploads } from "../../../server/app/uploads/reconcile-uploads.ts";
import { settingsSchema, type Settings } from "../../../server/contract/process/settings.ts";
import type { SettingOrigins } from "../../../server/process/settings/read-settings.ts";
import type { StatusPackage } from "../../../server/contract/app/status-package.ts";
import { EventBus } from "../../../server/events/event-bus.ts";
import { serve } from "../../../server/http/connection/serve.ts";
import { createAdjustableClock, type AdjustableClock } from "../../../server/process/adjustable-clock.ts";
import { limitsOf } from "../../../server/process/settings/limits-of.ts";
import { openProvider } from "../../../server/provider/open-provider.ts";
import { identityOptions } from "../../../server/app/sessions/identity-client.ts";
import { openDiskBlobStore } from "../../../server/store/blob-store.ts";
import { openDatabase } from "../../../server/store/database.ts";
import { createGroupedWrites } from "../../../server/store/grouped-writes.ts";
import { openPreparedReads } from "../../../server/store/prepared-reads.ts";
import { openRequestStore } from "../../../server/app/requests/store/request-store.ts";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { consoleToken } from "./console-token.ts";
import { quietLog } from "../quiet-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export { consoleToken };

export const builtClient = join(import.meta.dirname, "../../../dist/client");

interface Options {
  readonly settings?: Partial<Settings>;
  /** Where those come from; they count as defaults unless given. */
  readonly origins?: SettingOrigins["origins"];
  readonly restrictedTo?: SettingOrigins["restrictedTo"];
  readonly log?: Logger;
  /** A folder without documentation files unless given. */
  readonly apiDocs?: Partial<AppDeps["apiDocs"]>;
  /** Where the reference client lies; as it was built unless given. */
  readonly clientFolder?: string;
  /** A data directory of a run before; a temporary one unless given. */
  readonly folder?: string;
  /** Does not go on by itself: only the test moves it. */
  readonly clockStands?: boolean;
  /** That of a run before, which goes on; a new one unless given. */
  readonly clock?: AdjustableClock;
  /** A simulator that is open already and stays open; one of its own unless given. */
  readonly provider?: Awaited<ReturnType<typeof openProvider>>;
  readonly payments?: Pick<PaymentsDeps, "createSettle"> & {
    /** Puts something between the server and the simulator. */
    readonly provider?: (simulator: PaymentProvider) => PaymentProvider;
  };
}

/** The application server and the provider simulator on free ports, over a temporary data directory and a real database. */
export async function startTestApp({
  settings: changed = {},
  origins = {},
  restrictedTo,
  log = quietLog,
  apiDocs,
  clientFolder = builtClient,
  payments = {},
  folder: kept,
  clockStands = false,
  clock: givenClock,
  provider: givenProvider,
}: Options = {}) {
  const folder = kept === undefined ? temporaryFolder() : { path: kept, [Symbol.dispose]: () => undefined };
  const settings: Settings = {
    ...settingsSchema.parse({ data_dir: folder.path, app_port: 0, provider_port: 0, durability: "normal" }),
    ...changed,
  };
  const startedAt = Date.now();
  const clock = givenClock ?? createAdjustableClock(clockStands ? () => startedAt : Date.now);
  const { now } = clock;
  const count = { writes: 0 };
  const db = await openDatabase<AppTables>(join(folder.path, "hearth.db"), appMigrations, count, settings.durability);
  const reads = openPreparedReads(join(folder.path, "hearth.db"), count);
  const writes = createGroupedWrites(db, count);
  const requests = openRequestStore(join(folder.path, "requests.db"), {
    maxRows: settings.record_limit,
    maxBytes: settings.record_limit_mb * 1_048_576,
  });
  const recording = createRecording({ settings, store: requests, log, now });
  const provider =
    givenProvider ??
    (await openProvider({ settings, consoleToken, log, clock, record: recording.middleware("provider") }));
  const closers: (() => Promise<void> | void)[] = [];
  const bus = new EventBus((error) => {
    throw error;
  });
  const restarts: unknown[] = [];
  let url = "";
  const lag = { ms: 0 };
  const model: { model?: string } = {};
  const watchedFolders = await createWatchedFolders({
    db,
    watcher: {
      watch: (options) => runWatch({ ...options, patternDeadlineMs: settings.foreign_deadline_ms }, log),
    },
    patternDeadlineMs: settings.foreign_deadline_ms,
    dataDir: settings.data_dir,
    appUrl: () => url,
    log,
    now,
    retryAfterMs: 100,
  });
  const paymentProvider = createPaymentProvider({ settings, simulator: provider.payments, ownUrl: () => url });
  const blobs = await openDiskBlobStore(join(folder.path, "uploads"));
  const app = createApp({
    settings,
    origins: { file: join(folder.path, "hearth.config.json"), restrictedTo, origins },
    watchedFolders,
    bans: await createBanList(db, now),
    lagMs: () => lag.ms,
    db,
    reads,
    writes,
    recording,
    atClose: (close) => void closers.push(close),
    blobs,
    reconciled: await reconcileUploads(db, blobs),
    bus,
    log,
    clock,
    identity: identityOptions(settings, provider),
    payments: {
      ...payments,
      provider: payments.provider?.(paymentProvider) ?? paymentProvider,
    },
    consoleToken,
    consoleSessionKey: "session-key-of-the-test",
    consoleFolder: join(folder.path, "renderer"),
    apiDocs: { folder: join(folder.path, "dist", "api-docs"), configuration: "Release", ...apiDocs },
    clientFolder,
    console: {
      version: "0.0.0-test",
      command: { name: "npx hearth", flags: "" },
      services: () => [],
      requestRestart: (request) => void restarts.push(request),
      lines: async (service) => [`${service} listens`],
      lanAddresses: () => [],
      damage: () => [],
      addresses: () => ({ app: url, provider: provider.url, ...model }),
    },
  });
  const listener = await serve(app, { host: "127.0.0.1", port: 0, limits: limitsOf(settings) });
  url = listener.url;

  async function post(target: string, body?: unknown, headers: Record<string, string> = {}) {
    return fetch(target, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
  const sim = async (user: string, step: string) => (await post(`${provider.url}/sim/users/${user}/${step}`)).json();

  /** A session that has passed the login only. */
  async function login(user = "alice"): Promise<StatusPackage> {
    const response = await post(`${url}/api/sessions`, await sim(user, "login"));
    return ((await response.json()) as { status: StatusPackage }).status;
  }

  /** Headers of a session that has passed every step. */
  async function loggedIn(user = "alice"): Promise<Record<string, string>> {
    const { access_token } = await login(user);
    const headers = { Authorization: `Bearer ${access_token}` };
    await post(`${url}/api/userinfos`, await sim(user, "user-info"), headers);
    await post(`${url}/api/phonenumbers`, await sim(user, "phone-number"), headers);
    return headers;
  }

  return {
    url,
    port: listener.port,
    server: listener.server,
    provider,
    /** To be told where a model service answers, if there is one. */
    addresses: model,
    settings,
    folder: folder.path,
    db,
    bus,
    restarts,
    clock,
    lag,
    post,
    sim,
    login,
    loggedIn,
    async [Symbol.asyncDispose]() {
      await watchedFolders.close();
      await listener.close(0);
      for (const close of closers) await close();
      if (!givenProvider) await provider.close();
      await recording.flush();
      requests.close();
      reads.close();
      await db.destroy();
      folder[Symbol.dispose]();
    },
  };
}
export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
