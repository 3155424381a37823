/** A running Hearth as tests see it. */
import type { Phone } from "./phone.ts";
import type { AppFault, PlatformFault, PlatformKeys, RecordedRequest, RequestFilter } from "./shapes.ts";

/** A fault that a test has armed. `await using` removes it at the end of its block. */
export interface InjectedFault {
  readonly id: number;
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The clock by which sessions, codes and session keys expire. It runs at the real one's pace. */
export interface Clock {
  now(): Promise<Date>;
  /** @param ms how much further than it is */
  advance(ms: number): Promise<void>;
  set(to: Date): Promise<void>;
  /** Puts it back to the real one's time. */
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
    /** The console, with the token that its API takes. */
    readonly console: string;
  };
  /**
   * The session token of a user, `test`, who has logged in completely. A reset leaves it valid.
   * @throws Error when that login failed, as with the setting `maintenance`
   */
  readonly token: string;
  /** A client of this person, logged in by the real protocol. The person is created where there is none of that name. */
  phone(name: string): Promise<Phone>;
  /**
   * Makes data, people, uploads, orders, faults and the clock what they were after the start, with no folder watched and no
   * requests recorded. What the test has changed of models, settings and the files of collections and fixed answers stays.
   * Phones log in again by themselves.
   */
  reset(): Promise<void>;
  /** Keeps the present data, people, sessions, uploads and orders. @returns what `restore` takes */
  snapshot(): Promise<string>;
  /** Makes them what they were at a snapshot of this instance. */
  restore(snapshot: string): Promise<void>;
  /**
   * The newest recorded request that the filter fits, at once where there is one. Requests to all services are recorded.
   * @throws Error that says what came instead, when none comes within `timeout_ms` (10,000 unless given)
   */
  waitForRequest(filter?: RequestFilter): Promise<RecordedRequest>;
  /** The recorded requests as an HTTP archive (HAR 1.2), as JSON text. */
  har(): Promise<string>;
  /** Arms a fault: with `kind` at the simulated platform, else at the application server. */
  inject(fault: AppFault | PlatformFault): Promise<InjectedFault>;
  /**
   * Selects the keys by which the platform signs replies and notifications of version 3: the certificate, the public key,
   * or both while switching. A reset puts them back.
   * @param mchId the merchant; the built-in one unless given
   */
  usePlatformKeys(keys: PlatformKeys, mchId?: string): Promise<void>;
  readonly clock: Clock;
  /** Ends its processes and removes its data. */
  stop(): Promise<void>;
  /** The same as `stop`. */
  [Symbol.asyncDispose](): Promise<void>;
}
