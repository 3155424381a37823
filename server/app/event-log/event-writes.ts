/** Writes that are events, too: what has happened and that it is told are one transaction, so that no crash comes between. */
import type { Kysely } from "kysely";
import type { BusMessage, CloudEvent } from "../../contract/console/events.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { GroupedWrites } from "../../store/database.ts";
import type { EventWrites, Transact } from "../../store/event-writes.ts";
import type { EventLog } from "./event-log.ts";

interface Deps<Tables> {
  readonly db: Kysely<Tables>;
  readonly writes: GroupedWrites;
  readonly events: EventLog;
  readonly bus: EventBus;
  /** Hears of an event that could not be stored. */
  readonly onError: (error: unknown) => void;
}

interface StoredEvent {
  readonly message: BusMessage;
  readonly event: CloudEvent;
}

/** Stores all that is published on the bus from now on. */
export function createEventWrites<Tables>({
  db,
  writes,
  events,
  bus,
  onError,
}: Deps<Tables>): EventWrites & { readonly transact: Transact<Tables> } {
  /** What is being published and is stored already: the bus calls its listeners before it returns. */
  let stored: BusMessage | undefined;
  bus.subscribe((message) => {
    if (message !== stored) events.append(message).catch(onError);
  });

  /** For use inside of a write. */
  const store = async (message: BusMessage | undefined): Promise<StoredEvent | undefined> =>
    message && { message, event: await events.insert(message) };

  function publish(storedEvent: StoredEvent | undefined): void {
    if (!storedEvent) return;
    events.announce(storedEvent.event);
    stored = storedEvent.message;
    bus.publish(storedEvent.message);
    stored = undefined;
  }

  return {
    ...writes,
    async writeWithEvent(work, eventOf) {
      const { value, event } = await writes.write(async () => {
        const value = await work();
        return { value, event: await store(value === undefined || value === null ? undefined : eventOf?.(value)) };
      });
      publish(event);
      return value;
    },
    async transact(work, message) {
      const { value, event } = await db.transaction().execute(async (trx) => {
        const value = await work(trx);
        return { value, event: await store(message) }; // the transaction has the one connection that writes
      });
      publish(event);
      return value;
    },
  };
}
