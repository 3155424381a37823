/** Replies of operations: successes from the endpoint, errors as shared components. */
import { STATUS_CODES } from "node:http";
import type { z } from "zod";
import { carriesPackage, type EndpointSpec } from "../../contract/endpoint.ts";
import { jsonType, textType } from "../../contract/media-types.ts";
import { errorBodySchema } from "../../contract/error-body.ts";
import { statusPackageHeader, statusPackageSchema } from "../../contract/app/status-package.ts";
import { isBodyless, requiresFormat } from "../conventions/negotiate.ts";
import { exampleOf } from "./example.ts";
import { headerRefs, type AnyReplyHeader } from "./headers.ts";
import { byMediaType, type OpenApiObject, type SchemaBook } from "./schema-book.ts";
import { asJson, bothFormats, errorExamples, errorHeaders, errorName } from "./shared-replies.ts";

/** Differences by setting. */
export interface ReplyRules {
  /** Status of the redirect for a query that starts with '&'; undefined when there is none. */
  readonly redirect: number | undefined;
}

/** All replies of an operation by status. */
export function repliesOf(spec: EndpointSpec, book: SchemaBook, rules: ReplyRules): OpenApiObject {
  const replies = {
    [spec.status]: success(spec, book),
    ...Object.fromEntries((spec.alsoAnswers ?? []).map((status) => [status, otherSuccess(spec, status)])),
    ...(spec.method === "GET" && rules.redirect !== undefined && { [rules.redirect]: ref("NormalizedQuery") }),
    ...Object.fromEntries(errorStatuses(spec).map((status) => [status, errorReply(spec, status, book)])),
  };
  return Object.fromEntries(Object.entries(replies).sort(([a], [b]) => Number(a) - Number(b)));
}

function success(spec: EndpointSpec, book: SchemaBook): OpenApiObject {
  const description = STATUS_CODES[spec.status] ?? "Success";
  const bodyless = spec.produces ? spec.produces.length === 0 : isBodyless(spec.status);
  const packageInHeader = carriesPackage(spec) && (bodyless || spec.produces !== undefined);
  const headers = headerRefs([...(spec.replyHeaders ?? []), ...(packageInHeader ? [statusPackageHeader] : [])]);
  if (bodyless) return { description, headers };
  if (spec.fixed) return { description, headers, content: fixedContent(spec.produces ?? [], spec.fixed.body) };
  if (spec.produces) return { description, headers, content: writtenByHandler(spec.produces) };
  const schema = successSchema(spec, book);
  const written = spec.access === "control" ? asJson : bothFormats;
  return { description, headers, content: written(schema, exampleOf(schema, book)) };
}

/** The user's fixed answer is its own example. */
const fixedContent = (mediaTypes: readonly string[], example: unknown): OpenApiObject =>
  Object.fromEntries(
    mediaTypes.map((one): [string, OpenApiObject] => [
      one.split(";", 1).join(),
      { schema: typeof example === "string" && !jsonType.test(one) ? { type: "string" } : {}, example },
    ]),
  );

function writtenByHandler(mediaTypes: readonly string[]): OpenApiObject {
  return Object.fromEntries(
    mediaTypes.map((one) => {
      if (jsonType.test(one)) return [one, { schema: { type: "object" } }];
      return [one, { schema: { type: "string", ...(!textType.test(one) && { format: "binary" }) } }];
    }),
  );
}

/** The status package with the data; only the data if there is no package. */
function successSchema(spec: EndpointSpec, book: SchemaBook): OpenApiObject {
  const data = spec.data && book.of(spec.data, "output");
  if (spec.flat || !carriesPackage(spec)) return data ?? { type: "object" };
  const status = book.of(statusPackageSchema, "output");
  return {
    type: "object",
    properties: { status, ...(data && { data }) },
    required: ["status", ...(data ? ["data"] : [])],
    additionalProperties: false,
  };
}

