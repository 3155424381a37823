/** The live stream of events: one connection for the page, which is reopened when it ends. Events are delivered in batches. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { cloudEventSchema, type CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { parseJson } from "../../../server/contract/parse-json.ts";
import { keepOpen, type EventSourceLike, type OpenStream } from "./keep-open.ts";

/** connecting: never open yet. reconnecting: it was open, or failed to open, and is retried. */
export type Connection = "connecting" | "open" | "reconnecting";

export interface LiveEvents {
  /** Receives each batch of events, in the order of their arrival. */
  subscribe(listen: (events: CloudEvent[]) => void): () => void;
  /** Called each time the stream opens: events missed before must then be fetched. */
  subscribeOpen(listen: () => void): () => void;
  /** Called when requests have been recorded, at most twice a second. */
  subscribeActivity(listen: () => void): () => void;
  readonly connection: StoreApi<Connection>;
  /** Opens the stream; the returned function closes it. */
  start(): () => void;
}

/** A storm of events causes one rendering per batch instead of one per event; a large batch lengthens the interval. */
const batchMs = 80;
const stormBatchMs = 250;
const stormSize = 50;
const longestPauseMs = 8_000;

export function createLiveEvents(open: () => ReturnType<OpenStream>): LiveEvents {
  const listeners = new Set<(events: CloudEvent[]) => void>();
  const openListeners = new Set<() => void>();
  const activityListeners = new Set<() => void>();
  const connection = createStore<Connection>(() => "connecting");
  let waiting: CloudEvent[] = [];
  let flushTimer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = batchMs;

  const flush = () => {
    flushTimer = undefined;
    const events = waiting;
    waiting = [];
    waitMs = events.length > stormSize ? stormBatchMs : batchMs;
    for (const listen of listeners) listen(events);
  };
  const receive = (data: unknown) => {
    const event = cloudEventSchema.safeParse(parseJson(String(data)));
    if (!event.success) return;
    waiting.push(event.data);
    flushTimer ??= setTimeout(flush, waitMs);
  };
  const attach = (source: EventSourceLike) => {
    source.addEventListener("open", () => {
      connection.setState("open");
      for (const listen of openListeners) listen();
    });
    source.addEventListener("error", () => connection.setState("reconnecting"));
    source.addEventListener("event", (message) => receive(message.data));
    source.addEventListener("activity", () => {
      for (const listen of activityListeners) listen();
    });
  };

  return {
    subscribe: (listen) => subscription(listeners, listen),
    subscribeOpen: (listen) => subscription(openListeners, listen),
    subscribeActivity: (listen) => subscription(activityListeners, listen),
    connection,
    start() {
      const stop = keepOpen(open, attach, (failures) => Math.min(500 * 2 ** failures, longestPauseMs));
      return () => {
        clearTimeout(flushTimer);
        stop();
      };
    },
  };
}

/** Passes on the events, and calls `onOpen` whenever earlier ones may be missing. The returned function ends both. */
export function follow(
  live: Pick<LiveEvents, "subscribe" | "subscribeOpen">,
  onEvents: (events: CloudEvent[]) => void,
  onOpen: () => void,
): () => void {
  const stops = [live.subscribe(onEvents), live.subscribeOpen(onOpen)];
  return () => {
    for (const stop of stops) stop();
  };
}

function subscription<T>(listeners: Set<T>, listen: T): () => void {
  listeners.add(listen);
  return () => void listeners.delete(listen);
}
