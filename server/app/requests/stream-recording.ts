import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventStream, EventStreams } from "../../http/connection/event-streams.ts";
import type { Recorder } from "./recorder.ts";

/** Many changes in this time are one message. */
const quietMs = 100;

/**
 * Streams (SSE) of how much is recorded, now and after each change: written as text once for all readers. What a client misses
 * while it is away, the next one says.
 */
export function createRecordingStreams(streams: EventStreams, recorder: Pick<Recorder, "onChange" | "state">) {
  const readers = new Set<EventStream>();
  let stopListening: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = 0;

  const state = () => Buffer.from(`event: requests\ndata: ${JSON.stringify(recorder.state())}\n\n`);

  function notifyAll(): void {
    timer = undefined;
    lastAt = performance.now();
    const frame = state();
    // A slow reader gets the newest state when it can read again, not all states until then.
    for (const reader of readers) if (reader.isReady()) reader.write(frame);
  }

  function forget(reader: EventStream): void {
    readers.delete(reader);
    if (readers.size > 0) return;
    stopListening?.();
    stopListening = undefined;
    clearTimeout(timer);
    timer = undefined;
  }

  /** @throws HttpError 503 when there are too many streams */
  return (req: IncomingMessage, res: ServerResponse): void => {
    const reader = streams.open(req, res);
    if (!reader) return;
    readers.add(reader);
    reader.write(state());
    reader.onReady(() => reader.write(state()));
    reader.onClose(() => forget(reader));
    stopListening ??= recorder.onChange(() => {
      timer ??= setTimeout(notifyAll, Math.max(0, quietMs - (performance.now() - lastAt)));
    });
  };
}
