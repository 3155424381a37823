import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import type { LanInterface, LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { message, type Message } from "../../contract/messages/message.ts";
import { httpsUrl, httpUrl } from "../../contract/own-url.ts";
import { createConnectionLimit } from "../../http/connection/connection-limit.ts";
import { defaultGraceMs, PortInUseError } from "../../http/connection/listen.ts";
import { serve, type Listener } from "../../http/connection/serve.ts";
import type { TlsBeside } from "../../http/connection/tls-beside.ts";
import type { ServerLimits } from "../../http/connection/server-limits.ts";

/** A service that can be offered. */
export interface OfferedService {
  /** Its port on loopback, which is also its port for devices. Undefined while it cannot be offered. */
  readonly port: () => number | undefined;
  /** Why it cannot be offered; undefined while it starts. */
  readonly absence: () => Message | undefined;
}

export interface Wanted {
  readonly interfaceName: string;
  readonly services: readonly LanService[];
}

/** A service with its address for devices, or the reason why it has none; "lan.notYet" while it is still to come. */
interface ListenerState {
  readonly service: LanService;
  readonly url?: string;
  readonly problem?: Message;
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
  /** How often the interface is looked for. */
  readonly pollMs: number;
}

interface Open {
  readonly address: string;
  readonly port: number;
  readonly listener: Listener;
}

/** Listens for the local network as `follow` says: closes the listeners of an interface that has gone, and listens again once it is back. */
export class LanListeners {
  readonly #deps: Deps;
  readonly #connections: ReturnType<typeof createConnectionLimit>;
  readonly #open = new Map<LanService, Open>();
  readonly #problems = new Map<LanService, Message>();
  #wanted: Wanted | undefined;
  #place: LanInterface | undefined;
  #timer: NodeJS.Timeout | undefined;
  #working = Promise.resolve();
  /** The states that were reported last. */
  #reported = "[]";

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#connections = createConnectionLimit(deps.limits.maxConnections, deps.log);
  }

  /** Listens so from now on; undefined: not at all. Settles when that is so, or has failed. */
  follow(wanted: Wanted | undefined): Promise<void> {
    this.#wanted = wanted;
    clearInterval(this.#timer);
    if (wanted) this.#timer = setInterval(() => void this.#reconcileNext(), this.#deps.pollMs).unref();
    return this.#reconcileNext();
  }

  states(): ListenerState[] {
    const urlOf = this.#deps.tls ? httpsUrl : httpUrl;
    return (this.#wanted?.services ?? []).map((service) => {
      const open = this.#open.get(service);
      if (open) return { service, url: urlOf(open.address, open.port) };
      return { service, problem: this.#problems.get(service) ?? message("lan.notYet") };
    });
  }

  /** The interface, while it is there and wanted. */
  place(): LanInterface | undefined {
    return this.#place;
  }

  /** @param graceMs how long requests in flight may go on */
  async close(graceMs = defaultGraceMs): Promise<void> {
    clearInterval(this.#timer);
    this.#wanted = undefined;
    this.#reported = "[]"; // the end is not reported
    await this.#reconcileNext(graceMs);
  }

  /** Reconciles once the reconciliation before it has ended. */
  #reconcileNext(graceMs = 0): Promise<void> {
    return (this.#working = this.#working
      .then(() => this.#reconcile(graceMs))
      .catch((error: unknown) => this.#deps.log.error({ err: error }, "the network interfaces cannot be read")));
  }

  /** @param graceMs how long requests may go on at listeners that close: devices that lose the access lose it at once */
  async #reconcile(graceMs: number): Promise<void> {
    const wanted = this.#wanted;
    const found = wanted && this.#deps.interfaces().find(({ name }) => name === wanted.interfaceName);
    await this.#closeUnwanted(found?.address, graceMs);
    this.#place = found; // only now: requests to a listener that closes are judged by the place before
    for (const service of wanted?.services ?? [])
      if (!found) this.#problems.set(service, message("lan.noAddress", { name: wanted?.interfaceName ?? "" }));
      else if (!this.#open.has(service)) await this.#listen(service, found.address);
    const state = JSON.stringify(this.states());
    if (state === this.#reported) return;
    this.#reported = state;
    this.#deps.onChange();
  }

  async #closeUnwanted(wantedAddress: string | undefined, graceMs: number): Promise<void> {
    const closing: Promise<void>[] = [];
    for (const [service, { address, port, listener }] of this.#open) {
      const isWanted = this.#wanted?.services.includes(service) === true && address === wantedAddress;
      if (isWanted && port === this.#deps.services[service].port() && listener.findProblem() === undefined) continue;
      this.#open.delete(service);
      closing.push(listener.close(graceMs));
    }
    await Promise.all(closing);
  }

  async #listen(service: LanService, address: string): Promise<void> {
    const { services, handlers, limits, tls, log } = this.#deps;
    const { port: portOf, absence } = services[service];
    const port = portOf();
    this.#problems.delete(service);
    if (port === undefined) {
      const why = absence();
      if (why) this.#problems.set(service, why);
      return;
    }
    try {
      const options = { host: address, port, alone: true, limits, connections: this.#connections, tls, log };
      this.#open.set(service, { address, port, listener: await serve(handlers[service], options) });
    } catch (error) {
      const isInUse = error instanceof PortInUseError;
      const reason = reasonOf((error as Error).cause ?? error);
      this.#problems.set(
        service,
        isInUse ? message("lan.portInUse", { port, address }) : message("lan.failed", { address, reason }),
      );
    }
  }
}

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? (error as Error).message;
