/** A service provider that accepts payments for a sub-merchant. */
import type { MerchantV3 } from "./merchant-v3.ts";
import type { TestProvider } from "./test-provider.ts";

const orders = "/v3/pay/partner/transactions";
const perProduct = {
  jsapi: { payer: { sp_openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" } },
  app: {},
  native: {},
  h5: { scene_info: { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } } },
};

export const partnerProducts = Object.keys(perProduct) as (keyof typeof perProduct)[];

/** @param merchant becomes the service provider */
export async function createPartner(
  provider: Pick<TestProvider, "control">,
  merchant: MerchantV3,
  subMchId = "1900000209",
) {
  const { mch_id, app_id } = merchant.credentials;
  const subAppId = "wxsub0000000000001";
  const bind = (service_provider: string | undefined, changed = {}) =>
    provider.control("PUT", `/merchants/${subMchId}`, {
      ...{ app_ids: [subAppId], service_provider },
      ...{ api_v2_key: "anyOf32LettersAndDigits012345678", api_v3_key: "anyOf32LettersAndDigits012345678" },
      ...changed,
    });
  await bind(mch_id);
  const both = { sp_mchid: mch_id, sub_mchid: subMchId };
  const { appid: _appid, mchid: _mchid, ...common } = merchant.order("");
  const order = (product: keyof typeof perProduct, outTradeNo: string, changed: object = {}) => ({
    ...{ ...common, ...both, ...perProduct[product] },
    ...{ sp_appid: app_id, out_trade_no: outTradeNo },
    ...changed,
  });
  const codeOrder = (outTradeNo: string, auth_code: string) => {
    const { notify_url: _unknownThere, ...byCode } = order("native", outTradeNo);
    return { ...byCode, payer: { auth_code }, scene_info: { store_info: { id: "1" } } };
  };
  return {
    ...{ order, codeOrder, bind, both, subMchId, subAppId },
    place: (product: keyof typeof perProduct, outTradeNo: string, changed?: object) =>
      merchant.call("POST", `${orders}/${product}`, order(product, outTradeNo, changed)),
    /** @param number `out-trade-no/…` or `id/…` */
    query: (number: string, changed: object = {}) =>
      merchant.call("GET", `${orders}/${number}?${String(new URLSearchParams({ ...both, ...changed }))}`),
    payByCode: (outTradeNo: string, auth_code: string, changed: object = {}) =>
      merchant.call("POST", `${orders}/codepay`, { ...codeOrder(outTradeNo, auth_code), ...changed }),
    reverse: (outTradeNo: string, changed: object = {}) =>
      merchant.call("POST", `${orders}/out-trade-no/${outTradeNo}/reverse`, { ...both, ...changed }),
    flowBill: (bill_date: string, changed: object = {}) => {
      const fields = { sub_mchid: subMchId, bill_date, account_type: "BASIC", algorithm: "AEAD_AES_256_GCM" };
      const query = String(new URLSearchParams({ ...fields, ...changed }));
      return merchant.call("GET", `/v3/bill/sub-merchant-fundflowbill?${query}`);
    },
    close: (outTradeNo: string, changed: object = {}) =>
      merchant.call("POST", `${orders}/out-trade-no/${outTradeNo}/close`, { ...both, ...changed }),
  };
}
