/** Composition root of the application server: dependencies in, handler of requests out. */
import type { IncomingMessage, RequestListener } from "node:http";
import { join, posix } from "node:path";
import { originBeside } from "../http/connection/peer/caller.ts";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { compress } from "../http/conventions/compress.ts";
import { admitBy, guardControl, programsOnly } from "../http/conventions/control.ts";
import { cors, refuseOtherPages } from "../http/conventions/cors.ts";
import { refuseBy } from "../http/conventions/error-handler.ts";
import { health, isProbe } from "../http/conventions/health.ts";
import { normalizeQuery } from "../http/conventions/normalize-query.ts";
import { maintenance, overload } from "../http/conventions/not-ready.ts";
import { createKeyGate } from "../http/keys/key-gate.ts";
import { inLanguageOf } from "../http/messages/in-language.ts";
import { createServiceMetrics, metricsSteps } from "../http/metrics/service-metrics.ts";
import type { Middleware } from "../http/middleware.ts";
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
import { clientFiles, rootToConsole, toConsole } from "./console/console-elsewhere.ts";
import { consoleSite, nothingHere } from "./console/console-site.ts";
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
const serversOf = (address: string) => [
  { url: "/", description: "The server that this description came from." },
  ...(address === "" ? [] : [{ url: address, description: "Its own address." }]),
];

/** Pages that people open in a browser. They are no part of the API, and its refusals do not apply to them. */
const isPage = (path: string) =>
  path === "/" || ["/console", "/swagger", "/avatars"].some((root) => isBelow(root, path));

/** Whether a path stands for a reserved one once it is decoded, without dots and without empty parts. */
function isReservedWhenRead(path: string): boolean {
  if (!/%|\/\.|\/\//.test(path)) return false;
  try {
    const plain = posix.normalize(decodeURIComponent(path).replaceAll("\\", "/"));
    return ["/console", "/swagger"].some((root) => isBelow(root, plain));
  } catch {
    return false; // such a path is refused where it is read
  }
}

/** Where watchers and the payment platform send messages without a login. The test keys that sign these are public. */
const isReceiver = (path: string) =>
  ["/api/inotify", "/api/payments/notifications", "/api/payments/refund-notifications"].some((root) =>
    isBelow(root, path),
  );

/** What answers at the two ports: that of the application server, and the console's. */
export interface AppHandlers {
  readonly app: RequestListener;
  readonly console: RequestListener;
}

export function createApp(deps: AppDeps): AppHandlers {
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
  const { addresses } = deps.console;
  const appOrigin = (req: IncomingMessage) => originBeside(req, addresses().app);
  const consoleOrigin = (req: IncomingMessage) => originBeside(req, addresses().console);
  // The API and its description ask for a login where it matters, and phones call them by this machine's names.
  const isForPages = (path: string) => !["/console", "/metrics"].some((root) => isBelow(root, path));
  const hosts = allowedHosts({ allowed: settings.allowed_hosts, isForPages });
  const crossOrigin = cors(settings.cors_origins, consoleOrigin);
  const logRequests = requestLog(log);
  const access = createConsoleAccess(deps.consoleToken, {
    admitBearer: admitBy(isToken, keys, "control"),
    sessionKey: deps.consoleSessionKey,
    isGoodKey: (id) => keys.isGood(id),
    consoleUrl: () => addresses().console,
  });
  const docs = describeApis(deps, features, { access, consoleOrigin });
  const ofApi = (guard: Middleware) => where((path) => !isPage(path), guard);
  const outsideConsole = (step: Middleware) => where((path) => !isBelow("/console", path), step);
  const builtIn = createRouteTable(features.routes);
  const notReady = () => (settings.maintenance ? "maintenance" : deps.lagMs() > maxLagMs ? "overloaded" : undefined);
  /** They may still be loading when the first request comes. */
  const userFilesRead: Middleware = async (_req, _res, next) => {
    await features.userFiles.opened;
    next();
  };
  const consoleApi = [
    serveConsoleRoutes([access.codesRoute, ...features.consoleRoutes], now),
    ...throughConsole({ ...deps.console, consoleToken: deps.consoleToken, requireKeys: settings.require_keys }),
    below("/console/api", docs.console),
    below("/console/api", nothingHere),
  ];

  const preflightOfConsole: Middleware = (req, res, next) =>
    req.method === "OPTIONS" && req.headers.origin === consoleOrigin(req) ? crossOrigin(req, res, next) : next();
  const normalize = normalizeQuery(settings.query_normalization);
  const refuse = refuseBy(log, style, { languageOf: inLanguageOf, formOf: refusalForms(features.routes) });
  const app = pipeline(
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
      logRequests,
      // The console's phone is a mini-program's, which asks for no permission first.
      outsideConsole(preflightOfConsole),
      features.recordRequests,
      hosts,
      below("/console/api", programsOnly),
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

      below("/console/api", access.requireToken),
      ...consoleApi,
      below("/console", clientFiles(deps.clientFolder)),
      below("/console", toConsole(consoleOrigin)),
      below("/console", nothingHere),
      below("/swagger", userFilesRead),
      below("/swagger", docs.app),
      below("/swagger", nothingHere),
      rootToConsole(consoleOrigin),

      // The users' own routes, below /api and elsewhere. A browser may take an encoded path for the one that it stands for.
      where(isReservedWhenRead, nothingHere),
      userFilesRead,
      serveRoutes(features.userFiles.table, conventions),
      nothingHere,
    ],
    refuse,
  );
  const { consoleFolder: folder, console } = deps;
  const strictHosts = allowedHosts({ allowed: settings.allowed_hosts });
  const site = {
    settings,
    requestLog: logRequests,
    hosts: strictHosts,
    access,
    api: consoleApi,
    folder,
    appOrigin,
    now,
    refuse,
  };
  return { app, console: consoleSite({ ...site, command: console.command }) };
}

type Features = ReturnType<typeof createFeatures>;

/** The API descriptions of the application server and of the console, each with its page. */
function describeApis(
  { settings, log, apiDocs, clientFolder, console }: AppDeps,
  { routes, consoleRoutes, userFiles }: Features,
  { access, consoleOrigin }: { access: ConsoleAccess; consoleOrigin: (req: IncomingMessage) => string },
) {
  const documentation = createDocumentation(apiDocs);
  const specs = routes.map(({ spec }) => spec);
  const consoleSpecs = [access.loginRoute, access.codesRoute, ...consoleRoutes].map(({ spec }) => spec);
  const shared = (address: string) => ({
    version: `v1 (${console.version})`,
    basicAuth: settings.basic_auth,
    redirect: settings.query_normalization === "off" ? undefined : Number(settings.query_normalization),
    servers: serversOf(address),
  });
  return {
    app: createApiDocs({
      page: "/swagger",
      document: descriptionPath,
      documentation,
      log,
      frame: { by: consoleOrigin, script: join(clientFolder, "description-frame.js") },
      api: () => ({
        ...shared(console.addresses().app),
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
        ...shared(console.addresses().console),
        title: "Hearth console",
        enumAsText: true,
        introduction: consoleIntroduction,
        tags: consoleTags,
        specs: consoleSpecs,
      }),
    }),
  };
}
