/** The calls of version 3: their input, their use of the ledger, and their answers. */
import { seal } from "../../../payment-wire/sealed-v3.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Call, CallHints } from "../calls/answer-call.ts";
import type { Keys } from "../keys/keys.ts";
import { PaymentRefusal, type Ledger, type Order, type OrderKey, type OrderRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchant } from "../merchants/merchants.ts";
import type { BillFiles } from "./bill-files-v3.ts";
import { RefusalV3 } from "./refusal-v3.ts";
import {
  byMerchant,
  closeBody,
  orderBodies,
  orderNumber,
  readAs,
  readJson,
  refundBody,
  refundNumber,
  tradeBillQuery,
  transactionNumber,
  type OrderBody,
} from "./requests-v3.ts";
import { orderV3, refundV3 } from "./views-v3.ts";

/** A request from a verified sender. */
export interface RequestV3 {
  readonly merchant: Merchant;
  /** As received. */
  readonly body: string;
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The first value of a repeated name counts. */
  readonly query: Readonly<Record<string, string>>;
  /** The simulator's address as the merchant reaches it, without a trailing slash. */
  readonly origin: string;
  /** The address that it came from, in the form that the ledger stores for notifications. */
  readonly from: string | undefined;
}

/** A call whose form is verified. `view` returns the JSON of the answer; undefined: 204, no body. */
export interface PreparedCall<Value> extends Pick<Call, "name" | "outTradeNo" | "transactionId" | "outRefundNo"> {
  perform(hints: CallHints): Promise<Value>;
  view(value: Value): unknown;
}

export interface RouteV3 {
  readonly name: Call["name"];
  readonly method: "GET" | "POST";
  readonly path: string;
  /** @throws RefusalV3 */
  prepare(request: RequestV3): PreparedCall<unknown>;
}

interface Deps {
  readonly ledger: Ledger;
  readonly keys: Keys;
  /** Where the buyer of an order for a mobile browser pays. */
  readonly payPage: (order: Order) => string;
  readonly billFiles: BillFiles;
  /** Unix time in ms. */
  readonly now: () => number;
}

const tradeTypes = { jsapi: "JSAPI", native: "NATIVE", app: "APP", h5: "MWEB" } as const satisfies Record<
  string,
  TradeType
>;
type Product = keyof typeof tradeTypes;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Payable for 7 days by default; at least a minute, at most 90 days. */
const expiryOf = (timeExpire: string | undefined, now: number): number =>
  timeExpire === undefined
    ? now + 7 * dayMs
    : Math.min(Math.max(Date.parse(timeExpire), now + minuteMs), now + 90 * dayMs);

/** @throws RefusalV3 if the merchant is not the one that signed (our choice of code) */
function checkMerchant({ merchant }: RequestV3, mchId: string): void {
  if (mchId !== merchant.mchId)
    throw new RefusalV3(403, "NO_AUTH", `The mchid ${mchId} is not the merchant that signed the request.`);
}

/** The fields stored as received, to distinguish a repeat from another order. */
function extraOf(body: OrderBody): Record<string, unknown> {
  const { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay } = body;
  const extra = { goods_tag, support_fapiao, detail, scene_info, settle_info, limit_pay };
  return Object.fromEntries(Object.entries(extra).filter(([, value]) => value !== undefined));
}

function toOrderRequest(body: OrderBody, from: string | undefined, tradeType: TradeType, now: number): OrderRequest {
  return {
    mchId: body.mchid,
    appId: body.appid,
    outTradeNo: body.out_trade_no,
    tradeType,
    version: "v3",
    signType: "MD5", // version 2 only
    description: body.description,
    total: body.amount.total,
    currency: body.amount.currency,
    notifyUrl: body.notify_url,
    notifyFrom: from,
    openid: tradeType === "JSAPI" ? body.payer?.openid : undefined,
    attach: body.attach === "" ? undefined : body.attach,
    expiresAt: expiryOf(body.time_expire, now),
    extra: extraOf(body),
  };
}

/** @throws PaymentRefusal */
function checkProduct(merchant: Merchant, appId: string, tradeType: TradeType): void {
  if (!merchant.appIds.includes(appId)) throw refusal("APPID_MCHID_NOT_MATCH");
  if (!merchant.products.includes(tradeType)) throw refusal("NOAUTH", `商户未开通${tradeType}`);
}

