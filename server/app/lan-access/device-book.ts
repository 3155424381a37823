import { createHash, randomBytes, randomInt } from "node:crypto";

interface Place {
  /** Plain, as addresses.ts writes it. */
  readonly address: string;
  /** This machine's own address and prefix where it was called. */
  readonly network: string;
}

export interface Caller extends Place {
  /** The value of our cookie. */
  readonly cookie: string | undefined;
  /** A name from its User-Agent. */
  readonly name: string;
}

export interface Device {
  readonly id: string;
  readonly name: string;
  /** Empty once another device has it. */
  address: string;
  network: string;
  cookieHash: string | null;
  /** The cookie that it got and has not sent back yet. */
  offered?: string;
  /** Unix time in ms, of both. */
  admittedAt: number;
  seenAt: number;
}

interface Options {
  readonly admitted: readonly Device[];
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called when one begins to wait. */
  readonly onWaiting: (device: Device) => void;
}

/** How long after its last call an address still identifies a device: shorter than most routers lease one. */
export const addressTrustMs = 12 * 60 * 60_000;
/** How long after its last call a waiting device is forgotten. */
export const waitingMs = 10 * 60_000;
export const mostWaiting = 50;
/** The most waiting devices of one address: browsers and apps of one phone wait separately. */
const mostOfAddress = 4;

const hashOf = (cookie: string) => createHash("sha256").update(cookie).digest("hex");
/** Lacks characters that are easily confused. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const newId = () => Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join("");

const lastSeenFirst = (devices: Iterable<Device>) => [...devices].sort((a, b) => b.seenAt - a.seenAt);

const find = (devices: ReadonlyMap<string, Device>, matches: (device: Device) => boolean) =>
  [...devices.values()].find(matches);
/** False for a device whose address another one has taken since. */
const isAt = (device: Device, { address, network }: Place) =>
  address !== "" && device.address === address && device.network === network;

/**
 * The devices that are admitted and those that wait, in memory. Our cookie identifies a device wherever it calls from.
 * Without one the address does, for as long as it is likely to be the same device's.
 */
export class DeviceBook {
  readonly #admitted: Map<string, Device>;
  readonly #waiting = new Map<string, Device>();
  readonly #now: () => number;
  readonly #onWaiting: (device: Device) => void;

  constructor({ admitted, now, onWaiting }: Options) {
    this.#admitted = new Map(admitted.map((device) => [device.id, device]));
    this.#now = now;
    this.#onWaiting = onWaiting;
  }

  /** Notes the call. A device that is not admitted waits from now on. `cookie`: a new cookie for the device to keep. */
  judge(caller: Caller): { readonly device: Device; readonly isAdmitted: boolean; readonly cookie?: string } {
    const hash = caller.cookie === undefined ? null : hashOf(caller.cookie);
    const known = this.#identify(this.#admitted, caller, hash);
    const device = known ?? this.#identify(this.#waiting, caller, hash) ?? this.#beginToWait(caller, hash);
    device.seenAt = this.#now();
    if (hash !== null) {
      device.cookieHash = hash;
      delete device.offered;
      this.#settle(device, caller);
    }
    if (known || device.cookieHash !== null) return { device, isAdmitted: known !== undefined };
    device.offered ??= randomBytes(24).toString("base64url");
    return { device, isAdmitted: false, cookie: device.offered };
  }

  /** The last seen first. */
  admitted(): Device[] {
    return lastSeenFirst(this.#admitted.values());
  }

  /** The last seen first. */
  waiting(): Device[] {
    this.#forgetOld();
    return lastSeenFirst(this.#waiting.values());
  }

  /** @returns undefined for a device that does not wait */
  admit(id: string): Device | undefined {
    const device = this.#waiting.get(id);
    if (!device) return undefined;
    this.#waiting.delete(id);
    device.admittedAt = this.#now();
    this.#admitted.set(id, device);
    this.#settle(device, device);
    return device;
  }

  /** Forgets a device, admitted or waiting. */
  remove(id: string): Device | undefined {
    const device = this.#admitted.get(id) ?? this.#waiting.get(id);
    this.#admitted.delete(id);
    this.#waiting.delete(id);
    return device;
  }

  /** The system's clock may have been put back since the call: a time in the future counts as equally old. */
  #ageOf({ seenAt }: Device): number {
    return Math.abs(this.#now() - seenAt);
  }

  #identify(devices: ReadonlyMap<string, Device>, caller: Caller, hash: string | null): Device | undefined {
    if (hash === null) return find(devices, (device) => isAt(device, caller) && this.#ageOf(device) < addressTrustMs);
    return (
      find(devices, (device) => device.cookieHash === hash) ??
      find(devices, ({ offered }) => offered !== undefined && offered === caller.cookie)
    );
  }

  /** Notes that a device is at a place. No other admitted device is there then. */
  #settle(device: Device, place: Place): void {
    if (this.#admitted.has(device.id))
      for (const other of this.#admitted.values()) if (other !== device && isAt(other, place)) other.address = "";
    device.address = place.address;
    device.network = place.network;
  }

  #forgetOld(): void {
    for (const device of this.#waiting.values()) if (this.#ageOf(device) >= waitingMs) this.#waiting.delete(device.id);
  }

  #makeRoom(caller: Caller): void {
    this.#forgetOld();
    const all = [...this.#waiting.values()];
    const here = all.filter((device) => isAt(device, caller));
    const crowded = here.length >= mostOfAddress ? here : all.length >= mostWaiting ? all : [];
    const [oldest] = crowded.sort((a, b) => a.seenAt - b.seenAt);
    if (oldest) this.#waiting.delete(oldest.id);
  }

  #beginToWait(caller: Caller, cookieHash: string | null): Device {
    this.#makeRoom(caller);
    const { name, address, network } = caller;
    let id = newId();
    while (this.#admitted.has(id) || this.#waiting.has(id)) id = newId();
    const device: Device = { id, name, address, network, cookieHash, admittedAt: 0, seenAt: this.#now() };
    this.#waiting.set(id, device);
    this.#onWaiting(device);
    return device;
  }
}
