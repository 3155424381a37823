/** Composition root of the application server: dependencies in, Express app out. The one file that imports every feature. */
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Express, Request } from "express";
import { type Kysely } from "kysely";
import type { Logger } from "pino";
import type { Settings } from "../contract/settings.ts";
import type { EventBus } from "../events/event-bus.ts";
import { localControl } from "../http/allowed-hosts.ts";
import { basicCredentials } from "../http/basic-auth.ts";
import { cors } from "../http/cors.ts";
import { errorHandler } from "../http/error-handler.ts";
import { notFound } from "../http/http-error.ts";
import { serveRoutes } from "../http/serve-routes.ts";
import { maintenance, overload } from "../http/not-ready.ts";
import { normalizeQuery } from "../http/normalize-query.ts";
import { createRouteTable } from "../http/route-table.ts";
import { createServiceApp } from "../http/service-app.ts";
import type { AdjustableClock } from "../process/adjustable-clock.ts";
import type { BlobStore } from "../store/blob-store.ts";
import type { PreparedReads } from "../store/prepared-reads.ts";
import type { RequestStore } from "../store/request-store.ts";
import { createRecordStore } from "../store/record-store.ts";
import { createRecordTransfer } from "../store/record-transfer.ts";
import { createTableState } from "../store/table-state.ts";
import { apiDocsRouter } from "./api-docs/api-docs-router.ts";
import { stateParts, type AppTables } from "./app-tables.ts";
import { appIntroduction, appTags, consoleIntroduction, consoleTags } from "./api-docs/api-texts.ts";
import { createDocumentation, type BuildConfiguration } from "./api-docs/documentation-file.ts";
import type { BanList } from "./bans/ban-list.ts";
import { openUserFiles } from "./collections/user-files.ts";
import { createConsoleAccess } from "./console/console-access.ts";
import { consoleApi, consoleRoutes, type ConsoleDeps } from "./console/console-api.ts";
import { consolePage } from "./console/console-page.ts";
import { dataRoutes } from "./data-transfer/data-routes.ts";
import { createDataTransfer } from "./data-transfer/data-transfer.ts";
import { createControl } from "./control/control.ts";
import { createEventLog } from "./event-log/event-log.ts";
import { streamEvents } from "./event-log/event-stream.ts";
import { createFileEvents } from "./file-events/file-events.ts";
import type { WatchedFolders } from "./file-events/watched-folders.ts";
import { createRecordedRequests } from "./requests/recorded-requests.ts";
import { accountRoutes, accounts, createAccountLogin } from "./resources/accounts.ts";
import { articles } from "./resources/articles.ts";
import { raffleDrawRoutes } from "./resources/raffle-draws.ts";
import { raffles } from "./resources/raffles.ts";
import { resourceRoutes } from "./resources/resource-routes.ts";
import { createIdentityClient, type IdentityClientOptions } from "./sessions/identity-client.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { sessionsRoutes } from "./sessions/sessions-routes.ts";
import { createUserProfile } from "./sessions/user-profile.ts";
import { avatarPages } from "./uploads/avatar-pages.ts";
import { storedFilesRoutes } from "./uploads/stored-files-routes.ts";
import { uploadsRoutes } from "./uploads/uploads-routes.ts";
import { createUploads } from "./uploads/uploads-service.ts";

export interface AppDeps {
  readonly settings: Settings;
  readonly db: Kysely<AppTables>;
  readonly reads: PreparedReads;
  readonly requests: RequestStore;
  readonly blobs: BlobStore;
  readonly bus: EventBus;
  readonly log: Logger;
  readonly identity: IdentityClientOptions;
  /** The run's console token. */
  readonly consoleToken: string;
  /** Folder of the built console page. */
  readonly consoleFolder: string;
  /** Folder of the built reference client. */
  readonly clientFolder: string;
  readonly console: Pick<ConsoleDeps, "version" | "services" | "requestRestart" | "addresses">;
  readonly bans: BanList;
  readonly watchedFolders: WatchedFolders;
  /** Folder of the documentation files, and the build configuration that runs. */
  readonly apiDocs: { readonly folder: string; readonly configuration: BuildConfiguration };
  /** How late the event loop is. */
  readonly lagMs: () => number;
  readonly clock: AdjustableClock;
  /** Takes what is to be done when the listener has closed and before the stores do. */
  readonly atClose: (close: () => Promise<void> | void) => void;
}

/** A turn of the event loop that takes this long means that requests wait for seconds. */
const maxLagMs = 1000;

/** The first is right wherever the description was read from; the second for a file that was saved. */
const serversOf = (app: string) => [
  { url: "/", description: "The server that this description came from." },
  ...(app === "" ? [] : [{ url: app, description: "Its own address." }]),
];

