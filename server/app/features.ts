/** The features of the application server, and the ports that they hand each other. */
import { appMigrations } from "./app-migrations.ts";
import type { Settings } from "../contract/process/settings.ts";
import type { EventStreams } from "../http/connection/bodies/event-streams.ts";
import type { EventKernel, Feature, Opened } from "../kernel/feature.ts";
import type { SettingOrigins } from "../process/settings/read-settings.ts";
import { bansFeature } from "./bans/feature.ts";
import { chatsFeature } from "./chats/feature.ts";
import { checkDatabaseSetting } from "./check-database.ts";
import { collectionsFeature } from "./collections/feature.ts";
import { placesOf } from "./collections/places-of.ts";
import type { UserFiles } from "./collections/user-files.ts";
import { codeRoutesFeature } from "./code-routes/feature.ts";
import { consoleFeature } from "./console/feature.ts";
import type { ConsoleDeps } from "./console/console-api.ts";
import type { ControlDeps } from "./control/control.ts";
import { controlFeature } from "./control/feature.ts";
import { dataTransferFeature } from "./data-transfer/feature.ts";
import type { EventLog } from "./event-log/event-log.ts";
import { eventLogFeature } from "./event-log/feature.ts";
import { fileEventsFeature } from "./file-events/feature.ts";
import { gpuEngineFeature } from "./gpu-engine/feature.ts";
import { importedFeature } from "./imported/feature.ts";
import { lanAccessFeature } from "./lan-access/feature.ts";
import { paymentsFeature, type PaymentTestDoubles } from "./payments/feature.ts";
import type { Recording } from "./requests/recording.ts";
import { requestsFeature } from "./requests/feature.ts";
import { resourcesFeature } from "./resources/feature.ts";
import { sessionsFeature } from "./sessions/feature.ts";
import { settingsFeature } from "./settings/feature.ts";
import { storageFeature } from "./storage/feature.ts";
import { uploadsFeature } from "./uploads/feature.ts";

/** All features. Tables to which others refer come first; parts of the state are answered in this order. */
const features = [
  sessionsFeature,
  resourcesFeature,
  uploadsFeature,
  fileEventsFeature,
  paymentsFeature,
  collectionsFeature,
  codeRoutesFeature,
  importedFeature,
  consoleFeature,
  settingsFeature,
  gpuEngineFeature,
  storageFeature,
  eventLogFeature,
  chatsFeature,
  lanAccessFeature,
  bansFeature,
  dataTransferFeature,
  controlFeature,
  requestsFeature,
] as const;

type Kernels = Parameters<(typeof features)[number]["open"]>[0];
type TablesOf<K> = K extends EventKernel<infer Tables> ? (tables: Tables) => void : never;
/** The tables of all features. */
export type AppTables = TablesOf<Kernels> extends (tables: infer All) => void ? All : never;

type Described = Pick<Feature<never, never, unknown>, "stateParts" | "startChecks" | "tags" | "consoleTags">;
const merged = <Name extends keyof Described>(name: Name): NonNullable<Described[Name]> =>
  Object.assign({}, ...features.map((feature: Described) => feature[name])) as NonNullable<Described[Name]>;

export const appTags = merged("tags");
export const consoleTags = merged("consoleTags");

const partsOfStart = {
  ...merged("startChecks"),
  database_: (settings: Settings) => checkDatabaseSetting(settings, Object.keys(appMigrations)),
};

type PortsOf<OneFeature> = OneFeature extends Feature<never, infer Ports, unknown> ? Ports : never;
type LanPorts = PortsOf<typeof lanAccessFeature>;

/** Parts of the run that features need and none of them owns. */
export interface FeatureDeps {
  /** The run's console token. */
  readonly consoleToken: string;
  readonly origins: SettingOrigins;
  readonly recording: Recording;
  readonly events: EventLog;
  readonly streams: EventStreams;
  /** This server's own address; empty until it listens. */
  readonly appUrl: () => string;
  readonly simulator: Promise<
    PortsOf<typeof sessionsFeature>["simulator"] & { readonly payments: PortsOf<typeof paymentsFeature>["simulator"] }
  >;
  readonly payments: PaymentTestDoubles;
  readonly watching: Omit<PortsOf<typeof fileEventsFeature>, "appUrl">;
  readonly lan: Pick<LanPorts, "app" | "onProviderUrl" | "interfaces" | "openHttps" | "limits">;
  readonly console: Omit<ConsoleDeps, "dataDir" | "waitingDevices"> & { readonly modelUrl: () => string | undefined };
}