function otherSuccess(spec: EndpointSpec, status: 204 | 206 | 304 | 307): OpenApiObject {
  const own: Record<typeof status, { description: string; headers: AnyReplyHeader[] }> = {
    204: { description: "No Content: the client sent `Prefer: return=minimal`.", headers: ["Preference-Applied"] },
    206: { description: "Partial Content", headers: ["Content-Range"] },
    304: { description: "Not Modified: If-None-Match names the current version.", headers: ["ETag"] },
    307: {
      description: "Temporary Redirect: the uploads' store sends the content.",
      headers: ["Location"],
    },
  };
  const { description, headers } = own[status];
  const all = headerRefs([
    ...headers,
    ...(status === 304 || status === 307 ? [] : (spec.replyHeaders ?? [])),
    ...(carriesPackage(spec) ? [statusPackageHeader] : []),
  ]);
  return { description, headers: all, ...(status === 206 && { content: writtenByHandler(spec.produces ?? []) }) };
}

/** All error statuses of the operation. */
function errorStatuses(spec: EndpointSpec): number[] {
  const needsToken = spec.access !== "none" && spec.access !== "issues-token";
  const isApi = spec.path.startsWith("/api/");
  const isControl = spec.access === "control"; // serve-control.ts
  return [
    ...new Set([
      400,
      ...(needsToken ? [401] : []),
      403, // a banned address, a refused Host
      isControl ? 404 : 405, // of every other method on this path
      ...(isControl || !requiresFormat(spec) ? [] : [406]),
      ...(spec.body ? [415] : []),
      500,
      ...(isApi ? [503] : []), // maintenance, overload
      ...(spec.errors ?? []),
    ]),
  ].filter((status) => status !== spec.status);
}

/** Its failures have the form of its result. */
const isUpload = (spec: EndpointSpec): spec is EndpointSpec & { data: z.ZodType } =>
  spec.flat === true && spec.data !== undefined;

const ref = (name: string) => ({ $ref: `#/components/responses/${name}` });

function errorReply(spec: EndpointSpec, status: number, book: SchemaBook): OpenApiObject {
  if (status === 401) return ref(unauthorizedName(spec));
  const err_msg = failedUploads[status];
  if (err_msg !== undefined && isUpload(spec)) {
    const failure = book.of(spec.data, "output");
    const example = { success: false, err_msg };
    return {
      description:
        status === 400
          ? "Bad Request: the upload is refused, or the request is malformed."
          : (STATUS_CODES[status] ?? "Error"),
      headers: headerRefs(errorHeaders[status] ?? []),
      content: bothFormats({ anyOf: [failure, book.of(errorBodySchema, "output")] }, example),
    };
  }
  if (spec.refusals && !ofEveryOperation.has(status)) return ownRefusal(spec.refusals, status, book);
  return status in errorExamples ? ref(errorName(status)) : onPurpose(status, book);
}

/** Why an upload fails. */
const failedUploads: Readonly<Record<number, string>> = {
  400: "The file is larger than 100 MB (setting MaxSizeOfSigleFile_MB).",
  403: "This address is banned. Lift the ban in the console.",
  500: "The server failed. See its log.",
  503: "The server is overloaded. Try again in a moment.",
};

/** Statuses that no operation itself answers. */
const ofEveryOperation = new Set([401, 405, 406, 500]);

/** The operation's own description, or the general one for requests that do not reach the operation. */
function ownRefusal(refusals: NonNullable<EndpointSpec["refusals"]>, status: number, book: SchemaBook): OpenApiObject {
  const error = book.of(errorBodySchema, "output");
  const usual = bothFormats(error, undefined);
  const own = byMediaType(refusals, book, "output");
  const eitherJson = { schema: { anyOf: [own["application/json"]?.schema, error].filter((one) => one !== undefined) } };
  return {
    description: STATUS_CODES[status] ?? "Error",
    headers: headerRefs(errorHeaders[status] ?? []),
    content: { ...usual, ...own, "application/json": eitherJson },
  };
}

/** An error that the author of a collection configured. */
const onPurpose = (status: number, book: SchemaBook): OpenApiObject => ({
  description: STATUS_CODES[status] ?? "Error",
  headers: headerRefs([]),
  content: bothFormats(book.of(errorBodySchema, "output"), {
    Message: "This error was configured by the collection's author.",
    code: "error_on_purpose",
  }),
});

function unauthorizedName(spec: EndpointSpec): string {
  const { basicAuth, access } = spec;
  if (isUpload(spec)) return "UploadLoginRequired";
  if (basicAuth === "required") return "BasicRequired";
  return access === "console" || access === "control" ? "ConsoleTokenRequired" : "LoginRequired";
}
