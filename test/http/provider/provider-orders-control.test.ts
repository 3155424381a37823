/** The control routes for orders, refunds and notifications, by which a test or the console acts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simNotificationsSchema, simOrdersSchema } from "../../../server/contract/provider/sim-orders.ts";
import { callControl, otherMerchant, registration } from "../../support/payments/control-merchants.ts";
import { createMerchantV2, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

describe("GET /sim/orders", () => {
  it("lists the newest first, page by page, by merchant and state, and by a part of a number or description", async () => {
    await using own = await startTestProvider();
    await own.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    const [one, other] = [createMerchantV2(own), createMerchantV2(own, otherMerchant)];
    for (const number of ["PAGED_1", "PAGED_2", "PAGED_3"]) await one.place(number);
    await one.pay("PAGED_2");
    await other.place("PAGED_4", { appid: "wx0000000000000110" });
    const list = async (query: string) => simOrdersSchema.parse(await own.control("GET", `/orders${query}`));
    const numbers = ({ orders }: Awaited<ReturnType<typeof list>>) => orders.map((order) => order.out_trade_no);
    const first = await list("?limit=3");
    expect(numbers(first)).toEqual(["PAGED_4", "PAGED_3", "PAGED_2"]);
    const second = await list(`?limit=3&before=${String(first.next_before)}`);
    expect(numbers(second)).toEqual(["PAGED_1"]);
    expect(second.next_before).toBeUndefined();
    expect(numbers(await list("?trade_state=SUCCESS"))).toEqual(["PAGED_2"]);
    expect(numbers(await list(`?mch_id=${otherMerchant.mchId}`))).toEqual(["PAGED_4"]);

    await one.place("FOUND_5", { body: "Paged books, 100% wool" });
    const [{ transaction_id = "" } = {}] = (await list("?trade_state=SUCCESS")).orders;
    expect([first.total, first.stored]).toEqual([4, 4]);
    const paid = await list("?trade_state=SUCCESS&limit=1");
    expect([paid.total, paid.stored]).toEqual([1, 5]);
    expect(numbers(await list("?sort=out_trade_no&limit=2"))).toEqual(["FOUND_5", "PAGED_1"]);
    expect(numbers(await list("?sort=out_trade_no&limit=2&offset=2"))).toEqual(["PAGED_2", "PAGED_3"]);
    expect(numbers(await list("?sort=-trade_state&limit=1"))).toEqual(["PAGED_2"]);
    expect(numbers(await list("?q=aged_&limit=2"))).toEqual(["PAGED_4", "PAGED_3"]);
    expect(numbers(await list("?q=aged&limit=2"))).toEqual(["FOUND_5", "PAGED_4"]);
    expect(numbers(await list(`?q=${transaction_id.slice(4, -1)}`))).toEqual(["PAGED_2"]);
    expect(numbers(await list("?q=paged&trade_state=NOTPAY&mch_id=1900000109&limit=2"))).toEqual([
      "FOUND_5",
      "PAGED_3",
    ]);
    expect(numbers(await list("?q=0%25 w"))).toEqual(["FOUND_5"]);
    expect(numbers(await list("?q=0%25w"))).toEqual([]);
  });

  it.each([
    ["?limit=0", "limit"],
    ["?limit=501", "limit"],
    ["?limit=ten", "limit"],
    ["?trade_state=PAID", "trade_state"],
    ["?mch_id=abc", "mch_id"],
    ["?state=SUCCESS", "state"],
    [`?q=${"x".repeat(101)}`, "q"],
  ])("answers 400 to %s and names %s", async (query, field) => {
    const { status, body } = await callControl(provider, "GET", `/orders${query}`);
    expect(status).toBe(400);
    expect(body["details"]).toMatchObject([{ field }]);
  });
});

describe("GET /sim/orders/{out_trade_no}", () => {
  it("returns the order with its refunds, calls, and notifications", async () => {
    await using receiver = await notificationReceiver();
    await merchant.place("DETAILS", { notify_url: `${receiver.url}/paid`, attach: "table 7" });
    await merchant.query("DETAILS");
    await merchant.pay("DETAILS");
    await receiver.at("/paid");
    await merchant.refund("DETAILS", "R-DETAILS", { refund_fee: "30", refund_desc: "too cold" });
    await merchant.close("DETAILS");
    const details = await orderDetails(provider, "DETAILS");
    expect(details.order).toMatchObject({
      mch_id: "1900000109",
      trade_type: "JSAPI",
      total: 100,
      refunded: 30,
      trade_state: "REFUND",
      attach: "table 7",
      transaction_id: expect.stringMatching(/^\d{28}$/),
    });
    expect(details.refunds).toMatchObject([{ out_refund_no: "R-DETAILS", refund: 30, reason: "too cold" }]);
    expect(details.calls.map(({ name, outcome }) => [name, outcome])).toEqual([
      ["unifiedorder", "SUCCESS"],
      ["orderquery", "SUCCESS"],
      ["refund", "SUCCESS"],
      ["closeorder", "ORDERPAID"],
    ]);
    expect(details.notifications).toMatchObject([{ about: "payment", state: expect.any(String) }]);
  });

  it("also returns the calls that were refused because of their signature or form", async () => {
    await merchant.place("REFUSED_CALLS");
    await merchant.query("REFUSED_CALLS", { key: "another0Key0of032characters00000" });
    await merchant.call("/secapi/pay/refund", { out_trade_no: "REFUSED_CALLS", total_fee: "100" });
    await merchant.query("REFUSED_CALLS");
    const v3 = await createMerchantV3(provider.url);
    const { transaction_id } = await merchant.pay("REFUSED_CALLS");
    const byNumber = `/v3/pay/transactions/id/${String(transaction_id)}?mchid=1900000109`;
    await v3.call("GET", byNumber, undefined, { signedTarget: "/v3/another" });
    await v3.call("POST", "/v3/pay/transactions/native", { out_trade_no: "REFUSED_CALLS" });
    await v3.call("POST", "/v3/refund/domestic/refunds", { transaction_id }, { authorization: "none" });
    const { calls } = await orderDetails(provider, "REFUSED_CALLS");
    expect(calls.map(({ version, name, outcome, performed }) => [version, name, outcome, performed])).toEqual([
      ["v2", "unifiedorder", "SUCCESS", true],
      ["v2", "orderquery", "SIGNERROR", false],
      ["v2", "refund", "PARAM_ERROR", false],
      ["v2", "orderquery", "SUCCESS", true],
      ["v3", "orderquery", "SIGN_ERROR", false],
      ["v3", "unifiedorder", "PARAM_ERROR", false],
    ]);
    expect(calls[1]).toMatchObject({ status: 200, reply: expect.stringContaining("签名错误") });
    expect(calls[4]).toMatchObject({ status: 401, target: byNumber, reply: expect.stringContaining("sign not match") });
  });

  it("answers 404 for an unknown number, and 400 for an invalid one", async () => {
    expect(await callControl(provider, "GET", "/orders/NOBODYS_ORDER")).toMatchObject({ status: 404 });
    const { status, body } = await callControl(provider, "GET", "/orders/two%20words");
    expect([status, body["details"]]).toMatchObject([400, [{ field: "out_trade_no" }]]);
  });

  it("answers 409 for a number that two merchants have, until one is named", async () => {
    await using own = await startTestProvider();
    await own.control("PUT", `/merchants/${otherMerchant.mchId}`, registration);
    await createMerchantV2(own).place("BOTH_HAVE");
    await createMerchantV2(own, otherMerchant).place("BOTH_HAVE", { appid: "wx0000000000000110" });
    const ambiguous = await callControl(own, "GET", "/orders/BOTH_HAVE");
    expect(ambiguous).toMatchObject({ status: 409, body: { code: "ambiguous_order" } });
    for (const mchId of ["1900000109", otherMerchant.mchId]) {
      const { body } = await callControl(own, "POST", `/orders/BOTH_HAVE/pay?mch_id=${mchId}`);
      expect(body).toMatchObject({ mch_id: mchId, trade_state: "SUCCESS" });
    }
  });
});

describe("the buyer's actions", () => {
  it("POST …/pay pays once: the second answers 409 and names ORDERPAID", async () => {
    await merchant.place("PAY_ONCE", { trade_type: "NATIVE" });
    const paid = await callControl(provider, "POST", "/orders/PAY_ONCE/pay", {
      payer: "oSomebody",
      bank_type: "CMB_DEBIT",
    });
    expect(paid).toMatchObject({
      status: 200,
      body: { trade_state: "SUCCESS", payer: "oSomebody", bank_type: "CMB_DEBIT", paid_at: expect.any(String) },
    });
    expect(await callControl(provider, "POST", "/orders/PAY_ONCE/pay")).toMatchObject({
      status: 409,
      body: { code: "orderpaid", Message: expect.stringContaining("ORDERPAID") },
    });
  });

  it("POST …/pay lets coupons pay a part, less than the whole", async () => {
    await merchant.place("PAY_COUPON", { trade_type: "NATIVE", total_fee: "300" });
    expect(await callControl(provider, "POST", "/orders/PAY_COUPON/pay", { coupon_fen: 300 })).toMatchObject({
      status: 400,
      body: { details: [{ field: "coupon_fen" }] },
    });
    expect((await callControl(provider, "POST", "/orders/PAY_COUPON/pay", { coupon_fen: 100 })).status).toBe(200);
    const { fields } = await merchant.query("PAY_COUPON");
    expect(fields).toMatchObject({ total_fee: "300", cash_fee: "200", coupon_fee: "100" });
    const v3 = await createMerchantV3(provider.url);
    const amount = { total: 300, payer_total: 200, currency: "CNY", payer_currency: "CNY" };
    expect((await v3.query("PAY_COUPON")).json).toMatchObject({ amount, promotion_detail: [{ amount: 100 }] });
  });

  it("lets one of twenty simultaneous payments win", async () => {
    await merchant.place("PAY_TWENTY");
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await callControl(provider, "POST", "/orders/PAY_TWENTY/pay")).status),
    );
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
  });

  it.each([
    ["?how=bank", undefined, "PAYERROR"],
    ["", { how: "bank" }, "PAYERROR"],
    ["", undefined, "PAYERROR"],
    ["?how=cancel", undefined, "NOTPAY"],
    ["", { how: "cancel" }, "NOTPAY"],
  ])("POST …/fail%s with %j makes an order that asks for the password %s", async (query, body, tradeState) => {
    await using own = await startTestProvider();
    await createMerchantV2(own).micropay("ASKED_FOR_IT", { total_fee: "100001" });
    expect(await callControl(own, "POST", `/orders/ASKED_FOR_IT/fail${query}`, body)).toMatchObject({
      status: 200,
      body: { trade_state: tradeState },
    });
  });

  it("POST …/expire ends the time to pay; the order stays NOTPAY", async () => {
    await merchant.place("EXPIRED_NOW");
    expect(await callControl(provider, "POST", "/orders/EXPIRED_NOW/expire")).toMatchObject({
      status: 200,
      body: { trade_state: "NOTPAY" },
    });
    expect(await callControl(provider, "POST", "/orders/EXPIRED_NOW/pay")).toMatchObject({
      status: 409,
      body: { code: "order_expired" },
    });
  });

  it.each([
    ["/pay", { payer: "" }, "payer"],
    ["/pay", { amount: 1 }, "amount"],
    ["/fail?how=never", undefined, "how"],
    ["/fail", { how: "never" }, "how"],
  ])("POST …%s with %j answers 400 and names %s", async (path, sent, field) => {
    await merchant.place("BAD_INPUT");
    const { status, body } = await callControl(provider, "POST", `/orders/BAD_INPUT${path}`, sent);
    expect([status, body["details"]]).toMatchObject([400, [{ field }]]);
  });
});

describe("notifications by hand", () => {
  it.each([
    ["is not paid", "NATIVE", false, "NOTPAY"],
    ["was paid by a payment code", "MICROPAY", true, "payment code"],
  ])("POST …/notify answers 409 for an order that %s", async (_name, tradeType, isPaid, said) => {
    const number = `UNTOLD_${tradeType}`;
    if (tradeType === "MICROPAY") await merchant.micropay(number);
    else await merchant.place(number, { trade_type: tradeType });
    expect((await orderDetails(provider, number)).order.paid_at !== undefined).toBe(isPaid);
    expect(await callControl(provider, "POST", `/orders/${number}/notify`)).toMatchObject({
      status: 409,
      body: { code: "nothing_to_tell", Message: expect.stringContaining(said) },
    });
  });

  it("POST …/notify answers 409 while it is being delivered", async () => {
    await provider.control("PATCH", "/settings", { notification_timeout_ms: 60_000 });
    await using receiver = await notificationReceiver(() => undefined);
    await merchant.paid("UNDER_WAY", { notify_url: `${receiver.url}/paid` });
    await receiver.at("/paid");
    expect(await callControl(provider, "POST", "/orders/UNDER_WAY/notify")).toMatchObject({
      status: 409,
      body: { code: "being_delivered" },
    });
  });

  it("GET /sim/notifications lists those of all orders, by state", async () => {
    await using own = await startTestProvider();
    await using receiver = await notificationReceiver();
    const one = createMerchantV2(own);
    await one.paid("LISTED_1", { notify_url: receiver.url });
    await one.paid("LISTED_2");
    await attemptsOf(own, "LISTED_1", 1);
    await attemptsOf(own, "LISTED_2", 1);
    const list = async (query = "") => {
      const { notifications } = simNotificationsSchema.parse(await own.control("GET", `/notifications${query}`));
      return notifications.map((shown) => [shown.out_trade_no, shown.state, shown.attempts[0]?.verdict]);
    };
    const [accepted, pending] = [
      ["LISTED_1", "accepted", "accepted"],
      ["LISTED_2", "pending", "connection_failed"],
    ];
    expect(await list()).toEqual([pending, accepted]);
    expect(await list("?state=accepted")).toEqual([accepted]);
    expect(await list("?out_trade_no=LISTED_2&limit=1")).toEqual([pending]);
  });
});
