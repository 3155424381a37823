/** Listens for the local network as long as it is wanted: closes what it left, and listens again when it is back. */
import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { LanAccessView, LanInterface, LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { httpsUrl, httpUrl } from "../../contract/own-url.ts";
import { createConnectionLimit } from "../../http/connection/connection-limit.ts";
import { defaultGraceMs, PortInUseError } from "../../http/connection/listen.ts";
import { serve, type Listener } from "../../http/connection/serve.ts";
import type { TlsBeside } from "../../http/connection/tls-beside.ts";
import type { ServerLimits } from "../../http/connection/server-limits.ts";

/** A service that can be offered. */
export interface OfferedService {
  /** Where it listens on loopback; the devices use the same. Undefined while it cannot be offered. */
  readonly port: () => number | undefined;
  /** Why it cannot be offered; undefined while it starts. */
  readonly absence: () => string | undefined;
}

/** What is said of a listener that is still to come, which is no failure. */
export const notYetListening = "It does not listen yet.";

export interface Wanted {
  readonly interfaceName: string;
  readonly services: readonly LanService[];
}

export type ListenerStates = LanAccessView["listeners"];

export interface LanListeners {
  /** Listens so from now on; undefined: not at all. Settles when that is so, or has failed. */
  follow(wanted: Wanted | undefined): Promise<void>;
  states(): ListenerStates;
  /** The interface, while it is there and wanted. */
  place(): LanInterface | undefined;
  /** @param graceMs how long requests in flight may go on */
  close(graceMs?: number): Promise<void>;
}

interface Deps {
  readonly services: Readonly<Record<LanService, OfferedService>>;
  readonly handlers: Readonly<Record<LanService, RequestListener>>;
  readonly interfaces: () => readonly LanInterface[];
  readonly limits: ServerLimits;
  /** For HTTPS, where that is wanted. */
  readonly tls: TlsBeside | undefined;
  readonly log: Pick<Logger, "warn" | "error">;
  /** Called when a listener came, went or failed. */
  readonly onChange: () => void;
  /** How often it is looked whether the interface is there. */
  readonly pollMs: number;
}

interface Open {
  readonly address: string;
  readonly port: number;
  readonly listener: Listener;
}

export function createLanListeners(deps: Deps): LanListeners {
  const { services, handlers, interfaces, limits, tls, log, onChange, pollMs } = deps;
  const connections = createConnectionLimit(limits.maxConnections, log);
  const open = new Map<LanService, Open>();
  const problems = new Map<LanService, string>();
  let wanted: Wanted | undefined;
  let place: LanInterface | undefined;
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();
  /** What the last change was about. */
  let told = "[]";

  const states = (): ListenerStates =>
    (wanted?.services ?? []).map((service) => {
      const { address, port } = open.get(service) ?? {};
      if (address !== undefined && port !== undefined)
        return { service, url: tls ? httpsUrl(address, port) : httpUrl(address, port) };
      return { service, problem: problems.get(service) ?? notYetListening };
    });

  async function begin(service: LanService, address: string): Promise<void> {
    const { port: portOf, absence } = services[service];
    const port = portOf();
    if (port === undefined) {
      const why = absence();
      if (why === undefined) problems.delete(service);
      else problems.set(service, why);
      return;
    }
    try {
      const where = { host: address, port, alone: true };
      const listener = await serve(handlers[service], { ...where, limits, connections, tls, log });
      open.set(service, { address, port, listener });
      problems.delete(service);
    } catch (error) {
      problems.set(
        service,
        error instanceof PortInUseError
          ? `Port ${String(port)} is in use by another program at ${address}.`
          : `It cannot listen at ${address}: ${reasonOf((error as Error).cause ?? error)}.`,
      );
    }
  }

  /** @param graceMs how long requests may go on at listeners that close: those who lose the access lose it at once */
  async function reconcile(graceMs: number): Promise<void> {
    const found = wanted && interfaces().find(({ name }) => name === wanted?.interfaceName);
    const closing: Promise<void>[] = [];
    for (const [service, { address, port, listener }] of open) {
      const isWanted = wanted?.services.includes(service) === true && address === found?.address;
      if (isWanted && port === services[service].port() && listener.findProblem() === undefined) continue;
      open.delete(service);
      closing.push(listener.close(graceMs));
    }
    await Promise.all(closing);
    // Not before: who still asks there is judged by it.
    place = found;
    for (const service of wanted?.services ?? [])
      if (!place)
        problems.set(service, `The network interface ${wanted?.interfaceName ?? ""} has no address just now.`);
      else if (!open.has(service)) await begin(service, place.address);
    const state = JSON.stringify(states());
    if (state === told) return;
    told = state;
    onChange();
  }

  /** One at a time. */
  const again = (graceMs = 0) =>
    (working = working
      .then(() => reconcile(graceMs))
      .catch((error: unknown) => log.error({ err: error }, "the network interfaces cannot be looked at")));

  return {
    follow(next) {
      wanted = next;
      clearInterval(timer);
      if (wanted) timer = setInterval(() => void again(), pollMs).unref();
      return again();
    },
    states,
    place: () => place,
    async close(graceMs = defaultGraceMs) {
      clearInterval(timer);
      wanted = undefined;
      told = "[]"; // nobody is to hear of it any more
      await again(graceMs);
    },
  };
}

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message;
