import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { isDiskFull } from "../../contract/process/disk-full.ts";
import { StoreProblem, UnstorableText } from "../../contract/process/store-problem.ts";
import type { ErrorBody } from "../../contract/error-body.ts";
import { faultsOf } from "../../trace/fault-hits.ts";
import { notesOf } from "../recording/exchange-notes.ts";
import { inEnglish } from "../../contract/messages/in-english.ts";
import { HttpError, refuse } from "../http-error.ts";
import type { inLanguageOf } from "../messages/in-language.ts";
import type { JsonStyle } from "../formats/json-writer.ts";
import { pathOf, type Refuse, type RefusalForm } from "../middleware.ts";
import { formatFor, sendBody } from "./negotiate.ts";

/**
 * Converts any thrown value to an HttpError. Libraries mark the client's errors with `status`; others are ours: 500.
 */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof URIError) return refuse("path.percent");
  const { status, code } = error as { status?: unknown; code?: unknown };
  if (error instanceof Error && typeof status === "number" && status >= 400 && status < 500)
    return new HttpError(status, typeof code === "string" ? code.toLowerCase() : "bad_request", error.message, {
      cause: error,
    });
  if (code === "EMFILE" || code === "ENFILE")
    return refuse("server.openFiles", undefined, { retryAfter: 5, cause: error });
  if (error instanceof StoreProblem) return ofStore(error);
  if (error instanceof UnstorableText) return refuse("store.nul", { field: error.field }, { field: error.field });
  if (isDiskFull(error)) return refuse("server.diskFull", undefined, { retryAfter: 2, cause: error });
  return refuse("server.failed", undefined, { cause: error });
}

/** A database that does not answer is a 500 without Retry-After (spec: Errors 500). */
const ofStore = (error: StoreProblem) =>
  refuse(error.problem, undefined, {
    cause: error,
    ...(error.code !== "database_unreachable" && { retryAfter: 5 }),
  });

const leftCodes = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_UNABLE_TO_PIPE", "ECONNRESET", "EPIPE"]);

/** True when the client left before the answer, which is no failure. */
function clientLeft(error: unknown, res: ServerResponse): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return res.destroyed && (leftCodes.has(String(code)) || name === "AbortError");
}

interface Wording {
  /** Default: English. */
  readonly languageOf?: typeof inLanguageOf;
  /** The form of refusals of this request, if it is not the usual one. */
  readonly formOf?: (req: IncomingMessage) => RefusalForm | undefined;
}

/** The one place that answers a refusal: `{Message, code, details?}` as JSON or XML unless the request has another form. */
export function refuseBy(
  log: Logger,
  style: JsonStyle,
  { languageOf = () => inEnglish, formOf }: Wording = {},
): Refuse {
  return (error, req, res) => {
    if (clientLeft(error, res)) return;
    const refusal = toHttpError(error);
    notesOf(res).refusal = refusal;
    // The log's line of the request names injected faults.
    if (refusal.status >= 500 && faultsOf().length === 0)
      log.error({ err: refusal.cause ?? refusal, path: pathOf(req) }, refusal.message);
    if (res.headersSent) {
      req.socket.destroy(); // the client must notice the truncated answer
      return;
    }
    for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
    // By default, a cache may keep a 404 or 405, which is for this caller, and may change.
    if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "private, no-cache");
    const inLanguage = languageOf(req, res);
    const usual: ErrorBody = {
      Message: inLanguage(refusal.text),
      code: refusal.code,
      ...(refusal.details && {
        details: refusal.details.map(({ field, problem }) => ({ field, problem: inLanguage(problem) })),
      }),
    };
    const form = formOf?.(req);
    const body = form ? form(usual, refusal.status, { req, res }) : usual;
    if (body) sendBody(req, res, refusal.status, body, formatFor(req, res), style);
  };
}
