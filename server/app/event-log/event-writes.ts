/** Writes with events: a change and its event are one transaction, so that a crash cannot separate them. */
import type { Kysely } from "kysely";
import type { BusMessage, CloudEvent } from "../../contract/console/traffic/events.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { GroupedWrites, Instances } from "../../store/database.ts";
import type { EventWrites, Transact } from "../../store/event-writes.ts";
import type { EventLog } from "./event-log.ts";

interface Deps<Tables> {
  readonly db: Kysely<Tables>;
  readonly writes: GroupedWrites;
  readonly instances: Pick<Instances, "tell"> | undefined;
  readonly events: EventLog;
  readonly bus: EventBus;
  /** Called with the error when an event could not be stored. */
  readonly onError: (error: unknown) => void;
}

interface StoredEvent {
  readonly message: BusMessage;
  readonly event: CloudEvent;
}

/** Also stores everything published on the bus from now on. */
export function createEventWrites<Tables>({
  db,
  writes,
  instances,
  events,
  bus,
  onError,
}: Deps<Tables>): EventWrites & { readonly transact: Transact<Tables> } {
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
        if (message) await instances?.tell(message.type, trx);
        return { value, event: await store(message) }; // the transaction holds the only connection that writes
      });
      publish(event);
      return value;
    },
  };
}
