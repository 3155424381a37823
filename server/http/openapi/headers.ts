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
      "The pages around this one (RFC 8288): first, prev, next, last; of a long query, those that fit, next above all.",
    schema: text('</api/articles?page=2&page_size=20>; rel="next"'),
  },
  "X-Total-Count": {
    description: "Number of items on all pages.",
    schema: { type: "integer", minimum: 0, examples: [42] },
  },
  "Content-Disposition": {
    description: "The file's name; browsers save it instead of showing it.",
    schema: text('attachment; filename="plan.zip"'),
  },
  "Content-Security-Policy": { description: "Content that browsers may load.", schema: text("default-src 'none'") },
  "X-Content-Type-Options": {
    description: "Browsers must believe Content-Type.",
    schema: { type: "string", const: "nosniff" },
  },
  "Accept-Ranges": { description: "A part of it can be asked for by Range.", schema: text("bytes") },
  [statusPackageHeader]: {
    description: "The status package, as the base64url of its JSON: this reply has no body that could carry it.",
    schema: text("eyJhY2Nlc3NfdG9rZW4iOiJwM2ZZa1EiLCJleHBpcmVzX2luIjo3MjAwLCJ1aWQiOiJ1MSJ9"),
  },
  Allow: { description: "Methods that this path supports.", schema: text("GET, POST, HEAD, OPTIONS") },
  "Content-Range": { description: "Which part of it this is.", schema: text("bytes 0-99/1234") },
  "Preference-Applied": {
    description: "The body was omitted as requested.",
    schema: { type: "string", const: "return=minimal" },
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    schema: { type: "integer", minimum: 1, examples: [1] },
  },
  "X-Request-Id": {
    description: "Names this request in the log; the one that the client sent, if that is valid.",
    schema: text("5f1c9a2e-1"),
  },
  traceparent: {
    description:
      "The trace of this request and its span there (W3C Trace Context), in the client's trace if it sent one.",
    schema: text("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
  },
};

const requestHeaders: Readonly<Record<RequestHeader, { description: string; schema: OpenApiObject }>> = {
  "If-Match": {
    description: "Change only this version (412 otherwise).",
    schema: { ...text(), examples: ['"v1-mn8x2k"', "*"] },
  },
  "If-None-Match": {
    description: "Only if its version is another (304 otherwise, 412 for a change).",
    schema: { ...text(), examples: ['"v1-mn8x2k"'] },
  },
  Prefer: {
    description: "`return=minimal` asks for 204 instead of the changed resource.",
    schema: { ...text(), examples: ["return=minimal"] },
  },
  Range: { description: "Only this part of it.", schema: { ...text(), examples: ["bytes=0-99"] } },
  "Last-Event-ID": {
    description: "The id of the last event that the client has: what came after it is sent first.",
    schema: { ...text(), examples: ["17"] },
  },
  "X-Event-Id": {
    description: "Names this notification over all its deliveries, so that a repeated one is stored once.",
    schema: { ...text(), maxLength: 200, examples: ["5f1c9a2e-17"] },
  },
  "X-Move-Id": {
    description: "Ties the two notifications of a move: the X-Event-Id of the one with the old path.",
    schema: { ...text(), maxLength: 200, examples: ["5f1c9a2e-17"] },
  },
  "Idempotency-Key": {
    description: "Names what the client wants: a repeat with the same key is the same request, not another one.",
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
