/** Components for the headers of requests and replies. */
import type { ReplyHeader, RequestHeader } from "../../contract/endpoint.ts";
import { statusPackageHeader } from "../../contract/app/status-package.ts";
import type { OpenApiObject } from "./schema-book.ts";

const text = (example?: string): OpenApiObject => ({
  type: "string",
  ...(example !== undefined && { examples: [example] }),
});

/** All headers of replies: those of endpoints, and those of the conventions. */
export type AnyReplyHeader =
  | ReplyHeader
  | typeof statusPackageHeader
  | "Allow"
  | "Content-Range"
  | "Preference-Applied"
  | "Retry-After"
  | "X-Request-Id"
  | "traceparent";

const replyHeaders: Readonly<Record<AnyReplyHeader, { description: string; schema: OpenApiObject }>> = {
  Location: {
    description: "Address of the resource.",
    schema: { ...text("/api/articles/1"), format: "uri-reference" },
  },
  ETag: { description: "Version, for If-Match and If-None-Match.", schema: text('"v1-mn8x2k"') },
  Link: {
    description:
      "Other pages (RFC 8288): first, prev, next, last. With a long query, the header may contain only some, next first.",
    schema: text('</api/articles?page=2&page_size=20>; rel="next"'),
  },
  "X-Total-Count": {
    description: "Number of items on all pages.",
    schema: { type: "integer", minimum: 0, examples: [42] },
  },
  "Content-Disposition": {
    description: "File name. Browsers save the file instead of showing it.",
    schema: text('attachment; filename="plan.zip"'),
  },
  "Content-Security-Policy": { description: "Content that browsers may load.", schema: text("default-src 'none'") },
  "X-Content-Type-Options": {
    description: "Browsers must not guess another type than Content-Type.",
    schema: { type: "string", const: "nosniff" },
  },
  "Accept-Ranges": { description: "Range requests are supported.", schema: text("bytes") },
  [statusPackageHeader]: {
    description: "Status package, as base64url of its JSON. The reply has no body that could contain it.",
    schema: text("eyJhY2Nlc3NfdG9rZW4iOiJwM2ZZa1EiLCJleHBpcmVzX2luIjo3MjAwLCJ1aWQiOiJ1MSJ9"),
  },
  Allow: { description: "Methods that this path supports.", schema: text("GET, POST, HEAD, OPTIONS") },
  "Content-Range": { description: "Range of this part.", schema: text("bytes 0-99/1234") },
  "Preference-Applied": {
    description: "Confirms that the body was omitted as requested.",
    schema: { type: "string", const: "return=minimal" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    schema: { type: "integer", minimum: 1, examples: [1] },
  },
  "X-Request-Id": {
    description: "Id of this request in the log. A valid id from the client is kept.",
    schema: text("5f1c9a2e-1"),
  },
  traceparent: {
    description: "Trace and span of this request (W3C Trace Context). A trace from the client is continued.",
    schema: text("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
  },
};

const requestHeaders: Readonly<Record<RequestHeader, { description: string; schema: OpenApiObject }>> = {
  "If-Match": {
    description: "Change only this version (412 otherwise).",
    schema: { ...text(), examples: ['"v1-mn8x2k"', "*"] },
  },
  "If-None-Match": {
    description: "Only if the version differs (304 otherwise, 412 for a change).",
    schema: { ...text(), examples: ['"v1-mn8x2k"'] },
  },
  Prefer: {
    description: "`return=minimal` asks for 204 instead of the changed resource.",
    schema: { ...text(), examples: ["return=minimal"] },
  },
  Range: { description: "Part of the file to return.", schema: { ...text(), examples: ["bytes=0-99"] } },
  "Last-Event-ID": {
    description: "Id of the last event that the client has. Later events are sent first.",
    schema: { ...text(), examples: ["17"] },
  },
  "X-Event-Id": {
    description: "Id of the notification in all its deliveries. A repeated notification is stored once.",
    schema: { ...text(), maxLength: 200, examples: ["5f1c9a2e-17"] },
  },
  "X-Move-Id": {
    description: "Ties the two notifications of a move: the X-Event-Id of the one with the old path.",
    schema: { ...text(), maxLength: 200, examples: ["5f1c9a2e-17"] },
  },
  "Idempotency-Key": {
    description: "Key of the request. A repeat with the same key counts as the same request.",
    schema: { ...text(), pattern: "^[\\x21-\\x7e]{1,64}$", examples: ["5f1c9a2e-18"] },
  },
};

/** References to the components of these headers, and of the two that name every request. */
export const headerRefs = (names: readonly AnyReplyHeader[]): OpenApiObject =>
  Object.fromEntries(
    [...names, "X-Request-Id", "traceparent"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** The components of reply headers. A reply always has all headers that it names. */
export const headerComponents = (used: (name: string) => boolean): OpenApiObject =>
  Object.fromEntries(
    Object.entries(replyHeaders)
      .filter(([name]) => used(name))
      .map(([name, header]) => [name, { ...header, required: true }]),
  );

/** Parameters for the request headers that an endpoint supports. */
export const headerParameters = (names: readonly RequestHeader[]): OpenApiObject[] =>
  names.map((name) => ({ name, in: "header", required: false, ...requestHeaders[name] }));
