/**
 * Phones and other devices on the local network: a door of their own beside loopback, which is shut unless a person has
 * opened it, and passes only those that a person has let in. The services behind it are the ones that loopback reaches.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";
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
import { createDeviceBook, type Device } from "./device-book.ts";
import { deviceName } from "./device-name.ts";
import { certificatePath, cookieOf, lanHandler, type Judge } from "./lan-handler.ts";
import type { Middleware } from "../../http/middleware.ts";
import { createLanListeners, notYetListening, type OfferedService } from "./lan-listeners.ts";
import { openLanStore, type LanSwitch } from "./lan-store.ts";
import type { LanTables } from "./lan-tables.ts";
import { createThrottle } from "./throttle.ts";

export interface LanAccess {
  view(): LanAccessView;
  /** Devices that ask to be let in. */
  waiting(): LanDevice[];
  /** Base URLs of the application server for the devices. */
  appUrls(): string[];
  /** @throws HttpError 400 naming the field, 409 while the setting host opens Hearth to everybody */
  change(change: LanAccessChange): Promise<void>;
  /** @throws HttpError 404 */
  admit(id: string): Promise<void>;
  /** @throws HttpError 404 */
  remove(id: string): Promise<void>;
  /** Begins to listen where that is switched on: for when the services listen. */
  start(): Promise<void>;
  /** @param graceMs how long requests in flight may go on */
  close(graceMs?: number): Promise<void>;
}

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
  /** What this machine has just now, the likeliest first. */
  readonly interfaces: () => LanInterface[];
  /** Called when devices reach the simulator elsewhere, or nowhere: undefined. */
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
/** How often it is looked whether the network is there. */
const pollMs = 2_000;
/** Devices that begin to wait are events, but whoever makes addresses up must not make events without end. */
const waitingPaceMs = 5_000;

const toView = ({ id, name, address, seenAt }: Device): LanDevice => ({
  id,
  name,
  address,
  seen_at: new Date(seenAt).toISOString(),
});

/** Whether an address lies in the network of an address with a prefix. */
function isInNetwork(address: string, network: string): boolean {
  const [base = "", prefix] = network.split("/", 2);
  if (prefix === undefined || isIP(address) !== isIP(base)) return false;
  const family = isIP(base) === 6 ? "ipv6" : "ipv4";
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family);
  return list.check(address, family);
}

