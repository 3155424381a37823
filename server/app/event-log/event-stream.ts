import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventStreams } from "../../http/connection/bodies/event-streams.ts";
import type { EventFeed } from "./event-feed.ts";

/**
 * Streams events as they are stored (SSE). With `Last-Event-ID` the later ones come first.
 * @throws HttpError 503 when there are too many streams
 */
export async function streamEvents(
  req: IncomingMessage,
  res: ServerResponse,
  streams: EventStreams,
  feed: EventFeed,
): Promise<void> {
  const resumeAt = String(req.headers["last-event-id"] ?? "");
  // First: who has the head of the answer is told of everything from then on.
  const after = /^\d{1,15}$/.test(resumeAt) ? Number(resumeAt) : undefined;
  const start = await feed.startFrom(after);
  const stream = streams.open(req, res);
  if (!stream) return;
  // No event, but what a client goes on from that is cut off before the first.
  if (after === undefined) stream.write(Buffer.from(`id: ${String(start)}\n\n`));
  feed.follow(stream, start);
}
