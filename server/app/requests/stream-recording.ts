import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventStream, EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { Recorder } from "./recorder.ts";
import { startSharedTimer } from "../../trace/span.ts";

/** Changes within this time are one message. */
const quietMs = 100;

/**
 * Streams (SSE) the state of the recording, now and after each change. Each message is serialized once for all readers.
 * A message replaces the previous one, so a client that was away misses nothing.
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
    // A slow reader gets only the newest state once it can read again.
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
      timer ??= startSharedTimer(notifyAll, Math.max(0, quietMs - (performance.now() - lastAt)));
    });
  };
}
