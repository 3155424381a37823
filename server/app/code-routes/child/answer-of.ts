/** Makes an answer of the value that a handler returned. */
import { validateHeaderName, validateHeaderValue } from "node:http";
import type { CodeAnswer, CodeRefusal } from "../child-messages.ts";

/** The longest answer: characters of JSON or text, or bytes. */
const longestAnswer = 8 * 1024 * 1024;

interface GivenReply {
  readonly status: unknown;
  readonly body: unknown;
  readonly headers: unknown;
}

const isMarked = (value: unknown, mark: string): boolean =>
  typeof value === "object" && value !== null && Symbol.for(mark) in value;

/** @throws TypeError for another status */
function statusOf(given: unknown, lowest: number): number {
  if (typeof given === "number" && Number.isInteger(given) && given >= lowest && given <= 599) return given;
  throw new TypeError(`the status must be a whole number from ${String(lowest)} to 599, and is ${String(given)}`);
}

function headersOf(given: unknown): Record<string, string> {
  if (typeof given !== "object" || given === null) throw new TypeError("the headers must be an object");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const text = String(value);
    validateHeaderName(name);
    validateHeaderValue(name, text);
    headers[name] = text;
  }
  return headers;
}

/** @throws TypeError for a value that is no JSON, or too long */
function jsonOf(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`a ${typeof value} is no JSON`);
  return withinLimit(json);
}

function withinLimit<Content extends string | Uint8Array>(content: Content): Content {
  if (content.length <= longestAnswer) return content;
  throw new TypeError(`the answer is longer than ${String(longestAnswer / 1024 / 1024)} MB`);
}

/** @throws TypeError for what cannot be sent */
export function answerOf(value: unknown): CodeAnswer {
  if (value === undefined) return { status: 204, headers: {} };
  if (!isMarked(value, "hearthkit.reply")) return { status: 200, headers: {}, json: jsonOf(value) };
  const { status: given, body, headers: named } = value as GivenReply;
  const status = statusOf(given, 200);
  const headers = headersOf(named);
  if (body === undefined) return { status, headers };
  if ([204, 205, 304].includes(status)) throw new TypeError(`a reply with status ${String(status)} has no body`);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (body instanceof Uint8Array || (typeof body === "string" && type !== undefined))
    return { status, headers, content: withinLimit(body) };
  return { status, headers, json: jsonOf(body) };
}

/** The refusal that `fail` has thrown; undefined for other exceptions. @throws TypeError for another status */
export function thrownRefusal(thrown: unknown): CodeRefusal | undefined {
  if (!isMarked(thrown, "hearthkit.refusal")) return undefined;
  const { status, code, message, details } = thrown as CodeRefusal;
  return {
    status: statusOf(status, 400),
    code: String(code),
    message: String(message).slice(0, 2_000),
    ...(details && { details }),
  };
}
