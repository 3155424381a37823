import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { failing, refusing, saying } from "../../support/trip-wire.ts";
import { startPaymentsApp, type PaymentsApp } from "../../support/payments/payments-app.ts";

let payments: PaymentsApp;
beforeAll(async () => {
  payments = await startPaymentsApp();
});
beforeEach(() => {
  payments.trip.reset();
});
afterAll(() => payments[Symbol.asyncDispose]());

const ofRequest = ["LACK_PARAMS", "POST_DATA_EMPTY", "NOT_UTF8", "PARAM_ERROR", "XML_FORMAT_ERROR", "SIGNERROR"];
const ofOrder = ["INVALID_REQUEST", "REQUIRE_POST_METHOD", "OPENID_MISMATCH"];
const ofMerchant = ["APPID_NOT_EXIST", "MCHID_NOT_EXIST", "APPID_MCHID_NOT_MATCH", "NOAUTH"];
const ofState = ["NOTENOUGH", "ORDERPAID", "ORDERCLOSED", "OUT_TRADE_NO_USED", "A_NEW_CODE"];
const ofCode = ["AUTHCODEEXPIRE", "AUTH_CODE_ERROR", "AUTH_CODE_INVALID"];

const statusOf = (codes: readonly string[], status: number) => codes.map((code) => [code, status] as const);

describe("result_code FAIL of unified order", () => {
  it.each([...statusOf([...ofRequest, ...ofOrder], 400), ...statusOf([...ofMerchant, ...ofState], 403)])(
    "with %s is %d, names the code and what to do, and leaves nothing to pay",
    async (code, status) => {
      payments.trip.next("placeOrder", refusing(code));
      payments.trip.always("queryOrder", refusing("ORDERNOTEXIST"));
      const { status: answered, body, headers } = await payments.create({ trade_type: "NATIVE" });
      expect([answered, body.code, body.details]).toEqual([
        status,
        "payment_refused",
        [{ field: "err_code", problem: code }],
      ]);
      expect(body.Message).toMatch(new RegExp(`^The payment platform refused: ${code} .+[)][.] \\w.+[.]$`));
      expect(headers.has("location")).toBe(false);
      const [latest] = (await payments.call<{ trade_state: string; id: number }[]>("GET", "/orders?page_size=1")).body
        .data;
      expect(latest?.trade_state).toBe("CLOSED");
      expect(await payments.decisions(latest?.id ?? 0)).toEqual(["refused"]);
    },
  );

  it.each(["SYSTEMERROR", "FREQUENCY_LIMITED"])(
    "with %s leaves the outcome open: 503 with Retry-After",
    async (code) => {
      payments.trip.next("placeOrder", failing(code));
      const { status, body, headers } = await payments.create();
      expect([status, body.details]).toEqual([503, expect.arrayContaining([{ field: "err_code", problem: code }])]);
      expect(Number(headers.get("retry-after"))).toBe(code === "SYSTEMERROR" ? 5 : 60);
    },
  );

  it("is an event, as an outcome that is unknown is, with the order that it is about", async () => {
    const seen: unknown[] = [];
    const stop = payments.app.bus.subscribe(({ type, data }) => void seen.push([type, data]));
    payments.trip.next("placeOrder", refusing("NOAUTH"));
    payments.trip.next("queryOrder", refusing("ORDERNOTEXIST"));
    await payments.create({ trade_type: "NATIVE", description: "refused" });
    payments.trip.next("placeOrder", failing("FREQUENCY_LIMITED"));
    await payments.create({ trade_type: "NATIVE", description: "unknown" });
    stop();
    expect(seen).toEqual(
      [
        { name: "refused", placement: "refused", code: "NOAUTH" },
        { name: "unknown", placement: "unknown", code: "FREQUENCY_LIMITED" },
      ].map((data) => ["order.not_placed", expect.objectContaining(data)]),
    );
  });

  it("is looked into first: an order that the provider has, and has paid, is answered as it is", async () => {
    payments.trip.next("placeOrder", async (real) => {
      await real();
      const [order] = (await payments.sim<{ orders: { out_trade_no: string }[] }>("GET", "/orders?limit=1")).orders;
      await payments.pay({ out_trade_no: order?.out_trade_no ?? "" });
      return refusing("ORDERPAID");
    });
    const { status, body } = await payments.create();
    expect([status, body.data.trade_state]).toEqual([201, "SUCCESS"]);
  });
});

describe("a payment by code", () => {
  const pay = async () => payments.create({ trade_type: "MICROPAY", auth_code: "134567890123456789" });

  it.each([
    ...statusOf(ofCode, 400),
    ...statusOf(["NOTENOUGH", "NOTSUPORTCARD", "ORDERREVERSED", "BUYER_MISMATCH"], 403),
  ])("that fails with %s is %d", async (code, status) => {
    payments.trip.next("payByCode", refusing(code));
    const { status: answered, body } = await pay();
    expect([answered, body.details]).toEqual([status, [{ field: "err_code", problem: code }]]);
  });

  it.each(["SYSTEMERROR", "BANKERROR", undefined])("with an unknown result (%s) is queried, and 503", async (code) => {
    payments.trip.next("payByCode", failing(code));
    const { status, headers } = await pay();
    expect([status, headers.get("location")]).toEqual([503, expect.stringMatching(/^\/api\/orders\/\d+$/)]);
    expect(payments.trip.count("queryOrder")).toBe(2);
  });
});

