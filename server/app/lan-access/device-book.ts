/**
 * Which devices are let in and which wait: the decision alone, in memory. A cookie that we gave says who it is, wherever it
 * calls from; without one the address does, for as long as it is likely to be the same device's.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";

interface Place {
  /** Plain, as addresses.ts writes it. */
  readonly address: string;
  /** This machine's own address and prefix where it was called. */
  readonly network: string;
}

/** Who calls. */
export interface Caller extends Place {
  /** The value of our cookie. */
  readonly cookie: string | undefined;
  /** What it says it is. */
  readonly name: string;
}

export interface Device {
  readonly id: string;
  readonly name: string;
  /** Empty once another device has it. */
  address: string;
  network: string;
  cookieHash: string | null;
  /** The cookie that it was given and has not sent back yet. */
  offered?: string;
  /** Unix time in ms, of both. */
  admittedAt: number;
  seenAt: number;
}

/** `cookie`: what the device is to keep, if anything. */
type Verdict = { readonly device: Device; readonly isAdmitted: boolean; readonly cookie?: string };

export interface DeviceBook {
  /** Notes the call. A device that has not been let in waits from now on. */
  judge(caller: Caller): Verdict;
  /** Those that are let in, and those that wait; the last seen first. */
  admitted(): Device[];
  waiting(): Device[];
  /** @returns undefined for one that does not wait */
  admit(id: string): Device | undefined;
  /** Forgets it, wherever it is. */
  remove(id: string): Device | undefined;
}

interface Options {
  readonly admitted: readonly Device[];
  /** Unix time in ms. */
  readonly now: () => number;
  /** Called when one begins to wait. */
  readonly onWaiting: (device: Device) => void;
}

/** So long after its last call an address still stands for its device: shorter than most routers lease one. */
export const addressTrustMs = 12 * 60 * 60_000;
/** So long after its last call one that waits is forgotten. */
export const waitingMs = 10 * 60_000;
export const mostWaiting = 50;
/** Of one address: browsers and apps of one phone wait by themselves. */
const mostOfAddress = 4;

const hashOf = (cookie: string) => createHash("sha256").update(cookie).digest("hex");
/** Without characters that are easily taken for others. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";
const newId = () => Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join("");

const lastSeenFirst = (devices: Iterable<Device>) => [...devices].sort((a, b) => b.seenAt - a.seenAt);

export function createDeviceBook({ admitted: known, now, onWaiting }: Options): DeviceBook {
  const admitted = new Map(known.map((device) => [device.id, device]));
  const waiting = new Map<string, Device>();

  /** A device whose address another has taken since is nowhere. */
  const isAt = (device: Device, { address, network }: Place) =>
    address !== "" && device.address === address && device.network === network;
  const find = (devices: ReadonlyMap<string, Device>, fits: (device: Device) => boolean) =>
    [...devices.values()].find(fits);
  /** The system's clock may have been put back since then: what lies as far in the future is as old. */
  const ageOf = ({ seenAt }: Device) => Math.abs(now() - seenAt);

  /** The device that this is. */
  function identify(devices: ReadonlyMap<string, Device>, caller: Caller, hash: string | null): Device | undefined {
    if (hash === null) return find(devices, (device) => isAt(device, caller) && ageOf(device) < addressTrustMs);
    return (
      find(devices, (device) => device.cookieHash === hash) ??
      find(devices, ({ offered }) => offered !== undefined && offered === caller.cookie)
    );
  }

  /** It is there now: of those that are let in no other is. */
  function settle(device: Device, place: Place): void {
    if (admitted.has(device.id))
      for (const other of admitted.values()) if (other !== device && isAt(other, place)) other.address = "";
    device.address = place.address;
    device.network = place.network;
  }

  function forgetOld(): void {
    for (const device of waiting.values()) if (ageOf(device) >= waitingMs) waiting.delete(device.id);
  }

  function makeRoom(caller: Caller): void {
    forgetOld();
    const here = [...waiting.values()].filter((device) => isAt(device, caller));
    const crowded = here.length >= mostOfAddress ? here : waiting.size >= mostWaiting ? [...waiting.values()] : [];
    const [oldest] = crowded.sort((a, b) => a.seenAt - b.seenAt);
    if (oldest) waiting.delete(oldest.id);
  }

  function beginToWait(caller: Caller, cookieHash: string | null): Device {
    makeRoom(caller);
    const { name, address, network } = caller;
    let id = newId();
    while (admitted.has(id) || waiting.has(id)) id = newId();
    const device: Device = { id, name, address, network, cookieHash, admittedAt: 0, seenAt: now() };
    waiting.set(id, device);
    onWaiting(device);
    return device;
  }

  return {
    judge(caller) {
      const hash = caller.cookie === undefined ? null : hashOf(caller.cookie);
      const known = identify(admitted, caller, hash);
      const device = known ?? identify(waiting, caller, hash) ?? beginToWait(caller, hash);
      device.seenAt = now();
      if (hash !== null) {
        device.cookieHash = hash;
        delete device.offered;
        settle(device, caller);
      }
      if (known || device.cookieHash !== null) return { device, isAdmitted: known !== undefined };
      device.offered ??= randomBytes(24).toString("base64url");
      return { device, isAdmitted: false, cookie: device.offered };
    },
    admitted: () => lastSeenFirst(admitted.values()),
    waiting() {
      forgetOld();
      return lastSeenFirst(waiting.values());
    },
    admit(id) {
      const device = waiting.get(id);
      if (!device) return undefined;
      waiting.delete(id);
      device.admittedAt = now();
      admitted.set(id, device);
      settle(device, device);
      return device;
    },
    remove(id) {
      const device = admitted.get(id) ?? waiting.get(id);
      admitted.delete(id);
      waiting.delete(id);
      return device;
    },
  };
}
