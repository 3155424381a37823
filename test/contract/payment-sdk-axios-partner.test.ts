/** npm wechatpay-axios-plugin as a service provider, and in the calls of version 3 that few merchants need. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { createPartner } from "../support/payments/partner.ts";
import { axiosFailure, createAxiosPlugin } from "../support/payments/payment-sdks.ts";
import { startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
let partner: Awaited<ReturnType<typeof createPartner>>;
beforeAll(async () => {
  scene = await startSdkScene();
  partner = await createPartner(scene.provider, await createMerchantV3(scene.provider.url));
});
afterAll(() => scene[Symbol.asyncDispose]());

const create = () => createAxiosPlugin(scene.provider.url, scene.credentials);
const identityOf = (encrypt: (text: string, key: string) => string) => {
  const sealed = (text: string) => encrypt(text, scene.credentials.platform_certificate);
  return { type: "IDCARD", number: sealed("11010519491231002X"), name: sealed("Ada") };
};
const serial = () => ({ headers: { "Wechatpay-Serial": scene.credentials.platform_serial } });
const subsidy_info = {
  subsidy_detail: [
    { subsidy_period_type: "DAILY", subsidy_plan: [{ subsidy_installment_num: 3, subsidy_percent: 100 }] },
  ],
};
const products: readonly [product: string, changed: object, handed: string][] = [
  ["jsapi", { payer: { sp_openid: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" }, subsidy_info }, "prepay_id"],
  ["app", { subsidy_info }, "prepay_id"],
  ["native", {}, "code_url"],
  ["h5", { scene_info: { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } } }, "h5_url"],
];

it.each(products)(
  "axios-plugin takes a sub-merchant's order of %s through its life",
  async (product, changed, handed) => {
    const { client, kit } = await create();
    const { transactions } = client.v3.pay.partner;
    const number = `AXIOS_SUB_${product}`;
    const payer = { ...("payer" in changed && (changed.payer as object)), identity: identityOf(kit.Rsa.encrypt) };
    const order = {
      ...{ ...scene.v3.order(number), ...changed, ...partner.both, sp_appid: scene.app.appid, payer },
      settle_info: { profit_sharing: false, subsidy_amount: 10 },
    };
    expect((await transactions[product].post(order, serial())).data).toEqual({ [handed]: expect.any(String) });
    const query = async () => (await transactions.outTradeNo.$no$.get({ params: partner.both, no: number })).data;
    expect((await query()).trade_state).toBe("NOTPAY");
    await scene.pay(number);
    const paid = await query();
    expect(paid).toMatchObject({ ...partner.both, trade_state: "SUCCESS" });
    expect((await transactions.id.$id$.get({ params: partner.both, id: paid.transaction_id })).data).toEqual(paid);
  },
);

it("axios-plugin closes a sub-merchant's order", async () => {
  const { transactions } = (await create()).client.v3.pay.partner;
  await transactions.native.post({ ...scene.v3.order("AXIOS_SUB_X"), ...partner.both, sp_appid: scene.app.appid });
  expect((await transactions.outTradeNo.$no$.close.post(partner.both, { no: "AXIOS_SUB_X" })).status).toBe(204);
});

it("axios-plugin names the person who has to pay, encrypted; a name in plain text is refused", async () => {
  const { client, kit } = await create();
  const { native, jsapi, app } = client.v3.pay.transactions;
  const identity = identityOf(kit.Rsa.encrypt);
  const order = (number: string, changed: object) => ({ ...scene.app, ...scene.v3.order(number), ...changed });
  const named = order("AXIOS_NAMED", { payer: { identity } });
  const first = (await native.post(named, serial())).data;
  // Encrypted anew, it is the same order.
  const again = { ...named, payer: { identity: identityOf(kit.Rsa.encrypt) } };
  expect((await native.post(again, serial())).data).toEqual(first);
  const plain = order("AXIOS_PLAIN", { payer: { identity: { ...identity, name: "Ada" } } });
  expect(await axiosFailure(native.post(plain, serial()))).toMatchObject({ data: { code: "PARAM_ERROR" } });
  const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
  const byInstalments = order("AXIOS_SUBSIDY", { payer: { openid, identity }, subsidy_info });
  expect((await jsapi.post(byInstalments, serial())).status).toBe(200);
  expect((await app.post(order("AXIOS_APP", { subsidy_info }))).status).toBe(200);
  const wrong = { subsidy_detail: [{ subsidy_period_type: "WEEKLY", subsidy_plan: [] }] };
  expect(await axiosFailure(app.post(order("AXIOS_WRONG", { subsidy_info: wrong })))).toMatchObject({
    data: { code: "PARAM_ERROR" },
  });
});

it("axios-plugin redirects an abnormal refund", async () => {
  const { client } = await create();
  await client.v3.pay.transactions.native.post({ ...scene.app, ...scene.v3.order("AXIOS_ABNORMAL") });
  await scene.pay("AXIOS_ABNORMAL");
  await scene.provider.control("PATCH", "/settings", { refund_seconds: 3_600 });
  const { refunds } = client.v3.refund.domestic;
  const { refund_id, out_refund_no } = (await refunds.post(scene.v3.refund("AXIOS_ABNORMAL"))).data;
  await scene.provider.control("POST", `/refunds/${refund_id}/finish`, { status: "ABNORMAL" });
  const redirected = await client
    .chain("v3/refund/domestic/refunds/{id}/apply-abnormal-refund")
    .post({ out_refund_no, type: "MERCHANT_BANK_CARD" }, { id: refund_id });
  expect(redirected.data).toMatchObject({ refund_id, channel: "OTHER_BANKCARD" });
  await scene.provider.control("PATCH", "/settings", { refund_seconds: 0 });
});

it("axios-plugin asks for each kind of bill; a merchant without personalised ones gets 403", async () => {
  const { client } = await create();
  await client.v3.pay.transactions.native.post({ ...scene.app, ...scene.v3.order("AXIOS_KINDS") });
  await scene.pay("AXIOS_KINDS");
  const query = { params: { mchid: scene.app.mchid }, no: "AXIOS_KINDS" };
  const { success_time } = (await client.v3.pay.transactions.outTradeNo.$no$.get(query)).data;
  const bill = (bill_type: string) =>
    client.v3.bill.tradebill.get({ params: { bill_date: success_time.slice(0, 10), bill_type } });
  for (const type of ["ALL", "SUCCESS"]) expect((await bill(type)).data.download_url).toMatch(/^http/);
  expect(await axiosFailure(bill("RECHARGE_REFUND"))).toMatchObject({ data: { code: "NO_STATEMENT_EXIST" } });
  expect(await axiosFailure(bill("ALL_SPECIAL"))).toMatchObject({ status: 403, data: { code: "NO_AUTH" } });
});
