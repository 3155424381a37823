import type { Transaction } from "kysely";
import type { BusMessage } from "../contract/console/events.ts";
import type { Awaitable, GroupedWrites } from "./database.ts";

/** What a write has to tell the world, made of what it returns. */
export type EventOf<Value> = (value: Value) => BusMessage | undefined;

/** Writes that are events, too. */
export interface EventWrites extends GroupedWrites {
  /** Like `write`; where that returns a value, the event is stored with it, and published once both are on disk. */
  writeWithEvent<Value>(work: () => Awaitable<Value>, report: EventOf<NonNullable<Value>> | undefined): Promise<Value>;
}

/** A transaction of several steps. The event is stored in it, and published once both are on disk. */
export type Transact<Tables> = <Value>(
  work: (trx: Transaction<Tables>) => Promise<Value>,
  event?: BusMessage,
) => Promise<Value>;
