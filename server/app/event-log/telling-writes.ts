/** Writes that are events, too: what has happened and that it is told are one transaction, so that no crash comes between. */
import type { BusMessage } from "../../contract/events.ts";
import type { EventBus } from "../../events/event-bus.ts";
import type { GroupedWrites } from "../../store/grouped-writes.ts";
import type { TellingWrites } from "../../store/telling-writes.ts";
import type { EventLog } from "./event-log.ts";

interface Deps {
  readonly writes: GroupedWrites;
  readonly events: EventLog;
  readonly bus: EventBus;
  /** Hears of an event that could not be stored. */
  readonly onError: (error: unknown) => void;
}

/** Stores all that is published on the bus from now on. */
export function createTellingWrites({ writes, events, bus, onError }: Deps): TellingWrites {
  /** What is being published and is stored already: the bus calls its listeners before it returns. */
  let stored: BusMessage | undefined;
  bus.subscribe((message) => {
    if (message !== stored) events.append(message).catch(onError);
  });
  return {
    ...writes,
    async writeAndTell(work, tell) {
      const { value, told } = await writes.write(() => {
        const value = work();
        const message = value === undefined || value === null ? undefined : tell?.(value);
        return { value, told: message && { message, event: events.insert(message) } };
      });
      if (told) {
        events.announce(told.event);
        stored = told.message;
        bus.publish(told.message);
        stored = undefined;
      }
      return value;
    },
  };
}
