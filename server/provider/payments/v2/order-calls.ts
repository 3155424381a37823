/** Places, queries and closes orders. */
import { readCompactTime } from "../../../payment-wire/provider-time.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Ledger, Order, OrderRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { checkBinding } from "../partner/sub-merchant.ts";
import { filledField, missingNumber, namedOrder, orderKey, type CallV2 } from "./call-v2.ts";
import {
  commonRules,
  isNotifyUrl,
  isOneOf,
  needed,
  optional,
  orderNumberField,
  orderNumbers,
  partnerFields,
  paymentRules,
  versionField,
} from "./field-rules.ts";
import { deviceField, queryFields } from "./order-fields.ts";
import type { RequestV2 } from "./read-request.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly merchants: Pick<Merchants, "get">;
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
  ...["auth_code", ...partnerFields],
]);

/** @throws PaymentRefusal NOAUTH, APPID_MCHID_NOT_MATCH */
export async function toOrderRequestV2(
  { merchants }: Pick<Deps, "merchants">,
  { sender, fields, from }: RequestV2,
  tradeType: TradeType,
): Promise<OrderRequest> {
  if (!sender.merchant.products.includes(tradeType)) throw refusal("NOAUTH", `商户未开通${tradeType}支付`);
  if (sender.sub) await checkBinding(merchants, sender.merchant, sender.sub, tradeType);
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
    openid: filledField(fields, "openid") ?? sender.sub?.sub_openid,
    attach: filledField(fields, "attach"),
    expiresAt: readCompactTime(fields["time_expire"] ?? ""),
    sandbox: sender.sandbox,
    extra: {
      ...Object.fromEntries(Object.entries(fields).filter(([name]) => !known.has(name))),
      ...(sender.sub && { sub_merchant: sender.sub }),
    },
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

/** The papers by which an order can demand a certain buyer. */
const identityTypes = [
  ...["IDCARD", "HONGKONG_MACAO", "HONGKONG_MACAO_RESIDENT"],
  ...["TAIWAN_RESIDENT", "FOREIGN_RESIDENT", "OVERSEA_PASSPORT"],
];

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
    optional("user_type", 32, isOneOf(identityTypes)),
    optional("user_creid", 32),
    optional("user_truename", 64),
  ],
  alsoMissing(fields) {
    const name = productFields[fields["trade_type"] ?? ""];
    if (name === undefined || filledField(fields, name) !== undefined) return undefined;
    return name === "openid" && filledField(fields, "sub_openid") !== undefined ? undefined : name;
  },
  async perform(request) {
    const order = await toOrderRequestV2(deps, request, request.fields["trade_type"] as TradeType);
    await checkTimes(deps, request, order, "INVALID_REQUEST");
    return deps.ledger.place(order);
  },
  reply: (order) => ({
    ...deviceField(order),
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
  rules: [...orderNumbers, versionField],
  alsoMissing: missingNumber,
  perform: (request) => namedOrder(ledger, request),
  reply: queryFields,
});

export const closeOrder = ({ ledger }: Deps): CallV2<Order> => ({
  name: "closeorder",
  paths: ["/pay/closeorder"],
  missing: "PARAM_ERROR",
  malformed: "PARAM_ERROR",
  rules: [orderNumberField],
  async perform(request) {
    await namedOrder(ledger, request);
    return ledger.close(orderKey(request));
  },
  reply: () => ({ result_msg: "OK" }),
});