export function createCallsV3({ ledger, keys, payPage, billFiles, now }: Deps): readonly RouteV3[] {
  function place(request: RequestV3, product: Product): PreparedCall<Order> {
    const body = readAs(orderBodies[product], readJson(request.body), "body");
    checkMerchant(request, body.mchid);
    const tradeType = tradeTypes[product];
    return {
      name: "unifiedorder",
      outTradeNo: body.out_trade_no,
      async perform() {
        checkProduct(request.merchant, body.appid, tradeType);
        return ledger.place(toOrderRequest(body, request.from, tradeType, now()));
      },
      view(order) {
        if (product === "native") return { code_url: order.codeUrl ?? "" };
        return product === "h5" ? { h5_url: payPage(order) } : { prepay_id: order.prepayId };
      },
    };
  }

  function query(request: RequestV3, key: Omit<OrderKey, "mchId">): PreparedCall<Order> {
    checkMerchant(request, readAs(byMerchant, request.query, "query").mchid);
    return {
      name: "orderquery",
      ...key,
      perform: () => ledger.get({ mchId: request.merchant.mchId, ...key }),
      view: orderV3,
    };
  }

  function close(request: RequestV3): PreparedCall<Order> {
    const { out_trade_no } = readAs(orderNumber, request.params, "url");
    checkMerchant(request, readAs(closeBody, readJson(request.body), "body").mchid);
    const key = { mchId: request.merchant.mchId, outTradeNo: out_trade_no };
    return {
      name: "closeorder",
      outTradeNo: out_trade_no,
      async perform() {
        try {
          return await ledger.close(key);
        } catch (error) {
          // A repeated close succeeds like the first.
          if (error instanceof PaymentRefusal && error.code === "ORDERCLOSED") return ledger.get(key);
          throw error;
        }
      },
      view: () => undefined,
    };
  }

  function refund(request: RequestV3): PreparedCall<Awaited<ReturnType<Ledger["refund"]>>> {
    const body = readAs(refundBody, readJson(request.body), "body");
    const { mchId } = request.merchant;
    const key = { outTradeNo: body.out_trade_no, transactionId: body.transaction_id };
    return {
      name: "refund",
      outRefundNo: body.out_refund_no,
      ...key,
      perform: () =>
        ledger.refund(
          { mchId, ...key },
          {
            outRefundNo: body.out_refund_no,
            total: body.amount.total,
            refund: body.amount.refund,
            currency: body.amount.currency,
            reason: body.reason,
            notifyUrl: body.notify_url,
            notifyFrom: request.from,
            account: body.funds_account,
            version: "v3",
          },
        ),
      view: (made) => refundV3(made.refund, made.order),
    };
  }

  function queryRefund(request: RequestV3): PreparedCall<Awaited<ReturnType<Ledger["refund"]>>> {
    const { out_refund_no: outRefundNo } = readAs(refundNumber, request.params, "url");
    return {
      name: "refundquery",
      outRefundNo,
      async perform() {
        const [made] = await ledger.refunds({ mchId: request.merchant.mchId, outRefundNo });
        if (!made) throw refusal("REFUNDNOTEXIST");
        return { refund: made, order: await ledger.orderOf(made) };
      },
      view: (made) => refundV3(made.refund, made.order),
    };
  }

  function tradeBill({ merchant, query: given, origin }: RequestV3): PreparedCall<string> {
    const { bill_date, bill_type, tar_type } = readAs(tradeBillQuery, given, "query");
    return {
      name: "downloadbill",
      perform: () => billFiles.write({ mchId: merchant.mchId, day: bill_date, type: bill_type }),
      view: (text) => billFiles.offer(merchant.mchId, text, tar_type === "GZIP", origin),
    };
  }

  function certificates({ merchant, query: { algorithm_type: algorithm = "RSA" } }: RequestV3) {
    return {
      name: "certificates",
      perform: () => (algorithm === "RSA" || algorithm === "ALL" ? keys.certificates() : Promise.resolve([])),
      view: (all) => ({
        data: all.map(({ serial, certificate, createdAt, expiresAt }) => ({
          serial_no: serial,
          effective_time: offsetTime(createdAt),
          expire_time: offsetTime(expiresAt),
          encrypt_certificate: seal(certificate, merchant.apiV3Key, "certificate"),
        })),
      }),
    } satisfies PreparedCall<Awaited<ReturnType<Keys["certificates"]>>>;
  }

  return [
    ...(Object.keys(tradeTypes) as Product[]).map((product): RouteV3 => ({
      name: "unifiedorder",
      method: "POST",
      path: `/v3/pay/transactions/${product}`,
      prepare: (request) => place(request, product),
    })),
    {
      name: "orderquery",
      method: "GET",
      path: "/v3/pay/transactions/out-trade-no/{out_trade_no}",
      prepare: (request) => query(request, { outTradeNo: readAs(orderNumber, request.params, "url").out_trade_no }),
    },
    {
      name: "orderquery",
      method: "GET",
      path: "/v3/pay/transactions/id/{transaction_id}",
      prepare: (request) =>
        query(request, { transactionId: readAs(transactionNumber, request.params, "url").transaction_id }),
    },
    {
      name: "closeorder",
      method: "POST",
      path: "/v3/pay/transactions/out-trade-no/{out_trade_no}/close",
      prepare: close,
    },
    { name: "refund", method: "POST", path: "/v3/refund/domestic/refunds", prepare: refund },
    { name: "refundquery", method: "GET", path: "/v3/refund/domestic/refunds/{out_refund_no}", prepare: queryRefund },
    { name: "downloadbill", method: "GET", path: "/v3/bill/tradebill", prepare: tradeBill },
    { name: "certificates", method: "GET", path: "/v3/certificates", prepare: certificates },
  ];
}
