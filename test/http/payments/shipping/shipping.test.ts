/** Shipping information of mini-programs: what the app uploads, what the buyer confirms, and what time alone does. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { pushReceiver } from "../../../support/payments/push-receiver.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

const dayMs = 86_400_000;
const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";
let provider: TestProvider;
let merchant: MerchantV2;
let receiver: Awaited<ReturnType<typeof pushReceiver>>;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
  receiver = await pushReceiver();
  await receiver.subscribe(provider);
  await provider.control("PATCH", "/trade-management", { managed: true });
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

type Body = Record<string, unknown>;
const call = async (name: string, body: object) => {
  const access_token = await provider.accessToken();
  return provider.postJson(`/wxa/sec/order/${name}`, { access_token }, body);
};
const key = (out_trade_no: string) => ({ order_number_type: 1, mchid: "1900000109", out_trade_no });
const parcel = { tracking_no: "YT1", express_company: "YTO", item_desc: "tea*1" };
let uploads = 0;
/** A later time at each call. */
const uploadTime = () => new Date(Date.UTC(2026, 0, 1) + ++uploads * 1000).toISOString();
const upload = (number: string, changed: object = {}) =>
  call("upload_shipping_info", {
    ...{ order_key: key(number), logistics_type: 1, delivery_mode: 1, shipping_list: [parcel] },
    ...{ upload_time: uploadTime(), payer: { openid } },
    ...changed,
  });
const getOrder = async (number: string) =>
  (await call("get_order", { merchant_id: "1900000109", merchant_trade_no: number }))["order"] as Body;
const confirm = (number: string) => provider.control("POST", `/orders/${number}/confirm-receipt`);
const frozen = async (number: string) => {
  const all = (await provider.control("GET", "/shipments")) as unknown as Body[];
  return all.find(({ out_trade_no }) => out_trade_no === number)?.["frozen"];
};
/** The events about an order, by name. */
async function eventsOf(number: string): Promise<Body[]> {
  const pushes = (await provider.control("GET", "/pushes")) as unknown as { message: string }[];
  const messages = pushes.map(({ message }) => JSON.parse(message) as Body);
  return messages.filter((one) => one["merchant_trade_no"] === number).toReversed();
}

describe("an order that the platform manages", () => {
  it("is frozen until it is shipped, received by the buyer and settled", async () => {
    await merchant.paid("SHIP_1");
    expect(await getOrder("SHIP_1")).toMatchObject({
      ...{ order_state: 1, merchant_id: "1900000109", paid_amount: 100, openid, description: "", shipping: {} },
      ...{ in_complaint: false, transaction_id: expect.any(String) },
    });
    await expect.poll(() => frozen("SHIP_1")).toBe(true);
    expect(await upload("SHIP_1")).toEqual({ errcode: 0, errmsg: "ok" });
    expect(await getOrder("SHIP_1")).toMatchObject({
      order_state: 2,
      description: "tea*1",
      shipping: {
        ...{
          delivery_mode: 1,
          logistics_type: 1,
          finish_shipping: true,
          finish_shipping_count: 1,
          goods_desc: "tea*1",
        },
        shipping_list: [{ tracking_no: "YT1", express_company: "YTO", goods_desc: "tea*1" }],
      },
    });
    const { complaint_id } = await provider.control("POST", "/complaints", { out_trade_no: "SHIP_1", detail: "Late" });
    expect(complaint_id).toEqual(expect.any(String));
    expect(await getOrder("SHIP_1")).toMatchObject({ in_complaint: true });
    expect(await confirm("SHIP_1")).toMatchObject({ order_state: 3, frozen: true });
    expect(await confirm("SHIP_1")).toMatchObject({ code: "not_shipped" });
    provider.clock.offsetMs += dayMs;
    expect(await getOrder("SHIP_1")).toMatchObject({ order_state: 4 });
    expect(await frozen("SHIP_1")).toBe(false);
    const [shipped, settled] = await eventsOf("SHIP_1");
    expect(shipped).toMatchObject({ Event: "trade_manage_order_settlement", shipped_time: expect.any(Number) });
    expect(shipped).toHaveProperty("estimated_settlement_time");
    expect(settled).toMatchObject({ confirm_receive_method: 2, settlement_time: expect.any(Number) });
  });

  it("is received by time alone: after ten days by express, after two otherwise", async () => {
    await merchant.paid("SHIP_2");
    await merchant.paid("SHIP_3");
    await upload("SHIP_2");
    await upload("SHIP_3", { logistics_type: 3, shipping_list: [{ item_desc: "card*1" }] });
    provider.clock.offsetMs += 2 * dayMs;
    expect(await getOrder("SHIP_2")).toMatchObject({ order_state: 2 });
    expect(await getOrder("SHIP_3")).toMatchObject({ order_state: 3 });
    provider.clock.offsetMs += 8 * dayMs;
    expect(await getOrder("SHIP_2")).toMatchObject({ order_state: 3 });
    expect(await getOrder("SHIP_3")).toMatchObject({ order_state: 4 });
    expect((await eventsOf("SHIP_3")).at(-1)).toMatchObject({ confirm_receive_method: 1 });
  });

  it("is reminded of after two days, unless it is reported as sold in advance or as a test", async () => {
    for (const number of ["SHIP_4", "SHIP_5", "SHIP_6"]) {
      await merchant.paid(number);
      await expect.poll(() => frozen(number)).toBe(true);
    }
    const delay_to = Math.floor((provider.clock.now() + 5 * dayMs) / 1000);
    expect(await call("opspecialorder", { order_id: "SHIP_5", type: 1, delay_to })).toMatchObject({ errcode: 0 });
    expect(await call("opspecialorder", { order_id: "SHIP_6", type: 2 })).toMatchObject({ errcode: 0 });
    provider.clock.offsetMs += 2 * dayMs;
    await getOrder("SHIP_4");
    expect(await eventsOf("SHIP_4")).toMatchObject([{ Event: "trade_manage_remind_shipping" }]);
    expect([await eventsOf("SHIP_5"), await eventsOf("SHIP_6")]).toEqual([[], []]);
    expect(await call("opspecialorder", { order_id: "SHIP_4", type: 3 })).toMatchObject({ errcode: 268546000 });
    expect(await call("opspecialorder", { order_id: "SHIP_4", type: 1 })).toMatchObject({ errcode: 268546001 });
    expect(await call("opspecialorder", { order_id: "NOBODY", type: 2 })).toMatchObject({ errcode: 268546002 });
  });

  it("keeps its state in a document and over a restart", async () => {
    await merchant.paid("SHIP_7");
    await upload("SHIP_7");
    const document = await provider.control("GET", "/state");
    await provider.control("PUT", "/state", document);
    await provider.restart();
    provider.clock.offsetMs += 10 * dayMs;
    expect(await getOrder("SHIP_7")).toMatchObject({ order_state: 3 });
  });

  it("is refunded, and then no longer shipped", async () => {
    await merchant.paid("SHIP_8");
    await merchant.refund("SHIP_8", "SHIP_8_R", { refund_fee: "100" });
    expect(await getOrder("SHIP_8")).toMatchObject({ order_state: 5 });
    expect(await upload("SHIP_8")).toMatchObject({ errcode: 10060004 });
  });
});

