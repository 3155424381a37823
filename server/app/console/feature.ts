import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { loginPolicyOf, type SessionLookup } from "../../http/login.ts";
import { ConsoleTokens } from "./console-tokens.ts";
import type { BrowserTables } from "./browsers-table.ts";
import { overviewConsoleRoutes, type ConsoleDeps } from "./console-api.ts";
import { KnownBrowsers } from "./known-browsers.ts";
import { namesConsoleRoute, type UserNames } from "./names-console-route.ts";

type Ports = Omit<ConsoleDeps, "dataDir"> & { readonly userNames: UserNames; readonly sessions: SessionLookup };

/** The console's operations on the run as a whole, and the browsers that are logged in. */
export const consoleFeature: Feature<EventKernel<BrowserTables>, Ports, KnownBrowsers> = {
  name: "console",
  consoleTags: {
    services: "The processes of this run.",
    logins: "Logins of browsers to the console.",
    tokens: "Session tokens for programs that act as a client.",
  },
  async open({ settings, clock, database, log, atClose }, { sessions, userNames, ...ports }) {
    const onError = (error: unknown) => log.error({ err: error }, "logins of browsers cannot be read or stored");
    const browsers = await KnownBrowsers.open({ database, now: Date.now, onError });
    atClose(browsers.idle);
    const policy = loginPolicyOf(settings);
    const tokens = new ConsoleTokens({ sessions, policy, addresses: ports.addresses, now: clock.now });
    const routes = overviewConsoleRoutes({ ...ports, tokens, dataDir: settings.data_dir });
    return { consoleRoutes: [...routes, namesConsoleRoute(userNames)], port: browsers };
  },
};
