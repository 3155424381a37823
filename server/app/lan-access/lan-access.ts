import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import {
  lanServiceSchema,
  type LanAccessChange,
  type LanAccessView,
  type LanDevice,
  type LanInterface,
  type LanService,
} from "../../contract/console/machine/lan-access-endpoints.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { plainAddress } from "../../http/connection/peer/addresses.ts";
import type { ServerLimits } from "../../http/connection/server-limits.ts";
import type { TlsBeside } from "../../http/connection/tls-beside.ts";
import { refuse } from "../../http/http-error.ts";
import { createDeviceBook, type Device, type DeviceBook } from "./device-book.ts";
import { deviceName } from "./device-name.ts";
import { certificatePath, cookieOf, lanHandler, type Judge } from "./lan-handler.ts";
import type { Middleware } from "../../http/middleware.ts";
import { isInNetwork } from "./lan-interfaces.ts";
import { createLanListeners, notYetListening, type LanListeners, type OfferedService } from "./lan-listeners.ts";
import { openLanStore, type LanStore, type LanSwitch } from "./lan-store.ts";
import type { LanTables } from "./lan-tables.ts";
import { createThrottle } from "./throttle.ts";

/** HTTPS for devices. */
export interface LanHttps extends TlsBeside {
  /** That of the authority which devices must believe, PEM. */
  readonly certificate: string;
}

export interface ServiceBehind extends OfferedService {
  /** Comes before it is known who calls. */
  readonly before?: Middleware;
  readonly pass: (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;
}

interface Deps {
  readonly db: Kysely<LanTables>;
  readonly services: Readonly<Record<LanService, ServiceBehind>>;
  /** Lists the network interfaces that this machine has now, the likeliest first. */
  readonly interfaces: () => LanInterface[];
  /** Called when the simulator's address for devices changes; undefined where they do not reach it. */
  readonly onProviderUrl: (url: string | undefined) => void;
  readonly openedByHost: boolean;
  readonly limits: ServerLimits;
  /** Undefined where devices are answered by HTTP alone. */
  readonly https: LanHttps | undefined;
  readonly bus: EventBus;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
}

const source = "/app/lan-access";
/** How often the network interfaces are polled. */
const pollMs = 2_000;
/** The pace of events for devices that begin to wait: a program that makes up addresses must not cause endless events. */
const waitingPaceMs = 5_000;

const toView = ({ id, name, address, seenAt }: Device): LanDevice => ({
  id,
  name,
  address,
  seen_at: new Date(seenAt).toISOString(),
});

/**
 * The door for phones and other devices on the local network. It is shut unless a person has opened it, and passes only
 * devices that a person has let in. The services behind it are the ones that loopback reaches.
 *
 * A device waits until a person admits it, and stays admitted until a person removes it. The switch for everyone admits
 * all devices of the current network, and turns itself off in another network.
 */
export class LanAccess {
  readonly #deps: Deps;
  readonly #store: LanStore;
  #current: LanSwitch;
  readonly #waitingThrottle;
  readonly #book: DeviceBook;
  /** Removed devices that are still in the store after a failed write: the next start would let them in. */
  readonly #leaving = new Map<string, Device>();
  /** The connections of devices that were let through, each with its device. */
  readonly #holders = new Map<Socket, string>();
  readonly #listeners: LanListeners;

  static async open(deps: Deps): Promise<LanAccess> {
    return new LanAccess(deps, await openLanStore(deps.db));
  }

