/** npm wechatpay-axios-plugin through combined orders, and through the calls of a service provider. */
import { createDecipheriv } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { combinedProducts, createCombiner } from "../support/payments/combiner.ts";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { createPartner, partnerProducts } from "../support/payments/partner.ts";
import { createAxiosPlugin } from "../support/payments/payment-sdks.ts";
import { startSdkScene, subsidy, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
let combiner: Awaited<ReturnType<typeof createCombiner>>;
let partner: Awaited<ReturnType<typeof createPartner>>;
beforeAll(async () => {
  scene = await startSdkScene();
  const merchant = await createMerchantV3(scene.provider.url);
  combiner = await createCombiner(scene.provider, merchant);
  partner = await createPartner(scene.provider, merchant);
});
afterAll(() => scene[Symbol.asyncDispose]());

const create = () => createAxiosPlugin(scene.provider.url, scene.credentials);
const handed = { jsapi: "prepay_id", native: "code_url", app: "prepay_id", h5: "h5_url" };

it.each(combinedProducts)("axios-plugin takes a combined order of %s through its life", async (product) => {
  const { client, kit } = await create();
  const { combineTransactions, refund } = client.v3;
  const number = `AXIOS_WHOLE_${product}`;
  const placed = await combineTransactions[product].post(
    combiner.order(product, number, { notify_url: scene.notifyUrl(number) }),
  );
  expect([placed.status, Object.keys(placed.data)]).toEqual([
    200,
    [expect.stringMatching(/^(?:prepay_id|code_url|h5_url)$/)],
  ]);
  await scene.pay(number);
  const queried = (await combineTransactions.outTradeNo.$no$.get({ no: number })).data;
  expect(queried.sub_orders).toMatchObject([{ trade_state: "SUCCESS" }, { trade_state: "SUCCESS" }]);
  const { resource } = JSON.parse((await scene.toldOf(number)).body);
  const { ciphertext, nonce, associated_data } = resource;
  const told = kit.Aes.AesGcm.decrypt(ciphertext, scene.credentials.api_v3_key, nonce, associated_data);
  expect(JSON.parse(told)).toEqual(queried);
  const part = {
    ...{ out_trade_no: `${number}_A`, out_refund_no: `R_${number}` },
    amount: { refund: 1, total: 100, currency: "CNY" },
  };
  expect((await refund.domestic.refunds.post(part)).status).toBe(200);
});

it("axios-plugin closes a combined order", async () => {
  const { combineTransactions } = (await create()).client.v3;
  await combineTransactions.native.post(combiner.order("native", "AXIOS_WHOLE_CLOSED"));
  const body = { combine_appid: scene.app.appid, sub_orders: combiner.namedParts("AXIOS_WHOLE_CLOSED") };
  const no = "AXIOS_WHOLE_CLOSED";
  expect((await combineTransactions.outTradeNo.$no$.close.post(body, { no })).status).toBe(204);
  const { data } = await combineTransactions.outTradeNo.$no$.get({ no });
  expect(data.sub_orders).toMatchObject([{ trade_state: "CLOSED" }, { trade_state: "CLOSED" }]);
});

it.each(partnerProducts)("axios-plugin takes a sub-merchant's order of %s through its life", async (product) => {
  const { client, kit } = await create();
  const { transactions } = client.v3.pay.partner;
  const number = `AXIOS_SUB_${product}`;
  const plain: { payer?: object } = partner.order(product, number);
  const order = {
    ...{ ...plain, payer: { ...plain.payer, identity: scene.identity(kit.Rsa.encrypt) } },
    ...((product === "jsapi" || product === "app") && { subsidy_info: subsidy }),
    settle_info: { profit_sharing: false, subsidy_amount: 10 },
  };
  const placed = await transactions[product].post(order, scene.encrypted);
  expect([placed.status, placed.data]).toEqual([200, { [handed[product]]: expect.any(String) }]);
  const params = partner.both;
  const query = async () => (await transactions.outTradeNo.$no$.get({ params, no: number })).data;
  expect((await query()).trade_state).toBe("NOTPAY");
  await scene.pay(number);
  const paid = await query();
  expect(paid).toMatchObject({ ...partner.both, trade_state: "SUCCESS" });
  expect((await transactions.id.$id$.get({ params, id: paid.transaction_id })).data).toEqual(paid);
});

it("axios-plugin closes a sub-merchant's order", async () => {
  const { transactions } = (await create()).client.v3.pay.partner;
  const no = "AXIOS_SUB_CLOSED";
  await transactions.native.post(partner.order("native", no));
  expect((await transactions.outTradeNo.$no$.close.post(partner.both, { no })).status).toBe(204);
  expect((await transactions.outTradeNo.$no$.get({ params: partner.both, no })).data.trade_state).toBe("CLOSED");
});

it("axios-plugin takes a payment by code for a sub-merchant, and reverses it", async () => {
  const { transactions } = (await create()).client.v3.pay.partner;
  const { auth_code } = await scene.provider.control("POST", "/users/ada/payment-codes", {});
  const no = "AXIOS_SUB_CODE";
  const paid = await transactions.codepay.post(partner.codeOrder(no, String(auth_code)));
  expect(paid.data).toMatchObject({ ...partner.both, trade_state: "SUCCESS" });
  const reversed = await transactions.outTradeNo.$no$.reverse.post(partner.both, { no });
  expect(reversed.data).toMatchObject({ ...partner.both, out_trade_no: no });
});

it("axios-plugin fetches and decrypts the bill of a sub-merchant's money", async () => {
  const { client, kit } = await create();
  await client.v3.pay.partner.transactions.native.post(partner.order("native", "AXIOS_SUB_BILL"));
  const paid = await scene.pay("AXIOS_SUB_BILL");
  const bill_date = new Date(Date.parse(String(paid["paid_at"])) + 8 * 3_600_000).toISOString().slice(0, 10);
  const asked = { sub_mchid: partner.subMchId, bill_date, account_type: "BASIC", algorithm: "AEAD_AES_256_GCM" };
  const { data } = await client.v3.bill.subMerchantFundflowbill.get({ params: asked });
  const [{ download_url, encrypt_key, nonce }] = data.download_bill_list;
  const token = new URL(download_url).searchParams.get("token");
  const file = await client.v3.billdownload.file.get({ params: { token }, responseType: "arraybuffer" });
  const sealed = Buffer.from(file.data);
  const key = kit.Rsa.decrypt(encrypt_key, scene.credentials.merchant_private_key);
  const cipher = createDecipheriv("aes-256-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]).toString();
  expect(text).toContain("`AXIOS_SUB_BILL");
});
