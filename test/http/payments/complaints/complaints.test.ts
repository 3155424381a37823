/** Complaints of buyers, by a client of our own: what the merchant reads, answers and is notified of. */
import { constants, privateDecrypt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../../server/payment-wire/sealed-v3.ts";
import { createMerchantV3, isFromPlatform, type MerchantV3 } from "../../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const root = "/v3/merchant-service";
const today = () => new Date(provider.clock.now() + 8 * 3_600_000).toISOString().slice(0, 10);
let provider: TestProvider;
let merchant: MerchantV3;
let receiver: Awaited<ReturnType<typeof notificationReceiver>>;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = await createMerchantV3(provider.url);
  receiver = await notificationReceiver();
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** The number of a new complaint about an order of its own. */
async function complain(outTradeNo: string, changed: object = {}): Promise<string> {
  await merchant.place("native", outTradeNo);
  await provider.control("POST", `/orders/${outTradeNo}/pay`);
  const filed = { out_trade_no: outTradeNo, detail: "The tea is cold.", ...changed };
  return String((await provider.control("POST", "/complaints", filed))["complaint_id"]);
}
const detail = (id: string) => merchant.call("GET", `${root}/complaints-v2/${id}`);
const history = async (id: string) => {
  const { json } = await merchant.call("GET", `${root}/complaints-v2/${id}/negotiation-historys`);
  return (json.data as Record<string, string>[]).map((log) => [log["operate_type"], log["operate_details"]]);
};
const act = (id: string, action: string, body: object) =>
  merchant.call("POST", `${root}/complaints-v2/${id}/${action}`, body);
const complainted_mchid = "1900000109";

describe("a complaint", () => {
  it("is read, answered and completed by the merchant, and goes on when the buyer complains again", async () => {
    const id = await complain("COMPLAINT_1", { phone: "13800138000" });
    const { json, isSigned } = await detail(id);
    expect(isSigned).toBe(true);
    expect(json).toMatchObject({
      ...{ complaint_id: id, complaint_state: "PENDING", complaint_detail: "The tea is cold.", complainted_mchid },
      ...{ complaint_full_refunded: false, incoming_user_response: false, user_complaint_times: 1 },
      complaint_order_info: [{ out_trade_no: "COMPLAINT_1", amount: 101, transaction_id: expect.any(String) }],
    });
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const key = { key: merchant.credentials.merchant_private_key, padding };
    expect(privateDecrypt(key, Buffer.from(json.payer_phone, "base64")).toString()).toBe("13800138000");
    expect((await act(id, "response", { complainted_mchid, response_content: "Sorry." })).status).toBe(204);
    expect((await detail(id)).json).toMatchObject({ complaint_state: "PROCESSING" });
    await provider.control("POST", `/complaints/${id}/answers`, { text: "Well?" });
    expect((await detail(id)).json).toMatchObject({ incoming_user_response: true });
    expect((await act(id, "complete", { complainted_mchid })).status).toBe(204);
    expect((await detail(id)).json).toMatchObject({ complaint_state: "PROCESSED" });
    await provider.control("POST", `/complaints/${id}/answers`, { text: "Not done.", again: true });
    expect((await detail(id)).json).toMatchObject({ complaint_state: "PENDING" });
    expect(await history(id)).toEqual([
      ["USER_CONTINUE_COMPLAINT_SYSTEM_MESSAGE", "Not done."],
      ["MERCHANT_CONFIRM_COMPLETE", undefined],
      ["USER_RESPONSE", "Well?"],
      ["MERCHANT_RESPONSE", "Sorry."],
      ["USER_CREATE_COMPLAINT_SYSTEM_MESSAGE", "The tea is cold."],
    ]);
  });

  it("is listed by days in pages", async () => {
    await complain("COMPLAINT_2");
    await complain("COMPLAINT_3");
    const list = (query: string) => merchant.call("GET", `${root}/complaints-v2?${query}`);
    const days = `begin_date=${today()}&end_date=${today()}`;
    const { json } = await list(`${days}&limit=1&offset=1`);
    expect(json).toMatchObject({ limit: 1, offset: 1, total_count: expect.any(Number) });
    expect(json.data).toHaveLength(1);
    expect((await list("begin_date=2020-01-01&end_date=2020-01-30")).json).toMatchObject({ data: [], total_count: 0 });
    expect((await list(`${days}&complainted_mchid=1900000999`)).json).toMatchObject({ total_count: 0 });
  });

  it("that wants money back is approved or rejected", async () => {
    const id = await complain("COMPLAINT_4", { problem_type: "REFUND", apply_refund_amount: 50 });
    expect((await detail(id)).json).toMatchObject({ problem_type: "REFUND", apply_refund_amount: 50 });
    const rejection = { action: "REJECT", reject_reason: "It was hot." };
    expect((await act(id, "update-refund-progress", rejection)).status).toBe(204);
    expect((await act(id, "update-refund-progress", { action: "APPROVE", launch_refund_day: 1 })).status).toBe(204);
    expect((await history(id)).slice(0, 2)).toEqual([
      ["MERCHANT_APPROVE_REFUND", undefined],
      ["MERCHANT_REFUSE_RERUND", "It was hot."],
    ]);
    await merchant.refund("COMPLAINT_4", "COMPLAINT_4_R", 101);
    expect((await detail(id)).json).toMatchObject({ complaint_full_refunded: true });
  });

  it("that is missing, completed or without a refund is refused, and so is what the rules forbid", async () => {
    const id = await complain("COMPLAINT_5");
    expect(await detail("2002")).toMatchObject({ status: 404, json: { code: "RESOURCE_NOT_EXISTS" }, isSigned: true });
    await act(id, "complete", { complainted_mchid });
    const again = await act(id, "complete", { complainted_mchid });
    expect(again).toMatchObject({ status: 400, json: { code: "INVALID_REQUEST" } });
    const refund = await act(id, "update-refund-progress", { action: "APPROVE" });
    expect(refund).toMatchObject({ status: 400, json: { code: "INVALID_REQUEST" } });
    expect((await act(id, "response", { complainted_mchid })).json).toMatchObject({ code: "PARAM_ERROR" });
    const other = { complainted_mchid: "1900000999", response_content: "x" };
    expect(await act(id, "response", other)).toMatchObject({ status: 403, json: { code: "NO_AUTH" } });
    for (const query of [
      "begin_date=2026-01-01",
      "begin_date=2026-01-01&end_date=2026-02-02",
      "begin_date=x&end_date=y",
    ])
      expect((await merchant.call("GET", `${root}/complaints-v2?${query}`)).json).toMatchObject({
        code: "PARAM_ERROR",
      });
  });

  it("cannot be filed about an order that is not paid", async () => {
    await merchant.place("native", "COMPLAINT_6");
    const filed = { out_trade_no: "COMPLAINT_6", detail: "No." };
    expect(await provider.control("POST", "/complaints", filed)).toMatchObject({ code: "not_paid" });
  });

  it("takes faults of its calls", async () => {
    const params = { calls: ["complaintquery"], code: "SYSTEMERROR" };
    await provider.control("POST", "/faults", { kind: "err_code", params, times: 1 });
    expect(await detail("2002")).toMatchObject({ status: 500, json: { code: "SYSTEM_ERROR" } });
  });
});

describe("the address for notifications of complaints", () => {
  const address = (method: string, url?: string) =>
    merchant.call(method, `${root}/complaint-notifications`, url === undefined ? undefined : { url });

  it("is created once, read, changed and deleted", async () => {
    const mchid = complainted_mchid;
    expect(await address("GET")).toMatchObject({ status: 404, json: { code: "RESOURCE_NOT_EXISTS" } });
    expect(await address("PUT", "https://a.example/c")).toMatchObject({ status: 404 });
    expect((await address("POST", "https://a.example/c")).json).toEqual({ mchid, url: "https://a.example/c" });
    expect(await address("POST", "https://a.example/d")).toMatchObject({
      status: 400,
      json: { code: "INVALID_REQUEST" },
    });
    expect((await address("PUT", "https://a.example/d")).json).toEqual({ mchid, url: "https://a.example/d" });
    expect((await address("GET")).json).toEqual({ mchid, url: "https://a.example/d" });
    expect(await address("DELETE")).toMatchObject({ status: 204, isSigned: true });
    expect(await address("DELETE")).toMatchObject({ status: 404 });
    expect((await address("POST", "ftp://a")).json).toMatchObject({ code: "PARAM_ERROR" });
    expect((await merchant.call("PATCH", `${root}/complaint-notifications`)).status).toBe(405);
  });

  it("gets each act, signed and encrypted, again after a refusal", async () => {
    await address("POST", `${receiver.url}/complaints`);
    const id = await complain("COMPLAINT_7");
    await act(id, "response", { complainted_mchid, response_content: "Sorry." });
    await expect.poll(() => receiver.received.length).toBe(2);
    const { platform_certificate, api_v3_key } = merchant.credentials;
    const opened = receiver.received.map(({ headers, body }) => {
      expect(isFromPlatform((name) => headers[name]?.toString(), body, platform_certificate)).toBe(true);
      const { event_type, resource } = JSON.parse(body);
      return [event_type, resource.original_type, JSON.parse(unseal(resource, api_v3_key))];
    });
    expect(opened).toEqual([
      ["COMPLAINT.CREATE", "complaint", { complaint_id: id, action_type: "CREATE_COMPLAINT" }],
      ["COMPLAINT.STATE_CHANGE", "complaint", { complaint_id: id, action_type: "MERCHANT_RESPONSE" }],
    ]);
    const accepted = { state: "accepted", attempts: 1 };
    const complaints = async () =>
      (await provider.control("GET", "/complaints")) as unknown as { notifications: object[] }[];
    await expect.poll(async () => (await complaints())[0]?.notifications).toMatchObject([accepted, accepted]);
    await address("PUT", "http://127.0.0.1:9/nobody");
    const document = await provider.control("GET", "/state");
    await provider.control("PUT", "/state", document);
    const other = await complain("COMPLAINT_8");
    expect(other).not.toBe(id);
    const failed = { state: "pending", attempts: 1, problem: "connection_failed" };
    await expect.poll(async () => (await complaints())[0]?.notifications).toMatchObject([failed]);
    provider.clock.offsetMs += 15_000;
    await provider.restart();
    await expect
      .poll(async () => (await complaints())[0]?.notifications)
      .toMatchObject([{ state: "pending", attempts: 2 }]);
  });
});
