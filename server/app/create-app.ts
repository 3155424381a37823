/** Composition root of the application server: dependencies in, handler of requests out. */
import type { IncomingMessage, RequestListener } from "node:http";
import { posix } from "node:path";
import { originBeside } from "../http/connection/peer/caller.ts";
import { believeProxies } from "../http/connection/peer/forwarded.ts";
import { allowedHosts } from "../http/conventions/allowed-hosts.ts";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { compress } from "../http/conventions/compress.ts";
import { admitBy, guardControl, programsOnly } from "../http/conventions/control.ts";
import { cors, refuseOtherPages } from "../http/conventions/cors.ts";
import { refuseBy } from "../http/conventions/error-handler.ts";
import { health, isProbe } from "../http/conventions/health.ts";
import { overrideMethod } from "../http/conventions/method-override.ts";
import { normalizeQuery } from "../http/conventions/normalize-query.ts";
import { maintenance, overload } from "../http/conventions/not-ready.ts";
import { createKeyGate } from "../http/keys/key-gate.ts";
import { loginPolicyOf } from "../http/login.ts";
import { inLanguageOf } from "../http/messages/in-language.ts";
import { createServiceMetrics, metricsSteps } from "../http/metrics/service-metrics.ts";
import type { Middleware, Refuse } from "../http/middleware.ts";
import type { DocumentationSource } from "../http/openapi/documentation-file.ts";
import { below, isBelow, pipeline, where } from "../http/pipeline.ts";
import { requestLog } from "../http/recording/request-log.ts";
import { createSpanExporter } from "../http/recording/span-exporter.ts";
import { recordBody } from "../http/recording/request-recorder.ts";
import { createRouteTable, type RouteTable } from "../http/route-table.ts";
import { serveRoutes } from "../http/serve-routes.ts";
import type { EventKernel } from "../kernel/feature.ts";
import { createNameCheck } from "../http/unknown-names.ts";
import { createKeyReader } from "../process/keys/key-file.ts";
import { addAppMetrics } from "./app-metrics.ts";
import { createConsoleAccess } from "./console/console-access.ts";
import { rootToConsole } from "./console/console-elsewhere.ts";
import { createConsole, nothingHere } from "./console/create-console.ts";
import { describeApis } from "./describe-apis.ts";
import type { AppTables, FeatureDeps, Features } from "./features.ts";
import { refusalForms } from "./refusal-forms.ts";

export interface AppDeps extends Pick<FeatureDeps, "consoleToken" | "recording" | "streams" | "console"> {
  readonly kernel: EventKernel<AppTables>;
  readonly features: Features;
  /** Folder of the built console page. */
  readonly consoleFolder: string;
  /** Folder of the built reference client. */
  readonly clientFolder: string;
  readonly apiDocs: DocumentationSource;
  /** Answers agents at /mcp of the console's port. */
  readonly mcp?: Middleware;
  /** The current delay of the event loop. */
  readonly lagMs: () => number;
  /** True once the service is being ended. */
  readonly isDraining: () => boolean;
}

/** Above this delay of the event loop, requests wait for seconds. */
const maxLagMs = 1000;

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

/** The handlers of the two ports: that of the application server, and the console's. */
export interface AppHandlers {
  readonly app: RequestListener;
  readonly console: RequestListener;
}

export function createApp(deps: AppDeps): AppHandlers {
  const { features, kernel, isDraining, lagMs, recording } = deps;
  const { settings, log } = kernel;
  const conventions = conventionsOf(deps);
  const guards = createGuards(deps);
  const { hosts, crossOrigin, normalize } = guards;
  const logRequests = requestLog(log, {
    exportSpan: createSpanExporter(settings.otlp_endpoint, "app"),
    namesIds: () => true,
  });
  const refuse = refuseBy(log, conventions.style, { languageOf: inLanguageOf, formOf: refusalForms(features.routes) });
  const { console, docs } = openConsole(deps, guards, logRequests, refuse);
  const builtIn = createRouteTable(features.routes);
  const notReady = () => (settings.maintenance ? "maintenance" : lagMs() > maxLagMs ? "overloaded" : undefined);
  /** Waits for the users' files, which may still be loading when the first request comes. */
  const userFilesRead = waitFor(features.userFiles.opened);
  const app = pipeline(
    [
      where(isProbe, crossOrigin),
      where(isProbe, normalize),
      health(isDraining, notReady),
      believeProxies(settings.trusted_proxies),
      ...guards.metricsSteps,
      compress,
      logRequests,
      outsideConsole(guards.preflightOfConsole),
      recording.middleware("app"),
      hosts,
      below("/console/api", programsOnly),
      where(isReceiver, refuseOtherPages(settings.cors_origins)),
      recordBody,
      outsideConsole(crossOrigin), // first of what answers, so that a page may read each answer
      normalize,
      outsideConsole(overrideMethod),
      outsidePages(features.refuseBanned),
      outsidePages(maintenance(() => settings.maintenance)),
      outsidePages(overload(lagMs, maxLagMs)),
      // A fault that hits the console could not be disarmed there.
      outsideConsole(features.injectFaults),
      serveRoutes(() => builtIn, conventions),

      ...console.steps,
      below("/swagger", userFilesRead),
      below("/swagger", docs),
      below("/swagger", nothingHere),
      rootToConsole(guards.consoleOrigin),

      // The users' own routes, below /api and elsewhere. A browser may take an encoded path for its decoded form.
      where(isReservedWhenRead, nothingHere),
      userFilesRead,
      features.codeRoutes && waitFor(features.codeRoutes.opened),
      serveRoutes(usersRoutes(features), conventions),
      features.imported.serve,
      nothingHere,
    ],
    refuse,
  );
  return { app, console: console.handler };
}

