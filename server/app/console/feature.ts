import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { SessionLookup } from "../../http/login.ts";
import { ConsoleTokens } from "./console-tokens.ts";
import { overviewConsoleRoutes, type ConsoleDeps } from "./console-api.ts";
import { namesConsoleRoute, type NameSources } from "./names-console-route.ts";

type Ports = Omit<ConsoleDeps, "dataDir"> & { readonly names: NameSources; readonly sessions: SessionLookup };

/** The console's operations on the run as a whole. */
export const consoleFeature: Feature<EventKernel<object>, Ports, undefined> = {
  name: "console",
  consoleTags: {
    services: "The processes of this run.",
    logins: "How a browser gets into the console.",
    tokens: "Session tokens for programs that act as a client.",
  },
  open({ settings, clock: { now } }, { sessions, names, ...ports }) {
    const policy = { requireUserinfo: settings.require_userinfo, phoneIsIdentity: settings.phone_is_identity };
    const tokens = new ConsoleTokens({ sessions, policy, addresses: ports.addresses, now });
    const routes = overviewConsoleRoutes({ ...ports, tokens, dataDir: settings.data_dir });
    return { consoleRoutes: [...routes, namesConsoleRoute(names)], port: undefined };
  },
};
