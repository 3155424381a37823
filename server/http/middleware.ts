import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorBody } from "../contract/error-body.ts";

/**
 * A step of the request handling: it answers, throws a refusal, or passes the request on. It is also valid in Express.
 */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: () => void) => Promise<void> | void;

/** Answers a request for which a step threw. */
export type Refuse = (error: unknown, req: IncomingMessage, res: ServerResponse) => void;

/** The body of a refusal in another form than the usual one; undefined once the whole answer is written. */
export type RefusalForm = (
  usual: ErrorBody,
  status: number,
  exchange: { readonly req: IncomingMessage; readonly res: ServerResponse },
) => object | undefined;

/** The path of a request as sent, without the query. */
export function pathOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? url : url.slice(0, at);
}

/** The headers of a request by names in lower case; repeated ones are joined. */
export const headerTextsOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );

/** The query of a request as sent, without the '?'. */
export function queryOf({ url = "" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at + 1);
}
