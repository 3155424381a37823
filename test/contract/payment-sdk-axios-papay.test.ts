/** npm wechatpay-axios-plugin through contracts and their deductions, in both versions. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { contractIdOf } from "../support/payments/begin-money-moves.ts";
import { createPartner } from "../support/payments/partner.ts";
import { createAxiosPlugin } from "../support/payments/payment-sdks.ts";
import { planId, putClock } from "../support/payments/papay.ts";
import { createMerchantV3 } from "../support/payments/merchant-v3.ts";
import { startSdkScene, type SdkScene } from "../support/payments/sdk-scene.ts";

let scene: SdkScene;
beforeAll(async () => {
  scene = await startSdkScene();
  await scene.provider.control("PATCH", "/settings", { refund_seconds: 60 });
});
afterAll(() => scene[Symbol.asyncDispose]());

const ways = ["app", "h5", "jsapi", "mini-program"];
const amount = { total: 100, currency: "CNY" };
const byCode = "{plan_id}/out-contract-code/{code}";
const dayAfter = (at: number) => new Date(at + 32 * 3_600_000).toISOString().slice(0, 10);
const pass = (seconds: number) => void (scene.provider.clock.offsetMs += seconds * 1000);

async function signed(code: string): Promise<string> {
  const contract_id = await contractIdOf(scene.provider, code);
  await scene.provider.control("POST", `/contracts/${contract_id}/sign`, {});
  return contract_id;
}

async function createAsker() {
  const { client } = await createAxiosPlugin(scene.provider.url, scene.credentials);
  const post = (path: string, body: object, names: object = {}) => client.chain(path).post(body, names);
  const get = (path: string, names: object, params: object = {}) => client.chain(path).get({ params, ...names });
  return { post, get };
}

it.each(["", "partner/"])("axios-plugin signs, books, deducts, announces and ends contracts at %s", async (part) => {
  const { post, get } = await createAsker();
  const { appid, mchid } = scene.app;
  const merchant = await createMerchantV3(scene.provider.url);
  const { subMchId } = await createPartner(scene.provider, merchant);
  const sub = part === "" ? {} : { sub_mchid: subMchId };
  const who = part === "" ? { appid } : { sp_appid: appid, ...sub };
  const mine = part === "" ? { mchid } : { sp_mchid: mchid };
  putClock(scene.provider, 10);
  const contract = (code: string) => ({
    ...{ ...who, plan_id: planId, out_contract_code: code, contract_display_account: "Ada" },
    contract_notify_url: "http://127.0.0.1:9/contracts",
  });
  const estimated_deduct_date = dayAfter(scene.provider.clock.now());
  const deduct_schedule = { estimated_deduct_date, estimated_deduct_amount: amount, description: "VIP" };
  const name = `axios${part.slice(0, -1)}`;
  for (const way of ways) {
    const { data } = await post(`v3/papay/scheduled-deduct-sign/${part}contracts/pre-entrust-sign/${way}`, {
      ...{ ...contract(`${name}_${way}`), deduct_schedule },
    });
    expect(data.redirect_url ?? data.pre_entrustweb_id).toMatch(/[0-9a-f]{32}$/);
  }
  const contract_id = await signed(`${name}_app`);
  const schedules = `v3/papay/pay/${part}schedules/contract-id/{contract_id}`;
  await post(`${schedules}/schedule`, { ...who, schedule_amount: amount }, { contract_id });
  putClock(scene.provider, 10, 1);
  const order = { out_trade_no: `${name}_order`, description: "VIP", contract_id, amount };
  const transaction_notify_url = "http://127.0.0.1:9/deductions";
  const applied = await post(`v3/papay/pay/${part}transactions/apply`, { ...who, ...order, transaction_notify_url });
  expect(applied.data).toEqual({ out_trade_no: `${name}_order`, amount });
  pass(60);
  expect((await get(schedules, { contract_id }, sub)).data).toMatchObject({ schedule_state: "PAID" });
  const found = await get(
    `v3/papay/sign/${part}contracts/plan-id/${byCode}`,
    { plan_id: planId, code: `${name}_app` },
    sub,
  );
  expect(found.data).toMatchObject({ contract_id, contract_state: "TERMINATED" });

  await post(`v3/papay/scheduled-deduct-sign/${part}contracts/pre-entrust-sign/h5`, contract(`${name}_open`));
  const open = { contract_id: await signed(`${name}_open`) };
  const root = part === "" ? "v3/papay/contracts" : "v3/partner-papay/contracts";
  const estimated_amount = { amount: 100, currency: "CNY" };
  expect((await post(`${root}/{contract_id}/notify`, { ...mine, ...who, estimated_amount }, open)).status).toBe(204);
  putClock(scene.provider, 10, 2);
  expect((await post(`${root}/{contract_id}/fail-notify`, { ...mine, ...who }, open)).status).toBe(204);
  const ended = await post(
    `v3/papay/sign/${part}contracts/plan-id/${byCode}/terminate`,
    { ...sub, contract_termination_remark: "moved" },
    { plan_id: planId, code: `${name}_open` },
  );
  expect(ended.data).toMatchObject({ ...open, contract_state: "TERMINATED" });
});

it("axios-plugin prepares a contract for a scanned code", async () => {
  const { post } = await createAsker();
  const device = { device_type: "DEVICE_TYPE_TV", device_os: "tv", device_id: "1", device_running_as_root: false };
  const { data } = await post("v3/papay/sign/contracts/pre-entrust-sign", {
    ...{ appid: scene.app.appid, plan_id: planId, out_contract_code: "axios_scene", contract_display_account: "Ada" },
    ...{ contract_notify_url: "http://127.0.0.1:9/contracts", out_user_code: "ada", sign_scene: "SIGN_SCENE_QRCODE" },
    device_info: {
      ...{ ...device, device_ip: "127.0.0.1", weixin_installed: true, weixin_version: "8" },
      days_since_first_login: "DAYS_SINCE_FIRST_LOGIN_WITHIN_1_DAY",
    },
  });
  expect(data.redirect_url).toContain(data.pre_entrustweb_id);
});

it.each(["", "partner/"])("axios-plugin signs, deducts and ends a contract of version 2 at %s", async (part) => {
  const { client } = await createAxiosPlugin(scene.provider.url, scene.credentials);
  const { appid, mchid: mch_id } = scene.app;
  const partner = await createPartner(scene.provider, await createMerchantV3(scene.provider.url));
  const sub = part === "" ? {} : { sub_mch_id: partner.subMchId };
  const post = async (path: string, fields: Record<string, string>) =>
    (await client.chain(`v2/${path}`).post({ appid, mch_id, ...sub, ...fields })).data;
  const code = `axiosV2${part.slice(0, -1)}`;
  const contract = { plan_id: "3484", contract_code: code, request_serial: "1", contract_display_account: "Ada" };
  const asking = { notify_url: "http://127.0.0.1:9/contracts", version: "1.0", timestamp: "1414488825" };
  const asked = await post(`papay/${part}preentrustweb`, { ...contract, ...asking });
  expect(asked).toMatchObject({ result_code: "SUCCESS", pre_entrustweb_id: expect.any(String) });
  const contract_id = await signed(code);
  const order = { out_trade_no: `${code}_order`, body: "VIP", total_fee: "100", spbill_create_ip: "127.0.0.1" };
  const deduction = { contract_id, trade_type: "PAP", notify_url: "http://127.0.0.1:9/deductions" };
  expect((await post(`pay/${part}pappayapply`, { ...order, ...deduction })).result_code).toBe("SUCCESS");
  pass(60);
  const paid = await post(`pay/${part}paporderquery`, { out_trade_no: order.out_trade_no });
  expect(paid).toMatchObject({ trade_state: "SUCCESS", trade_type: "PAP", total_fee: "100" });
  const named = { contract_id, version: "1.0" };
  expect((await post(`papay/${part}querycontract`, named)).contract_state).toBe("0");
  await post(`papay/${part}deletecontract`, { ...named, contract_termination_remark: "moved" });
  expect((await post(`papay/${part}querycontract`, named)).contract_termination_mode).toBe("3");
});

it("axios-plugin places an order of version 2 whose payment signs a contract", async () => {
  const { client } = await createAxiosPlugin(scene.provider.url, scene.credentials);
  const { appid, mchid: mch_id } = scene.app;
  const { data } = await client.chain("v2/pay/contractorder").post({
    ...{ appid, mch_id, contract_appid: appid, contract_mchid: mch_id, plan_id: "3484", contract_code: "axiosSigning" },
    ...{ request_serial: "1", contract_display_account: "Ada", out_trade_no: "AXIOS_SIGNING", body: "VIP" },
    ...{ total_fee: "100", spbill_create_ip: "127.0.0.1", trade_type: "NATIVE", product_id: "1" },
    ...{ notify_url: "http://127.0.0.1:9/payments", contract_notify_url: "http://127.0.0.1:9/contracts" },
  });
  expect(data).toMatchObject({ contract_result_code: "SUCCESS", contract_code: "axiosSigning" });
});
