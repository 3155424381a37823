/** What one operation of an HTTP service takes and gives: the source of validation, types and the API description. */
import type { z } from "zod";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call. `none`: anyone. `token`: a valid session token. `login`: a business endpoint, which answers 401 with the
 * client's next step until the login is complete (spec: Authentication) and whose result carries the status package.
 * `issues-token`: needs none, but its result carries the status package.
 */
export type Access = "none" | "token" | "login" | "issues-token";

export interface EndpointSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  /** Unique, camelCase: the operationId of the description. */
  readonly id: string;
  readonly tag: string;
  readonly method: Method;
  /** OpenAPI form: `/api/articles/{id}`. */
  readonly path: string;
  readonly access: Access;
  /** Success status. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly params?: Params;
  readonly query?: Query;
  /** Request body. `form`: application/x-www-form-urlencoded only. `multipart`: the handler reads the stream itself. */
  readonly body?: Body;
  /** By which the text of a form or XML body is told from numbers and booleans; `body` itself unless given. */
  readonly textBody?: z.ZodType;
  readonly bodyType?: "any" | "form" | "multipart";
  /** Success body; for business endpoints the `data` beside the status package. Unknown fields are dropped. */
  readonly data?: Data;
  /** Error statuses that this operation adds to those every operation can answer. */
  readonly errors?: readonly number[];
}

/** Declares an endpoint and keeps its schema types. */
export const endpoint = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, D extends z.ZodType>(
  spec: EndpointSpec<P, Q, B, D>,
): EndpointSpec<P, Q, B, D> => spec;