describe("the upload of shipping information", () => {
  it("adds packages until all are sent, and replaces them once", async () => {
    await merchant.paid("SPLIT_1");
    const split = { delivery_mode: 2, is_all_delivered: false };
    expect(await upload("SPLIT_1", split)).toMatchObject({ errcode: 0 });
    expect(await getOrder("SPLIT_1")).toMatchObject({ order_state: 1, shipping: { finish_shipping: false } });
    const second = { ...parcel, tracking_no: "YT2", item_desc: "cup*1" };
    expect(
      await upload("SPLIT_1", { delivery_mode: 2, is_all_delivered: true, shipping_list: [second] }),
    ).toMatchObject({
      errcode: 0,
    });
    expect(await getOrder("SPLIT_1")).toMatchObject({ order_state: 2, description: "tea*1;cup*1" });
    expect(await upload("SPLIT_1")).toMatchObject({ errcode: 0 });
    expect(await getOrder("SPLIT_1")).toMatchObject({ description: "tea*1", shipping: { finish_shipping_count: 2 } });
    expect(await upload("SPLIT_1")).toMatchObject({ errcode: 10060003 });
    await confirm("SPLIT_1");
    expect(await upload("SPLIT_1")).toMatchObject({ errcode: 10060002 });
  });

  it("of a combined order ships each of its orders, or none", async () => {
    await merchant.paid("SUBORDER_1");
    await merchant.paid("SUBORDER_2");
    const sub = (number: string) => ({
      ...{ order_key: key(number), logistics_type: 1, delivery_mode: 1, shipping_list: [parcel] },
    });
    const combined = (...numbers: string[]) =>
      call("upload_combined_shipping_info", {
        ...{ order_key: key("COMBINED"), sub_orders: numbers.map(sub) },
        ...{ upload_time: uploadTime(), payer: { openid } },
      });
    expect(await combined("SUBORDER_1", "NOBODY")).toMatchObject({ errcode: 10060001 });
    expect(await getOrder("SUBORDER_1")).toMatchObject({ order_state: 1 });
    expect(await combined("SUBORDER_1", "SUBORDER_2")).toMatchObject({ errcode: 0 });
    expect(await getOrder("SUBORDER_2")).toMatchObject({ order_state: 2 });
  });

  const one = (changed: object) => ({ shipping_list: [{ ...parcel, ...changed }] });
  it.each([
    [{ order_key: { order_number_type: 3 } }, 268485194],
    [{ order_key: { order_number_type: 2 } }, 268485195],
    [{ order_key: { order_number_type: 1 } }, 268485196],
    [{ order_key: { order_number_type: 1, mchid: "1900000109" } }, 268485197],
    [{ order_key: key("NOBODY") }, 10060001],
    [{ payer: { openid: "oNobody" } }, 10060031],
    [{ logistics_type: 5 }, 10060005],
    [{ delivery_mode: 3 }, 268485224],
    [{ logistics_type: 2, delivery_mode: 2 }, 10060006],
    [{ delivery_mode: 2 }, 10060007],
    [{ shipping_list: [parcel, parcel] }, 268485228],
    [{ delivery_mode: 2, is_all_delivered: true, shipping_list: Array(16).fill(parcel) }, 10060024],
    [{ upload_time: "1670832735" }, 268485216],
    [one({ item_desc: "" }), 10060008],
    [one({ item_desc: "x".repeat(121) }), 10060009],
    [one({ tracking_no: "" }), 268485226],
    [one({ express_company: "" }), 268485227],
    [one({ tracking_no: "1".repeat(129) }), 10060026],
    [one({ express_company: "C".repeat(129) }), 10060025],
    [one({ express_company: "SF" }), 10060014],
    [{ shipping_list: "tea" }, 47001],
  ])("is refused for %j with %d", async (changed, errcode) => {
    await merchant.paid("WRONG_1");
    expect(await upload("WRONG_1", changed)).toMatchObject({ errcode });
  });

  it("that is not newer changes nothing", async () => {
    await merchant.paid("OLDER_1");
    await upload("OLDER_1", { delivery_mode: 2, is_all_delivered: false });
    expect(await upload("OLDER_1", { upload_time: "2025-01-01T00:00:00+08:00" })).toMatchObject({ errcode: 10060023 });
  });
});

