/** The calls of version 3: their input, their use of the ledger, and their answers. */
import { seal } from "../../../payment-wire/sealed-v3.ts";
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { billTypes } from "../bills/bill-rows.ts";
import { combinedCallsV3 } from "../combined/combined-calls-v3.ts";
import type { Keys } from "../keys/keys.ts";
import type { Ledger, Order, Refund, RefundRequest } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import type { Merchants } from "../merchants/merchants.ts";
import { partnerCalls } from "../partner/partner-calls.ts";
import { subMerchantBill } from "../partner/sub-merchant-bill.ts";
import { orderOfSub, subMerchantOf } from "../partner/sub-merchant.ts";
import type { ContractRow } from "../papay/contract-tables.ts";
import { deductionCallsV3 } from "../papay/deduction-calls-v3.ts";
import type { Papay } from "../papay/open-papay.ts";
import { signCallsV3 } from "../papay/sign-calls-v3.ts";
import type { ProfitSharing } from "../profit-sharing/profit-sharing.ts";
import { shareCallsV3 } from "../profit-sharing/share-calls-v3.ts";
import { transferCallsV3 } from "../transfers/transfer-calls-v3.ts";
import type { MerchantTransfers } from "../transfers/merchant-transfers.ts";
import { abnormalRefundV3 } from "./abnormal-refund-v3.ts";
import type { BillFiles } from "./bill-files-v3.ts";
import { closeOrderV3 } from "./close-order-v3.ts";
import { codeCallsV3 } from "./code-calls-v3.ts";
import { orderNumberPaths, type OrderNumberPath } from "./order-number-paths.ts";
import { readIdentity } from "./payer-fields-v3.ts";
import { checkProduct, toOrderRequestV3 } from "./order-request-v3.ts";
import { orderProducts, placedOrderV3, tradeTypes, type OrderProduct } from "./placed-order-v3.ts";
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
  refundQueryFields,
  tradeBillQuery,
} from "./requests-v3.ts";
import { checkMerchant, type PreparedCall, type RouteV3 } from "./route-v3.ts";
import { RefusalV3 } from "./refusal-v3.ts";
import { orderV3, refundV3 } from "./views-v3.ts";

