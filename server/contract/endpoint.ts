/** The specification of an HTTP operation: the source of validation, types and the API description. */
import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `none`: anyone. `token`: a valid session token. `login`: a business endpoint, which answers 401 with
 * the client's next step until the login is complete (spec: Login conditions) and whose result contains the status
 * package. `issues-token`: anyone, but its result contains the status package. `console`: holders of the run's console
 * token, which is checked before any route of the console's API. `control`: anyone on this machine, and holders of that
 * token elsewhere.
 */
export type Access = "none" | "token" | "login" | "issues-token" | "console" | "control";

/** Headers of requests that an operation supports beyond the general ones. */
export type RequestHeader =
  "If-Match" | "If-None-Match" | "Prefer" | "Range" | "Last-Event-ID" | "X-Event-Id" | "X-Move-Id" | "Idempotency-Key";

/** Headers that a success of an operation always has beyond the general ones. */
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
  /** The description by the author of a collection added after the build; follows the documentation file's text. */
  readonly about?: string;
  readonly tag: string;
  readonly method: Method;
  /** OpenAPI form: `/api/articles/{id}`. */
  readonly path: string;
  readonly access: Access;
  /** Success status; any status for a fixed answer. */
  readonly status: number;
  readonly params?: Params;
  /** Fields by which the query of a list filters, beyond its equality, and whether other names are refused. */
  readonly filters?: { readonly fields: ReadonlySet<string>; readonly refusesOthers: boolean };
  readonly query?: Query;
  /** Request body. `form`: application/x-www-form-urlencoded only. `multipart`: the handler reads the stream itself. */
  readonly body?: Body;
  /** Decides how texts of a form or XML body, and indexes of enums, are converted; `body` itself unless given. */
  readonly textBody?: z.ZodType;
  /** Members that clients may send without effect: those that the server writes itself, the rest of a platform's result. */
  readonly ignoredMembers?: readonly string[];
  readonly bodyType?: "any" | "form" | "multipart";
  /** The longest body in bytes; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /** Bodies by media type that the handler reads as bytes; these schemas are only for the description. */
  readonly rawBody?: Readonly<Record<string, z.ZodType>>;
  /** For a multipart body: the name of its file part, the extensions that the file may have, and its text fields. */
  readonly parts?: { readonly file: string; readonly extensions: readonly string[]; readonly fields?: z.ZodObject };
  /** Success body; for business endpoints the `data` beside the status package. Unknown fields are dropped. */
  readonly data?: Data;
  /**
   * By what an item of the data is read when it is sent back. The data then has its null members, and in XML the types that
   * this schema could not tell.
   */
  readonly readAs?: z.ZodType;
  /** The members of `data` are beside the status package, not under `data`, also in a 400 (spec: Upload result). */
  readonly flat?: true;
  /** Error statuses beyond those that every operation can answer. */
  readonly errors?: readonly number[];
  /** Bodies by media type of the operation's own refusals, where they differ from the usual ones. */
  readonly refusals?: Readonly<Record<string, z.ZodType>>;
  /** Other successes: 204 by `Prefer: return=minimal`, 206 by `Range`, 304 by `If-None-Match`, 307 to another store. */
  readonly alsoAnswers?: readonly (204 | 206 | 304 | 307)[];
  /** Media types of a success body that is neither JSON nor XML; the handler writes it itself. */
  readonly produces?: readonly string[];
  /** The handler may answer in any form, so that no Accept is refused. */
  readonly anyForm?: true;
  /** The one answer that a user defined: its body as JSON or text, if it has one. */
  readonly fixed?: { readonly body?: unknown };
  readonly requestHeaders?: readonly RequestHeader[];
  readonly replyHeaders?: readonly ReplyHeader[];
  /** HTTP Basic, where the setting basic_auth is on: instead of a token, or as another way to log in. */
  readonly basicAuth?: "required" | "accepted";
}

/** Whether the result contains the status package. */
export const carriesPackage = ({ access }: Pick<EndpointSpec, "access">) =>
  access === "token" || access === "login" || access === "issues-token";

/** Declares an endpoint and keeps its schema types. */
export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  spec: EndpointSpec<P, Q, B, D>,
): EndpointSpec<P, Q, B, D> => spec;
