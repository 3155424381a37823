/** Composition root of the application server: dependencies in, handler of requests out. */
import type { RequestListener } from "node:http";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { compress } from "../http/conventions/compress.ts";
import { admitBy, guardControl } from "../http/conventions/control.ts";
import { cors, refuseOtherPages } from "../http/conventions/cors.ts";
import { refuseBy } from "../http/conventions/error-handler.ts";
import { health, isProbe } from "../http/conventions/health.ts";
import { normalizeQuery } from "../http/conventions/normalize-query.ts";
import { maintenance, overload } from "../http/conventions/not-ready.ts";
import { redirect } from "../http/conventions/redirect.ts";
import { notFound } from "../http/http-error.ts";
import { createKeyGate } from "../http/keys/key-gate.ts";
import { inLanguageOf } from "../http/messages/in-language.ts";
import { createServiceMetrics, metricsSteps } from "../http/metrics/service-metrics.ts";
import { loadWhenAsked } from "../http/load-when-asked.ts";
import { pathOf, type Middleware } from "../http/middleware.ts";
import { createApiDocs } from "../http/openapi/api-docs.ts";
import { createDocumentation, type DocumentationSource } from "../http/openapi/documentation-file.ts";
import { below, isBelow, pipeline, where } from "../http/pipeline.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import { createRouteTable } from "../http/route-table.ts";
import { serveRoutes } from "../http/serve-routes.ts";
import { createNameCheck } from "../http/unknown-names.ts";
import { createKeyReader } from "../process/keys/key-file.ts";
import { addAppMetrics } from "./app-metrics.ts";
import { appIntroduction, appTags, consoleIntroduction, consoleTags } from "./api-texts.ts";
import { createConsoleAccess, type ConsoleAccess } from "./console/console-access.ts";
import { serveConsoleRoutes, throughConsole } from "./console/console-api.ts";
import { withPagePolicy } from "./console/page-policy.ts";
import { createFeatures, type FeatureDeps } from "./create-features.ts";
import { descriptionPath, refusalForms } from "./refusal-forms.ts";

export interface AppDeps extends FeatureDeps {
  /** The run's key, which signs the browser sessions of its console. */
  readonly consoleSessionKey: string;
  /** Folder of the built console page. */
  readonly consoleFolder: string;
  /** Folder of the built reference client. */
  readonly clientFolder: string;
  readonly apiDocs: DocumentationSource;
  /** The current delay of the event loop. */
  readonly lagMs: () => number;
  /** True once the service is being ended. */
  readonly isDraining: () => boolean;
}

/** Above this delay of the event loop, requests wait for seconds. */
const maxLagMs = 1000;

/** The relative address fits every server that sends the description; the absolute one fits a saved copy of it. */
const serversOf = (app: string) => [
  { url: "/", description: "The server that this description came from." },
  ...(app === "" ? [] : [{ url: app, description: "Its own address." }]),
];

/** Pages that people open in a browser. They are no part of the API, and its refusals do not apply to them. */
const isPage = (path: string) =>
  path === "/" || ["/console", "/swagger", "/avatars"].some((root) => isBelow(root, path));

/** Where watchers and the payment platform send messages without a login. The test keys that sign these are public. */
const isReceiver = (path: string) =>
  ["/api/inotify", "/api/payments/notifications", "/api/payments/refund-notifications"].some((root) =>
    isBelow(root, path),
  );

