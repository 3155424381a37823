/**
 * The features of the application server, made from its dependencies and connected to each other. A feature gets from
 * the others only what its port asks for.
 */
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Logger } from "pino";
import type { Settings } from "../contract/process/settings.ts";
import type { EventBus } from "../events/event-bus.ts";
import { basicCredentials } from "../http/conventions/basic-auth.ts";
import type { EventStreams } from "../http/connection/bodies/event-streams.ts";
import { createTargets } from "../http/outgoing/targets.ts";
import type { AdjustableClock } from "../time/adjustable-clock.ts";
import type { SettingOrigins } from "../process/settings/read-settings.ts";
import type { BlobStore } from "../store/blobs/blob-store.ts";
import type { Database } from "../store/database.ts";
import { createRecordStore } from "../store/records/record-store.ts";
import { createRecordTransfer } from "../store/records/record-transfer.ts";
import { createTableState } from "../store/table-state.ts";
import { stateParts, type AppTables } from "./app-tables.ts";
import type { BanList } from "./bans/ban-list.ts";
import { bansConsoleRoutes } from "./bans/bans-console-routes.ts";
import { schemasConsoleRoutes } from "./collections/schemas-console-routes.ts";
import { chatsConsoleRoutes } from "./chats/chats-console-routes.ts";
import { placesOf } from "./collections/places-of.ts";
import { openUserFiles } from "./collections/user-files.ts";
import { overviewConsoleRoutes, type ConsoleDeps } from "./console/console-api.ts";
import { namesConsoleRoute } from "./console/names-console-route.ts";
import { processConsoleRoutes, type ProcessDeps } from "./console/process-console-routes.ts";
import { createControl } from "./control/control.ts";
import { dataConsoleRoutes } from "./data-transfer/data-console-routes.ts";
import { createDataTransfer } from "./data-transfer/data-transfer.ts";
import { createEventLog } from "./event-log/event-log.ts";
import { createEventWrites } from "./event-log/event-writes.ts";
import { createEventFeed } from "./event-log/event-feed.ts";
import { eventsConsoleRoutes } from "./event-log/events-console-routes.ts";
import { openGpuEngine } from "./gpu-engine/open-gpu-engine.ts";
import { createFileEvents } from "./file-events/file-events.ts";
import type { WatchedFolders } from "./file-events/watched-folders.ts";
import { partsOfStart } from "./parts-of-start.ts";
import { createPayments, type PaymentsDeps } from "./payments/payments.ts";
import { createRecordedRequests } from "./requests/recorded-requests.ts";
import type { LanAccess } from "./lan-access/lan-access.ts";
import { lanConsoleRoutes } from "./lan-access/lan-console-routes.ts";
import type { Recording } from "./requests/recording.ts";
import { collectionsConsoleRoutes } from "./resources/collections-console-routes.ts";
import { accountRoutes, accounts, createAccountLogin } from "./resources/accounts.ts";
import { createItemNames } from "./resources/item-names.ts";
import { rulesOf } from "./resources/relations.ts";
import { secretFieldsOf } from "./resources/secret-fields.ts";
import { articles } from "./resources/articles.ts";
import { raffleDrawRoutes } from "./resources/raffle-draws.ts";
import { raffles } from "./resources/raffles.ts";
import type { ResourceDefinition } from "./resources/resource-definition.ts";
import { resourceRoutes } from "./resources/resource-routes.ts";
import { createIdentityClient, type IdentityClientOptions } from "./sessions/identity-client.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { sessionsRoutes } from "./sessions/sessions-routes.ts";
import { simulatedPeople } from "./sessions/simulated-people.ts";
import { usersConsoleRoutes } from "./sessions/users-console-routes.ts";
import { createUserAdministration } from "./sessions/user-administration.ts";
import { createUserProfile } from "./sessions/user-profile.ts";
import { settingsConsoleRoutes } from "./settings/settings-console-routes.ts";
import { openStorage } from "./storage/open-storage.ts";
import { checkInBackground } from "./uploads/check-in-background.ts";
import { avatarPages } from "./uploads/avatar-pages.ts";
import { storedFilesRoutes } from "./uploads/stored-files-routes.ts";
import { uploadsConsoleRoutes } from "./uploads/uploads-console-routes.ts";
import { uploadsRoutes } from "./uploads/uploads-routes.ts";
import type { Reconciled } from "./uploads/reconcile-uploads.ts";
import { createUploadContents } from "./uploads/upload-contents.ts";
import { createUploads } from "./uploads/uploads-service.ts";

