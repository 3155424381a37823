/** The replies that operations share: errors, as components of the description. */
import { STATUS_CODES } from "node:http";
import { isObject } from "../../contract/is-object.ts";
import { errorBodySchema } from "../../contract/error-body.ts";
import { uploadLoginErrorSchema } from "../../contract/app/uploads.ts";
import { headerRefs, type AnyReplyHeader } from "./headers.ts";
import { asXml, type OpenApiObject, type SchemaBook } from "./schema-book.ts";

export const asJson = (schema: OpenApiObject, example: unknown): OpenApiObject => ({
  "application/json": { schema, ...(example !== undefined && { example }) },
});

export const bothFormats = (schema: OpenApiObject, example: unknown): OpenApiObject => ({
  ...asJson(schema, example),
  "application/xml": { schema: asXml(schema) },
});

/** `BadRequest` of 400. */
export const errorName = (status: number) =>
  (STATUS_CODES[status] ?? `Status${String(status)}`).replace(/[^A-Za-z]/g, "");

/** The body of an error status, and its headers. */
export const errorExamples: Readonly<Record<number, OpenApiObject>> = {
  400: {
    Message: "title must not be empty.",
    code: "invalid_request",
    details: [{ field: "title", problem: "must not be empty" }],
  },
  403: { Message: "articles/1 belongs to another user.", code: "not_the_owner" },
  404: { Message: "articles/1 does not exist.", code: "not_found" },
  405: { Message: "PUT is not allowed here; allowed: GET, POST, HEAD, OPTIONS.", code: "method_not_allowed" },
  406: {
    Message: "No format in Accept is supported. Use application/json or application/xml.",
    code: "not_acceptable",
  },
  409: { Message: "The current state forbids this change.", code: "conflict" },
  412: {
    Message: "The resource changed after you read it. Read it again and repeat the change.",
    code: "changed_since",
  },
  415: {
    Message: 'Content-Type "text/csv" is not supported here. Send application/json.',
    code: "unsupported_media_type",
  },
  416: { Message: "The file has no such part.", code: "range_not_satisfiable" },
  429: { Message: "Too many wrong codes. Try again in a moment.", code: "too_many_wrong_codes" },
  500: { Message: "The server failed. See its log.", code: "internal_error" },
  501: {
    Message: "Thumbnails require the package sharp: npm install sharp@0.35.",
    code: "no_thumbnails",
  },
  503: { Message: "The server is overloaded. Try again in a moment.", code: "overloaded" },
};
export const errorHeaders: Readonly<Record<number, readonly AnyReplyHeader[]>> = {
  405: ["Allow"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

/** The shared replies that operations refer to. */
export function sharedReplies(used: (name: string) => boolean, book: SchemaBook): OpenApiObject {
  const error = book.of(errorBodySchema, "output");
  const refused = (description: string, headers: OpenApiObject, body: OpenApiObject, schema = error) => ({
    description,
    headers: { ...headers, ...headerRefs([]) },
    content: bothFormats(schema, body),
  });
  const challenge = (description: string, schema: OpenApiObject): OpenApiObject => ({
    "WWW-Authenticate": { description, required: true, schema: { type: "string", ...schema } },
  });
  const nextStep = challenge("`Bearer`: log in again. Otherwise: the call whose result the server needs next.", {
    enum: ["Bearer", "getUserInfo", "getPhoneNumber"],
  });
  const loginError = {
    Message: "User info is missing. Call getUserInfo and send its result to POST /api/userinfos.",
    code: "userinfo_required",
  };
  const loginRequired = (body: OpenApiObject = loginError, schema = error) =>
    refused("Unauthorized: the client's next step is in WWW-Authenticate.", nextStep, body, schema);
  const all: OpenApiObject = {
    NormalizedQuery: {
      description: "The query started with '&'. Location has the same address without it.",
      headers: headerRefs(["Location"]),
    },
    LoginRequired: loginRequired(),
    ...(used("UploadLoginRequired") && {
      UploadLoginRequired: loginRequired(
        { success: false, err_msg: loginError.Message, ...loginError },
        book.of(uploadLoginErrorSchema, "output"),
      ),
    }),
    BasicRequired: refused(
      "Unauthorized: no user and password were sent.",
      challenge("Makes a browser ask for user and password.", { const: 'Basic realm="Hearth"' }),
      { Message: "Send a user and a password as Authorization: Basic.", code: "basic_required" },
    ),
    ConsoleTokenRequired: refused(
      "Unauthorized: the console token is missing or belongs to another run.",
      challenge("Send the console token as Bearer.", { const: "Bearer" }),
      {
        Message: "Log in to the console with the address from `hearth open`, or send the run's token as Bearer.",
        code: "console_token_required",
      },
    ),
    ...Object.fromEntries(
      Object.entries(errorExamples).map(([status, body]) => [
        errorName(Number(status)),
        refused(STATUS_CODES[status] ?? "Error", headerRefs(errorHeaders[Number(status)] ?? []), body),
      ]),
    ),
  };
  return Object.fromEntries(Object.entries(all).filter(([name, reply]) => isObject(reply) && used(name)));
}
