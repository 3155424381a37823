/** What every answer of the application server must be, whatever it answers to. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import { errorBodySchema } from "../../../server/contract/error-body.ts";
import type { Answer } from "./answer.ts";

const errorShape = errorBodySchema
  .strict()
  .extend({ Message: z.string().min(1), code: z.string().regex(/^[a-z0-9_]+$/) });
/** XML has no lists of one: what is repeated once reads as a single object. */
const errorInXml = errorShape.extend({ details: z.object({ item: z.unknown() }).optional() });
const failed = { success: z.literal(false), err_msg: z.string().min(1) };
/** Without a login it is the error of every operation, too. */
const failedUpload = z.union([z.strictObject(failed), errorShape.extend(failed)]);
/** What the payment provider hears, in the words of its two versions. */
const refusedNotification = z.union([
  z.strictObject({ return_code: z.literal("FAIL"), return_msg: z.string().min(1) }),
  z.strictObject({ code: z.literal("FAIL"), message: z.string().min(1) }),
]);

const xml = new XMLParser({ parseTagValue: false, htmlEntities: true });
const mediaTypeOf = ({ headers }: Answer) => (headers.get("content-type") ?? "").split(";", 1)[0] ?? "";

/** The value of a JSON or XML body. @throws Error when it is not what its type says */
function valueOf(answer: Answer): unknown {
  const text = answer.body.toString("utf8");
  const type = mediaTypeOf(answer);
  if (type === "application/json") return JSON.parse(text);
  if (type !== "application/xml" && type !== "text/xml") throw new Error(`neither JSON nor XML: "${type}"`);
  if (XMLValidator.validate(text) !== true) throw new Error("not well-formed XML");
  const { result, xml: notification } = xml.parse(text) as { result?: unknown; xml?: unknown };
  return result ?? notification;
}

function checkError(answer: Answer): void {
  const shape = mediaTypeOf(answer) === "application/json" ? errorShape : errorInXml;
  const value = valueOf(answer);
  const isKnown = [
    shape.safeParse(value),
    failedUpload.safeParse(failedUploadIn(value)),
    refusedNotification.safeParse(value),
  ];
  if (!isKnown.some(({ success }) => success))
    throw new Error(`not an error as it is documented: ${answer.body.toString("utf8").slice(0, 500)}`);
}

/** In XML everything is text. */
const failedUploadIn = (value: unknown) => {
  const { success, ...rest } = (value ?? {}) as Record<string, unknown>;
  return { success: success === "false" ? false : success, ...rest };
};

/** Headers without which a client cannot act on an answer. */
const needed: Readonly<Record<number, string>> = { 401: "www-authenticate", 405: "allow", 503: "retry-after" };

/** What no answer may tell: files of the server, its libraries, its database. */
const innards = /node_modules|\bat \S+ \(|\.ts:\d|SQLITE_|better-sqlite3|hearth-test-/;

/**
 * @param method of the request, where it is known: the answer to HEAD has no body
 * @throws Error saying which rule the answer breaks
 */
export function checkAnswer(answer: Answer, method: string | undefined): void {
  const { status, headers, body } = answer;
  if (status === 500 || status === 501 || status === 502 || status > 503) throw new Error(`status ${String(status)}`);
  const required = needed[status];
  if (required !== undefined && !headers.has(required)) throw new Error(`${String(status)} without ${required}`);
  if (innards.test(body.toString("latin1")))
    throw new Error(`tells its innards: ${body.toString("latin1").slice(0, 500)}`);
  checkLocation(headers.get("location"));
  if (status >= 400 && method !== "HEAD") checkError(answer);
  else if (body.length > 0 && mediaTypeOf(answer) === "application/json") valueOf(answer);
}

/** No redirect leads away from the server, but to pages of the console at its own port, without a query. */
function checkLocation(location: string | undefined): void {
  if (location === undefined) return;
  const base = "http://server.test/";
  const { origin, pathname, search } = new URL(location, base);
  const isConsole = /^\/console(?:\/|$)/i.test(pathname) && search === "";
  if (origin !== new URL(base).origin && !isConsole) throw new Error(`leads away: ${location}`);
}
