/** Streams of server-sent events: limited in number, with one heartbeat for all, and shared bytes for shared events. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { refuse } from "../../http-error.ts";

/** The connection to one reader. */
export interface EventStream {
  /** False while earlier bytes are still buffered, and once the stream was ended. */
  readonly isReady: () => boolean;
  /** Writes whole frames, unless the stream was ended. Streams can share bytes, which are not copied. */
  readonly write: (frames: Buffer) => void;
  /** Calls `listen` each time the reader can take more again. */
  readonly onReady: (listen: () => void) => void;
  /** Calls `listen` once the reader is gone. */
  readonly onClose: (listen: () => void) => void;
  /** Buffered bytes. */
  readonly unreadBytes: () => number;
  /** Ends the stream after the buffered bytes. */
  readonly end: () => void;
  /** Disconnects the reader, who will reconnect. */
  readonly cut: () => void;
}

const heartbeatMs = 15_000;
const heartbeat = Buffer.from(": alive\n\n");
const retry = Buffer.from("retry: 1000\n\n");

const isReady = (res: ServerResponse) => !res.writableEnded && !res.writableNeedDrain && !res.closed;

/** @param most the most simultaneous streams */
export function createEventStreams(most: number) {
  const open = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;

  function beat(): void {
    for (const res of open) if (isReady(res)) res.write(heartbeat);
  }

  function close(res: ServerResponse): void {
    open.delete(res);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** The number of open streams. */
    count: () => open.size,
    /** Ends all streams, so that the readers connect again. */
    close(): void {
      for (const res of open) res.end();
    },
    /**
     * Starts a stream. Answers a HEAD request, and then returns undefined, as it does when the client has left already.
     * @throws HttpError 503 when the limit is reached
     */
    open(req: IncomingMessage, res: ServerResponse): EventStream | undefined {
      const isHead = req.method === "HEAD";
      if (!isHead && open.size >= most) throw refuse("server.eventStreams", { most }, { retryAfter: 5 });
      res.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store" });
      if (isHead) res.end();
      if (isHead || res.closed) return undefined;
      open.add(res);
      timer ??= setInterval(beat, heartbeatMs).unref();
      res.once("close", () => close(res));
      res.write(retry);
      return {
        isReady: () => isReady(res),
        write: (frames) => void (res.writableEnded || res.write(frames)),
        onReady: (listen) => void res.on("drain", listen),
        onClose: (listen) => void (res.closed ? listen() : res.once("close", listen)),
        unreadBytes: () => res.writableLength,
        end: () => void res.end(),
        cut: () => void res.destroy(),
      };
    },
  };
}
export type EventStreams = ReturnType<typeof createEventStreams>;
