/**
 * Changes to a notification's content, made before it is signed: the receiver gets a valid signature over wrong
 * content.
 */
import type { SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { fenOf, yuanText } from "../../../payment-wire/yuan.ts";
import type { NotificationContent } from "./notification-faults.ts";

type Members = Readonly<Record<string, unknown>>;
type ContentV3 = Extract<NotificationContent, { version: "v3" }>;

/** An amount in fen, in the form of either version. */
const off = (value: unknown, by: number) => Math.max(0, Number(value) + by);

function offBy(fields: FieldsV2, names: readonly string[], by: number): FieldsV2 {
  const changed = names.flatMap((name) => {
    const value = fields[name];
    return value === undefined ? [] : [[name, String(off(value, by))] as const];
  });
  return { ...fields, ...Object.fromEntries(changed) };
}

function amountV3(amount: Members, names: readonly string[], by: number, currency: string | undefined): Members {
  const changed = names.filter((name) => name in amount).map((name) => [name, off(amount[name], by)] as const);
  return { ...amount, ...Object.fromEntries(changed), ...(currency !== undefined && { currency }) };
}

/** Alipay names no currency. @param by fen */
function offByYuan(fields: FieldsV2, by: number): FieldsV2 {
  const names = ["total_amount", "receipt_amount", "buyer_pay_amount", "invoice_amount", "refund_fee"];
  const changed = names
    .filter((name) => name in fields)
    .map((name) => [name, yuanText(off(fenOf(fields[name]), by))] as const);
  return { ...fields, ...Object.fromEntries(changed) };
}

/** The parts of a combined order; none for another subject. */
const partsIn = ({ resource }: ContentV3) => (resource["sub_orders"] ?? []) as readonly Members[];

/** The amount of a combined order's first part, otherwise of the subject. @param by fen */
export function withWrongAmount(
  content: NotificationContent,
  by: number,
  currency: string | undefined,
): NotificationContent {
  if (content.version === "v3") {
    const [first, ...others] = partsIn(content);
    if (first) {
      const amount = amountV3((first["amount"] ?? {}) as Members, ["total_amount", "payer_amount"], by, currency);
      return { ...content, resource: { ...content.resource, sub_orders: [{ ...first, amount }, ...others] } };
    }
    const names = content.about === "payment" ? ["total", "payer_total"] : ["refund", "payer_refund"];
    const amount = amountV3((content.resource["amount"] ?? {}) as Members, names, by, currency);
    return { ...content, resource: { ...content.resource, amount } };
  }
  if (content.version === "alipay") return { ...content, fields: offByYuan(content.fields, by) };
  if (content.about !== "refund") {
    const fields = offBy(content.fields, ["total_fee", "cash_fee"], by);
    return { ...content, fields: { ...fields, ...(currency !== undefined && { fee_type: currency }) } };
  }
  const info = offBy(content.info, ["refund_fee", "settlement_refund_fee"], by);
  return { ...content, info: { ...info, ...(currency !== undefined && { refund_fee_type: currency }) } };
}

type ForeignField = SimFaultOf<"notification_foreign">["params"]["field"];

/** Ids that nobody owns. */
const nobodys: Readonly<Record<ForeignField, string>> = {
  mch_id: "1999999999",
  appid: "wx0000000000000000",
  out_trade_no: "FOREIGN20260101000001",
  transaction_id: "4200009999999999999999999999",
};

const alipayNames: Readonly<Partial<Record<ForeignField, string>>> = {
  mch_id: "seller_id",
  appid: "app_id",
  transaction_id: "trade_no",
};

export function withForeignId(
  content: NotificationContent,
  field: ForeignField,
  value: string = nobodys[field],
): NotificationContent {
  if (content.version === "v3") {
    const own = field === "mch_id" ? "mchid" : field;
    const name = partsIn(content).length > 0 ? `combine_${own}` : own;
    return { ...content, resource: { ...content.resource, [name]: value } };
  }
  if (content.version === "alipay")
    return { ...content, fields: { ...content.fields, [alipayNames[field] ?? field]: value } };
  const isSealed = content.about === "refund" && (field === "out_trade_no" || field === "transaction_id");
  return isSealed
    ? { ...content, info: { ...content.info, [field]: value } }
    : { ...content, fields: { ...content.fields, [field]: value } };
}

/** A payment that failed, according to its own fields. */
export function asFailure(content: NotificationContent, code: string): NotificationContent {
  if (content.version === "v3") {
    const trade_state = "PAYERROR";
    const parts = partsIn(content).map((part) => ({ ...part, trade_state }));
    const changed = parts.length > 0 ? { sub_orders: parts } : { trade_state };
    return { ...content, resource: { ...content.resource, ...changed } };
  }
  if (content.version === "alipay") return { ...content, fields: { ...content.fields, trade_status: "TRADE_CLOSED" } };
  return { ...content, fields: { ...content.fields, result_code: "FAIL", err_code: code, err_code_des: code } };
}

/** Undocumented members, signed like the others. */
export function withExtraFields(content: NotificationContent): NotificationContent {
  const extra = { hearth_extra: "1", hearth_extra_text: "附加" };
  if (content.version !== "v3") return { ...content, fields: { ...content.fields, ...extra } };
  return { ...content, envelope: { ...content.envelope, ...extra }, resource: { ...content.resource, ...extra } };
}

/** With the name of the signature's type where it was missing, and without it where it was there. */
export function withOtherSignType(content: NotificationContent, signType: string): NotificationContent {
  if (content.version !== "v2" || content.about === "refund") return content;
  const { sign_type: named, ...fields } = content.fields;
  return { ...content, fields: named === undefined ? { ...fields, sign_type: signType } : fields };
}

const hugeCharacters = 10 * 1024 * 1024;

/** A member of 10 MB. */
export function padded(content: NotificationContent): NotificationContent {
  const padding = "x".repeat(hugeCharacters);
  if (content.version !== "v3") return { ...content, fields: { ...content.fields, padding } };
  const { envelope, ...rest }: ContentV3 = content;
  return { ...rest, envelope: { ...envelope, padding } };
}
