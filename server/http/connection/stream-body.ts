import type { IncomingMessage } from "node:http";
import { PassThrough, type Readable } from "node:stream";
import { readingBody } from "./body-watch.ts";
import { badRequest } from "../http-error.ts";

/**
 * A body of any length, to be read as it comes. It ends with an error when its client leaves or sends nothing any more. Who
 * destroys it leaves the request, and with it the way for an answer.
 */
export function streamBody(req: IncomingMessage): Readable {
  const body = new PassThrough();
  // It may fail before anybody looks at it, who is told then.
  body.on("error", () => undefined);
  const reading = readingBody(req, false, (error) => void body.destroy(error));
  const left = (cause?: Error) => {
    if (!req.readableEnded)
      body.destroy(cause ?? badRequest("incomplete_body", "The connection ended before the body did."));
  };
  req.once("error", left).once("close", left).pipe(body);
  body.once("close", reading.done);
  return body;
}