const waitFor =
  (done: Promise<void>): Middleware =>
  async (_req, _res, next) => {
    await done;
    next();
  };

/** The routes of code come before those of files, method by method. */
function usersRoutes({ userFiles, codeRoutes }: Features): () => RouteTable {
  if (!codeRoutes) return () => userFiles.table();
  return () => {
    const [files, code] = [userFiles.table(), codeRoutes.table()];
    return (path) => {
      const [below, above] = [files(path), code(path)];
      if (!below || !above) return above ?? below;
      return {
        value: new Map([...below.value, ...above.value]),
        path: above.path,
        params: { ...below.params, ...above.params },
      };
    };
  };
}

/** Refusals of the API do not apply to pages. */
const outsidePages = (guard: Middleware) => where((path) => !isPage(path), guard);
const outsideConsole = (step: Middleware) => where((path) => !isBelow("/console", path), step);

/** The conventions of all routes of the API. */
function conventionsOf({ kernel: { settings, bus, clock }, features }: AppDeps) {
  return {
    sessions: features.sessions,
    policy: loginPolicyOf(settings),
    style: { indent: settings.json_indent, relaxed: settings.json_relaxed },
    now: clock.now,
    enumIndexes: !settings.enum_as_text,
    checkNames: createNameCheck({
      strict: settings.strict_requests,
      onFirst: (found) => bus.publish({ type: "request.unknown_name", source: "/app", data: found }),
    }),
    maxFileBytes: Math.floor(settings.MaxSizeOfSigleFile_MB * 1_048_576),
  };
}

/** Decides who may call. */
function createGuards({ kernel, features, consoleToken, console, streams }: AppDeps) {
  const { settings, bus, database } = kernel;
  const { addresses } = console;
  const keys = createKeyGate({ keys: createKeyReader(settings.data_dir) });
  const isToken = createTokenCheck(consoleToken);
  const consoleOrigin = (req: IncomingMessage) => originBeside(req, addresses().console);
  // The API and its description ask for a login where it matters, and phones call them by this machine's names.
  const isForPages = (path: string) => !["/console", "/metrics"].some((root) => isBelow(root, path));
  const hosts = allowedHosts({ allowed: settings.allowed_hosts, isForPages });
  const crossOrigin = cors(settings.cors_origins, consoleOrigin);
  const normalize = normalizeQuery(settings.query_normalization);
  const metrics = createServiceMetrics(settings.metrics);
  if (metrics) addAppMetrics(metrics, { bus, streams, db: database.db });
  const guardMetrics = guardControl({ isPage: () => false, admit: admitBy(isToken, keys, "metrics:read") });
  /** The console's phone is a mini-program's, which asks for no permission first. */
  const preflightOfConsole: Middleware = (req, res, next) =>
    req.method === "OPTIONS" && req.headers.origin === consoleOrigin(req) ? crossOrigin(req, res, next) : next();
  const access = createConsoleAccess(consoleToken, {
    admitBearer: admitBy(isToken, keys, "control"),
    browsers: features.browsers,
    isGoodKey: (id) => keys.isGood(id),
    consoleUrl: () => addresses().console,
  });
  return {
    ...{ hosts, crossOrigin, normalize, preflightOfConsole, consoleOrigin, access },
    metricsSteps: metricsSteps(metrics, [hosts, crossOrigin, normalize, guardMetrics]),
  };
}

/** The console and the descriptions of both APIs. */
function openConsole(
  deps: AppDeps,
  { access, consoleOrigin }: ReturnType<typeof createGuards>,
  logRequests: Middleware,
  refuse: Refuse,
) {
  const { features, kernel } = deps;
  const { settings, log, clock } = kernel;
  const docs = describeApis({
    ...deps,
    ...features,
    settings,
    log,
    consoleRoutes: [...access.openRoutes, ...access.routes, ...features.consoleRoutes],
    consoleOrigin,
  });
  const console = createConsole({
    ...deps,
    ...deps.console,
    settings,
    access,
    routes: features.consoleRoutes,
    docs: docs.console,
    requestLog: logRequests,
    appOrigin: (req) => originBeside(req, deps.console.addresses().app),
    consoleOrigin,
    now: clock.now,
    refuse,
  });
  return { console, docs: docs.app };
}
