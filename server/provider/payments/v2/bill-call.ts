/** A day's bill as text or gzip, without a signature. */
import { gzipSync } from "node:zlib";
import type { BillType } from "../bills/bill-rows.ts";
import type { Bills } from "../bills/bills.ts";
import type { Outcome, WireReply } from "../calls/answer-call.ts";
import type { PaymentRefusal } from "../ledger/ledger.ts";
import { given, type CallV2 } from "./call-v2.ts";
import { isOneOf, needed, optional } from "./field-rules.ts";
import type { RequestV2 } from "./read-request.ts";
import { communicationFailure } from "./write-reply.ts";

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

export const downloadBill = (bills: Bills): CallV2<string> => ({
  name: "downloadbill",
  paths: ["/pay/downloadbill"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [
    needed("bill_date", 8, (value) => /^\d{8}$/.test(value)),
    optional("bill_type", 32, isOneOf(["ALL", "SUCCESS", "REFUND", "RECHARGE_REFUND"])),
    optional("tar_type", 8, isOneOf(["GZIP"])),
  ],
  perform: ({ sender, fields }) =>
    bills.write({
      mchId: sender.merchant.mchId,
      day: (fields["bill_date"] ?? "").replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3"),
      type: (given(fields, "bill_type") ?? "ALL") as BillType,
    }),
  reply: () => ({}),
  write(outcome: Outcome<string>, { fields }: RequestV2) {
    if (!outcome.ok) return billFailure(outcome.refusal);
    return given(fields, "tar_type") === "GZIP" ? compressed(outcome.value) : text(outcome.value);
  },
});