/** Opens all features. The routes of users' files come with `userFiles`, because they change at run time. */
export async function openFeatures(kernel: EventKernel<AppTables>, deps: FeatureDeps) {
  const { consoleToken, origins, recording, streams, appUrl } = deps;
  const { addresses, requestRestart, services, modelUrl, version } = deps.console;
  const opened: Opened<unknown>[] = [];
  async function open<Ports, Port>(feature: Feature<EventKernel<AppTables>, Ports, Port>, ports: Ports): Promise<Port> {
    const one = await feature.open(kernel, ports);
    opened.push(one);
    return one.port;
  }
  const routes = () => opened.flatMap((one) => one.routes ?? []);

  const { uploads, contents, blobs } = await open(uploadsFeature, {});
  const simulator = await deps.simulator;
  const sessions = await open(sessionsFeature, { simulator, basicUser: (req) => resources.basicUser(req) });
  const resources = await open(resourcesFeature, { userDefinitions: () => userFiles.definitions() });
  const { definitions, transfer } = resources;
  await open(paymentsFeature, {
    simulator: simulator.payments,
    ownUrl: appUrl,
    openidOf: (userId) => sessions.store.openidOf(userId),
    isConsole: (openid) => sessions.internal.isConsole(openid),
    doubles: deps.payments,
  });
  await open(fileEventsFeature, { ...deps.watching, appUrl });
  const userFiles: UserFiles = await open(collectionsFeature, {
    ...resources,
    origins,
    builtIn: routes().map(({ spec }) => spec),
    exportOne: (collection) => dataTransfer.exportOne(collection),
  });
  const codeRoutes = await open(codeRoutesFeature, {
    builtIn: routes(),
    access: resources.access,
    personOf: (userId) => sessions.store.personOf(userId),
  });
  const { places, bounds } = placesOf(kernel.settings, origins);
  const imported = await open(importedFeature, {
    collectionsFolder: places.folder,
    bounds: bounds.folder?.slice(0, 1),
    builtIn: routes().map(({ spec }) => spec),
    loadGenerator: async () => (await import("./collections/rows/generate-example.ts")).generateExample,
  });
  const dataTransfer = await open(dataTransferFeature, { transfer, definitions, uploads, inTurn: userFiles.inTurn });
  const bans = await open(bansFeature, {});
  await open(chatsFeature, {});
  const onActivity = (listen: () => void) => void recording.recorder.onChange(listen);
  await open(eventLogFeature, { events: deps.events, streams, onActivity });
  const lanAccess = await open(lanAccessFeature, {
    ...deps.lan,
    providerUrl: simulator.url,
    modelUrl,
    services,
    consoleToken,
  });
  const requests = await open(requestsFeature, {
    recording,
    streams,
    version,
    secretFields: resources.secretFields,
    userOfSession: (sessionId) => sessions.store.userOf(sessionId),
    beginSession: (userId) => sessions.store.createForKnown(userId),
    baseUrl: (service) => addresses()[service],
    consoleToken,
  });
  const control = await open(controlFeature, {
    parts: merged("stateParts") as ControlDeps["parts"],
    blobs,
    contents,
    requests,
    bans,
    refill: () => userFiles.refill(),
    providerUrl: () => simulator.url,
  });
  await open(settingsFeature, { origins, partsOfStart, requestRestart });
  await open(gpuEngineFeature, { requestRestart });
  await open(storageFeature, { blobs, contents });
  const browsers = await open(consoleFeature, {
    ...deps.console,
    waitingDevices: () => lanAccess.waiting(),
    sessions: sessions.store,
    userNames: sessions.names,
  });
  return {
    sessions: sessions.store,
    userFiles,
    codeRoutes,
    imported,
    lanAccess,
    browsers,
    refuseBanned: bans.refuse,
    injectFaults: control.inject,
    routes: routes(),
    consoleRoutes: opened.flatMap((one) => one.consoleRoutes ?? []),
    /** Call it once the server listens. */
    start: () => opened.forEach((one) => one.start?.()),
  };
}
export type Features = Awaited<ReturnType<typeof openFeatures>>;
