/** npm wechatpay-axios-plugin through profit sharing and transfers. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { createAxiosPlugin } from "../support/payments/payment-sdks.ts";
import { startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

const create = () => createAxiosPlugin(scene.provider.url, scene.credentials);
const control = (path: string, body: object = {}) => scene.provider.control("POST", path, body);

it("axios-plugin shares an order with a receiver, takes a part back, and unfreezes the rest", async () => {
  const { client, kit } = await create();
  const { profitsharing } = client.v3;
  const { appid } = scene.app;
  const headers = { "Wechatpay-Serial": scene.credentials.platform_serial };
  const shop = { type: "MERCHANT_ID", account: "1900000300" };
  const name = kit.Rsa.encrypt("Shop", scene.credentials.platform_certificate);
  const added = await profitsharing.receivers.add.post({ appid, ...shop, name, relation_type: "STORE" }, { headers });
  expect(kit.Rsa.decrypt(added.data.name, scene.credentials.merchant_private_key)).toBe("Shop");

  const order = { ...scene.app, ...scene.v3.order("AXIOS_SHARED", { settle_info: { profit_sharing: true } }) };
  await client.v3.pay.transactions.native.post(order);
  await scene.pay("AXIOS_SHARED");
  const query = { params: { mchid: scene.app.mchid }, no: "AXIOS_SHARED" };
  const { transaction_id } = (await client.v3.pay.transactions.outTradeNo.$no$.get(query)).data;
  const amounts = async () => (await profitsharing.transactions.$id$.amounts.get({ id: transaction_id })).data;
  const before = (await amounts()).unsplit_amount;
  const { mchid } = scene.app;
  const limit = await profitsharing.merchantConfigs.$sub$.get({ sub: mchid });
  expect(limit.data).toEqual({ sub_mchid: mchid, max_ratio: 3_000 });

  const receivers = [{ ...shop, amount: 10, description: "shop" }];
  const asked = await profitsharing.orders.post(
    { appid, transaction_id, out_order_no: "AXIOS_P", receivers, unfreeze_unsplit: false },
    { headers },
  );
  await control(`/shares/${asked.data.order_id}/finish`);
  const shared = await profitsharing.orders.$no$.get({ params: { transaction_id }, no: "AXIOS_P" });
  expect(shared.data).toMatchObject({ state: "FINISHED", receivers: [{ ...shop, result: "SUCCESS" }] });
  expect((await amounts()).unsplit_amount).toBe(before - 10);

  const back = { out_order_no: "AXIOS_P", out_return_no: "AXIOS_R", return_mchid: shop.account, amount: 4 };
  const returned = await profitsharing.returnOrders.post({ ...back, description: "back" });
  const queried = await profitsharing.returnOrders.$no$.get({ params: { out_order_no: "AXIOS_P" }, no: "AXIOS_R" });
  expect(queried.data).toEqual(returned.data);

  await profitsharing.orders.unfreeze.post({ transaction_id, out_order_no: "AXIOS_U", description: "done" });
  expect((await amounts()).unsplit_amount).toBe(0);
  const bill = await profitsharing.bills.get({ params: { bill_date: returned.data.create_time.slice(0, 10) } });
  expect(bill.data).toEqual({ hash_type: "SHA1", hash_value: expect.any(String), download_url: expect.any(String) });
  // `delete` is a method of the client there.
  const removal = client.chain("v3/profitsharing/receivers/delete");
  expect((await removal.post({ appid, ...shop })).data).toEqual(shop);
});

it("axios-plugin pays a user who confirms, fetches the receipt, and cancels another transfer", async () => {
  const { client } = await create();
  const { mchTransfer } = client.v3.fundApp;
  const { transferBills, elecsign } = mchTransfer;
  const bill = (out_bill_no: string) => ({
    ...{ appid: scene.app.appid, out_bill_no, transfer_scene_id: "1000", openid: "oReceiver" },
    ...{ transfer_amount: 500, transfer_remark: "prize" },
    transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
  });
  const { data } = await transferBills.post(bill("axiosA"));
  expect(data).toMatchObject({ state: "WAIT_USER_CONFIRM", package_info: expect.any(String) });
  const { transfer_bill_no: id } = data;
  await control(`/transfers/${id}/confirm`);
  const query = () => transferBills.outBillNo.$no$.get({ no: "axiosA" });
  await expect.poll(async () => (await query()).data.state).toBe("SUCCESS");
  expect((await transferBills.transferBillNo.$id$.get({ id })).data).toEqual((await query()).data);

  await elecsign.outBillNo.post({ out_bill_no: "axiosA" });
  await elecsign.transferBillNo.post({ transfer_bill_no: id });
  const receipt = () => elecsign.outBillNo.$no$.get({ no: "axiosA" });
  await expect.poll(async () => (await receipt()).data.state).toBe("FINISHED");
  const { download_url, hash_value } = (await receipt()).data;
  // The client demands a signature of this address, which the platform's files lack.
  const { fetchBytes } = await createMerchantV3(scene.provider.url);
  const file = await fetchBytes(download_url.slice(scene.provider.url.length));
  expect(createHash("sha256").update(file).digest("hex").toUpperCase()).toBe(hash_value);
  expect((await elecsign.transferBillNo.$id$.get({ id })).data.hash_value).toBe(hash_value);

  await transferBills.post(bill("axiosB"));
  const cancelled = await transferBills.outBillNo.$no$.cancel.post({}, { no: "axiosB" });
  expect(cancelled.data.state).toMatch(/^CANCEL/);
});
