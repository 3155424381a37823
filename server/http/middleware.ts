import type { IncomingMessage, ServerResponse } from "node:http";

/** A step in handling a request: it answers, throws a refusal, or leaves the request to the next. Express takes it, too. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => Promise<void> | void;

/** Turns what a step has thrown into an answer. */
export type Refuse = (error: unknown, req: IncomingMessage, res: ServerResponse) => void;

/** The path of a request as it was written, without the query. */
export function pathOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? url : url.slice(0, at);
}

/** The query of a request as it was written, without the '?'. */
export function queryOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
