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
import { inEnglish } from "../../contract/messages/in-english.ts";
import type { Text } from "../../contract/messages/message.ts";
import type { EventBus } from "../../events/event-bus.ts";
import { plainAddress } from "../../http/connection/peer/addresses.ts";
import type { ServerLimits } from "../../http/connection/server-limits.ts";
import type { TlsBeside } from "../../http/connection/tls-beside.ts";
import { refuse } from "../../http/http-error.ts";
import { DeviceBook, type Device } from "./device-book.ts";
import { deviceName } from "../../http/connection/peer/device-name.ts";
import { certificatePath, cookieOf, lanHandler, type Judge } from "./lan-handler.ts";
import type { Middleware } from "../../http/middleware.ts";
import { isInNetwork } from "./lan-interfaces.ts";
import { LanListeners, type OfferedService } from "./lan-listeners.ts";
import { openLanStore, type LanStore, type LanSwitch } from "./lan-store.ts";
import type { LanTables } from "./lan-tables.ts";
import { Throttle } from "./throttle.ts";

/** HTTPS for devices. */
export interface LanHttps extends TlsBeside {
  /** The certificate of the authority that devices must trust, PEM. */
  readonly certificate: string;
}

export interface ServiceBehind extends OfferedService {
  /** Runs before the device is judged. */
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
 * devices that a person has admitted. The services behind it are the ones that loopback reaches.
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
  /** Removed devices that are still in the store after a failed write: the next start would admit them. */
  readonly #undeleted = new Map<string, Device>();
  /** The connections of devices that may pass, each with its device. */
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
    this.#waitingThrottle = new Throttle(waitingPaceMs, (device: Device) =>
      bus.publish({ type: "device.waiting", source, subject: device.id, data: toView(device) }),
    );
    this.#book = new DeviceBook({
      admitted: store.devices,
      now,
      onWaiting: (device) => this.#waitingThrottle.push(device),
    });
    this.#listeners = new LanListeners({
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

  view(inLanguage: (text: Text) => string): LanAccessView {
    const { openedByHost, interfaces } = this.#deps;
    return {
      enabled: this.#current.enabled && !openedByHost,
      opened_by_host: openedByHost,
      ...(this.#current.interfaceName !== undefined && { interface: this.#current.interfaceName }),
      services: [...this.#current.services],
      everyone: this.#isEveryoneAdmitted(),
      interfaces: interfaces(),
      listeners: this.#listeners
        .states()
        .map(({ problem, ...state }) => ({ ...state, ...(problem && { problem: inLanguage(problem) }) })),
      ...this.#certificateUrl(),
      platform: process.platform,
      devices: [...this.#book.admitted(), ...this.#undeleted.values()].map(toView),
      waiting: this.#current.enabled ? this.#book.waiting().map(toView) : [],
    };
  }

  /** Returns the devices that a person may admit. */
  waiting(): LanDevice[] {
    return this.#current.enabled && !this.#isEveryoneAdmitted() ? this.#book.waiting().map(toView) : [];
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
    const device = this.#book.remove(id) ?? this.#undeleted.get(id);
    if (!device) throw refuse("device.none", { id });
    this.#cutOff();
    await this.#storeDevices().catch((error: unknown) => {
      this.#undeleted.set(id, device);
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

  #isEveryoneAdmitted(): boolean {
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
    const mayPass = isAdmitted || (this.#isEveryoneAdmitted() && isInNetwork(address, network));
    if (mayPass) {
      if (!this.#holders.has(socket)) socket.once("close", () => this.#holders.delete(socket));
      this.#holders.set(socket, device.id);
    }
    return { device, isAdmitted: mayPass, cookie };
  }

  async #storeDevices(): Promise<void> {
    await this.#store.saveDevices(this.#book.admitted());
    this.#undeleted.clear();
  }

  #save(): void {
    this.#storeDevices().catch((error: unknown) =>
      this.#deps.log.error({ err: error }, "a device of the local network cannot be stored"),
    );
  }

  /** Ends the connections of devices that are no longer admitted. */
  #cutOff(): void {
    if (this.#isEveryoneAdmitted()) return;
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
      problem && problem.code !== "lan.notYet" ? inEnglish(problem) : [],
    );
    for (const problem of problems) log.warn(`local network: ${problem}`);
    if (urls.length > 0) log.info({ urls }, "devices of the local network can reach Hearth after you allow them");
    bus.publish({ type: "lan.changed", source, data: { enabled: this.#current.enabled, urls, problems } });
    // Another network may have the same addresses, and other people.
    if (this.#current.everyoneOn !== undefined && !this.#isEveryoneAdmitted())
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
    const { enabled, interfaceName: before } = this.#current;
    const isThere = (name: string | undefined) => found.some((one) => one.name === name);
    // While the switch is on, an interface that has gone is waited for.
    const kept = enabled || isThere(before) ? before : undefined;
    const chosen = wanted ?? kept ?? found[0]?.name ?? before;
    if (chosen === undefined) throw refuse("lan.none", undefined, { field: "interface" });
    if (wanted !== undefined && wanted !== before && !isThere(wanted))
      throw refuse("lan.interface", { name: wanted }, { field: "interface" });
    return chosen;
  }
}
