import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { BrowserTables } from "./browsers-table.ts";
import { overviewConsoleRoutes, type ConsoleDeps } from "./console-api.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { namesConsoleRoute, type NameSources } from "./names-console-route.ts";

type Ports = Omit<ConsoleDeps, "dataDir"> & { readonly names: NameSources };

/** The console's operations on the run as a whole, and the browsers that are logged in. */
export const consoleFeature: Feature<EventKernel<BrowserTables>, Ports, KnownBrowsers> = {
  name: "console",
  consoleTags: {
    services: "The processes of this run.",
    logins: "How a browser logs in to the console, and which ones have.",
    tokens: "Session tokens for programs that act as a client.",
  },
  async open({ settings, database, log, atClose }, ports) {
    const onError = (error: unknown) => log.error({ err: error }, "logins of browsers cannot be read or stored");
    const browsers = await KnownBrowsers.open({ database, now: Date.now, onError });
    atClose(browsers.idle);
    return {
      consoleRoutes: [
        ...overviewConsoleRoutes({ ...ports, dataDir: settings.data_dir }),
        namesConsoleRoute(ports.names),
      ],
      port: browsers,
    };
  },
};