export async function createLanAccess(deps: Deps): Promise<LanAccess> {
  const { services, interfaces, openedByHost, https, bus, log, now } = deps;
  const store = await openLanStore(deps.db);
  let current: LanSwitch = store.switch;
  const waitingThrottle = createThrottle(waitingPaceMs, (device: Device) =>
    bus.publish({ type: "device.waiting", source, subject: device.id, data: toView(device) }),
  );
  const book = createDeviceBook({ admitted: store.devices, now, onWaiting: (device) => waitingThrottle.push(device) });
  /** Those that are out, but could not be removed from the store: the next start would let them in. */
  const leaving = new Map<string, Device>();
  /** The connections of those that were let through, each with its device. */
  const holders = new Map<Socket, string>();

  const isEveryoneIn = () => current.everyoneOn !== undefined && current.everyoneOn === listeners.place()?.network;

  const judge: Judge = (req) => {
    const { socket } = req;
    if (socket.remoteAddress === undefined) return undefined;
    const address = plainAddress(socket.remoteAddress);
    const { network = "" } = listeners.place() ?? {};
    const { device, isAdmitted, cookie } = book.judge({
      address,
      network,
      cookie: cookieOf(req),
      name: deviceName(req.headers["user-agent"]),
    });
    if (isAdmitted) save();
    const isLetIn = isAdmitted || (isEveryoneIn() && isInNetwork(address, network));
    if (isLetIn) {
      if (!holders.has(socket)) socket.once("close", () => holders.delete(socket));
      holders.set(socket, device.id);
    }
    return { device, isLetIn, cookie };
  };

  async function storeDevices(): Promise<void> {
    await store.saveDevices(book.admitted());
    leaving.clear();
  }

  function save(): void {
    storeDevices().catch((error: unknown) =>
      log.error({ err: error }, "a device of the local network cannot be stored"),
    );
  }

  /** Ends what is under way for those that are not let in any more. */
  function cutOff(): void {
    if (isEveryoneIn()) return;
    const ids = new Set(book.admitted().map(({ id }) => id));
    for (const [socket, id] of holders) if (!ids.has(id)) socket.destroy();
  }

  async function apply(next: LanSwitch): Promise<void> {
    await store.saveSwitch(next);
    current = next;
    await follow();
    cutOff();
  }

  const follow = () => {
    const { enabled, interfaceName, services } = current;
    const isWanted = enabled && !openedByHost && interfaceName !== undefined;
    return listeners.follow(isWanted ? { interfaceName, services } : undefined);
  };

  function onListenersChange(): void {
    const states = listeners.states();
    const urls = states.flatMap(({ url }) => url ?? []);
    deps.onProviderUrl(states.find(({ service }) => service === "provider")?.url);
    const problems = states.flatMap(({ problem }) =>
      problem === undefined || problem === notYetListening ? [] : problem,
    );
    for (const problem of problems) log.warn(`local network: ${problem}`);
    if (urls.length > 0) log.info({ urls }, "devices of the local network reach Hearth, once they are let in");
    bus.publish({ type: "lan.changed", source, data: { enabled: current.enabled, urls, problems } });
    // Another network may have the same addresses, and other people.
    if (current.everyoneOn !== undefined && !isEveryoneIn())
      apply({ ...current, everyoneOn: undefined }).catch((error: unknown) =>
        log.error({ err: error }, "the switch of the local network cannot be stored"),
      );
  }

  const urls = () => listeners.states().flatMap(({ url }) => url ?? []);
  /** By HTTP: a device that does not know the authority yet believes no other address. */
  function certificateUrl() {
    const url = listeners.states().find(({ service }) => service === "app")?.url;
    return https && url !== undefined && { certificate_url: url.replace("https:", "http:") + certificatePath };
  }
  const handlerOf = (service: LanService): RequestListener =>
    lanHandler({
      service,
      judge,
      urls,
      certificate: https?.certificate,
      before: services[service].before,
      pass: (req, res) => services[service].pass(req, res),
      log,
    });
  const listeners = createLanListeners({
    services,
    handlers: { app: handlerOf("app"), provider: handlerOf("provider"), model: handlerOf("model") },
    interfaces,
    limits: deps.limits,
    tls: https,
    log,
    onChange: onListenersChange,
    pollMs,
  });

  /** @throws HttpError 400 */
  function nameOfInterface(wanted: string | undefined): string {
    const found = interfaces();
    const isThere = (name: string | undefined) => found.some((one) => one.name === name);
    // While it is on, one that has gone is waited for.
    const kept = current.enabled || isThere(current.interfaceName) ? current.interfaceName : undefined;
    const chosen = wanted ?? kept ?? found[0]?.name ?? current.interfaceName;
    if (chosen === undefined) throw refuse("lan.none", undefined, { field: "interface" });
    if (wanted !== undefined && wanted !== current.interfaceName && !isThere(wanted))
      throw refuse("lan.interface", { name: wanted }, { field: "interface" });
    return chosen;
  }

  return {
    view: () => ({
      enabled: current.enabled && !openedByHost,
      opened_by_host: openedByHost,
      ...(current.interfaceName !== undefined && { interface: current.interfaceName }),
      services: [...current.services],
      everyone: isEveryoneIn(),
      interfaces: interfaces(),
      listeners: [...listeners.states()],
      ...certificateUrl(),
      platform: process.platform,
      devices: [...book.admitted(), ...leaving.values()].map(toView),
      waiting: current.enabled ? book.waiting().map(toView) : [],
    }),

    async change({ enabled = current.enabled, interface: wanted, services = current.services, everyone }) {
      if (openedByHost) throw refuse("lan.open");
      const interfaceName = enabled || wanted !== undefined ? nameOfInterface(wanted) : current.interfaceName;
      await apply({
        enabled,
        interfaceName,
        services: lanServiceSchema.options.filter((service) => services.includes(service)),
        everyoneOn: enabled && interfaceName === current.interfaceName ? current.everyoneOn : undefined,
      });
      if (everyone === undefined) return;
      const place = listeners.place();
      if (everyone && !place) throw refuse("lan.off", undefined, { field: "everyone" });
      await apply({ ...current, everyoneOn: everyone ? place?.network : undefined });
    },

    async admit(id) {
      const device = book.admit(id);
      if (!device) throw refuse("device.notWaiting", { id });
      await storeDevices();
      bus.publish({ type: "device.admitted", source, subject: id, data: toView(device) });
    },

    async remove(id) {
      const device = book.remove(id) ?? leaving.get(id);
      if (!device) throw refuse("device.none", { id });
      cutOff();
      await storeDevices().catch((error: unknown) => {
        leaving.set(id, device);
        throw error;
      });
      bus.publish({ type: "device.removed", source, subject: id, data: toView(device) });
    },

    waiting: () => (current.enabled && !isEveryoneIn() ? book.waiting().map(toView) : []),
    appUrls: () => listeners.states().flatMap(({ service, url }) => (service === "app" ? (url ?? []) : [])),
    start: follow,

    async close(graceMs) {
      waitingThrottle.stop();
      await listeners.close(graceMs);
      await store.idle();
    },
  };
}
