/** The definition of a version 2 call. */
import type { SignType } from "../../../contract/provider/payment-terms.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { CallHints, CallName, CallOutcome, WireReply } from "../calls/answer-call.ts";
import type { Ledger, Order, OrderKey, PaymentRefusal } from "../ledger/ledger.ts";
import { orderOfSub } from "../partner/sub-merchant.ts";
import type { FieldRule } from "./field-rules.ts";
import type { RequestV2 } from "./read-request.ts";

export interface CallV2<Value> {
  readonly name: CallName;
  readonly paths: readonly string[];
  /** Additional paths in the sandbox. */
  readonly sandboxPaths?: readonly string[];
  /** The real host requires the merchant's client certificate. */
  readonly needsCertificate?: boolean;
  /** The sender names no app. */
  readonly withoutApp?: boolean;
  /** The request has no nonce, or neither the request nor the reply. */
  readonly withoutNonce?: "request" | "always";
  /** A GET whose fields are in the query. */
  readonly inQuery?: boolean;
  /** The type of a signature that names none. Default: MD5. */
  readonly usualSignType?: SignType;
  /** The sandbox does not have the call. */
  readonly withoutSandbox?: boolean;
  readonly rules: readonly FieldRule[];
  /** The err_code for a missing field, and for an invalid one. */
  readonly missing: "LACK_PARAMS" | "PARAM_ERROR";
  readonly malformed: "INVALID_REQUEST" | "PARAM_ERROR";
  /** Fields that are required because of other fields. */
  alsoMissing?(fields: FieldsV2): string | undefined;
  /** @throws PaymentRefusal for fields that contradict each other */
  check?(request: RequestV2): void;
  perform(request: RequestV2, hints: CallHints): Promise<Value>;
  /** The fields of a successful reply, only from the result. */
  reply(value: Value, request: RequestV2): FieldsV2;
  /** Additional fields of a refusal. */
  refused?(refusal: PaymentRefusal): FieldsV2;
  /** For a call whose reply is not a signed message. */
  write?(outcome: CallOutcome<Value>, request: RequestV2): WireReply;
}

/** The value of a field; undefined if it is missing or empty. */
export const filledField = (fields: FieldsV2, name: string): string | undefined => fields[name] || undefined;

/** The order that a call names: the platform's number wins over the merchant's. */
export const orderKey = ({ sender, fields }: RequestV2): OrderKey => ({
  mchId: sender.merchant.mchId,
  outTradeNo: filledField(fields, "out_trade_no"),
  transactionId: filledField(fields, "transaction_id"),
  sandbox: sender.sandbox,
});

/** Reads the order that a call names, which must be of the sub-merchant that it names. @throws PaymentRefusal ORDERNOTEXIST */
export const namedOrder = (ledger: Pick<Ledger, "get">, request: RequestV2): Promise<Order> =>
  orderOfSub(ledger, orderKey(request), request.sender.sub?.sub_mchid);

/** For calls that identify an order by either number. */
export const missingNumber = (fields: FieldsV2): string | undefined =>
  (filledField(fields, "transaction_id") ?? filledField(fields, "out_trade_no")) ? undefined : "out_trade_no";
