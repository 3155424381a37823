/** Schemas and replies of combined orders and of service providers, to compare with the published description. */
import * as combined from "../../../server/provider/payments/combined/combined-requests-v3.ts";
import * as partners from "../../../server/provider/payments/partner/partner-requests.ts";
import { subFlowBillQuery } from "../../../server/provider/payments/partner/sub-merchant-bill.ts";
import { orderNumber, transactionNumber } from "../../../server/provider/payments/v3/requests-v3.ts";
import { combinedProducts, createCombiner } from "./combiner.ts";
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";
import { createPartner } from "./partner.ts";
import type { TestProvider } from "./test-provider.ts";

const wholes = "/v3/combine-transactions";
const wholeByNumber = `${wholes}/out-trade-no/{combine_out_trade_no}`;
const orders = "/v3/pay/partner/transactions";
const byNumber = { path: orderNumber };
const byWhole = { path: combined.combinedNumber };

export const combinedAndPartners = {
  ...Object.fromEntries(
    Object.entries(combined.combinedOrderBodies).map(([product, body]) => [`POST ${wholes}/${product}`, { body }]),
  ),
  [`GET ${wholeByNumber}`]: byWhole,
  [`POST ${wholeByNumber}/close`]: { ...byWhole, body: combined.combinedCloseBody },
  ...Object.fromEntries(
    Object.entries(partners.partnerOrderBodies).map(([product, body]) => [`POST ${orders}/${product}`, { body }]),
  ),
  [`POST ${orders}/codepay`]: { body: partners.partnerCodeBody },
  [`GET ${orders}/out-trade-no/{out_trade_no}`]: { ...byNumber, query: partners.bySubMerchant },
  [`GET ${orders}/id/{transaction_id}`]: { path: transactionNumber, query: partners.bySubMerchant },
  [`POST ${orders}/out-trade-no/{out_trade_no}/close`]: { ...byNumber, body: partners.bySubMerchant },
  [`POST ${orders}/out-trade-no/{out_trade_no}/reverse`]: { ...byNumber, body: partners.partnerReverseBody },
  "GET /v3/bill/sub-merchant-fundflowbill": { query: subFlowBillQuery },
};

type Collected = (readonly [operation: string, reply: ReplyV3])[];

async function combinedReplies(provider: TestProvider, merchant: MerchantV3): Promise<Collected> {
  const combiner = await createCombiner(provider, merchant);
  const collected: Collected = [];
  for (const product of combinedProducts)
    collected.push([`POST ${wholes}/${product}`, await combiner.place(product, `DESC_WHOLE_${product}`)]);
  await provider.control("POST", "/orders/DESC_WHOLE_jsapi/pay", { coupon_fen: 15 });
  return [
    ...collected,
    [`GET ${wholeByNumber}`, await combiner.query("DESC_WHOLE_jsapi")],
    [`GET ${wholeByNumber}`, await combiner.query("DESC_WHOLE_native")],
    [`POST ${wholeByNumber}/close`, await combiner.close("DESC_WHOLE_app")],
  ];
}

async function partnerReplies(provider: TestProvider, merchant: MerchantV3): Promise<Collected> {
  const partner = await createPartner(provider, merchant);
  const collected: Collected = [];
  for (const product of ["jsapi", "app", "h5", "native"] as const)
    collected.push([`POST ${orders}/${product}`, await partner.place(product, `SUB_${product}`)]);
  await provider.control("POST", "/orders/SUB_jsapi/pay");
  const paid = await partner.query("out-trade-no/SUB_jsapi");
  const { auth_code } = await provider.control("POST", "/users/ada/payment-codes", {});
  const day = String(paid.json.success_time).slice(0, 10);
  return [
    ...collected,
    [`GET ${orders}/out-trade-no/{out_trade_no}`, paid],
    [`GET ${orders}/id/{transaction_id}`, await partner.query(`id/${paid.json.transaction_id}`)],
    [`POST ${orders}/out-trade-no/{out_trade_no}/close`, await partner.close("SUB_app")],
    [`POST ${orders}/codepay`, await partner.payByCode("SUB_CODE", String(auth_code))],
    [`POST ${orders}/out-trade-no/{out_trade_no}/reverse`, await partner.reverse("SUB_CODE")],
    ["GET /v3/bill/sub-merchant-fundflowbill", await partner.flowBill(day)],
  ];
}

/** One reply of each call. */
export const repliesOfCombinedAndPartners = async (
  provider: TestProvider,
  merchant: MerchantV3,
): Promise<Collected> => [
  ...(await combinedReplies(provider, merchant)),
  ...(await partnerReplies(provider, merchant)),
];
