import type { IncomingMessage, RequestListener } from "node:http";
import type { OwnCommand } from "../../contract/console/console.ts";
import type { Settings } from "../../contract/process/settings.ts";
import { allowedHosts } from "../../http/conventions/allowed-hosts.ts";
import type { Middleware, Refuse } from "../../http/middleware.ts";
import { below } from "../../http/pipeline.ts";
import type { Route } from "../../http/route.ts";
import type { ConsoleAccess } from "./console-access.ts";
import { serveConsoleRoutes, throughConsole, type ConsoleDeps } from "./console-api.ts";
import { clientFiles, toConsole } from "./console-elsewhere.ts";
import { consoleSite, nothingHere } from "./console-site.ts";

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
  /** The origins of both ports, as the browser of a request has to address them. */
  readonly appOrigin: (req: IncomingMessage) => string;
  readonly consoleOrigin: (req: IncomingMessage) => string;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly refuse: Refuse;
}

interface Console {
  /** Steps of the application server below /console: the API for programs, the reference client, and the way to the page. */
  readonly steps: readonly Middleware[];
  /** Answers at the console's own port. */
  readonly handler: RequestListener;
}

export function createConsole({ routes, docs, clientFolder, consoleOrigin, ...options }: Options): Console {
  const { settings, access, now } = options;
  const api = [
    serveConsoleRoutes([access.codesRoute, ...routes], now),
    ...throughConsole({ ...options, requireKeys: settings.require_keys }),
    below("/console/api", docs),
    below("/console/api", nothingHere),
  ];
  return {
    steps: [
      below("/console/api", access.requireToken),
      ...api,
      below("/console", clientFiles(clientFolder)),
      below("/console", toConsole(consoleOrigin)),
      below("/console", nothingHere),
    ],
    handler: consoleSite({
      ...options,
      hosts: allowedHosts({ allowed: settings.allowed_hosts }),
      api,
      folder: options.consoleFolder,
    }),
  };
}
