/** Refusals in the format of version 3. */
import { errorCodes } from "../../../contract/provider/payment-errors/error-codes.ts";
import type { CallName } from "../calls/answer-call.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";

/** A call that is refused for its sender or its form, before it is performed. */
export class RefusalV3 extends Error {
  override readonly name = "RefusalV3";
  readonly status: number;
  readonly code: string;
  readonly detail: unknown;
  constructor(status: number, code: string, message: string, detail?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** Status and code of codes that the merchant's side gives no advice about. */
const otherNames: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ERROR: [400, "INVALID_REQUEST"],
  NOT_SHARE_ORDER: [400, "INVALID_REQUEST"],
  NOT_FOUND: [404, "NOT_FOUND"],
  RESOURCE_NOT_EXISTS: [404, "RESOURCE_NOT_EXISTS"],
  CONTRACT_NOT_EXIST: [404, "RESOURCE_NOT_EXISTS"],
  RULELIMIT: [403, "RULE_LIMIT"],
  ACCOUNTERROR: [403, "ACCOUNT_ERROR"],
  RATELIMIT_EXCEEDED: [429, "RATELIMIT_EXCEEDED"],
  BAD_GATEWAY: [502, "BAD_GATEWAY"],
  SERVICE_UNAVAILABLE: [503, "SERVICE_UNAVAILABLE"],
};

/** The calls about refunds answer "no such resource" for a missing order. */
const ofRefunds: Readonly<Record<string, readonly [status: number, code: string]>> = {
  ORDERNOTEXIST: [404, "RESOURCE_NOT_EXISTS"],
  MCHID_NOT_EXIST: [404, "MCH_NOT_EXISTS"],
};

/** A refusal of the ledger in version 3; a code without an equivalent stays the same, with status 400. */
export function toRefusalV3({ code, message }: PaymentRefusal, call: CallName): RefusalV3 {
  const special = call === "refund" || call === "refundquery" ? ofRefunds[code] : undefined;
  const [status, name] = special ?? errorCodes[code]?.v3 ?? otherNames[code] ?? [400, code];
  return new RefusalV3(status, name, message);
}

/** Where the refused value was. */
export type ValueLocation = "body" | "uri_template" | "query";

/** @param field JSON pointer into the body, or a name in the path or query */
export const paramError = (location: ValueLocation, field: string, value: unknown, issue: string) =>
  new RefusalV3(400, "PARAM_ERROR", `${field || "body"}: ${issue}`, {
    field,
    value: value ?? "",
    issue,
    location,
  });
