/** npm wechatpay-axios-plugin, which we did not write, takes complaints through their life. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { axiosFailure, createAxiosPlugin } from "../../../support/payments/payment-sdks.ts";
import { startSdkScene, type SdkScene } from "../../../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

it("reads and completes a complaint by wechatpay-axios-plugin", async () => {
  const { client, kit } = await createAxiosPlugin(scene.provider.url, scene.credentials);
  const { merchantService } = client.v3;
  await client.v3.pay.transactions.native.post({ ...scene.app, ...scene.v3.order("AXIOS_COMPLAINT") });
  await scene.provider.control("POST", "/orders/AXIOS_COMPLAINT/pay");
  const filed = { out_trade_no: "AXIOS_COMPLAINT", detail: "The tea is cold.", phone: "13800138000" };
  const { complaint_id } = await scene.provider.control("POST", "/complaints", filed);
  const complaint = merchantService["complaints-v2"]["{complaint_id}"];
  const { data } = await complaint.get({ complaint_id });
  const key = kit.Rsa.from(scene.credentials.merchant_private_key, "private");
  expect(kit.Rsa.decrypt(data.payer_phone, key)).toBe("13800138000");
  const day = data.complaint_time.slice(0, 10);
  const params = { begin_date: day, end_date: day };
  const { data: listed } = await merchantService["complaints-v2"].get({ params });
  expect(listed.data).toMatchObject([{ complaint_id, complaint_state: "PENDING" }]);
  const done = await complaint.complete.post({ complainted_mchid: scene.app.mchid }, { complaint_id });
  expect(done.status).toBe(204);
  expect((await complaint.get({ complaint_id })).data.complaint_state).toBe("PROCESSED");
});

it("sets the address for notifications of complaints by wechatpay-axios-plugin", async () => {
  const { client } = await createAxiosPlugin(scene.provider.url, scene.credentials);
  const address = client.v3.merchantService.complaintNotifications;
  const url = "https://a.example/complaints";
  expect((await address.post({ url })).data).toEqual({ mchid: scene.app.mchid, url });
  expect((await address.put({ url: `${url}/2` })).data.url).toBe(`${url}/2`);
  expect((await address.get()).data.url).toBe(`${url}/2`);
  expect((await address.delete()).status).toBe(204);
  expect(await axiosFailure(address.get())).toMatchObject({ status: 404, data: { code: "RESOURCE_NOT_EXISTS" } });
});
