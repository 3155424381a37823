import type { ServerResponse } from "node:http";

interface Ending {
  readonly res: ServerResponse;
  readonly text: string;
  readonly encoding: BufferEncoding;
}

let due: Ending[] = [];

function endAll(): void {
  const endings = due;
  due = [];
  for (const { res, text, encoding } of endings) res.end(text, encoding);
}

/**
 * Ends an answer with a text. Node leaves it out of an answer to HEAD, whose headers must still be made for it. Answers of
 * one turn of the event loop are sent together, because waking a waiting client costs more than writing to a busy one.
 */
export function endTogether(res: ServerResponse, text: string, encoding: BufferEncoding = "utf8"): void {
  if (due.push({ res, text, encoding }) === 1) setImmediate(endAll);
}
