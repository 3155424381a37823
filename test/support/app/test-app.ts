import { join } from "node:path";
import type { BusMessage } from "../../../server/contract/console/traffic/events.ts";
import type { Logger } from "pino";
import type { AppDeps } from "../../../server/app/create-app.ts";
import type { LanHttps } from "../../../server/app/lan-access/lan-access.ts";
import { openApp } from "../../../server/app/open-app.ts";
import type { PaymentTestDoubles } from "../../../server/app/payments/feature.ts";
import type { LanInterface } from "../../../server/contract/console/machine/lan-access-endpoints.ts";
import { settingsSchema, type Settings } from "../../../server/contract/process/settings.ts";
import type { SettingOrigins } from "../../../server/process/settings/read-settings.ts";
import type { StatusPackage } from "../../../server/contract/app/status-package.ts";
import { EventBus } from "../../../server/events/event-bus.ts";
import type { AdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { openProvider, type OpenProvider } from "../../../server/provider/open-provider.ts";
import { createAskFolder, type AskFolder } from "../../../server/watcher/folder/ask-folder.ts";
import { forgetQueue } from "../../../server/watcher/journal/queue-file.ts";
import { runWatch } from "../../../server/watcher/run-watch.ts";
import { runningWatches } from "../../../server/watcher/watch-processes.ts";
import { consoleToken } from "./console-token.ts";
import { wifi } from "./lan-caller.ts";
import type { ServerLimits } from "../../../server/http/connection/server-limits.ts";
import { noApiDocs } from "./no-api-docs.ts";
import { dropTestDatabase, testDatabaseUrl } from "../store/test-database.ts";
import { quietLog } from "../quiet-log.ts";
import { standingClock } from "../standing-clock.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export { consoleToken };

export const builtClient = join(import.meta.dirname, "../../../dist/client");

interface Options {
  readonly settings?: Partial<Settings>;
  /** Other limits than the usual ones, of the application server and the simulator. */
  readonly limits?: Partial<ServerLimits>;
  /** Where those come from; they count as defaults unless given. */
  readonly origins?: SettingOrigins["origins"];
  readonly restrictedTo?: SettingOrigins["restrictedTo"];
  /** What the working directory's file says, nothing unless given. */
  readonly project?: NonNullable<SettingOrigins["project"]>;
  readonly log?: Logger;
  /** The run's console token, unless it is that of all tests. */
  readonly token?: string;
  /** The network interfaces of this machine; one whose network is part of loopback unless given. */
  readonly interfaces?: () => LanInterface[];
  /** HTTPS for devices; they are answered by HTTP alone unless given. */
  readonly openHttps?: () => LanHttps;
  /** Asks file systems for a sign of life; as the app process does unless given. */
  readonly askFolder?: AskFolder;
  /** The endpoint for agents; there is none unless given. */
  readonly mcp?: AppDeps["mcp"];
  /** Where the console's page lies; there is none unless given. */
  readonly consoleFolder?: string;
  /** A folder without documentation files unless given. */
  readonly apiDocs?: Partial<AppDeps["apiDocs"]>;
  /** Where the reference client lies; as it was built unless given. */
  readonly clientFolder?: string;
  /** A data directory of a run before; a temporary one unless given. */
  readonly folder?: string;
  /** One that stands unless the test moves it, if not given. */
  readonly clock?: AdjustableClock;
  /** A simulator that is open already and stays open; one of its own unless given. */
  readonly provider?: OpenProvider;
  readonly payments?: PaymentTestDoubles;
}

/** The application server and the provider simulator on free ports, over a temporary data directory and a real database. */
export async function startTestApp({
  settings: changed = {},
  limits = {},
  origins = {},
  restrictedTo,
  project = {},
  log = quietLog,
  token = consoleToken,
  apiDocs,
  clientFolder = builtClient,
  consoleFolder,
  interfaces = () => [wifi],
  openHttps,
  askFolder = createAskFolder(),
  payments = {},
  mcp,
  folder: kept,
  clock = standingClock(),
  provider: givenProvider,
}: Options = {}) {
  const folder = kept === undefined ? temporaryFolder() : { path: kept, [Symbol.dispose]: () => undefined };
  const settings: Settings = {
    ...settingsSchema.parse({
      data_dir: folder.path,
      app_port: 0,
      provider_port: 0,
      durability: "normal",
      database_url: await testDatabaseUrl(folder.path),
      // Nobody listens there: no test downloads a build of the engine.
      gpu_engine_registry: "http://127.0.0.1:9",
    }),
    ...changed,
  };
  const docs = { ...noApiDocs, folder: join(folder.path, "dist", "api-docs"), ...apiDocs };
  const bus = new EventBus((error) => {
    throw error;
  });
  const restarts: unknown[] = [];
  const lag = { ms: 0 };
  const drain = { hasBegun: false };
  const model: { model?: string } = {};
  const app = await openApp({
    settings,
    limits,
    origins: { file: join(folder.path, "hearth.config.json"), restrictedTo, project, origins },
    log,
    clock,
    bus,
    lagMs: () => lag.ms,
    isDraining: () => drain.hasBegun,
    consoleToken: token,
    consoleFolder: consoleFolder ?? join(folder.path, "renderer"),
    interfaces,
    ...(openHttps && { openHttps }),
    ...(mcp && { mcp }),
    clientFolder,
    apiDocs: docs,
    startSimulator(recording) {
      const record = recording.middleware("provider");
      const publish = (event: BusMessage) => bus.publish(event);
      const opened = Promise.resolve(
        givenProvider ??
          openProvider({ settings, consoleToken: token, apiDocs: docs, log, clock, record, limits, publish }),
      );
      const leadBuyersTo = (url: string | undefined) => void opened.then((provider) => provider.leadBuyersTo(url));
      return {
        opened,
        leadBuyersTo,
        close: async (graceMs) => (givenProvider ? undefined : (await opened).close(graceMs)),
      };
    },
    payments,
    watching: {
      watcher: {
        watch: (options) => runWatch({ ...options, askFolder, patternDeadlineMs: 250 }, log),
        ask: askFolder,
        forget: forgetQueue,
      },
      processes: runningWatches,
      retryAfterMs: 100,
    },
    console: {
      version: "0.0.0-test",
      command: { name: "npx hearth", flags: "" },
      services: () => [],
      requestRestart: (request) => void restarts.push(request),
      lines: async (service) => [`${service} listens`],
      modelUrl: () => model.model,
    },
  });
  const { url, provider } = app;

  let closing: Promise<void> | undefined;
  /** @param graceMs how long open requests may go on */
  const close = (graceMs: number) => (closing ??= app.close(graceMs));

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
    /** The console's own origin. */
    consoleUrl: app.consoleUrl,
    consoleServer: app.consoleServer,
    port: app.port,
    server: app.server,
    provider,
    /** To be told where a model service answers, if there is one. */
    addresses: model,
    settings,
    folder: folder.path,
    db: app.db,
    bus,
    restarts,
    clock,
    lag,
    drain,
    post,
    sim,
    login,
    loggedIn,
    close,
    async [Symbol.asyncDispose]() {
      await close(0);
      if (kept === undefined) await dropTestDatabase(folder.path);
      folder[Symbol.dispose]();
    },
  };
}
export type TestApp = Awaited<ReturnType<typeof startTestApp>>;
