/** Writes with events: a change and its event are one transaction, so that a crash cannot separate them. */
import type { BusMessage } from "../../contract/console/traffic/events.ts";
import type { CloudEvent } from "../../contract/console/traffic/stored-event.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { Database } from "../../store/database.ts";
import type { EventDatabase } from "../../store/event-writes.ts";
import type { EventLog } from "./event-log.ts";

interface Deps<Tables> {
  readonly database: Database<Tables>;
  readonly events: EventLog;
  readonly bus: EventBus;
  /** Called with the error when an event could not be stored. */
  readonly onError: (error: unknown) => void;
}

interface StoredEvent {
  readonly message: BusMessage;
  readonly event: CloudEvent;
}

/** The same database with writes that store events. Also stores everything published on the bus from now on. */
export function withEventWrites<Tables>({ database, events, bus, onError }: Deps<Tables>): EventDatabase<Tables> {
  const { db, writes, instances } = database;
  /** The message being published that is already stored. The bus calls its listeners synchronously. */
  let stored: BusMessage | undefined;
  bus.subscribe((message) => {
    if (message !== stored) events.append(message).catch(onError);
  });

  /** Must be called inside of a write. */
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
    ...database,
    writes: {
      ...writes,
      async writeWithEvent(work, eventOf) {
        const { value, event } = await writes.write(async () => {
          const value = await work();
          const message = value === undefined || value === null ? undefined : await eventOf?.(value);
          return { value, event: await store(message) };
        });
        publish(event);
        return value;
      },
    },
    async transact(work, message) {
      const { value, event } = await db.transaction().execute(async (trx) => {
        const value = await work(trx);
        if (message) await instances?.notify(message.type, trx);
        return { value, event: await store(message) }; // the transaction holds the only connection that writes
      });
      publish(event);
      return value;
    },
  };
}
