/** Creates and queries refunds. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { cashOf, cashOfRefund } from "../ledger/coupon-parts.ts";
import type { Ledger, Order, Refund } from "../ledger/ledger.ts";
import { fundsOf, fundsOfRefunds, receivingAccount, refundChannel } from "../ledger/refund-accounts.ts";
import { refusal } from "../ledger/refusals.ts";
import { isOfSub } from "../partner/sub-merchant.ts";
import { filledField, missingNumber, namedOrder, orderKey, type CallV2 } from "./call-v2.ts";
import {
  isFen,
  isJson,
  isNotifyUrl,
  isOneOf,
  isOutRefundNo,
  isTransactionId,
  needed,
  optional,
  orderNumbers,
} from "./field-rules.ts";
import { couponRefundFields, refundStates } from "./order-fields.ts";

interface Deps {
  readonly ledger: Ledger;
}

/** The maximum number of refunds in one reply. */
const pageSize = 10;

/** An invalid number of the platform has its own refusal. */
function checkTransactionId(fields: FieldsV2): void {
  const id = filledField(fields, "transaction_id");
  if (id !== undefined && !isTransactionId(id)) throw refusal("INVALID_TRANSACTIONID");
}

/** @param edition `v2`: for refunds of single goods */
export const refundOrder = (
  { ledger }: Deps,
  edition: "" | "v2" = "",
): CallV2<Awaited<ReturnType<Ledger["refund"]>>> => ({
  name: "refund",
  paths: [`/secapi/pay/refund${edition}`],
  ...(edition === "" && { sandboxPaths: ["/pay/refund"] }),
  needsCertificate: true,
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [
    ...orderNumbers,
    needed("out_refund_no", 64, isOutRefundNo),
    needed("total_fee", 10, isFen),
    needed("refund_fee", 10, isFen),
    optional("refund_fee_type", 8, isOneOf(["CNY"])),
    optional("refund_desc", 80),
    optional("refund_account", 30, isOneOf(fundsOfRefunds.v2)),
    optional("notify_url", 256, isNotifyUrl),
    optional("device_info", 32),
    optional("op_user_id", 32),
    ...(edition === "v2" ? [optional("detail", 6000, isJson)] : []),
  ],
  alsoMissing: missingNumber,
  check: ({ fields }) => checkTransactionId(fields),
  async perform(request) {
    await namedOrder(ledger, request);
    return ledger.refund(orderKey(request), {
      outRefundNo: request.fields["out_refund_no"] ?? "",
      total: Number(request.fields["total_fee"]),
      refund: Number(request.fields["refund_fee"]),
      currency: filledField(request.fields, "refund_fee_type") ?? "CNY",
      reason: filledField(request.fields, "refund_desc"),
      notifyUrl: filledField(request.fields, "notify_url"),
      notifyFrom: request.from,
      account: filledField(request.fields, "refund_account"),
      version: "v2",
    });
  },
  reply: ({ order, refund }) => ({
    transaction_id: order.transactionId ?? "",
    out_trade_no: order.outTradeNo,
    out_refund_no: refund.outRefundNo,
    refund_id: refund.refundId,
    refund_fee: String(refund.refund),
    settlement_refund_fee: String(cashOfRefund(refund)),
    total_fee: String(order.total),
    cash_fee: String(cashOf(order)),
    cash_refund_fee: String(cashOfRefund(refund)),
    ...couponRefundFields(refund),
    ...(edition === "v2" && promotionField(order, [refund])),
  }),
});

/** What coupons got back, as JSON; nothing without a coupon. */
function promotionField({ id, couponFee }: Order, refunds: readonly Refund[]): FieldsV2 {
  if (couponFee === 0) return {};
  const promotion = { promotion_id: String(id), scope: "GLOBAL", type: "COUPON" };
  const back = refunds.map((refund) => ({ ...promotion, refund_amount: refund.couponFee }));
  return { promotion_detail: JSON.stringify({ promotion_detail: back }) };
}

interface FoundRefunds {
  readonly order: Order;
  readonly refunds: readonly Refund[];
}

const refundFields = (refund: Refund, index: number): [string, string][] =>
  Object.entries({
    out_refund_no: refund.outRefundNo,
    refund_id: refund.refundId,
    refund_channel: refundChannel(refund),
    refund_fee: String(refund.refund),
    ...(refund.couponFee > 0 && {
      settlement_refund_fee: String(cashOfRefund(refund)),
      ...couponRefundFields(refund),
    }),
    refund_status: refundStates[refund.status],
    refund_account: fundsOf(refund).v2,
    refund_recv_accout: receivingAccount(refund), // sic
    refund_success_time:
      refund.status === "SUCCESS" && refund.finishedAt !== undefined ? spacedTime(refund.finishedAt) : "",
  }).map(([name, value]) => [`${name}_${String(index)}`, value]);

/** @param edition `v2`: for refunds of single goods */
export const refundQuery = ({ ledger }: Deps, edition: "" | "v2" = ""): CallV2<FoundRefunds> => ({
  name: "refundquery",
  paths: [`/pay/refundquery${edition}`],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [
    ...orderNumbers,
    optional("out_refund_no", 64, isOutRefundNo),
    optional("refund_id", 32),
    optional("offset", 8, (value) => /^\d+$/.test(value)),
    optional("device_info", 32),
  ],
  alsoMissing: (fields) =>
    (filledField(fields, "refund_id") ?? filledField(fields, "out_refund_no")) ? undefined : missingNumber(fields),
  check: ({ fields }) => checkTransactionId(fields),
  async perform(request) {
    const { fields } = request;
    const refunds = await ledger.refunds({
      ...orderKey(request),
      refundId: filledField(fields, "refund_id"),
      outRefundNo: filledField(fields, "out_refund_no"),
    });
    const [first] = refunds;
    if (!first) throw refusal("REFUNDNOTEXIST");
    const order = await ledger.orderOf(first);
    if (!isOfSub(order, request.sender.sub?.sub_mchid)) throw refusal("REFUNDNOTEXIST");
    return { order, refunds };
  },
  reply({ order, refunds }, { fields }) {
    const offset = filledField(fields, "offset");
    const page = refunds.slice(Number(offset ?? 0)).slice(0, pageSize);
    return {
      ...(offset !== undefined && { total_refund_count: String(refunds.length) }),
      transaction_id: order.transactionId ?? "",
      out_trade_no: order.outTradeNo,
      total_fee: String(order.total),
      cash_fee: String(cashOf(order)),
      refund_count: String(page.length),
      ...Object.fromEntries(page.flatMap(refundFields)),
      ...(edition === "v2" && promotionField(order, page)),
    };
  },
});
