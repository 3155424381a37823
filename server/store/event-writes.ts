import type { Transaction } from "kysely";
import type { BusMessage } from "../contract/console/traffic/events.ts";
import type { Awaitable, Database, GroupedWrites } from "./database.ts";

/** The event of a write, made from its result. */
export type EventOf<Value> = (value: Value) => Awaitable<BusMessage | undefined>;

/** Writes that publish events. */
export interface EventWrites extends GroupedWrites {
  /** Like `write`. If it returns a value, the event is stored with it, and published once both are on disk. */
  writeWithEvent<Value>(work: () => Awaitable<Value>, eventOf: EventOf<NonNullable<Value>> | undefined): Promise<Value>;
}

/**
 * A transaction of several steps. The event is stored in it, and published once both are on disk; other instances hear of
 * its type as a topic.
 */
export type Transact<Tables> = <Value>(
  work: (trx: Transaction<Tables>) => Promise<Value>,
  event?: BusMessage,
) => Promise<Value>;

/** A database whose writes store events with the rows that they report. */
export interface EventDatabase<Tables> extends Database<Tables> {
  readonly writes: EventWrites;
  readonly transact: Transact<Tables>;
}