export function createApp(deps: AppDeps): Express {
  const { settings, db, reads, blobs, bus, log, identity } = deps;
  const { now } = deps.clock;
  const events = createEventLog(db, now);
  bus.subscribe((message) => {
    events.append(message).catch((error: unknown) => log.error({ err: error }, "an event could not be stored"));
  });

  const style = { indent: settings.json_indent, relaxed: settings.json_relaxed };
  const policy = { requireUserinfo: settings.require_userinfo, phoneIsIdentity: settings.phone_is_identity };
  const sessions = createSessionStore({ db, reads, ttlSeconds: settings.session_ttl_seconds, now });
  const identityClient = createIdentityClient(identity, now);
  const profile = createUserProfile({ db, identity: identityClient, appId: identity.appId, now });
  const uploads = createUploads({ db, blobs, bus, now });
  const fileEvents = createFileEvents({ db, bus, watchedFolders: deps.watchedFolders, now });
  const records = createRecordStore(db, reads, now);
  const accountLogin = createAccountLogin(records);
  const basicUser = async (req: Request) => {
    const credentials = basicCredentials(req);
    return credentials && (await accountLogin(credentials)).ownerId;
  };
  const builtIn = [articles, raffles, accounts];
  const routes = [
    ...sessionsRoutes({
      store: sessions,
      profile,
      identity: identityClient,
      bus,
      ...(settings.basic_auth && { basicUser }),
    }),
    ...(settings.basic_auth ? accountRoutes(accountLogin) : []),
    ...builtIn.flatMap((definition) => resourceRoutes(definition, { records, bus })),
    ...raffleDrawRoutes({ records, bus, now, drawMs: settings.raffle_draw_ms, wait: setTimeout }),
    ...storedFilesRoutes(uploads),
    ...uploadsRoutes({ uploads, bus, maxBytes: settings.MaxSizeOfSigleFile_MB * 1_048_576 }),
    ...avatarPages(uploads),
    ...fileEvents.routes,
  ];

  const transfer = createRecordTransfer(db, now);
  const userFiles = openUserFiles({
    places: {
      folder: settings.collections_dir ?? join(settings.data_dir, "collections"),
      file: settings.routes_file ?? join(settings.data_dir, "routes.json"),
    },
    builtIn: routes.map(({ spec }) => spec),
    routesOf: (definition) => resourceRoutes(definition, { records, bus }),
    transfer,
    chances: { random: Math.random, wait: (ms) => setTimeout(ms, undefined, { ref: false }) },
    bus,
    log,
  });
  deps.atClose(() => userFiles.close());
  const definitions = () => [...builtIn, ...userFiles.definitions()];

  const recorded = createRecordedRequests({
    settings,
    store: deps.requests,
    log,
    version: deps.console.version,
    secretFields: () => definitions().flatMap(({ secretFields }) => secretFields),
    beginSession: (userId) => sessions.createForKnown(userId),
    baseUrl: () => deps.console.addresses().app,
    now,
  });
  deps.atClose(recorded.flush);
  const control = createControl({
    clock: deps.clock,
    tables: createTableState(db),
    parts: stateParts,
    blobs,
    uploads,
    requests: recorded,
    bans: deps.bans,
    refill: userFiles.refill,
    fixturesFolder: join(settings.data_dir, "fixtures"),
    providerUrl: () => deps.console.addresses().provider,
    bus,
  });

  const app = createServiceApp({ host: settings.host, log, record: recorded.middleware });
  app.use(normalizeQuery(settings.query_normalization));

  const access = createConsoleAccess(deps.consoleToken);
  app.use("/console", localControl);
  app.use("/console/api", access.require);
  const consoleDeps: ConsoleDeps = {
    ...deps.console,
    dataDir: settings.data_dir,
    bans: deps.bans,
    events: { ...events, stream: (req, res) => streamEvents(req, res, events) },
    uploads,
    now,
  };
  const dataTransfer = createDataTransfer({ transfer, collections: definitions, uploads, bus, now });
  const controlRoutes = [
    ...consoleRoutes(consoleDeps),
    ...fileEvents.controlRoutes,
    ...dataRoutes(dataTransfer),
    ...recorded.routes,
    ...control.routes,
  ];
  const controlSpecs = controlRoutes.map(({ spec }) => spec);
  const documentation = createDocumentation(deps.apiDocs.folder, deps.apiDocs.configuration);
  const described = {
    version: `v1 (${deps.console.version})`,
    basicAuth: settings.basic_auth,
    redirect: settings.query_normalization === "off" ? undefined : Number(settings.query_normalization),
  };
  app.use(
    apiDocsRouter({
      page: "/console/api/docs",
      document: "/console/api/openapi.json",
      documentation,
      log,
      api: () => ({
        ...described,
        title: "Hearth console",
        enumAsText: true,
        introduction: consoleIntroduction,
        tags: consoleTags,
        servers: serversOf(deps.console.addresses().app),
        specs: controlSpecs,
      }),
    }),
  );
  app.use(consoleApi(controlRoutes, consoleDeps));
  app.use("/console/api", (req) => {
    throw notFound(`There is nothing at ${req.baseUrl}${req.path}.`);
  });
  app.use("/console", consolePage({ folder: deps.consoleFolder, clientFolder: deps.clientFolder }, access));

  const specs = routes.map(({ spec }) => spec);
  app.use(
    apiDocsRouter({
      page: "/swagger",
      document: "/swagger/docs/v1",
      documentation,
      log,
      api: () => ({
        ...described,
        title: "Hearth application server",
        enumAsText: settings.enum_as_text,
        introduction: appIntroduction,
        tags: appTags,
        servers: serversOf(deps.console.addresses().app),
        specs: [...specs, ...userFiles.specs()],
      }),
    }),
  );
  const table = createRouteTable(routes);
  const guards = [
    cors(settings.cors_origins),
    deps.bans.refuse,
    maintenance(() => settings.maintenance),
    overload(deps.lagMs, maxLagMs),
  ];
  const conventions = { sessions, policy, style, now, enumIndexes: !settings.enum_as_text };
  app.use("/api", ...guards);
  app.use(control.inject);
  app.use(serveRoutes(() => table, conventions));
  app.get("/", (_req, res) => res.redirect(302, "/console/"));
  // What users have defined: below /api and elsewhere. It may still be loading when the first request comes.
  app.use(async (_req, _res, next) => {
    await userFiles.opened;
    next();
  });
  app.use(...guards, serveRoutes(userFiles.table, conventions));
  app.use((req) => {
    throw notFound(`There is nothing at ${req.path}.`);
  });
  app.use(errorHandler(log, style));
  return app;
}