export interface FeatureDeps {
  /** The run's console token. */
  readonly consoleToken: string;
  readonly settings: Settings;
  readonly origins: SettingOrigins;
  readonly database: Database<AppTables>;
  readonly recording: Recording;
  readonly blobs: BlobStore;
  /** The result of reconciling the uploads at the start; without it they are checked in the background. */
  readonly reconciled: Reconciled | undefined;
  readonly bus: EventBus;
  readonly log: Logger;
  readonly identity: IdentityClientOptions;
  readonly payments: Pick<PaymentsDeps, "provider" | "createSettle" | "notificationPatienceMs">;
  readonly console: Pick<
    ConsoleDeps,
    "version" | "command" | "services" | "requestRestart" | "addresses" | "lanAddresses" | "damage"
  > &
    ProcessDeps;
  readonly bans: BanList;
  readonly lanAccess: LanAccess;
  readonly watchedFolders: WatchedFolders;
  readonly clock: AdjustableClock;
  readonly streams: EventStreams;
  /** Registers work for after the listener has closed and before the stores do. */
  readonly atClose: (close: () => Promise<void> | void) => void;
}

export function createFeatures(deps: FeatureDeps) {
  const { settings, blobs, bus, log, identity, streams } = deps;
  const { db, reads, writes, instances } = deps.database;
  const { now } = deps.clock;
  const onError = (error: unknown) => log.error({ err: error }, "the log of events cannot be written");
  const events = createEventLog({ db, writes, now, onError });
  const eventWrites = createEventWrites({ db, writes, instances, events, bus, onError });

  const shared = { db, writes: eventWrites, log, now };
  const sessions = createSessionStore({ ...shared, reads, ttlSeconds: settings.session_ttl_seconds });
  const identityClient = createIdentityClient(identity, now);
  const profile = createUserProfile({ ...shared, identity: identityClient, appId: identity.appId });
  const contents = createUploadContents({ db, instances, blobs, bus, log, reconciled: deps.reconciled });
  if (!deps.reconciled) deps.atClose(checkInBackground(contents, log));
  const uploads = createUploads({ db, blobs, contents, writes: eventWrites, now });
  const fileEvents = createFileEvents({ db, writes: eventWrites, watchedFolders: deps.watchedFolders, now });
  const payments = createPayments({
    ...deps.payments,
    ...deps.database,
    ...shared,
    openidOf: (userId) => sessions.openidOf(userId),
    bus,
    clock: deps.clock,
  });
  deps.atClose(() => payments.close());
  const records = createRecordStore({ db, reads, writes: eventWrites, now });
  const accountLogin = createAccountLogin(records);
  const basicUser = async (req: IncomingMessage) => {
    const credentials = basicCredentials(req);
    return credentials && (await accountLogin(credentials)).ownerId;
  };
  const builtIn = [articles, raffles, accounts];
  const isBuiltIn = (name: string) => builtIn.some((definition) => definition.name === name);
  const definitions = (): readonly ResourceDefinition[] => [...builtIn, ...userFiles.definitions()];
  const routesOf = (definition: ResourceDefinition) => resourceRoutes(definition, { records, definitions });
  const routes = [
    ...sessionsRoutes({
      store: sessions,
      profile,
      identity: identityClient,
      ...(settings.basic_auth && { basicUser }),
    }),
    ...(settings.basic_auth ? accountRoutes(accountLogin) : []),
    ...builtIn.flatMap(routesOf),
    ...raffleDrawRoutes({ records, now, drawMs: settings.raffle_draw_ms, wait: setTimeout, instances }),
    ...storedFilesRoutes(uploads),
    ...uploadsRoutes({ uploads, bus, maxBytes: settings.MaxSizeOfSigleFile_MB * 1_048_576 }),
    ...avatarPages(uploads),
    ...payments.routes,
    ...fileEvents.routes,
  ];

  const transfer = createRecordTransfer(db, now, eventWrites.transact);
  const userFiles = openUserFiles({
    ...placesOf(settings, deps.origins),
    builtIn: routes.map(({ spec }) => spec),
    routesOf,
    transfer,
    chances: { random: Math.random, wait: (ms) => setTimeout(ms, undefined, { ref: false }) },
    schemaDeadlineMs: settings.foreign_deadline_ms,
    bus,
    log,
  });
  deps.atClose(() => userFiles.close());

  deps.recording.protectFields(secretFieldsOf(definitions));
  const feed = createEventFeed({
    log: events,
    onOthersEvents: (listen) => instances?.subscribe("write", listen),
    onActivity: (listen) => void deps.recording.recorder.onChange(listen),
    onError: (error) => log.error({ err: error }, "stored events cannot be read"),
  });
  const recorded = createRecordedRequests({
    recording: deps.recording,
    streams,
    version: deps.console.version,
    patternDeadlineMs: settings.foreign_deadline_ms,
    userOfSession: (sessionId) => sessions.userOf(sessionId),
    beginSession: (userId) => sessions.createForKnown(userId),
    baseUrl: (service) => deps.console.addresses()[service],
    consoleToken: deps.consoleToken,
  });
  const control = createControl({
    clock: deps.clock,
    tables: createTableState(db, eventWrites.transact),
    parts: stateParts,
    blobs,
    contents,
    requests: recorded,
    bans: deps.bans,
    refill: userFiles.refill,
    fixturesFolder: join(settings.data_dir, "fixtures"),
    providerUrl: () => deps.console.addresses().provider,
  });

  const consoleDeps: ConsoleDeps = {
    ...deps.console,
    dataDir: settings.data_dir,
    waitingDevices: () => deps.lanAccess.waiting(),
    now,
  };
  const users = createUserAdministration({
    db,
    writes: eventWrites,
    policy: { requireUserinfo: settings.require_userinfo, phoneIsIdentity: settings.phone_is_identity },
    people: simulatedPeople(() => deps.console.addresses().provider),
    now,
  });
  const dataTransfer = createDataTransfer({ transfer, definitions, uploads, now, inTurn: userFiles.inTurn });
  const consoleRoutes = [
    ...overviewConsoleRoutes(consoleDeps),
    ...processConsoleRoutes(deps.console),
    ...eventsConsoleRoutes(events, streams, feed),
    namesConsoleRoute({
      users: (ids) => users.names(ids),
      orders: (ids) => payments.descriptions(ids),
      items: createItemNames({ definitions, records }),
    }),
    ...bansConsoleRoutes(deps.bans),
    ...chatsConsoleRoutes(db, now),
    ...lanConsoleRoutes(deps.lanAccess),
    ...usersConsoleRoutes(users),
    ...uploadsConsoleRoutes(uploads, contents),
    ...fileEvents.consoleRoutes,
    ...payments.consoleRoutes,
    ...collectionsConsoleRoutes({ definitions, isBuiltIn, records, bus, instances }),
    ...schemasConsoleRoutes({
      files: userFiles,
      transfer,
      rulesOf: (definition) => rulesOf(definition, definitions),
      exportOne: (collection) => dataTransfer.exportOne(collection),
      removedFolder: join(settings.data_dir, "collections", "removed"),
      now,
    }),
    ...dataConsoleRoutes(dataTransfer),
    ...settingsConsoleRoutes({
      settings,
      partsOfStart,
      origins: deps.origins,
      targets: createTargets(settings.allowed_targets),
      requestRestart: deps.console.requestRestart,
    }),
    ...openGpuEngine({ settings, requestRestart: deps.console.requestRestart, log, atClose: deps.atClose }),
    ...openStorage({ dataDir: settings.data_dir, blobs, contents, log, atClose: deps.atClose }),
    ...recorded.consoleRoutes,
    ...control.consoleRoutes,
  ];

  return {
    sessions,
    /** The operations of the API, without those that users define, because these change at run time. */
    routes,
    userFiles,
    /** The operations of the console's own API. */
    consoleRoutes,
    recordRequests: deps.recording.middleware("app"),
    injectFaults: control.inject,
  };
}
