/** Places, queries and closes orders. */
import { readCompactTime } from "../../../payment-wire/provider-time.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Ledger, Order, OrderRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { filledField, missingNumber, orderKey, type CallV2 } from "./call-v2.ts";
import {
  commonRules,
  isNotifyUrl,
  isOneOf,
  needed,
  optional,
  orderNumberField,
  orderNumbers,
  paymentRules,
} from "./field-rules.ts";
import { queryFields } from "./order-fields.ts";
import type { RequestV2 } from "./read-request.ts";

interface Deps {
  readonly ledger: Ledger;
  /** Where the buyer of an MWEB order pays. */
  readonly payPage: (order: Order) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

const payableMs = 7 * 24 * 3_600_000;
const minPayableMs = 60_000;

/** Fields for which the ledger has its own columns. */
const known = new Set([
  ...commonRules.map(({ name }) => name),
  ...["body", "out_trade_no", "total_fee", "notify_url", "trade_type", "openid", "attach", "fee_type"],
  ...["auth_code"],
]);

/** @throws PaymentRefusal NOAUTH */
export function toOrderRequestV2({ sender, fields, from }: RequestV2, tradeType: TradeType): OrderRequest {
  if (!sender.merchant.products.includes(tradeType)) throw refusal("NOAUTH", `商户未开通${tradeType}支付`);
  return {
    mchId: sender.merchant.mchId,
    appId: sender.appId,
    outTradeNo: fields["out_trade_no"] ?? "",
    tradeType,
    version: "v2",
    signType: sender.signType,
    description: fields["body"] ?? "",
    total: Number(fields["total_fee"]),
    currency: filledField(fields, "fee_type") ?? "CNY",
    notifyUrl: filledField(fields, "notify_url"),
    notifyFrom: from,
    openid: filledField(fields, "openid"),
    attach: filledField(fields, "attach"),
    expiresAt: readCompactTime(fields["time_expire"] ?? ""),
    sandbox: sender.sandbox,
    extra: Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name))),
  };
}

/**
 * A repeat is answered by what became of the order, however little of its time is left.
 * @throws PaymentRefusal if the time to pay of a new order is under a minute, ends before it begins, or is over
 */
export async function checkTimes(
  { ledger, now }: Pick<Deps, "ledger" | "now">,
  { fields }: RequestV2,
  { mchId, outTradeNo }: OrderRequest,
  code: "INVALID_REQUEST" | "PARAM_ERROR",
): Promise<void> {
  const from = readCompactTime(fields["time_start"] ?? "") ?? now();
  const to = readCompactTime(fields["time_expire"] ?? "") ?? from + payableMs;
  const isShort = to - from < minPayableMs;
  if (!isShort && to > now()) return;
  if (await ledger.find({ mchId, outTradeNo })) return;
  throw refusal(code, isShort ? "time_expire时间过短，与time_start的间隔需大于1分钟" : "time_expire时间已过");
}

/** The additional field that each product requires. */
const productFields: Readonly<Record<string, string>> = {
  JSAPI: "openid",
  NATIVE: "product_id",
  MWEB: "scene_info",
};

export const unifiedOrder = (deps: Deps): CallV2<Order> => ({
  name: "unifiedorder",
  paths: ["/pay/unifiedorder"],
  missing: "LACK_PARAMS",
  malformed: "INVALID_REQUEST",
  rules: [
    ...paymentRules,
    needed("notify_url", 256, isNotifyUrl),
    needed("trade_type", 16, isOneOf(["JSAPI", "NATIVE", "APP", "MWEB"])),
    optional("openid", 128),
    optional("product_id", 32),
  ],
  alsoMissing(fields) {
    const name = productFields[fields["trade_type"] ?? ""];
    return name !== undefined && filledField(fields, name) === undefined ? name : undefined;
  },
  async perform(request) {
    const order = toOrderRequestV2(request, request.fields["trade_type"] as TradeType);
    await checkTimes(deps, request, order, "INVALID_REQUEST");
    return deps.ledger.place(order);
  },
  reply: (order) => ({
    trade_type: order.tradeType,
    prepay_id: order.prepayId,
    ...(order.tradeType === "NATIVE" && { code_url: order.codeUrl ?? "" }),
    ...(order.tradeType === "MWEB" && { mweb_url: deps.payPage(order) }),
  }),
});

export const orderQuery = ({ ledger }: Deps): CallV2<Order> => ({
  name: "orderquery",
  paths: ["/pay/orderquery"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [...orderNumbers, optional("version", 32)],
  alsoMissing: missingNumber,
  perform: (request) => ledger.get(orderKey(request)),
  reply: queryFields,
});

export const closeOrder = ({ ledger }: Deps): CallV2<Order> => ({
  name: "closeorder",
  paths: ["/pay/closeorder"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [orderNumberField],
  perform: ({ sender, fields }) =>
    ledger.close({
      mchId: sender.merchant.mchId,
      outTradeNo: filledField(fields, "out_trade_no"),
      sandbox: sender.sandbox,
    }),
  reply: () => ({ result_msg: "OK" }),
});
