/** The world of one life: a platform that can crash, a merchant, a receiver of notifications, and a network between them. */
import type { Kysely } from "kysely";
import type { NotificationMessage } from "../../../server/provider/payments/faults/notification-faults.ts";
import type { SimAlipayCredentials, SimCredentials } from "../../../server/contract/provider/provider-keys.ts";
import type { ProviderTables } from "../../../server/provider/provider-tables.ts";
import { crashState, losePower, withoutCrash } from "./crashing-disk.ts";
import { exchange, type Answer, type Call } from "./exchange.ts";
import { openLifeProvider, type LifeProvider } from "./life-provider.ts";
import type { Random } from "./random.ts";
import { LifeReceiver, type ChangeDelivery } from "./receiver.ts";
import { StoredTables, type Stored } from "./stored-tables.ts";
import { awaitResult, settle } from "./simulated-process.ts";

/** A combined order as its merchant knows it. */
export interface KnownCombined {
  readonly number: string;
  /** The part of the merchant that combines. */
  readonly own: KnownOrder;
  /** Fen of the other merchant's part. */
  readonly other: number;
}

/** A deduction as its merchant knows it. */
export interface KnownDeduction {
  readonly order: KnownOrder;
  readonly contract: string;
  /** The platform has said that it will try. */
  accepted: boolean;
}

/** An order as its merchant knows it. */
export interface KnownOrder {
  readonly number: string;
  readonly version: "v2" | "v3" | "alipay";
  readonly type: "JSAPI" | "NATIVE" | "MICROPAY";
  readonly total: number;
  /** Its money waits to be shared. */
  readonly shared: boolean;
  /** A service provider placed it for its sub-merchant, in version 3. */
  readonly partner: boolean;
  /** The platform has said that it is paid, under this number. */
  paidAs: string | undefined;
  /** Refunds by their numbers; `accepted` once the platform has said so. */
  readonly refunds: Map<string, { readonly fen: number; accepted: boolean }>;
}

/** A request to share an order, as its merchant knows it. */
export interface KnownShare {
  readonly number: string;
  readonly order: KnownOrder;
  readonly body: object;
  /** Fen that others are to get. */
  readonly fen: number;
  /** The platform's number, once it has accepted the request. */
  id: string | undefined;
  /** Returns that the platform has accepted, by their numbers. */
  readonly returned: Map<string, number>;
}

export interface KnownTransfer {
  readonly number: string;
  readonly fen: number;
  /** The platform's number, once it has accepted the transfer. */
  id: string | undefined;
}

/** A planted error, which the invariants must find. */
export interface PlantedError {
  /** Changes a notification on its way. */
  readonly deliver?: ChangeDelivery;
  /** Called after each step. */
  readonly afterStep?: (db: Kysely<ProviderTables>) => Promise<unknown>;
  /** Called while no process has the file open. */
  readonly onCrash?: (file: string) => void;
}

interface Options {
  readonly file: string;
  readonly folder: string;
  readonly random: Random;
  readonly credentials: SimCredentials;
  readonly alipay: SimAlipayCredentials;
  readonly planted: PlantedError;
}

/** The longest that a merchant waits for an answer. */
const patienceMs = 20_000;

export class LifeWorld {
  readonly random: Random;
  readonly credentials: SimCredentials;
  readonly alipay: SimAlipayCredentials;
  readonly receiver: LifeReceiver;
  readonly orders: KnownOrder[] = [];
  readonly shares: KnownShare[] = [];
  readonly transfers: KnownTransfer[] = [];
  readonly combined: KnownCombined[] = [];
  /** Numbers of contracts. */
  readonly contracts: string[] = [];
  readonly deductions: KnownDeduction[] = [];
  /** Numbers of complaints. */
  readonly complaints: string[] = [];
  readonly log: string[] = [];
  readonly violations: string[] = [];
  /** Orders that have been seen paid, with their numbers, by the database's ids. */
  readonly settled = new Map<number, string>();
  readonly #options: Options;
  readonly #stored = new StoredTables();
  #provider: LifeProvider | undefined;
  #process = 0;

  constructor(options: Options) {
    this.#options = options;
    this.random = options.random;
    this.credentials = options.credentials;
    this.alipay = options.alipay;
    this.receiver = new LifeReceiver(this);
  }

  get db(): Kysely<ProviderTables> {
    if (!this.#provider) throw new Error("no process of the platform runs");
    return this.#provider.db;
  }

  /** The platform's tables as they are now. */
  stored(): Promise<Stored> {
    return this.#stored.read(this.db);
  }

  note(line: string): void {
    this.log.push(line);
  }

  violate(what: string): void {
    this.violations.push(what);
    this.log.push(`VIOLATED ${what}`);
  }

  async open(): Promise<void> {
    const own = ++this.#process;
    const { file, folder, planted } = this.#options;
    const poster = {
      // A message of a dead process never arrives.
      post: async (url: string, _asker: unknown, message: NotificationMessage) => {
        if (own !== this.#process || crashState.isDead()) return new Promise<never>(() => undefined);
        return this.receiver.take({ url, headers: message.headers, body: String(message.body) }, planted.deliver);
      },
      close: () => undefined,
    };
    this.#provider = await openLifeProvider({ file, folder, poster });
    this.note(`process ${String(own)} started`);
  }

  /** @returns undefined when no answer came */
  async call(call: Call): Promise<Answer | undefined> {
    const provider = this.#provider;
    if (!provider) throw new Error("no process of the platform runs");
    const answer = await awaitResult(exchange(provider.handler, call), patienceMs);
    return crashState.isDead() ? undefined : answer;
  }

  /** Loses power now, if it was not lost yet, and starts again. */
  async restart(): Promise<void> {
    losePower();
    await settle();
    this.#options.planted.onCrash?.(this.#options.file);
    this.note("power lost");
    await this.open();
  }

  async restartIfDead(): Promise<void> {
    if (crashState.isDead()) await this.restart();
  }

  async afterStep(): Promise<void> {
    const { afterStep } = this.#options.planted;
    if (afterStep) await withoutCrash(() => afterStep(this.db));
  }

  end(): void {
    losePower();
  }
}
