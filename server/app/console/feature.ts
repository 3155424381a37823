import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { overviewConsoleRoutes, type ConsoleDeps } from "./console-api.ts";
import { namesConsoleRoute, type NameSources } from "./names-console-route.ts";

type Ports = Omit<ConsoleDeps, "dataDir"> & { readonly names: NameSources };

/** The console's operations on the run as a whole. */
export const consoleFeature: Feature<EventKernel<object>, Ports, undefined> = {
  name: "console",
  consoleTags: {
    services: "The processes of this run.",
    logins: "How a browser gets into the console.",
    tokens: "Session tokens for programs that act as a client.",
  },
  open: ({ settings }, ports) => ({
    consoleRoutes: [...overviewConsoleRoutes({ ...ports, dataDir: settings.data_dir }), namesConsoleRoute(ports.names)],
    port: undefined,
  }),
};
