/** The calls of version 3: their input, their use of the ledger, and their answers. */
import { seal } from "../../../payment-wire/sealed-v3.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import type { TradeType } from "../../../contract/provider/payment-terms.ts";
import type { Keys } from "../keys/keys.ts";
import { PaymentRefusal, type Ledger, type Order, type OrderKey } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { abnormalRefundV3 } from "./abnormal-refund-v3.ts";
import type { BillFiles } from "./bill-files-v3.ts";
import { codeCallsV3 } from "./code-calls-v3.ts";
import { checkProduct, toOrderRequestV3 } from "./order-request-v3.ts";
import {
  byMerchant,
  closeBody,
  flowBillQuery,
  orderBodies,
  orderNumber,
  readAs,
  readBodyV3,
  refundBody,
  refundNumber,
  tradeBillQuery,
  transactionNumber,
} from "./requests-v3.ts";
import { checkMerchant, type PreparedCall, type RequestV3, type RouteV3 } from "./route-v3.ts";
import { RefusalV3 } from "./refusal-v3.ts";
import { orderV3, refundV3 } from "./views-v3.ts";

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

/** The platform's text, with the address of its instructions. */
const noCertificate =
  "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。可查看指引https://pay.weixin.qq.com/doc/v3/merchant/4012153196";

export function createCallsV3({ ledger, keys, payPage, billFiles, now }: Deps): readonly RouteV3[] {
  function place(request: RequestV3, product: Product): PreparedCall<Order> {
    const body = readAs(orderBodies[product], readBodyV3(request.body), "body");
    checkMerchant(request, body.mchid);
    const tradeType = tradeTypes[product];
    return {
      name: "unifiedorder",
      outTradeNo: body.out_trade_no,
      async perform() {
        checkProduct(request.merchant, body.appid, tradeType);
        return ledger.place(toOrderRequestV3(body, request.from, tradeType, now()));
      },
      view(order) {
        if (product === "native") return { code_url: order.codeUrl ?? "" };
        return product === "h5" ? { h5_url: payPage(order) } : { prepay_id: order.prepayId };
      },
    };
  }

  function query(request: RequestV3, key: Pick<OrderKey, "outTradeNo" | "transactionId">): PreparedCall<Order> {
    checkMerchant(request, readAs(byMerchant, request.query, "query").mchid);
    return {
      name: "orderquery",
      ...key,
      perform: () => ledger.get({ mchId: request.merchant.mchId, ...key, sandbox: false }),
      view: orderV3,
    };
  }

  function close(request: RequestV3): PreparedCall<Order> {
    const { out_trade_no } = readAs(orderNumber, request.params, "uri_template");
    checkMerchant(request, readAs(closeBody, readBodyV3(request.body), "body").mchid);
    const key = { mchId: request.merchant.mchId, outTradeNo: out_trade_no, sandbox: false };
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
    const body = readAs(refundBody, readBodyV3(request.body), "body");
    const { mchId } = request.merchant;
    const key = { outTradeNo: body.out_trade_no, transactionId: body.transaction_id || undefined };
    return {
      name: "refund",
      outRefundNo: body.out_refund_no,
      ...key,
      perform: () =>
        ledger.refund(
          { mchId, ...key, sandbox: false },
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
    const { out_refund_no: outRefundNo } = readAs(refundNumber, request.params, "uri_template");
    return {
      name: "refundquery",
      outRefundNo,
      async perform() {
        const [made] = await ledger.refunds({ mchId: request.merchant.mchId, outRefundNo, sandbox: false });
        if (!made) throw refusal("REFUNDNOTEXIST");
        return { refund: made, order: await ledger.orderOf(made) };
      },
      view: (made) => refundV3(made.refund, made.order),
    };
  }

  function flowBill({ merchant, query: given, origin }: RequestV3): PreparedCall<string> {
    const { bill_date, account_type, tar_type } = readAs(flowBillQuery, given, "query");
    return {
      name: "downloadfundflow",
      perform: () => billFiles.writeFlow({ mchId: merchant.mchId, day: bill_date, account: account_type }),
      view: (text) => billFiles.offer(merchant.mchId, text, tar_type === "GZIP", origin),
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
    if (merchant.platformKeys.mode === "public_key") throw new RefusalV3(404, "RESOURCE_NOT_EXISTS", noCertificate);
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
      prepare: (request) =>
        query(request, { outTradeNo: readAs(orderNumber, request.params, "uri_template").out_trade_no }),
    },
    {
      name: "orderquery",
      method: "GET",
      path: "/v3/pay/transactions/id/{transaction_id}",
      prepare: (request) =>
        query(request, { transactionId: readAs(transactionNumber, request.params, "uri_template").transaction_id }),
    },
    {
      name: "closeorder",
      method: "POST",
      path: "/v3/pay/transactions/out-trade-no/{out_trade_no}/close",
      prepare: close,
    },
    ...codeCallsV3({ ledger, now }),
    { name: "refund", method: "POST", path: "/v3/refund/domestic/refunds", prepare: refund },
    abnormalRefundV3({ ledger, keys }),
    { name: "refundquery", method: "GET", path: "/v3/refund/domestic/refunds/{out_refund_no}", prepare: queryRefund },
    { name: "downloadbill", method: "GET", path: "/v3/bill/tradebill", prepare: tradeBill },
    { name: "downloadfundflow", method: "GET", path: "/v3/bill/fundflowbill", prepare: flowBill },
    { name: "certificates", method: "GET", path: "/v3/certificates", prepare: certificates },
  ];
}
