/** The console's own API, and its proxies to the other services. */
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import type { OwnCommand } from "../../contract/console/console.ts";
import { readFile } from "node:fs/promises";
import {
  createToken,
  getOverview,
  getServiceLog,
  getServicesMemory,
  restartService,
} from "../../contract/console/console-endpoints.ts";
import type { Damage } from "../../contract/process/damage.ts";
import type { LanDevice } from "../../contract/console/machine/lan-access-endpoints.ts";
import type { FromService } from "../../contract/process/process-messages.ts";
import type { Settings } from "../../contract/process/settings.ts";
import type { ServiceName, ServiceStatus } from "../../contract/process/services.ts";
import type { SessionLookup } from "../../http/login.ts";
import type { Middleware } from "../../http/middleware.ts";
import { below } from "../../http/pipeline.ts";
import { askerOf, isTrusted, forwardedFor, type Asker } from "../../http/outgoing/asker.ts";
import { createRouteTable } from "../../http/route-table.ts";
import { serveRoutes } from "../../http/serve-routes.ts";
import { route, type Route } from "../../http/route.ts";
import { reportUnknownNames } from "../../http/unknown-names.ts";
import type { ConsoleTokens } from "./console-tokens.ts";
import { streamThrough } from "./stream-through.ts";

/** The parts of the run and of other features that the console shows. */
export interface ConsoleDeps {
  readonly version: string;
  readonly dataDir: string;
  readonly command: OwnCommand;
  /** The supervisor's latest state of all processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** The last lines of a service's output, oldest first. */
  readonly lines: (service: ServiceName) => Promise<readonly string[]>;
  /** Asks the supervisor for a restart. Does nothing in a server that runs alone. */
  readonly requestRestart: (request: Extract<FromService, { type: "restart" }>) => void;
  readonly addresses: () => { app: string; console: string; provider: string; model: string | undefined };
  /** Base URLs of this server for other machines. */
  readonly lanAddresses: () => string[];
  /** Devices of the local network that ask to be let in. */
  readonly waitingDevices: () => LanDevice[];
  /** Damage that this run has found. */
  readonly damage: () => readonly Damage[];
}

const byConsole = { [byConsoleHeader]: "1" };

const noSessions: SessionLookup = { find: async () => undefined };

/** Operations on the whole run, its restarts and its tokens. Access is checked before them. */
export function overviewConsoleRoutes(deps: ConsoleDeps & { readonly tokens: ConsoleTokens }): Route[] {
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
      // Only after the answer is sent, because this process may be the one to end.
      res.once("finish", () => deps.requestRestart({ type: "restart", service, ...(port !== undefined && { port }) }));
    }),

    route(createToken, async ({ body: { user } }) => ({ data: await deps.tokens.tokenOf(user) })),

    route(getServiceLog, async ({ params: { name } }) => ({ data: { lines: [...(await deps.lines(name))] } })),

    route(getServicesMemory, async () => {
      const measured = deps.services().map(async ({ name, pid }) => ({ name, bytes: await residentBytes(pid) }));
      const known = (await Promise.all(measured)).flatMap(({ name, bytes }) =>
        bytes === undefined ? [] : [{ name, bytes }],
      );
      return { data: { services: known } };
    }),
  ];
}

/** Resident memory: of any process where the system provides it in a file (Linux), of this one everywhere. */
async function residentBytes(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined;
  if (pid === process.pid) return process.memoryUsage.rss();
  const status = await readFile(`/proc/${String(pid)}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Serves operations of the console. `now`: Unix time in ms. */
export function serveConsoleRoutes(routes: readonly Route[], now: () => number): Middleware {
  const table = createRouteTable(routes);
  const policy = { requireUserinfo: false, phoneIsIdentity: false };
  // Stored data comes back unchanged, with its nulls.
  const style = { indent: 0, relaxed: true, keepsNulls: true };
  return serveRoutes(() => table, { sessions: noSessions, policy, style, now, checkNames: reportUnknownNames });
}

/** Steps that proxy the page's calls to the other services. */
export function throughConsole(
  deps: Pick<ConsoleDeps, "addresses" | "services"> & {
    readonly consoleToken: string;
    readonly requireKeys: Settings["require_keys"];
  },
): Middleware[] {
  // A caller that has console access may control the simulator and use models, from any machine.
  const asConsole = { ...byConsole, authorization: `Bearer ${deps.consoleToken}` };
  // An Ollama of the user's own must not get the token.
  const isExternal = () => deps.services().some(({ name, state }) => name === "model" && state === "external");
  const needsKey = (asker: Asker) => (asker !== "here" || deps.requireKeys === "always") && !isExternal();
  const through = (
    service: "model" | "provider",
    added: (target: string, asker: Asker) => Readonly<Record<string, string>>,
  ) => {
    const root = `/console/api/${service}`;
    return below(root, (req, res) => {
      const rest = (req.url ?? "").slice(root.length);
      const target = rest.startsWith("/") ? rest : `/${rest}`;
      const asker = askerOf(req, isTrusted);
      const headers = { ...added(target, asker), ...forwardedFor(asker) };
      return streamThrough(req, res, deps.addresses()[service], target, headers);
    });
  };
  return [
    through("model", (_target, asker) => (needsKey(asker) ? asConsole : byConsole)),
    through("provider", (target) => (/^\/sim\//i.test(target) ? asConsole : byConsole)),
  ];
}
