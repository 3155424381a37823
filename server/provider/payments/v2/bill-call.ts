/** A day's bills as text or gzip, without a signature. */
import { gzipSync } from "node:zlib";
import { isDay } from "../../../payment-wire/provider-time.ts";
import { billTypes, type BillType } from "../bills/bill-rows.ts";
import { accountTypes, type AccountType, type Bills } from "../bills/bills.ts";
import type { CallOutcome, WireReply } from "../calls/answer-call.ts";
import { PaymentRefusal } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { filledField, type CallV2 } from "./call-v2.ts";
import { isOneOf, needed, optional } from "./field-rules.ts";
import type { RequestV2 } from "./read-request.ts";
import { communicationFailure, unsignedFailure } from "./write-reply.ts";

/** The platform's numbers for the refusals of this call. Others are mistakes in the request. */
const numbers: Readonly<Record<string, readonly [errorCode: string, text: string]>> = {
  SIGNERROR: ["20001", "sign error"],
  NO_STATEMENT_EXIST: ["20002", "No Bill Exist"],
  STATEMENT_CREATING: ["20003", "Bill Creating"],
  SYSTEMERROR: ["100", "SYSTEMERROR"],
};

export function billFailure({ code, message }: PaymentRefusal): WireReply {
  const [error_code, text] = numbers[code] ?? ["20001", message];
  return communicationFailure(text, { error_code });
}

const text = (body: string): WireReply => ({
  status: 200,
  headers: { "Content-Type": "text/plain; charset=utf-8" },
  body,
});
const compressed = (body: string): WireReply => ({
  status: 200,
  headers: { "Content-Type": "application/gzip" },
  body: gzipSync(body),
});

const dayOf = (fields: RequestV2["fields"]) => (fields["bill_date"] ?? "").replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");
const file = (body: string, { fields }: RequestV2) =>
  filledField(fields, "tar_type") === "GZIP" ? compressed(body) : text(body);
const dayRules = [needed("bill_date", 8, isDay), optional("tar_type", 8, isOneOf(["GZIP"]))];

export const downloadBill = (bills: Pick<Bills, "lines" | "write">): CallV2<string> => ({
  name: "downloadbill",
  paths: ["/pay/downloadbill"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [...dayRules, optional("device_info", 32), optional("bill_type", 32, isOneOf(billTypes))],
  perform: ({ sender, fields }) =>
    bills.write({
      mchId: sender.merchant.mchId,
      day: dayOf(fields),
      type: (filledField(fields, "bill_type") ?? "ALL") as BillType,
    }),
  reply: () => ({}),
  write: (outcome: CallOutcome<string>, request) =>
    outcome.ok ? file(outcome.value, request) : billFailure(outcome.refusal),
});

/** The codes of version 2 for the bills that are not there. */
const flowCodes: Readonly<Record<string, string>> = {
  NO_STATEMENT_EXIST: "NO_BILL_EXIST",
  STATEMENT_CREATING: "BILL_CREATING",
};
const flowFailure = ({ code, message }: PaymentRefusal): WireReply =>
  unsignedFailure(new PaymentRefusal(flowCodes[code] ?? code, message));

/** As version 2 writes them: `Basic`. */
const accountNames = accountTypes.map((type) => `${type[0] ?? ""}${type.slice(1).toLowerCase()}`);

export const downloadFundFlow = (bills: Pick<Bills, "writeFlow">): CallV2<string> => ({
  name: "downloadfundflow",
  paths: ["/pay/downloadfundflow"],
  needsCertificate: true,
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [...dayRules, needed("account_type", 16, isOneOf(accountNames))],
  check({ sender }) {
    if (sender.signType !== "HMAC-SHA256") throw refusal("SIGNERROR", "该接口只支持HMAC-SHA256签名");
  },
  perform: ({ sender, fields }) =>
    bills.writeFlow({
      mchId: sender.merchant.mchId,
      day: dayOf(fields),
      account: (fields["account_type"] ?? "").toUpperCase() as AccountType,
    }),
  reply: () => ({}),
  write: (outcome: CallOutcome<string>, request) =>
    outcome.ok ? file(outcome.value, request) : flowFailure(outcome.refusal),
});
