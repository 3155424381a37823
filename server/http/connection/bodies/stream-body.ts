import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { readingBody } from "./body-watch.ts";
import { refuse } from "../../http-error.ts";

/**
 * A body of any length as a stream. It fails when its client leaves or stalls. Destroying it leaves the request intact
 * for an answer.
 */
export function streamBody(req: IncomingMessage): Readable {
  const body = new PassThrough();
  // It may fail before it has a reader, who gets the error later.
  body.on("error", () => undefined);
  const reading = readingBody(req, false, (error) => void body.destroy(error));
  const left = (cause?: Error) => {
    if (!req.readableEnded) body.destroy(cause ?? refuse("body.incomplete"));
  };
  req.once("error", left).once("close", left).pipe(body);
  body.once("close", reading.done);
  return body;
}
