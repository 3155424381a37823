import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiOrder } from "../../../server/contract/app/payments.ts";
import { readXml } from "../../../server/http/formats/read-xml.ts";
import { z } from "zod";
import { failing, refusing } from "../../support/trip-wire.ts";
import { apiV2Key, startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
beforeEach(() => payments.trip.reset());
afterAll(() => payments[Symbol.asyncDispose]());

const placedAtProvider = async () =>
  (await payments.sim<{ orders: { out_trade_no: string }[] }>("GET", "/orders?limit=500")).orders.length;

describe("POST /api/orders", () => {
  it("answers 201 with the order, where it is, and what the client pays it by", async () => {
    const { status, headers, body } = await payments.create();
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/orders/${String(body.data.id)}`);
    expect(body.status).toMatchObject({ uid: expect.any(String) });
    expect(body.data).toMatchObject({
      out_trade_no: expect.stringMatching(/^[0-9A-Z]{6,32}$/),
      trade_state: "NOTPAY",
      trade_type: "JSAPI",
      amount: 101,
      amount_mismatch: false,
      description: "Two tickets",
      refunds: [],
    });
    expect(Object.keys(body.data.pay ?? {}).sort()).toEqual(
      ["appId", "nonceStr", "package", "paySign", "signType", "timeStamp"].sort(),
    );
  });

  it.each([
    ["NATIVE", "code_url", /^weixin:\/\//],
    ["MWEB", "mweb_url", /^http/],
    ["APP", "prepayid", /^wx/],
  ])("gives a client of %s its %s to pay by", async (trade_type, name, form) => {
    const { data } = (await payments.create({ trade_type })).body;
    expect(data.pay?.[name]).toMatch(form);
  });

  it("never returns a key or the buyer's openid", async () => {
    const { out_trade_no, id } = await payments.place();
    const { order } = await payments.sim<{ order: { openid: string } }>("GET", `/orders/${out_trade_no}`);
    expect(order.openid).toMatch(/^o/);
    const texts = JSON.stringify([
      await payments.call("GET", "/orders"),
      await payments.call("GET", `/orders/${String(id)}`),
      await payments.stored(id),
      (await payments.create()).body,
    ]);
    expect(texts).toContain("paySign");
    expect(texts).not.toContain(order.openid);
    expect(texts).not.toContain(apiV2Key);
  });

  it("answers 400 naming the field for what is no order", async () => {
    const fields = async (body: object) => {
      const { status, body: refusal } = await payments.call("POST", "/orders", body);
      return [status, refusal.details?.map(({ field }) => field)];
    };
    const description = "d";
    expect(await fields({ amount: 1 })).toEqual([400, ["description"]]);
    expect(await fields({ description, amount: 0 })).toEqual([400, ["amount"]]);
    expect(await fields({ description, amount: 1.5 })).toEqual([400, ["amount"]]);
    expect(await fields({ description: "a\u0001b", amount: 1 })).toEqual([400, ["description"]]);
    expect(await fields({ description, amount: 1, trade_type: "CASH" })).toEqual([400, ["trade_type"]]);
    expect(await fields({ description, amount: 1, trade_type: "MICROPAY" })).toEqual([400, ["auth_code"]]);
    expect(await fields({ description, amount: 1, auth_code: "134" })).toEqual([400, ["auth_code"]]);
  });

  it("takes and answers XML, too", async () => {
    const response = await fetch(`${payments.app.url}/api/orders`, {
      method: "POST",
      headers: { ...payments.session, "Content-Type": "application/xml", Accept: "application/xml" },
      body: "<order><description>Tee &amp; Gebäck</description><amount>7</amount><trade_type>NATIVE</trade_type></order>",
    });
    expect(response.status).toBe(201);
    const read = readXml(await response.text(), z.unknown()).value as { data: Record<string, unknown> };
    expect(read.data).toMatchObject({ description: "Tee & Gebäck", amount: "7", trade_state: "NOTPAY" });
  });
});

describe("Idempotency-Key", () => {
  it("gives another link to the mobile page once the first is about to be over, for the same order", async () => {
    await using own = await startPaymentsApp();
    const ask = async () => (await own.create({ trade_type: "MWEB" }, { "Idempotency-Key": "mobile" })).body.data;
    const status = async ({ pay }: ApiOrder) => (await fetch(pay?.["mweb_url"] ?? "")).status;
    const first = await ask();
    expect((await ask()).pay).toEqual(first.pay);
    await own.later(5 * 60_000);
    expect(await status(first)).toBe(410);
    const again = await ask();
    expect([again.id, await status(again)]).toEqual([first.id, 200]);
    expect((await own.sim<{ orders: object[] }>("GET", "/orders")).orders).toHaveLength(1);
    await own.later(2 * 3_600_000);
    expect((await ask()).pay).toBeUndefined();
  });

  const withKey = (key: string, more: object = {}) => payments.create(more, { "Idempotency-Key": key });

  it("makes the same request one order, also when its repeats come at the same time", async () => {
    const before = await placedAtProvider();
    const answers = await Promise.all(Array.from({ length: 8 }, () => withKey("at-once")));
    answers.push(await withKey("at-once"));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.data.out_trade_no)).size).toBe(1);
    expect(await placedAtProvider()).toBe(before + 1);
    expect(payments.trip.count("placeOrder")).toBe(1);
  });

  it("answers 400 naming the header when another body has the same key, and for an invalid key", async () => {
    await withKey("one");
    for (const answer of [
      await withKey("one", { amount: 102 }),
      await withKey("two words"),
      await withKey("x".repeat(65)),
    ])
      expect([answer.status, answer.body.details?.[0]?.field]).toEqual([400, "Idempotency-Key"]);
  });

  it("belongs to its user: another's order under the same key is another order", async () => {
    const { body } = await withKey("shared");
    const other = await payments.app.loggedIn("somebody");
    const mine = await payments.create({}, { ...other, "Idempotency-Key": "shared" });
    expect([mine.status, mine.body.data.out_trade_no === body.data.out_trade_no]).toEqual([201, false]);
  });

  it("finds an order again whose placing has an unknown result, and places it under the same number", async () => {
    payments.trip.next("placeOrder", failing(), failing());
    const first = await withKey("unknown");
    expect([first.status, first.headers.get("retry-after"), first.body.code]).toEqual([
      503,
      "5",
      "payment_outcome_unknown",
    ]);
    const at = first.headers.get("location") ?? "";
    const again = await withKey("unknown");
    expect([again.status, `/api/orders/${String(again.body.data.id)}`]).toEqual([201, at]);
    const { history } = await payments.stored(again.body.data.id);
    expect(history.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      ...["call unifiedorder", "reply unifiedorder", "call unifiedorder", "reply unifiedorder"],
      ...["call unifiedorder", "reply unifiedorder"],
    ]);
    expect(history.map(({ return_code }) => return_code).filter(Boolean)).toEqual(["FAIL", "FAIL", "SUCCESS"]);
  });

  it("answers an order that has been closed before it was placed as it is, and does not place it", async () => {
    payments.trip.next("placeOrder", failing(), failing());
    const first = await withKey("closed");
    const path = (first.headers.get("location") ?? "").replace("/api", "");
    expect((await payments.call<ApiOrder>("POST", `${path}/closures`)).body.data.trade_state).toBe("CLOSED");
    const before = await placedAtProvider();
    payments.trip.reset();
    const placed: unknown[] = [];
    const unsubscribe = payments.app.bus.subscribe(({ type }) => type === "order.placed" && placed.push(type));
    const again = await withKey("closed");
    unsubscribe();
    expect([again.status, again.body.data.trade_state, again.body.data.pay]).toEqual([201, "CLOSED", undefined]);
    expect([payments.trip.calls, await placedAtProvider(), placed]).toEqual([[], before, []]);
  });

  it("answers the same refusal again, and asks the provider once", async () => {
    payments.trip.next("placeOrder", refusing("NOAUTH"));
    const first = await withKey("refused");
    const again = await withKey("refused");
    expect([first.status, again.status]).toEqual([403, 403]);
    expect(again.body.Message).toContain("NOAUTH");
    expect(payments.trip.count("placeOrder")).toBe(1);
  });
});

describe("GET /api/orders", () => {
  it("lists the caller's own, the newest first, page by page and by state", async () => {
    const headers = await payments.app.loggedIn("lister");
    const made: number[] = [];
    for (let i = 0; i < 3; i++) made.push((await payments.create({ trade_type: "NATIVE" }, headers)).body.data.id);
    const page = async (query: string) => {
      const answer = await payments.call<ApiOrder[]>("GET", `/orders?${query}`, undefined, headers);
      return [answer.headers.get("x-total-count"), answer.body.data.map(({ id }) => id)];
    };
    expect(await page("page_size=2")).toEqual(["3", [made[2], made[1]]]);
    expect(await page("page_size=2&page=2")).toEqual(["3", [made[0]]]);
    expect(await page("trade_state=SUCCESS")).toEqual(["0", []]);
    expect(await page("trade_type=NATIVE&page_size=1")).toEqual(["3", [made[2]]]);
    expect((await payments.call("GET", "/orders?page_size=101")).status).toBe(400);
  });
});

describe("GET /api/orders/{id}", () => {
  it("queries an unpaid order at the provider, and settles it when paid, whatever the client claims", async () => {
    const order = await payments.place();
    expect((await payments.get(order.id)).trade_state).toBe("NOTPAY");
    await payments.pay(order);
    const paid = await payments.get(order.id);
    expect(paid).toMatchObject({
      trade_state: "SUCCESS",
      settled_at: expect.any(String),
      transaction_id: expect.any(String),
    });
    expect(paid.pay).toBeUndefined();
    expect(payments.trip.count("queryOrder")).toBe(2);
    await payments.get(order.id);
    expect(payments.trip.count("queryOrder")).toBe(2);
  });

  it("answers 503 with Retry-After when the provider does not answer, and what is stored of an order that has ended", async () => {
    const [open, paid] = [await payments.place(), await payments.place()];
    await payments.pay(paid);
    await payments.get(paid.id);
    payments.trip.always("queryOrder", failing());
    const answer = await payments.call("GET", `/orders/${String(open.id)}`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await payments.get(paid.id)).trade_state).toBe("SUCCESS");
  });

  it("asks once more when the provider does not see the order yet, and does not give it up", async () => {
    const order = await payments.place();
    payments.trip.next("queryOrder", refusing("ORDERNOTEXIST"));
    expect((await payments.get(order.id)).trade_state).toBe("NOTPAY");
    payments.trip.next("queryOrder", refusing("ORDERNOTEXIST"), refusing("ORDERNOTEXIST"));
    expect((await payments.get(order.id)).trade_state).toBe("NOTPAY");
    await payments.pay(order);
    expect((await payments.get(order.id)).trade_state).toBe("SUCCESS");
  });

  it("counts what a client asks again and again in one line of the history", async () => {
    const order = await payments.place();
    for (let i = 0; i < 5; i++) await payments.get(order.id);
    const { history } = await payments.stored(order.id);
    expect(history.map(({ kind, name, times }) => `${kind} ${name} ${String(times)}`)).toEqual([
      ...["call unifiedorder 1", "reply unifiedorder 1", "call orderquery 1", "reply orderquery 5"],
    ]);
  });

  it("answers 404 for no order and 403 for another user's, of every operation", async () => {
    const order = await payments.place();
    const other = await payments.app.loggedIn("stranger");
    for (const [method, end] of [
      ["GET", ""],
      ["POST", "/closures"],
      ["POST", "/refunds"],
      ["POST", "/reversals"],
    ] as const) {
      const body = end === "/refunds" ? {} : undefined;
      const at = (id: number) => payments.call(method, `/orders/${String(id)}${end}`, body, other);
      expect([(await at(order.id)).status, (await at(987_654)).status], end).toEqual([403, 404]);
    }
    expect(payments.trip.count("closeOrder")).toBe(0);
  });
});
