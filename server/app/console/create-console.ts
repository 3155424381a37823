import type { IncomingMessage, RequestListener } from "node:http";
import type { OwnCommand } from "../../contract/console/console.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { believeProxies } from "../../http/connection/peer/forwarded.ts";
import { allowedHosts } from "../../http/conventions/allowed-hosts.ts";
import { compress } from "../../http/conventions/compress.ts";
import { guardControl } from "../../http/conventions/control.ts";
import { normalizeQuery } from "../../http/conventions/normalize-query.ts";
import { refuse } from "../../http/http-error.ts";
import { loadWhenAsked } from "../../http/load-when-asked.ts";
import { pathOf, type Middleware, type Refuse } from "../../http/middleware.ts";
import { below, isBelow, pipeline } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";
import type { ConsoleAccess } from "./console-access.ts";
import { serveConsoleRoutes, throughConsole, type ConsoleDeps } from "./console-api.ts";
import { rootToConsole, toConsole } from "./console-elsewhere.ts";
import { sealed } from "./page-policy.ts";

interface Options extends Pick<ConsoleDeps, "addresses" | "services"> {
  readonly settings: Pick<Settings, "allowed_hosts" | "require_keys" | "trusted_proxies" | "query_normalization">;
  readonly consoleToken: string;
  readonly access: ConsoleAccess;
  readonly routes: readonly Route[];
  /** Serves the description of its API. */
  readonly docs: Middleware;
  /** Folder of the built page. */
  readonly consoleFolder: string;
  /** Folder of the built reference client. */
  readonly clientFolder: string;
  readonly command: OwnCommand;
  readonly requestLog: Middleware;
  /** Answers agents. */
  readonly mcp?: Middleware;
  /** The origins of both ports, as the browser of a request has to address them. */
  readonly appOrigin: (req: IncomingMessage) => string;
  readonly consoleOrigin: (req: IncomingMessage) => string;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly refuse: Refuse;
}

/**
 * `steps`: those of the application server below /console, which are the API for programs, the reference client, and the
 * redirect to the page. `handler`: answers at the console's own port.
 */
export function createConsole(options: Options): { steps: readonly Middleware[]; handler: RequestListener } {
  const { settings, access, clientFolder } = options;
  const client = loadWhenAsked(async () => (await import("./client-files.ts")).clientFiles(clientFolder));
  const api = [
    serveConsoleRoutes([...access.routes, ...options.routes], options.now),
    ...throughConsole({ ...options, requireKeys: settings.require_keys }),
    below("/console/api", options.docs),
    below("/console/api", nothingHere),
  ];
  return {
    steps: [
      below("/console/api", access.requireToken),
      ...api,
      below("/console", client),
      below("/console", toConsole(options.consoleOrigin)),
      below("/console", nothingHere),
    ],
    handler: consoleSite(options, api),
  };
}

/** The console's own port: its page, its files and its API, and nothing that a user or a clone has brought. */
function consoleSite(options: Options, api: readonly Middleware[]): RequestListener {
  const { settings, access, consoleFolder: folder, command, appOrigin, mcp } = options;
  const page = loadWhenAsked(async () => {
    const { consolePage } = await import("./console-page.ts");
    return consolePage({ folder, command, appOrigin, isKnown: access.isKnown });
  });
  return pipeline(
    [
      believeProxies(settings.trusted_proxies),
      compress,
      options.requestLog,
      allowedHosts({ allowed: settings.allowed_hosts }),
      sealed(appOrigin),
      // The pages and their files hold no data of the run, so they load without a token, for logging in. The API and
      // agents require one.
      guardControl({ isPage: (path) => !isBelow("/console/api", path) && !isBelow("/mcp", path) }),
      ...(mcp ? [below("/mcp", access.requireToken), below("/mcp", mcp)] : []),
      normalizeQuery(settings.query_normalization),
      serveConsoleRoutes(access.openRoutes, options.now),
      below("/console/api/docs", access.admit),
      below("/console/api", access.require),
      ...api,
      below("/console", access.admit),
      below("/console", page),
      rootToConsole(() => ""),
      nothingHere,
    ],
    options.refuse,
  );
}

export const nothingHere: Middleware = (req) => {
  throw refuse("path.unknown", { path: pathOf(req) });
};
