import type { IncomingMessage, ServerResponse } from "node:http";
import type { Recorder } from "./recorder.ts";

const heartbeatMs = 15_000;
/** Many changes in this time are one message. */
const quietMs = 100;

/** Sends how much is recorded, now and after each change (SSE). What a client misses while it is away, the next one says. */
export function streamRecordingState(
  req: IncomingMessage,
  res: ServerResponse,
  recorder: Pick<Recorder, "onChange" | "state">,
): void {
  res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
  if (req.method === "HEAD") {
    res.end();
    return;
  }
  let stuck = false;
  /** A slow reader gets the newest state when it can read again, not all states until then. */
  const send = () => {
    if (stuck) return;
    stuck = !res.write(`event: requests\ndata: ${JSON.stringify(recorder.state())}\n\n`);
    if (stuck)
      res.once("drain", () => {
        stuck = false;
        send();
      });
  };
  let timer: NodeJS.Timeout | undefined;
  let lastAt = performance.now();
  res.write("retry: 1000\n\n");
  send();
  const stop = recorder.onChange(() => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        lastAt = performance.now();
        send();
      },
      Math.max(0, quietMs - (performance.now() - lastAt)),
    );
  });
  const heartbeat = setInterval(() => res.write(": alive\n\n"), heartbeatMs);
  res.once("close", () => {
    stop();
    clearTimeout(timer);
    clearInterval(heartbeat);
  });
}
