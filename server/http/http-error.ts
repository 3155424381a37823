import type { ErrorBody } from "../contract/error-body.ts";

interface Init {
  readonly headers?: Record<string, string>;
  readonly details?: ErrorBody["details"];
  readonly cause?: unknown;
}

/**
 * A refusal with an HTTP status. Feature code throws it; only error-handler.ts turns it into bytes (spec: More error rules
 * 1).
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  /** Machine-readable, lower case with underscores. */
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: ErrorBody["details"];

  constructor(status: number, code: string, message: string, init: Init = {}) {
    super(message, { cause: init.cause });
    this.status = status;
    this.code = code;
    this.headers = init.headers ?? {};
    this.details = init.details;
  }
}

/** The step in a 401 (spec: Login conditions); `Bearer` means "log in again" (our choice). */
export type LoginStep = "Bearer" | "getUserInfo" | "getPhoneNumber";

const stepMessages: Record<LoginStep, string> = {
  Bearer:
    "The session token is missing, unknown or expired: log in with POST /api/sessions and send it as Authorization: Bearer.",
  getUserInfo: "User info has not been obtained: call getUserInfo and send its result to POST /api/userinfos.",
  getPhoneNumber:
    "The phone number has not been obtained: call getPhoneNumber and send its result to POST /api/phonenumbers.",
};

/** 401 with the client's next step in WWW-Authenticate. */
export const loginRequired = (step: LoginStep, message = stepMessages[step]) =>
  new HttpError(
    401,
    step === "Bearer" ? "login_required" : step === "getUserInfo" ? "userinfo_required" : "phone_required",
    message,
    {
      headers: { "WWW-Authenticate": step },
    },
  );

/** 400 that names the invalid field. */
export const badRequest = (code: string, message: string, field?: string) =>
  new HttpError(400, code, message, field === undefined ? {} : { details: [{ field, problem: message }] });

export const notFound = (message: string) => new HttpError(404, "not_found", message);

/** 503 with the seconds until a retry makes sense. */
export const unavailable = (code: string, message: string, retryAfterSeconds: number, cause?: unknown) =>
  new HttpError(503, code, message, { headers: { "Retry-After": String(retryAfterSeconds) }, cause });
