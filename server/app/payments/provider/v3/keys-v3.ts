/**
 * The keys of version 3: the merchant's, which sign calls, and the platform's, which sign replies and notifications.
 */
import { createPublicKey, type KeyObject } from "node:crypto";

/** The merchant's key for signing calls. */
export interface MerchantKeyV3 {
  readonly serial: string;
  readonly privateKey: KeyObject;
}

/** Platform keys by `Wechatpay-Serial`: a certificate's serial number in upper case, or the id of a public key. */
export type PlatformKeySet = ReadonlyMap<string, KeyObject>;

export interface PlatformKeys {
  /**
   * The key with this serial. An unknown one is fetched once.
   * @throws PlatformKeysUnavailable
   */
  find(serial: string): Promise<KeyObject | undefined>;
}

/** The platform's keys could not be fetched, so signatures cannot be checked. */
export class PlatformKeysUnavailable extends Error {
  override readonly name = "PlatformKeysUnavailable";
}

interface Options {
  /** The configured keys. */
  readonly load: () => Promise<PlatformKeySet>;
  /** Fetches the platform's current keys. */
  readonly fetch: () => Promise<PlatformKeySet>;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Limits the fetches, because forged serials must not cause a call each, nor keep a genuine one from being fetched. */
const askAgainAfterMs = 2_000;
const missesMeanwhile = 5;

export const serialName = (serial: string): string => serial.toUpperCase();
export const readPlatformKey = (pem: string): KeyObject => createPublicKey(pem);

export function createPlatformKeys({ load, fetch, now }: Options): PlatformKeys {
  let known: Promise<PlatformKeySet> | undefined;
  let fetched: PlatformKeySet = new Map();
  const missedAt = new Map<string, number>();
  let fetching: Promise<void> | undefined;

  const loaded = () =>
    (known ??= load().catch((error: unknown) => {
      known = undefined;
      throw unavailable(error);
    }));

  async function fetchFor(name: string): Promise<void> {
    fetched = await fetch().catch((error: unknown) => {
      throw unavailable(error);
    });
    if (!fetched.has(name)) missedAt.set(name, now());
  }

  function mayFetch(name: string): boolean {
    for (const [missed, at] of missedAt) if (Math.abs(now() - at) >= askAgainAfterMs) missedAt.delete(missed);
    return !missedAt.has(name) && missedAt.size < missesMeanwhile;
  }

  return {
    async find(serial) {
      const name = serialName(serial);
      const key = (await loaded()).get(name) ?? fetched.get(name);
      if (key !== undefined || !mayFetch(name)) return key;
      fetching ??= fetchFor(name).finally(() => (fetching = undefined));
      await fetching;
      return fetched.get(name);
    },
  };
}

const unavailable = (error: unknown) =>
  error instanceof PlatformKeysUnavailable
    ? error
    : new PlatformKeysUnavailable("the platform's keys cannot be read", { cause: error });
