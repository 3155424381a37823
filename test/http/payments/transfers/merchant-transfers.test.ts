/** Transfers to users by the form of 2025, with a client of our own. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { encryptToPlatform } from "../../../support/payments/encrypt-to-platform.ts";
import { createMerchantV3, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const root = "/v3/fund-app/mch-transfer";

let provider: TestProvider;
let merchant: MerchantV3;
let count = 0;
let no: string;
beforeAll(async () => {
  provider = await startTestProvider();
  await provider.control("PATCH", "/settings", { refund_seconds: 60 });
  merchant = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => {
  no = `bill${String(++count)}`;
});

const order = (changed: object = {}) => ({
  appid: merchant.credentials.app_id,
  out_bill_no: no,
  transfer_scene_id: "1000",
  openid: "oReceiverOfTheMoney",
  transfer_amount: 500,
  transfer_remark: "prize",
  transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
  ...changed,
});
const create = (changed?: object, headers?: Record<string, string>) =>
  merchant.call("POST", `${root}/transfer-bills`, order(changed), headers && { headers });
const query = (number = no) => merchant.call("GET", `${root}/transfer-bills/out-bill-no/${number}`);
const cancel = () => merchant.call("POST", `${root}/transfer-bills/out-bill-no/${no}/cancel`);
const confirm = async () => {
  const { transfer_bill_no } = (await query()).json;
  return provider.control("POST", `/transfers/${String(transfer_bill_no)}/confirm`);
};
const pass = (seconds: number) => {
  provider.clock.offsetMs += seconds * 1000;
};

it("a transfer waits for the user, who confirms, and arrives; both numbers find it, and it has a receipt", async () => {
  const created = await create();
  expect(Object.keys(created.json)).toEqual([
    "out_bill_no",
    "transfer_bill_no",
    "create_time",
    "state",
    "package_info",
  ]);
  expect([created.status, created.json.state, created.isSigned]).toEqual([200, "WAIT_USER_CONFIRM", true]);
  expect((await create()).json).toEqual(created.json);
  expect(await merchant.call("POST", `${root}/elecsign/out-bill-no`, { out_bill_no: no })).toMatchObject({
    ...{ status: 400, json: { code: "INVALID_REQUEST" } },
  });

  await confirm();
  expect((await query()).json.state).toBe("TRANSFERING");
  expect((await cancel()).json.code).toBe("INVALID_REQUEST");
  pass(60);
  const { json } = await query();
  const { mch_id, app_id: appid } = merchant.credentials;
  const known = { mch_id, appid, out_bill_no: no, transfer_amount: 500, transfer_remark: "prize" };
  expect(json).toMatchObject({ ...known, state: "SUCCESS", openid: "oReceiverOfTheMoney" });
  const { transfer_bill_no: id } = json;
  expect((await merchant.call("GET", `${root}/transfer-bills/transfer-bill-no/${id}`)).json).toEqual(json);

  const receipt = () => merchant.call("GET", `${root}/elecsign/transfer-bill-no/${id}`);
  expect((await receipt()).status).toBe(404);
  const asked = await merchant.call("POST", `${root}/elecsign/transfer-bill-no`, { transfer_bill_no: id });
  expect([asked.json.state, (await receipt()).json.state]).toEqual(["GENERATING", "GENERATING"]);
  pass(60);
  const ready = (await merchant.call("GET", `${root}/elecsign/out-bill-no/${no}`)).json;
  expect([ready.state, ready.hash_type]).toEqual(["FINISHED", "SHA256"]);
  const file = await merchant.fetchBytes(String(ready.download_url).slice(provider.url.length));
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");
  expect(createHash("sha256").update(file).digest("hex").toUpperCase()).toBe(ready.hash_value);
});

it("a merchant cancels a transfer that nobody has confirmed, without a body, and gets its money back", async () => {
  const { mch_id, api_v2_key, api_v3_key, app_id } = merchant.credentials;
  const put = (balance: number | null) =>
    provider.control("PUT", `/merchants/${mch_id}`, {
      ...{ app_ids: [app_id], api_v2_key, api_v3_key, products: ["NATIVE"], balance },
    });
  await put(700);
  expect((await create()).status).toBe(200);
  const first = no;
  no = `${no}b`;
  expect(await create()).toMatchObject({ status: 403, json: { code: "NOT_ENOUGH" } });
  no = first;

  const cancelled = await merchant.call("POST", `${root}/transfer-bills/out-bill-no/${no}/cancel`, undefined, {
    headers: { "Content-Type": undefined },
  });
  expect([cancelled.status, cancelled.json.state]).toEqual([200, "CANCELING"]);
  expect((await cancel()).json).toEqual(cancelled.json);
  pass(60);
  expect((await query()).json).toMatchObject({ state: "CANCELLED", fail_reason: "MCH_CANCEL" });
  no = `${no}c`;
  expect((await create()).status).toBe(200);
  await put(null);
});

it("a transfer that nobody confirms is closed after 24 hours", async () => {
  await create();
  pass(86_399);
  expect((await query()).json.state).toBe("WAIT_USER_CONFIRM");
  pass(1);
  expect((await query()).json).toMatchObject({ state: "FAIL", fail_reason: "OVERDUE_CLOSE" });
});

it("the name is encrypted and required from 2000 yuan on, and other wrong requests are refused", async () => {
  const refused = async (changed: object, headers?: Record<string, string>) => {
    const { status, json } = await create(changed, headers);
    return [status, json.code];
  };
  const serial = { "Wechatpay-Serial": merchant.credentials.platform_serial };
  const user_name = encryptToPlatform(merchant.credentials, "张三");
  expect(await refused({ transfer_amount: 200_000 })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ user_name })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ user_name: "plain" }, serial)).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ transfer_amount: 9 })).toEqual([400, "INVALID_REQUEST"]);
  expect(await refused({ appid: "wxunknown" })).toEqual([400, "APPID_MCHID_NOT_MATCH"]);
  expect(await refused({ transfer_scene_report_infos: [] })).toEqual([400, "PARAM_ERROR"]);
  expect(await refused({ out_bill_no: "with_sign" })).toEqual([400, "PARAM_ERROR"]);
  expect((await create({ transfer_amount: 200_000, user_name }, serial)).status).toBe(200);
  expect(await refused({ transfer_amount: 501 })).toEqual([400, "INVALID_REQUEST"]);
  expect(await query("unknown1")).toMatchObject({ status: 404, json: { code: "NOT_FOUND" } });
});
