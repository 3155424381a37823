/** A running Hearth as tests see it. */
import type { Phone, PhoneOptions } from "./phone/phone.ts";
import type { AppFault, PlatformFault, SimulatedPlatformKeys, RecordedRequest, RequestFilter } from "./shapes.ts";

/** A fault that a test has armed. `await using` removes it at the end of its block. */
export interface InjectedFault {
  readonly id: number;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The clock by which sessions, codes and session keys expire. It runs at the pace of the real clock. */
export interface Clock {
  now(): Promise<Date>;
  /** @param ms the time to add */
  advance(ms: number): Promise<void>;
  set(to: Date): Promise<void>;
  /** Resets it to the real time. */
  reset(): Promise<void>;
}

export interface Hearth {
  readonly urls: {
    /** The application server. */
    readonly app: string;
    /** The provider simulator. */
    readonly provider: string;
    /** The model service; null without one. */
    readonly model: string | null;
    /** The proxy before the real platform's hosts; null without the setting `stand_in`. */
    readonly stand_in: string | null;
    /** The console, with the token for its API. */
    readonly console: string;
  };
  /**
   * The session token of a user, `test`, who has logged in completely. A reset leaves it valid.
   * @throws Error when that login failed, as with the setting `maintenance`
   */
  readonly token: string;
  /** A client of this person, logged in by the real protocol. The person is created where there is none of that name. */
  phone(name: string, options?: PhoneOptions): Promise<Phone>;
  /**
   * Resets data, people, uploads, orders, faults, scripted models and the clock to their state after the start, without
   * watched folders and recorded requests. Changes of other models, settings and the files of collections and fixed answers stay. Phones log
   * in again automatically.
   */
  reset(): Promise<void>;
  /** Stores the present data, people, sessions, uploads and orders. Returns the argument of `restore`. */
  snapshot(): Promise<string>;
  /** Restores a snapshot of this instance. */
  restore(snapshot: string): Promise<void>;
  /**
   * The newest recorded request that matches the filter, at once if there is one. Requests to all services are
   * recorded.
   * @throws Error that names other requests, when none matches within `timeout_ms` (default: 10,000)
   */
  waitForRequest(filter?: RequestFilter): Promise<RecordedRequest>;
  /** The recorded requests as an HTTP archive (HAR 1.2), as JSON text. */
  har(): Promise<string>;
  /** Arms a fault: with `kind` at the simulated platform, otherwise at the application server. */
  inject(fault: AppFault | PlatformFault): Promise<InjectedFault>;
  /**
   * Selects the keys by which the platform signs replies and notifications of version 3: the certificate, the public key,
   * or both while switching. A reset puts them back.
   * @param mchId the merchant; the built-in one unless given
   */
  usePlatformKeys(keys: SimulatedPlatformKeys, mchId?: string): Promise<void>;
  readonly clock: Clock;
  /** Ends its processes and removes its data. */
  stop(): Promise<void>;
  /** The same as `stop`. */
  [Symbol.asyncDispose](): Promise<void>;
}
