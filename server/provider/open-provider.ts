import { join } from "node:path";
import type { Logger } from "pino";
import type { Settings } from "../contract/process/settings.ts";
import { networkUrls } from "../http/connection/peer/addresses.ts";
import { createEventStreams } from "../http/connection/bodies/event-streams.ts";
import type { Middleware } from "../http/middleware.ts";
import { createKeyGate } from "../http/keys/key-gate.ts";
import { createServiceMetrics } from "../http/metrics/service-metrics.ts";
import type { Kernel } from "../kernel/feature.ts";
import { defaultGraceMs } from "../http/connection/listen.ts";
import { serve } from "../http/connection/serve.ts";
import type { AdjustableClock } from "../time/adjustable-clock.ts";
import { createKeyReader } from "../process/keys/key-file.ts";
import { possibleConnections } from "../process/open-files.ts";
import { defaultLimits, type ServerLimits } from "../http/connection/server-limits.ts";
import { openDatabase } from "../store/open-database.ts";
import { createProviderApp, type ProviderDeps } from "./create-provider-app.ts";
import { builtInMerchant, type Merchant } from "./payments/merchants/merchants.ts";
import { testApp } from "./identity/test-app.ts";
import type { SimDocs } from "./sim-docs.ts";
import { providerMigrations, type ProviderTables } from "./provider-tables.ts";

/** A listening simulator. */
export type OpenProvider = Awaited<ReturnType<typeof openProvider>>;

interface Options {
  readonly settings: Settings;
  /** The run's console token. */
  readonly consoleToken: string;
  readonly apiDocs: SimDocs;
  readonly log: Logger;
  readonly clock: AdjustableClock;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
  /** True once the service is being ended. */
  readonly isDraining?: () => boolean;
  /** Gets the built-in merchant's credentials as they are now, and after each change. */
  readonly onCredentials?: (credentials: MerchantCredentials) => void;
  /** Receives the simulator's own events. */
  readonly publish?: ProviderDeps["publish"];
  /** Other limits than the usual ones, for tests. */
  readonly limits?: Partial<ServerLimits>;
}

/** The credentials for the application server's own payments. */
export type MerchantCredentials = ReturnType<typeof credentialsOf>;
const credentialsOf = ({ appIds, mchId, apiV2Key, apiV3Key }: Merchant) => ({
  app_id: appIds[0] ?? testApp.app_id,
  mch_id: mchId,
  api_v2_key: apiV2Key,
  api_v3_key: apiV3Key,
});

/**
 * Opens the simulator's own storage and listens. It knows nothing of the application server, which only gets what this
 * function returns: the simulator's address, and the credentials that a real provider would hand out on paper.
 * @throws PortInUseError
 */
export async function openProvider({
  settings,
  consoleToken,
  apiDocs,
  log,
  clock,
  record,
  isDraining = () => false,
  onCredentials = () => undefined,
  publish = () => undefined,
  limits: changedLimits,
}: Options) {
  const { data_dir, host, provider_port: port } = settings;
  const database = await openDatabase<ProviderTables>({
    url: settings.database_url,
    schema: "hearth_provider",
    file: join(data_dir, "provider.db"),
    migrations: providerMigrations,
    durability: settings.durability,
    onCopied: (copy) => log.info({ copy }, "updated provider.db; a copy of the old file is kept"),
  });
  const limits = { ...defaultLimits, maxConnections: possibleConnections(), ...changedLimits };
  const closers: Parameters<Kernel<unknown>["atClose"]>[0][] = [() => database.close()];
  const atClose: Kernel<unknown>["atClose"] = (end) => void closers.push(end);
  /** @param graceMs how long requests in flight may go on */
  const close = async (graceMs = defaultGraceMs) => {
    for (const end of closers.toReversed()) await end(graceMs);
  };
  const credentials = credentialsOf(builtInMerchant(testApp.app_id));
  try {
    const streams = createEventStreams(limits.maxEventStreams);
    const metrics = createServiceMetrics(settings.metrics);
    metrics?.read("gauge", "hearth_event_stream_clients", "Number of open event streams.", () => [
      { value: streams.count() },
    ]);
    let ownUrl = "";
    const kernel = { settings, database, clock, log, atClose };
    const { handler, payments } = await createProviderApp(kernel, {
      keys: createKeyGate({ keys: createKeyReader(data_dir) }),
      onBuiltIn: (merchant) => onCredentials(Object.assign(credentials, credentialsOf(merchant))),
      ownUrl: () => ownUrl,
      ...{ metrics, isDraining, consoleToken, apiDocs, record, streams, publish },
    });
    const listener = await serve(handler, { host, port, limits, log });
    atClose((graceMs) => listener.close(graceMs));
    atClose(() => streams.close());
    const { url } = listener;
    ownUrl = url;
    const own = networkUrls(host, listener.port)[0] ?? url;
    let led: string | undefined;
    await payments.start({ here: url, forBuyers: () => led ?? own });
    return {
      url,
      server: listener.server,
      /** Buyers on other devices get links to this base URL from now on; undefined: to the simulator's own. */
      leadBuyersTo: (other: string | undefined) => void (led = other),
      findProblem: listener.findProblem,
      credentials: testApp,
      payments: {
        url,
        /** They change with the merchant. */
        credentials,
        /** Reads the keys of version 3. */
        keysV3: payments.readCredentials,
        /** Makes the keys at the first call. */
        keysAlipay: payments.readAlipayCredentials,
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
