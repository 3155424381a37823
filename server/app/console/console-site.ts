/** The console's own port: its page, its files and its API, and nothing that a user or a clone has brought. */
import type { IncomingMessage, RequestListener } from "node:http";
import type { OwnCommand } from "../../contract/console/console.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { believeProxies } from "../../http/connection/peer/forwarded.ts";
import { compress } from "../../http/conventions/compress.ts";
import { guardControl } from "../../http/conventions/control.ts";
import { normalizeQuery } from "../../http/conventions/normalize-query.ts";
import { loadWhenAsked } from "../../http/load-when-asked.ts";
import { refuse } from "../../http/http-error.ts";
import { pathOf, type Middleware, type Refuse } from "../../http/middleware.ts";
import { below, isBelow, pipeline } from "../../http/pipeline.ts";
import type { ConsoleAccess } from "./console-access.ts";
import { serveConsoleRoutes } from "./console-api.ts";
import { rootToConsole } from "./console-elsewhere.ts";
import { sealed } from "./page-policy.ts";

interface Options {
  readonly settings: Pick<Settings, "trusted_proxies" | "query_normalization">;
  readonly requestLog: Middleware;
  readonly hosts: Middleware;
  readonly access: ConsoleAccess;
  /** Answers everything below /console/api, for those that may. */
  readonly api: readonly Middleware[];
  /** Folder of the built page. */
  readonly folder: string;
  readonly command: OwnCommand;
  readonly appOrigin: (req: IncomingMessage) => string;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly refuse: Refuse;
}

export function consoleSite({ settings, access, folder, command, appOrigin, ...options }: Options): RequestListener {
  return pipeline(
    [
      believeProxies(settings.trusted_proxies),
      compress,
      options.requestLog,
      options.hosts,
      sealed(appOrigin),
      // The pages and their files hold no data of the run, so they load without a token, for logging in. The API
      // requires one.
      guardControl({ isPage: (path) => !isBelow("/console/api", path) }),
      normalizeQuery(settings.query_normalization),
      serveConsoleRoutes([access.loginRoute], options.now),
      below("/console/api/docs", access.admit),
      below("/console/api", access.require),
      ...options.api,
      below("/console", access.admit),
      below(
        "/console",
        loadWhenAsked(async () => {
          const { consolePage } = await import("./console-page.ts");
          return consolePage({ folder, command, appOrigin });
        }),
      ),
      rootToConsole(() => ""),
      nothingHere,
    ],
    options.refuse,
  );
}

export const nothingHere: Middleware = (req) => {
  throw refuse("path.unknown", { path: pathOf(req) });
};
