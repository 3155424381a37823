/** Composition root of the application server: dependencies in, handler of requests out. */
import type { RequestListener } from "node:http";
import type { Express, Router } from "express";
import { guardControl } from "../http/conventions/control.ts";
import { cors } from "../http/conventions/cors.ts";
import { errorHandler, refuseBy } from "../http/conventions/error-handler.ts";
import { notFound } from "../http/http-error.ts";
import { inOrder, pathOf, type Middleware } from "../http/middleware.ts";
import { normalizeQuery } from "../http/conventions/normalize-query.ts";
import { maintenance, overload } from "../http/conventions/not-ready.ts";
import { createRouteTable } from "../http/route-table.ts";
import { serveRoutes } from "../http/serve-routes.ts";
import { bareExpress, serviceSteps } from "../http/service-app.ts";
import { apiDocsRouter } from "./api-docs/api-docs-router.ts";
import { appIntroduction, appTags, consoleIntroduction, consoleTags } from "./api-docs/api-texts.ts";
import { createDocumentation, type BuildConfiguration } from "./api-docs/documentation-file.ts";
import { createConsoleAccess, type ConsoleAccess } from "./console/console-access.ts";
import { consoleApi, serveConsoleRoutes } from "./console/console-api.ts";
import { consolePage } from "./console/console-page.ts";
import { createFeatures, type FeatureDeps } from "./create-features.ts";

export interface AppDeps extends FeatureDeps {
  /** The run's own key, by which its console knows browsers again. */
  readonly consoleSessionKey: string;
  /** Folder of the built console page. */
  readonly consoleFolder: string;
  /** Folder of the built reference client. */
  readonly clientFolder: string;
  /** Folder of the documentation files, and the build configuration that runs. */
  readonly apiDocs: { readonly folder: string; readonly configuration: BuildConfiguration };
  /** How late the event loop is. */
  readonly lagMs: () => number;
}

/** A turn of the event loop that takes this long means that requests wait for seconds. */
const maxLagMs = 1000;

/** The first is right wherever the description was read from; the second for a file that was saved. */
const serversOf = (app: string) => [
  { url: "/", description: "The server that this description came from." },
  ...(app === "" ? [] : [{ url: app, description: "Its own address." }]),
];

export function createApp(deps: AppDeps): RequestListener {
  const { settings, log } = deps;
  const { now } = deps.clock;
  const features = createFeatures(deps);
  const style = { indent: settings.json_indent, relaxed: settings.json_relaxed };
  const policy = { requireUserinfo: settings.require_userinfo, phoneIsIdentity: settings.phone_is_identity };
  const conventions = { sessions: features.sessions, policy, style, now, enumIndexes: !settings.enum_as_text };
  const guards = [
    cors(settings.cors_origins),
    deps.bans.refuse,
    maintenance(() => settings.maintenance),
    overload(deps.lagMs, maxLagMs),
  ];

  const refuse = refuseBy(log, style);
  const app = bareExpress();
  const access = createConsoleAccess(deps.consoleToken, {
    sessionKey: deps.consoleSessionKey,
    appUrl: () => deps.console.addresses().app,
  });
  const docs = describeApis(deps, features, access);
  mountConsole(app, deps, features, { access, docs: docs.console });
  app.use(docs.app);
  app.get("/", (_req, res) => res.redirect(302, "/console/"));
  // What users have defined: below /api and elsewhere. It may still be loading when the first request comes.
  app.use(async (_req, _res, next) => {
    await features.userFiles.opened;
    next();
  });
  app.use(...guards.map(where(outsideApi)), serveRoutes(features.userFiles.table, conventions));
  app.use((req) => {
    throw notFound(`There is nothing at ${req.path}.`);
  });
  app.use(errorHandler(log, style));

  // What is called most comes before Express, whose layers cost each call that passes them.
  const table = createRouteTable(features.routes);
  return inOrder(
    [
      ...serviceSteps({
        hosts: { allowed: settings.allowed_hosts },
        log,
        record: features.recordRequests,
        guard: where(isConsole)(guardControl({ isPage: (path) => !isConsoleApi(path) })),
      }),
      normalizeQuery(settings.query_normalization),
      ...guards.map(where(isApi)),
      where(outsideConsole)(features.injectFaults),
      serveRoutes(() => table, conventions),
      (req, res) => void app(req, res),
    ],
    refuse,
  );
}

const isApi = (path: string) => /^\/api(?:\/|$)/i.test(path);
const outsideApi = (path: string) => !isApi(path);
const isConsole = (path: string) => /^\/console(?:\/|$)/i.test(path);
/** The pages and their files hold nothing of a run: who has no token gets in to sign in. The API asks everybody for one. */
const isConsoleApi = (path: string) => /^\/console\/api(?:\/|$)/i.test(path);
/** A fault that hit the console could not be taken back. */
const outsideConsole = (path: string) => !isConsole(path);

/** The step for some paths, that others pass by. */
const where =
  (fits: (path: string) => boolean) =>
  (step: Middleware): Middleware =>
  (req, res, next) =>
    fits(pathOf(req)) ? step(req, res, next) : next();

type Features = ReturnType<typeof createFeatures>;

function mountConsole(
  app: Express,
  deps: AppDeps,
  { consoleRoutes }: Features,
  { access, docs }: { access: ConsoleAccess; docs: Router },
): void {
  const { now } = deps.clock;
  app.use(serveConsoleRoutes([access.loginRoute], now));
  app.use("/console/api/docs", access.admit);
  app.use("/console/api", access.require);
  app.use(docs, consoleApi([access.codesRoute, ...consoleRoutes], { ...deps, addresses: deps.console.addresses, now }));
  app.use("/console/api", (req) => {
    throw notFound(`There is nothing at ${req.baseUrl}${req.path}.`);
  });
  app.use(
    "/console",
    consolePage({ folder: deps.consoleFolder, clientFolder: deps.clientFolder, command: deps.console.command }, access),
  );
}

/** The descriptions of the API and of the console's own, each with its page. */
function describeApis(
  { settings, log, apiDocs, console }: AppDeps,
  { routes, consoleRoutes, userFiles }: Features,
  access: ConsoleAccess,
) {
  const documentation = createDocumentation(apiDocs.folder, apiDocs.configuration);
  const specs = routes.map(({ spec }) => spec);
  const consoleSpecs = [access.loginRoute, access.codesRoute, ...consoleRoutes].map(({ spec }) => spec);
  const shared = () => ({
    version: `v1 (${console.version})`,
    basicAuth: settings.basic_auth,
    redirect: settings.query_normalization === "off" ? undefined : Number(settings.query_normalization),
    servers: serversOf(console.addresses().app),
  });
  return {
    app: apiDocsRouter({
      page: "/swagger",
      document: "/swagger/docs/v1",
      documentation,
      log,
      api: () => ({
        ...shared(),
        title: "Hearth application server",
        enumAsText: settings.enum_as_text,
        introduction: appIntroduction,
        tags: appTags,
        specs: [...specs, ...userFiles.specs()],
      }),
    }),
    console: apiDocsRouter({
      page: "/console/api/docs",
      document: "/console/api/openapi.json",
      documentation,
      log,
      api: () => ({
        ...shared(),
        title: "Hearth console",
        enumAsText: true,
        introduction: consoleIntroduction,
        tags: consoleTags,
        specs: consoleSpecs,
      }),
    }),
  };
}