interface Deps {
  readonly ledger: Ledger;
  readonly keys: Keys;
  readonly merchants: Pick<Merchants, "get">;
  /** Where the buyer of an order for a mobile browser pays. */
  readonly payPage: (order: Order) => string;
  readonly billFiles: BillFiles;
  readonly profitSharing: ProfitSharing;
  readonly transfers: MerchantTransfers;
  readonly papay: Papay;
  /** Where a user signs a contract. */
  readonly signPage: (contract: ContractRow) => string;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** The platform's text, with the address of its instructions. */
const noCertificate =
  "无可用的平台证书，请在商户平台-API安全申请使用微信支付公钥。可查看指引https://pay.weixin.qq.com/doc/v3/merchant/4012153196";
type Certificates = Awaited<ReturnType<Keys["certificates"]>>;

const place = (product: OrderProduct, { ledger, keys, payPage, now }: Deps): RouteV3 => ({
  name: "unifiedorder",
  method: "POST",
  path: `/v3/pay/transactions/${product}`,
  prepare(request): PreparedCall<Order> {
    const body = readAs(orderBodies[product], readBodyV3(request.body), "body");
    checkMerchant(request, body.mchid);
    const tradeType = tradeTypes[product];
    return {
      outTradeNo: body.out_trade_no,
      async perform() {
        checkProduct(request.merchant, body.appid, tradeType);
        const identity = await readIdentity(keys, "payer/identity", body.payer?.identity, request.serial);
        return ledger.place(toOrderRequestV3(body, request.from, tradeType, now(), identity));
      },
      view: (order) => placedOrderV3(product, order, payPage),
    };
  },
});

const query = ({ path, keyOf }: OrderNumberPath, { ledger }: Deps): RouteV3 => ({
  name: "orderquery",
  method: "GET",
  path: `/v3/pay/transactions/${path}`,
  prepare(request): PreparedCall<Order> {
    const key = keyOf(request.params);
    checkMerchant(request, readAs(byMerchant, request.query, "query").mchid);
    const { mchId } = request.merchant;
    return { ...key, perform: () => orderOfSub(ledger, { mchId, ...key, sandbox: false }, undefined), view: orderV3 };
  },
});

const close = ({ ledger }: Deps): RouteV3 => ({
  name: "closeorder",
  method: "POST",
  path: "/v3/pay/transactions/out-trade-no/{out_trade_no}/close",
  prepare(request): PreparedCall<Order> {
    const { out_trade_no: outTradeNo } = readAs(orderNumber, request.params, "uri_template");
    checkMerchant(request, readAs(closeBody, readBodyV3(request.body), "body").mchid);
    const key = { mchId: request.merchant.mchId, outTradeNo, sandbox: false };
    return { outTradeNo, perform: () => closeOrderV3(ledger, key, undefined), view: () => undefined };
  },
});

const refundView = ({ refund, order }: { refund: Refund; order: Order }) => refundV3(refund, order);

const applyForRefund = ({ ledger }: Deps): RouteV3 => ({
  name: "refund",
  method: "POST",
  path: "/v3/refund/domestic/refunds",
  prepare({ merchant: { mchId }, body: text, from }) {
    const body = readAs(refundBody, readBodyV3(text), "body");
    const key = { outTradeNo: body.out_trade_no, transactionId: body.transaction_id || undefined };
    const request: RefundRequest = {
      outRefundNo: body.out_refund_no,
      total: body.amount.total,
      refund: body.amount.refund,
      currency: body.amount.currency,
      reason: body.reason,
      notifyUrl: body.notify_url,
      notifyFrom: from,
      account: body.funds_account,
      version: "v3",
    };
    const orderKey = { mchId, ...key, sandbox: false };
    async function perform() {
      await orderOfSub(ledger, orderKey, body.sub_mchid);
      return ledger.refund(orderKey, request);
    }
    return { outRefundNo: request.outRefundNo, ...key, perform, view: refundView };
  },
});

const queryRefund = ({ ledger }: Deps): RouteV3 => ({
  name: "refundquery",
  method: "GET",
  path: "/v3/refund/domestic/refunds/{out_refund_no}",
  prepare({ merchant: { mchId }, params, query: fields }) {
    const { out_refund_no: outRefundNo } = readAs(refundNumber, params, "uri_template");
    const { sub_mchid } = readAs(refundQueryFields, fields, "query");
    return {
      outRefundNo,
      async perform() {
        const [refund] = await ledger.refunds({ mchId, outRefundNo, sandbox: false });
        if (!refund) throw refusal("REFUNDNOTEXIST");
        const order = await ledger.orderOf(refund);
        if (subMerchantOf(order)?.sub_mchid !== sub_mchid) throw refusal("REFUNDNOTEXIST");
        return { refund, order };
      },
      view: refundView,
    };
  },
});

const flowBill = ({ billFiles }: Deps): RouteV3 => ({
  name: "downloadfundflow",
  method: "GET",
  path: "/v3/bill/fundflowbill",
  prepare({ merchant: { mchId }, query, origin }) {
    const { bill_date: day, account_type: account, tar_type } = readAs(flowBillQuery, query, "query");
    return {
      perform: () => billFiles.writeFlow({ mchId, day, account }),
      view: (text: string) => billFiles.offer(mchId, text, tar_type === "GZIP", origin),
    };
  },
});

const tradeBill = ({ billFiles }: Deps): RouteV3 => ({
  name: "downloadbill",
  method: "GET",
  path: "/v3/bill/tradebill",
  prepare({ merchant: { mchId }, query, origin }) {
    const { bill_date: day, bill_type, sub_mchid: subMchId, tar_type } = readAs(tradeBillQuery, query, "query");
    return {
      async perform() {
        const type = billTypes.find((known) => known === bill_type);
        if (type === undefined) throw refusal("NOAUTH", "商户未开通个性化账单");
        return billFiles.write({ mchId, day, type, subMchId });
      },
      view: (text: string) => billFiles.offer(mchId, text, tar_type === "GZIP", origin),
    };
  },
});

const certificates = ({ keys }: Deps): RouteV3 => ({
  name: "certificates",
  method: "GET",
  path: "/v3/certificates",
  prepare({ merchant, query: { algorithm_type: algorithm = "RSA" } }): PreparedCall<Certificates> {
    if (merchant.platformKeys.mode === "public_key") throw new RefusalV3(404, "RESOURCE_NOT_EXISTS", noCertificate);
    return {
      perform: async () => (algorithm === "RSA" || algorithm === "ALL" ? keys.certificates() : []),
      view: (all) => ({
        data: all.map(({ serial, certificate, createdAt, expiresAt }) => ({
          serial_no: serial,
          effective_time: offsetTime(createdAt),
          expire_time: offsetTime(expiresAt),
          encrypt_certificate: seal(certificate, merchant.apiV3Key, "certificate"),
        })),
      }),
    };
  },
});

export const createCallsV3 = (deps: Deps): readonly RouteV3[] => [
  ...orderProducts.map((product) => place(product, deps)),
  ...orderNumberPaths.map((numbered) => query(numbered, deps)),
  close(deps),
  ...codeCallsV3(deps),
  ...partnerCalls(deps),
  ...combinedCallsV3(deps),
  applyForRefund(deps),
  abnormalRefundV3(deps),
  queryRefund(deps),
  tradeBill(deps),
  flowBill(deps),
  subMerchantBill(deps),
  ...shareCallsV3(deps),
  ...transferCallsV3(deps),
  ...signCallsV3({ ...deps, ...deps.papay }),
  ...deductionCallsV3({ ...deps, ...deps.papay }),
  certificates(deps),
];