describe("the other calls about shipping", () => {
  it("remind the buyer of a shipped order once", async () => {
    await merchant.paid("REMIND_1");
    const remind = (received_time: number) =>
      call("notify_confirm_receive", { merchant_id: "1900000109", merchant_trade_no: "REMIND_1", received_time });
    const now = Math.floor(provider.clock.now() / 1000);
    expect(await remind(now)).toMatchObject({ errcode: 10060028 });
    await upload("REMIND_1");
    expect(await remind(now - 60)).toMatchObject({ errcode: 10060029 });
    expect(await remind(now)).toMatchObject({ errcode: 0 });
    expect(await remind(now)).toMatchObject({ errcode: 10060030 });
    await merchant.paid("REMIND_2");
    await upload("REMIND_2", { logistics_type: 4, shipping_list: [{ item_desc: "tea" }] });
    const other = { merchant_id: "1900000109", merchant_trade_no: "REMIND_2", received_time: now };
    expect(await call("notify_confirm_receive", other)).toMatchObject({ errcode: 10060032 });
  });

  it("list orders by state, buyer and time, in pages", async () => {
    const list = (body: object = {}) => call("get_order_list", body);
    const states = async (order_state: number) =>
      ((await list({ order_state }))["order_list"] as Body[]).map((order) => order["order_state"]);
    expect(new Set(await states(2))).toEqual(new Set([2]));
    const first = await list({ page_size: 2 });
    expect(first).toMatchObject({ errcode: 0, errmsg: "ok", has_more: true, last_index: expect.any(String) });
    const second = await list({ page_size: 2, last_index: first["last_index"] });
    const numbers = [first, second].flatMap((page) =>
      (page["order_list"] as Body[]).map((order) => order["merchant_trade_no"]),
    );
    expect(new Set(numbers).size).toBe(4);
    expect(await list({ openid: "oNobody" })).toMatchObject({ order_list: [], has_more: false });
    expect(await list({ pay_time_range: { end_time: 1 } })).toMatchObject({ order_list: [] });
    expect(await list({ last_index: "?" })).toMatchObject({ errcode: 10060011 });
  });

  it("tell what the platform manages, and set the page of messages", async () => {
    const { appid } = provider.app;
    expect(await call("is_trade_managed", { appid })).toEqual({ errcode: 0, errmsg: "ok", is_trade_managed: true });
    const completed = "is_trade_management_confirmation_completed";
    expect(await call(completed, { appid })).toEqual({ errcode: 0, errmsg: "ok", completed: false });
    expect(await call("is_trade_managed", {})).toMatchObject({ errcode: 40097 });
    expect(await call(completed, { appid: "wx0" })).toMatchObject({ errcode: 40013 });
    expect(await call("set_msg_jump_path", { path: "pages/order" })).toEqual({ errcode: 0, errmsg: "ok" });
    expect(await provider.control("GET", "/trade-management")).toEqual({
      ...{ managed: true, confirmed: false, jump_path: "pages/order" },
    });
  });

  it("take faults, and require an access token", async () => {
    const params = { calls: ["get_order"], errcode: -1 };
    await provider.control("POST", "/faults", { kind: "identity_errcode", params, times: 1 });
    expect(await call("get_order", {})).toMatchObject({ errcode: -1 });
    expect(await provider.postJson("/wxa/sec/order/get_order", {}, {})).toMatchObject({ errcode: 41001 });
  });
});