describe("a query that fails is 503 as the provider has put it,", () => {
  const code = (problem: string) => ({ field: "err_code", problem });
  const failures = [
    ["return_code FAIL", failing(), "FAIL", [], "5", "Try again in a moment."],
    ["FREQUENCY_LIMITED", failing("FREQUENCY_LIMITED"), "SUCCESS", [code("FREQUENCY_LIMITED")], "60", "Wait a minute"],
    ["MCHID_NOT_EXIST", refusing("MCHID_NOT_EXIST"), "SUCCESS", [code("MCHID_NOT_EXIST")], "5", "Check the merchant"],
  ] as const;
  const byCode = { trade_type: "MICROPAY", auth_code: "asks-password" };
  const at = (path: string) => async (id: number) => payments.call("POST", `/orders/${String(id)}${path}`, undefined);
  const actions = [
    ["that is read", {}, async (id: number) => payments.call("GET", `/orders/${String(id)}`)],
    ["that is closed", {}, at("/closures")],
    ["that is refunded", {}, async (id: number) => payments.refund(id)],
    ["by code that is reversed", byCode, at("/reversals")],
  ] as const;

  it.each(actions.flatMap(([what, order, act]) => failures.map((failure) => [what, ...failure, order, act] as const)))(
    "of an order %s: %s",
    async (_, _name, outcome, returnCode, errCode, seconds, advice, input, act) => {
      const more = "auth_code" in input ? { ...input, auth_code: await payments.code(input.auth_code) } : input;
      const { id } = await payments.place(more);
      payments.trip.always("reverseOrder", saying({ again: false }));
      payments.trip.always("queryOrder", outcome);
      const { status, headers, body } = await act(id);
      expect([status, body.code, headers.get("retry-after")]).toEqual([503, "payment_outcome_unknown", seconds]);
      expect(body.details).toEqual([{ field: "return_code", problem: returnCode }, ...errCode]);
      expect(body.Message).toContain(`: as the test wants it. ${advice}`);
    },
  );

  it("of an order that is closed, though the provider has taken that", async () => {
    const { id } = await payments.place();
    payments.trip.next("queryOrder", async (real) => real(), refusing("NOAUTH"));
    payments.trip.next("closeOrder", saying(undefined));
    const { status, body } = await at("/closures")(id);
    expect([status, body.details]).toEqual([503, [{ field: "return_code", problem: "SUCCESS" }, code("NOAUTH")]]);
  });

  it("of a payment by code, though the provider says that it is paid", async () => {
    payments.trip.next("queryOrder", failing("FREQUENCY_LIMITED"));
    const { status, headers } = await payments.create({ ...byCode, auth_code: await payments.code() });
    expect([status, headers.get("retry-after")]).toEqual([503, "60"]);
  });
});

describe("communication that fails", () => {
  it("is tried once more with the same number, and is 503 that names return_code", async () => {
    payments.trip.next("placeOrder", failing(), failing());
    const { status, body, headers } = await payments.create();
    expect([status, body.details, headers.get("retry-after")]).toEqual([
      503,
      [{ field: "return_code", problem: "FAIL" }],
      "5",
    ]);
    expect(payments.trip.count("placeOrder")).toBe(2);
  });

  it("is made up for by the second try", async () => {
    payments.trip.next("placeOrder", failing());
    expect((await payments.create()).status).toBe(201);
  });

  it("is 503 when the provider is really gone", async () => {
    await using own = await startPaymentsApp();
    const order = await own.place();
    await own.app.provider.close();
    const answers = [await own.create(), await own.call("GET", `/orders/${String(order.id)}`)];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  });
});

describe("a description that the platform refuses in version 3", () => {
  it.each([
    ["茶".repeat(43), "must have at most 127 bytes in UTF-8, not 129"],
    ["奶茶😀", "must not contain emoji or other four-byte UTF-8 characters"],
  ])("is refused before anything is stored: %s", async (description, problem) => {
    await using app = await startPaymentsApp({ settings: { payment_version: "v3" } });
    const { status, body } = await app.create({ description });
    expect([status, body.details]).toEqual([400, [{ field: "description", problem }]]);
    expect((await app.call<unknown[]>("GET", "/orders")).body.data).toEqual([]);
    expect((await app.create({ description: `${"茶".repeat(42)}a` })).status).toBe(201);
  });

  it("is accepted in version 2", async () => {
    expect((await payments.create({ description: "茶".repeat(43) })).status).toBe(201);
  });
});
