import { EventEmitter } from "node:events";
import type { BusMessage, EventName } from "../contract/console/traffic/events.ts";

/** In-process fan-out. A publisher does not know its listeners, and never fails because a listener threw. */
export class EventBus {
  readonly #emitter = new EventEmitter();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  publish<Name extends EventName>(message: BusMessage<Name>): void {
    this.#emitter.emit("event", message);
  }

  /** Calls `listen` with every event until the returned function is called. */
  subscribe(listen: (message: BusMessage) => void): () => void {
    const guarded = (message: BusMessage) => {
      try {
        listen(message);
      } catch (error) {
        this.#onListenerError(error);
      }
    };
    this.#emitter.on("event", guarded);
    return () => void this.#emitter.off("event", guarded);
  }
}
