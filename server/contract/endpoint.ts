/** What one operation of an HTTP service takes and gives: the source of validation, types and the API description. */
import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `none`: anyone. `token`: a valid session token. `login`: a business endpoint, which answers 401 with the
 * client's next step until the login is complete (spec: Login conditions) and whose result carries the status package.
 * `issues-token`: needs none, but its result carries the status package. `console`: who has the run's console token, which
 * is checked before any route of the console's API. `control`: anyone on this machine, and elsewhere who has that token.
 */
export type Access = "none" | "token" | "login" | "issues-token" | "console" | "control";

/** Headers of requests that an operation understands beyond those of every operation. */
export type RequestHeader =
  "If-Match" | "If-None-Match" | "Prefer" | "Range" | "Last-Event-ID" | "X-Event-Id" | "Idempotency-Key";

/** Headers that a success of an operation always has beyond those of every reply. */
export type ReplyHeader =
  | "Location"
  | "ETag"
  | "Link"
  | "X-Total-Count"
  | "Content-Disposition"
  | "Content-Security-Policy"
  | "X-Content-Type-Options"
  | "Accept-Ranges";

export interface EndpointSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase: the operationId of the description. */
  readonly id: string;
  /** Name of its text in the documentation file; `id` unless given. */
  readonly member?: string;
  /** What the author of a collection that came after the build says about it; follows the documentation file's text. */
  readonly about?: string;
  readonly tag: string;
  readonly method: Method;
  /** OpenAPI form: `/api/articles/{id}`. */
  readonly path: string;
  readonly access: Access;
  /** Success status; of a fixed answer any. */
  readonly status: number;
  readonly params?: Params;
  readonly query?: Query;
  /** Request body. `form`: application/x-www-form-urlencoded only. `multipart`: the handler reads the stream itself. */
  readonly body?: Body;
  /** By which the text of a form or XML body is told from numbers and booleans; `body` itself unless given. */
  readonly textBody?: z.ZodType;
  readonly bodyType?: "any" | "form" | "multipart";
  /** The longest body that is read, in bytes; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Bodies by media type that the handler reads itself, to the byte, and does not check by these. */
  readonly rawBody?: Readonly<Record<string, z.ZodType>>;
  /** Of a multipart body: the name of its file part, and its text fields. */
  readonly parts?: { readonly file: string; readonly fields?: z.ZodObject };
  /** Success body; for business endpoints the `data` beside the status package. Unknown fields are dropped. */
  readonly data?: Data;
  /** The members of `data` stand beside the status package, not under `data`; a 400 may have them too (spec: Upload result). */
  readonly flat?: true;
  /** Error statuses that this operation adds to those every operation can answer. */
  readonly errors?: readonly number[];
  /** Bodies by media type of the operation's own refusals, where they are not the usual ones. */
  readonly refusals?: Readonly<Record<string, z.ZodType>>;
  /** Other successes: 204 by `Prefer: return=minimal`, 206 by `Range`, 304 by `If-None-Match`. */
  readonly alsoAnswers?: readonly (204 | 206 | 304)[];
  /** Media types of a success body that is neither JSON nor XML; the handler writes it itself. */
  readonly produces?: readonly string[];
  /** The one answer that it gives, where a user has written it down: its body as JSON or text, if it has one. */
  readonly fixed?: { readonly body?: unknown };
  readonly requestHeaders?: readonly RequestHeader[];
  readonly replyHeaders?: readonly ReplyHeader[];
  /** HTTP Basic, where the setting basic_auth is on: instead of a token, or beside what else logs in. */
  readonly basicAuth?: "required" | "accepted";
}

/** Declares an endpoint and keeps its schema types. */
export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  spec: EndpointSpec<P, Q, B, D>,
): EndpointSpec<P, Q, B, D> => spec;
