import { catalogue, type CodeOfRefusal } from "../contract/messages/english.ts";
import { inEnglish } from "../contract/messages/in-english.ts";
import type { Message, Text, ValuesOf } from "../contract/messages/message.ts";

interface Init {
  readonly headers?: Record<string, string>;
  readonly details?: readonly FieldText[] | undefined;
  readonly cause?: unknown;
  /** The one field at fault, which becomes the details. */
  readonly field?: string | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number;
}

interface FieldText {
  readonly field: string;
  readonly problem: Text;
}

/**
 * A refusal with an HTTP status. Feature code throws it; only error-handler.ts turns it into bytes (spec: More error rules
 * 1). Its `message` is English, for the log and for services without other languages.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** Machine-readable, lower case with underscores. */
  readonly code: string;
  readonly text: Text;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly FieldText[] | undefined;

  /** @param text a text without a code is the same in every language: a foreign one, or that of a service in English */
  constructor(status: number, code: string, text: Text, { headers, details, cause, field, retryAfter }: Init = {}) {
    super(inEnglish(text), { cause });
    this.status = status;
    this.code = code;
    this.text = text;
    this.headers = { ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }), ...headers };
    this.details = details ?? (field === undefined ? undefined : [{ field, problem: text }]);
  }
}

type Arguments<C extends CodeOfRefusal> = [...values: ValuesOf<C>, init?: Init];

/** Makes a refusal of the catalogue. The values may be omitted or undefined if its text names none. */
export function refuse<C extends CodeOfRefusal>(code: C, ...rest: Arguments<C>): HttpError;
export function refuse(code: CodeOfRefusal, values?: Message["values"], init?: Init): HttpError {
  const [status, wireCode] = catalogue[code];
  return new HttpError(status, wireCode, { code, ...(values && { values }) }, init);
}

/** The step in a 401 (spec: Login conditions); `Bearer` means "log in again" (our choice). */
export type LoginStep = "Bearer" | "getUserInfo" | "getPhoneNumber";

const loginCodes = { Bearer: "login.session", getUserInfo: "login.userInfo", getPhoneNumber: "login.phone" } as const;

/** 401 with the client's next step in WWW-Authenticate. */
export const loginRequired = (step: LoginStep, code: "code.phone" | "code.login" | undefined = undefined) =>
  refuse(code ?? loginCodes[step], undefined, { headers: { "WWW-Authenticate": step } });

/** 400 that names the invalid field, for services that answer in English only, like the next three. */
export const badRequest = (code: string, text: string, field?: string) => new HttpError(400, code, text, { field });

export const notFound = (text: string) => new HttpError(404, "not_found", text);

/** 503 with the seconds until a retry makes sense. */
export const unavailable = (code: string, text: string, retryAfter: number, cause?: unknown) =>
  new HttpError(503, code, text, { retryAfter, cause });
