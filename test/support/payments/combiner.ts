/** A merchant that has the buyer pay orders of several merchants at once, in version 3. */
import type { MerchantV3 } from "./merchant-v3.ts";
import type { TestProvider } from "./test-provider.ts";

const orders = "/v3/combine-transactions";
const perProduct = {
  jsapi: { combine_payer_info: { openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } },
  app: {},
  native: {},
  h5: { scene_info: { device_id: "POS1:1", payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } } },
};
export type CombinedProduct = keyof typeof perProduct;
export const combinedProducts = Object.keys(perProduct) as CombinedProduct[];

const apiKey = "anyOf32LettersAndDigits012345678";

/** @param merchant combines an order of its own (100 fen) with one of `secondMchId` (50 fen) */
export async function createCombiner(
  provider: Pick<TestProvider, "control">,
  merchant: MerchantV3,
  secondMchId = "1900000609",
) {
  const { mch_id, app_id } = merchant.credentials;
  await provider.control("PUT", `/merchants/${secondMchId}`, {
    ...{ app_ids: [app_id], api_v2_key: apiKey, api_v3_key: apiKey },
  });
  const part = (mchid: string, out_trade_no: string, total_amount: number, changed: object = {}) => ({
    ...{ mchid, out_trade_no, attach: "shop", description: "Tea" },
    amount: { total_amount, currency: "CNY" },
    ...changed,
  });
  const partsOf = (number: string) => [part(mch_id, `${number}_A`, 100), part(secondMchId, `${number}_B`, 50)];
  const order = (product: CombinedProduct, number: string, changed: object = {}) => ({
    ...{ combine_appid: app_id, combine_mchid: mch_id, combine_out_trade_no: number },
    ...{ sub_orders: partsOf(number), notify_url: "http://127.0.0.1:9/notifications" },
    ...perProduct[product],
    ...changed,
  });
  const byNumber = (number: string) => `${orders}/out-trade-no/${number}`;
  const namedParts = (number: string) => partsOf(number).map(({ mchid, out_trade_no }) => ({ mchid, out_trade_no }));
  return {
    ...{ secondMchId, part, order, byNumber, namedParts },
    place: (product: CombinedProduct, number: string, changed?: object, serial?: string) =>
      merchant.call("POST", `${orders}/${product}`, order(product, number, changed), {
        headers: { "Wechatpay-Serial": serial },
      }),
    query: (number: string) => merchant.call("GET", byNumber(number)),
    close: (number: string, changed: object = {}) =>
      merchant.call("POST", `${byNumber(number)}/close`, {
        ...{ combine_appid: app_id, sub_orders: namedParts(number) },
        ...changed,
      }),
  };
}
export type Combiner = Awaited<ReturnType<typeof createCombiner>>;
