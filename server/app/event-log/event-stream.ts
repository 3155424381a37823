import type { IncomingMessage, ServerResponse } from "node:http";
import type { CloudEvent } from "../../contract/events.ts";
import type { EventLog } from "./event-log.ts";

const heartbeatMs = 15_000;
const batch = 500;

const frame = (event: CloudEvent) => `id: ${event.id}\nevent: event\ndata: ${JSON.stringify(event)}\n\n`;

/**
 * Sends events as they are stored (SSE). With `Last-Event-ID` the ones since then come first. Every event is read from the
 * log, in order and once: the log is the buffer, so a slow reader costs no memory and misses nothing.
 */
export async function streamEvents(req: IncomingMessage, res: ServerResponse, log: EventLog): Promise<void> {
  const resumeAt = String(req.headers["last-event-id"] ?? "");
  let sent = /^\d{1,15}$/.test(resumeAt) ? Number(resumeAt) : await log.newestId();
  let wake = () => {};
  let fresh = true;
  const notify = () => {
    fresh = true;
    wake();
  };

  res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
  res.write("retry: 1000\n\n");
  const unsubscribe = log.subscribe(notify);
  const heartbeat = setInterval(() => res.write(": alive\n\n"), heartbeatMs);
  res.once("close", () => {
    clearInterval(heartbeat);
    unsubscribe();
    wake();
  });

  while (!res.closed) {
    if (!fresh) await new Promise<void>((resolve) => (wake = resolve));
    fresh = false;
    const events = await log.after(sent, batch);
    for (const event of events) res.write(frame(event));
    sent = Number(events.at(-1)?.id ?? sent);
    if (events.length === batch) fresh = true;
    if (res.writableNeedDrain) await new Promise<void>((resolve) => res.once("drain", resolve).once("close", resolve));
  }
}