  private constructor(deps: Deps, store: LanStore) {
    this.#deps = deps;
    const { bus, now, services, interfaces, https, log } = deps;
    this.#store = store;
    this.#current = store.switch;
    this.#waitingThrottle = createThrottle(waitingPaceMs, (device: Device) =>
      bus.publish({ type: "device.waiting", source, subject: device.id, data: toView(device) }),
    );
    this.#book = createDeviceBook({
      admitted: store.devices,
      now,
      onWaiting: (device) => this.#waitingThrottle.push(device),
    });
    this.#listeners = createLanListeners({
      services,
      handlers: { app: this.#handlerOf("app"), provider: this.#handlerOf("provider"), model: this.#handlerOf("model") },
      interfaces,
      limits: deps.limits,
      tls: https,
      log,
      onChange: () => this.#onListenersChange(),
      pollMs,
    });
  }

  view(): LanAccessView {
    const { openedByHost, interfaces } = this.#deps;
    return {
      enabled: this.#current.enabled && !openedByHost,
      opened_by_host: openedByHost,
      ...(this.#current.interfaceName !== undefined && { interface: this.#current.interfaceName }),
      services: [...this.#current.services],
      everyone: this.#isEveryoneIn(),
      interfaces: interfaces(),
      listeners: [...this.#listeners.states()],
      ...this.#certificateUrl(),
      platform: process.platform,
      devices: [...this.#book.admitted(), ...this.#leaving.values()].map(toView),
      waiting: this.#current.enabled ? this.#book.waiting().map(toView) : [],
    };
  }

  /** Devices that ask to be let in. */
  waiting(): LanDevice[] {
    return this.#current.enabled && !this.#isEveryoneIn() ? this.#book.waiting().map(toView) : [];
  }

  /** Base URLs of the application server for the devices. */
  appUrls(): string[] {
    return this.#listeners.states().flatMap(({ service, url }) => (service === "app" ? (url ?? []) : []));
  }

  /** @throws HttpError 400 naming the field, 409 while the setting host opens Hearth to everybody */
  async change({ interface: wanted, everyone, ...change }: LanAccessChange): Promise<void> {
    const { enabled = this.#current.enabled, services = this.#current.services } = change;
    if (this.#deps.openedByHost) throw refuse("lan.open");
    const interfaceName = enabled || wanted !== undefined ? this.#nameOfInterface(wanted) : this.#current.interfaceName;
    await this.#apply({
      enabled,
      interfaceName,
      services: lanServiceSchema.options.filter((service) => services.includes(service)),
      everyoneOn: enabled && interfaceName === this.#current.interfaceName ? this.#current.everyoneOn : undefined,
    });
    if (everyone === undefined) return;
    const place = this.#listeners.place();
    if (everyone && !place) throw refuse("lan.off", undefined, { field: "everyone" });
    await this.#apply({ ...this.#current, everyoneOn: everyone ? place?.network : undefined });
  }

  /** @throws HttpError 404 */
  async admit(id: string): Promise<void> {
    const device = this.#book.admit(id);
    if (!device) throw refuse("device.notWaiting", { id });
    await this.#storeDevices();
    this.#deps.bus.publish({ type: "device.admitted", source, subject: id, data: toView(device) });
  }

  /** @throws HttpError 404 */
  async remove(id: string): Promise<void> {
    const device = this.#book.remove(id) ?? this.#leaving.get(id);
    if (!device) throw refuse("device.none", { id });
    this.#cutOff();
    await this.#storeDevices().catch((error: unknown) => {
      this.#leaving.set(id, device);
      throw error;
    });
    this.#deps.bus.publish({ type: "device.removed", source, subject: id, data: toView(device) });
  }

  /** Begins to listen where that is switched on. To be called when the services listen. */
  start(): Promise<void> {
    const { enabled, interfaceName, services } = this.#current;
    const isWanted = enabled && !this.#deps.openedByHost && interfaceName !== undefined;
    return this.#listeners.follow(isWanted ? { interfaceName, services } : undefined);
  }

  /** @param graceMs how long requests in flight may go on */
  async close(graceMs?: number): Promise<void> {
    this.#waitingThrottle.stop();
    await this.#listeners.close(graceMs);
    await this.#store.idle();
  }

  #isEveryoneIn(): boolean {
    return this.#current.everyoneOn !== undefined && this.#current.everyoneOn === this.#listeners.place()?.network;
  }

  #judge(req: IncomingMessage): ReturnType<Judge> {
    const { socket } = req;
    if (socket.remoteAddress === undefined) return undefined;
    const address = plainAddress(socket.remoteAddress);
    const { network = "" } = this.#listeners.place() ?? {};
    const { device, isAdmitted, cookie } = this.#book.judge({
      address,
      network,
      cookie: cookieOf(req),
      name: deviceName(req.headers["user-agent"]),
    });
    if (isAdmitted) this.#save();
    const isLetIn = isAdmitted || (this.#isEveryoneIn() && isInNetwork(address, network));
    if (isLetIn) {
      if (!this.#holders.has(socket)) socket.once("close", () => this.#holders.delete(socket));
      this.#holders.set(socket, device.id);
    }
    return { device, isLetIn, cookie };
  }

  async #storeDevices(): Promise<void> {
    await this.#store.saveDevices(this.#book.admitted());
    this.#leaving.clear();
  }

  #save(): void {
    this.#storeDevices().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, "a device of the local network cannot be stored"),
    );
  }

  /** Ends the connections of devices that are not let in any more. */
  #cutOff(): void {
    if (this.#isEveryoneIn()) return;
    const ids = new Set(this.#book.admitted().map(({ id }) => id));
    for (const [socket, id] of this.#holders) if (!ids.has(id)) socket.destroy();
  }

  async #apply(next: LanSwitch): Promise<void> {
    await this.#store.saveSwitch(next);
    this.#current = next;
    await this.start();
    this.#cutOff();
  }

  #onListenersChange(): void {
    const { log, bus } = this.#deps;
    const states = this.#listeners.states();
    const urls = this.#urls();
    this.#deps.onProviderUrl(states.find(({ service }) => service === "provider")?.url);
    const problems = states.flatMap(({ problem }) =>
      problem === undefined || problem === notYetListening ? [] : problem,
    );
    for (const problem of problems) log.warn(`local network: ${problem}`);
    if (urls.length > 0) log.info({ urls }, "devices of the local network reach Hearth, once they are let in");
    bus.publish({ type: "lan.changed", source, data: { enabled: this.#current.enabled, urls, problems } });
    // Another network may have the same addresses, and other people.
    if (this.#current.everyoneOn !== undefined && !this.#isEveryoneIn())
      this.#apply({ ...this.#current, everyoneOn: undefined }).catch((error: unknown) =>
        log.error({ err: error }, "the switch of the local network cannot be stored"),
      );
  }

  #urls(): string[] {
    return this.#listeners.states().flatMap(({ url }) => url ?? []);
  }

  /** Returns an address for HTTP: a device that does not know the authority yet trusts no other one. */
  #certificateUrl() {
    const [url] = this.appUrls();
    return (
      this.#deps.https && url !== undefined && { certificate_url: url.replace("https:", "http:") + certificatePath }
    );
  }

  #handlerOf(service: LanService): RequestListener {
    const { https, services, log } = this.#deps;
    return lanHandler({
      service,
      judge: (req) => this.#judge(req),
      urls: () => this.#urls(),
      certificate: https?.certificate,
      before: services[service].before,
      pass: (req, res) => services[service].pass(req, res),
      log,
    });
  }

  /** @throws HttpError 400 */
  #nameOfInterface(wanted: string | undefined): string {
    const found = this.#deps.interfaces();
    const isThere = (name: string | undefined) => found.some((one) => one.name === name);
    // While the switch is on, an interface that has gone is waited for.
    const kept =
      this.#current.enabled || isThere(this.#current.interfaceName) ? this.#current.interfaceName : undefined;
    const chosen = wanted ?? kept ?? found[0]?.name ?? this.#current.interfaceName;
    if (chosen === undefined) throw refuse("lan.none", undefined, { field: "interface" });
    if (wanted !== undefined && wanted !== this.#current.interfaceName && !isThere(wanted))
      throw refuse("lan.interface", { name: wanted }, { field: "interface" });
    return chosen;
  }
}