export function createApp(deps: AppDeps): RequestListener {
  const { settings, log } = deps;
  const { now } = deps.clock;
  const features = createFeatures(deps);
  const style = { indent: settings.json_indent, relaxed: settings.json_relaxed };
  const policy = { requireUserinfo: settings.require_userinfo, phoneIsIdentity: settings.phone_is_identity };
  const checkNames = createNameCheck({
    strict: settings.strict_requests,
    onFirst: (found) => deps.bus.publish({ type: "request.unknown_name", source: "/app", data: found }),
  });
  const enumIndexes = !settings.enum_as_text;
  const maxFileBytes = Math.floor(settings.MaxSizeOfSigleFile_MB * 1_048_576);
  const conventions = { sessions: features.sessions, policy, style, now, enumIndexes, checkNames, maxFileBytes };
  const keys = createKeyGate({ keys: createKeyReader(settings.data_dir) });
  const isToken = createTokenCheck(deps.consoleToken);
  const metrics = createServiceMetrics(settings.metrics);
  if (metrics) addAppMetrics(metrics, { bus: deps.bus, streams: deps.streams, db: deps.database.db });
  // The API and its description ask for a login where it matters, and phones call them by this machine's names.
  const isForPages = (path: string) => !["/console", "/metrics"].some((root) => isBelow(root, path));
  const hosts = allowedHosts({ allowed: settings.allowed_hosts, isForPages });
  const crossOrigin = cors(settings.cors_origins);
  const access = createConsoleAccess(deps.consoleToken, {
    admitBearer: admitBy(isToken, keys, "control"),
    sessionKey: deps.consoleSessionKey,
    isGoodKey: (id) => keys.isGood(id),
    appUrl: () => deps.console.addresses().app,
  });
  const docs = describeApis(deps, features, access);
  const ofApi = (guard: Middleware) => where((path) => !isPage(path), guard);
  const outsideConsole = (step: Middleware) => where((path) => !isBelow("/console", path), step);
  const builtIn = createRouteTable(features.routes);
  const notReady = () => (settings.maintenance ? "maintenance" : deps.lagMs() > maxLagMs ? "overloaded" : undefined);
  /** They may still be loading when the first request comes. */
  const userFilesRead: Middleware = async (_req, _res, next) => {
    await features.userFiles.opened;
    next();
  };

  const normalize = normalizeQuery(settings.query_normalization);
  return pipeline(
    [
      where(isProbe, crossOrigin),
      where(isProbe, normalize),
      health(deps.isDraining, notReady),
      believeProxies(settings.trusted_proxies),
      ...metricsSteps(metrics, [
        hosts,
        crossOrigin,
        normalize,
        guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") }),
      ]),
      compress,
      requestLog(log),
      features.recordRequests,
      hosts,
      // The pages and their files hold no data of the run, so they load without a token, for logging in. The API
      // requires one.
      below("/console", guardControl({ isPage: (path) => !isBelow("/console/api", path) })),
      where(isReceiver, refuseOtherPages(settings.cors_origins)),
      recordBody,
      outsideConsole(crossOrigin), // first of what answers, so that a page may read each answer
      normalize,
      ofApi(deps.bans.refuse),
      ofApi(maintenance(() => settings.maintenance)),
      ofApi(overload(deps.lagMs, maxLagMs)),
      // A fault that hits the console could not be disarmed there.
      outsideConsole(features.injectFaults),
      serveRoutes(() => builtIn, conventions),

      serveConsoleRoutes([access.loginRoute], now),
      below("/console/api/docs", access.admit),
      below("/console/api", access.require),
      serveConsoleRoutes([access.codesRoute, ...features.consoleRoutes], now),
      ...throughConsole({
        ...deps.console,
        consoleToken: deps.consoleToken,
        requireKeys: settings.require_keys,
      }),
      below("/console/api", docs.console),
      below("/console/api", nothingHere),
      below("/console", withPagePolicy),
      below("/console", access.admit),
      below(
        "/console",
        loadWhenAsked(async () => {
          const { consolePage } = await import("./console/console-page.ts");
          const { consoleFolder: folder, clientFolder, console } = deps;
          return consolePage({ folder, clientFolder, command: console.command });
        }),
      ),
      below("/swagger", userFilesRead),
      below("/swagger", docs.app),
      rootToConsole,

      // The users' own routes, below /api and elsewhere.
      userFilesRead,
      serveRoutes(features.userFiles.table, conventions),
      nothingHere,
    ],
    refuseBy(log, style, { languageOf: inLanguageOf, formOf: refusalForms(features.routes) }),
  );
}

const rootToConsole: Middleware = (req, res, next) => {
  if (pathOf(req) !== "/" || (req.method !== "GET" && req.method !== "HEAD")) next();
  else redirect(req, res, 302, "/console/");
};

const nothingHere: Middleware = (req) => {
  throw notFound(`There is nothing at ${pathOf(req)}.`);
};

type Features = ReturnType<typeof createFeatures>;

/** The API descriptions of the application server and of the console, each with its page. */
function describeApis(
  { settings, log, apiDocs, console }: AppDeps,
  { routes, consoleRoutes, userFiles }: Features,
  access: ConsoleAccess,
) {
  const documentation = createDocumentation(apiDocs);
  const specs = routes.map(({ spec }) => spec);
  const consoleSpecs = [access.loginRoute, access.codesRoute, ...consoleRoutes].map(({ spec }) => spec);
  const shared = () => ({
    version: `v1 (${console.version})`,
    basicAuth: settings.basic_auth,
    redirect: settings.query_normalization === "off" ? undefined : Number(settings.query_normalization),
    servers: serversOf(console.addresses().app),
  });
  return {
    app: createApiDocs({
      page: "/swagger",
      document: descriptionPath,
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
    console: createApiDocs({
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
