/** Writes the progress of a pull or a creation as NDJSON lines, or only its result. */
import type { ServerResponse } from "node:http";
import type { Log } from "../../../process/log.ts";
import { logFailure, refusalOf } from "../error-handler.ts";
import { sendJson } from "../../../http/conventions/send-json.ts";

export interface ProgressReply {
  readonly stream: boolean;
  readonly lines: AsyncIterable<object>;
  readonly log: Log;
}

/** A failure before the first line keeps its status; a later one is sent as the last line. */
export async function sendProgress(res: ServerResponse, { stream, lines, log }: ProgressReply): Promise<void> {
  let last: object = {};
  const write = (line: object) => {
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/x-ndjson" });
    res.write(`${JSON.stringify(line)}\n`);
  };
  try {
    for await (const line of lines)
      if (stream) write(line);
      else last = line;
  } catch (error) {
    if (!res.headersSent || res.destroyed) throw error;
    logFailure(log, error);
    write({ error: refusalOf(error).text });
  }
  if (stream) res.end();
  else sendJson(res, 200, last);
}
