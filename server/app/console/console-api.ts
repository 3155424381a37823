/** The console's own API, and the ways through it to the other services. */
import { byConsoleHeader, type OwnCommand } from "../../contract/console/console.ts";
import { createToken, getOverview, restartService } from "../../contract/console/console-endpoints.ts";
import type { Damage } from "../../contract/console/events.ts";
import type { LanDevice } from "../../contract/console/lan-access-endpoints.ts";
import type { FromService } from "../../contract/process/process-messages.ts";
import type { ServiceStatus } from "../../contract/process/services.ts";
import type { SessionLookup } from "../../http/login.ts";
import type { Middleware } from "../../http/middleware.ts";
import { below } from "../../http/pipeline.ts";
import { askerOf, isTrusted, passedOnFor } from "../../http/outgoing/asker.ts";
import { createRouteTable } from "../../http/route-table.ts";
import { serveRoutes } from "../../http/serve-routes.ts";
import { route, type Route } from "../../http/route.ts";
import { simulatedLogin } from "./simulated-login.ts";
import { streamThrough } from "./stream-through.ts";

/** What the console needs of the other features; create-app.ts hands it in. */
export interface ConsoleDeps {
  readonly version: string;
  readonly dataDir: string;
  readonly command: OwnCommand;
  /** The supervisor's latest word on all processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** Asks the supervisor; a server that runs alone has none and does nothing. */
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
  readonly addresses: () => { app: string; provider: string; model?: string };
  /** Base URLs of this server for other machines. */
  readonly lanAddresses: () => string[];
  /** Devices of the local network that ask to be let in. */
  readonly waitingDevices: () => LanDevice[];
  /** Damage that this run has found. */
  readonly damage: () => readonly Damage[];
  /** Unix time in ms. */
  readonly now: () => number;
}

const byConsole = { [byConsoleHeader]: "1" };

const noSessions: SessionLookup = { find: async () => undefined };

/** The run as a whole, its restarts and its tokens. Whoever calls it has been let in before. */
export function overviewConsoleRoutes(deps: ConsoleDeps): Route[] {
  return [
    route(getOverview, () => ({
      data: {
        version: deps.version,
        data_dir: deps.dataDir,
        command: deps.command,
        services: [...deps.services()],
        addresses: deps.addresses(),
        lan_addresses: deps.lanAddresses(),
        waiting_devices: deps.waitingDevices(),
        damage: [...deps.damage()],
      },
    })),

    route(restartService, ({ params: { name: service }, body: { port } }, { res }) => {
      // Only once the answer is out: this very process may be the one that ends.
      res.once("finish", () => deps.requestRestart({ type: "restart", service, ...(port !== undefined && { port }) }));
      return {};
    }),

    route(createToken, async ({ body: { user } }) => ({ data: await simulatedLogin(user, deps.addresses()) })),
  ];
}

/** Serves operations of the console. `now`: Unix time in ms. */
export function serveConsoleRoutes(routes: readonly Route[], now: () => number): Middleware {
  const table = createRouteTable(routes);
  const policy = { requireUserinfo: false, phoneIsIdentity: false };
  const style = { indent: 0, relaxed: true };
  return serveRoutes(() => table, { sessions: noSessions, policy, style, now });
}

/** Steps that stream the page's calls to the other services through to them. */
export function throughConsole(deps: Pick<ConsoleDeps, "addresses"> & { readonly consoleToken: string }): Middleware[] {
  // Whoever has come this far may control the simulator, wherever he is.
  const asConsole = { ...byConsole, authorization: `Bearer ${deps.consoleToken}` };
  const through = (service: "model" | "provider", added: (target: string) => Readonly<Record<string, string>>) => {
    const root = `/console/api/${service}`;
    return below(root, (req, res) => {
      const rest = (req.url ?? "").slice(root.length);
      const target = rest.startsWith("/") ? rest : `/${rest}`;
      const headers = { ...added(target), ...passedOnFor(askerOf(req, isTrusted)) };
      return streamThrough(req, res, deps.addresses()[service], target, headers);
    });
  };
  return [
    through("model", () => byConsole),
    through("provider", (target) => (/^\/sim\//i.test(target) ? asConsole : byConsole)),
  ];
}
