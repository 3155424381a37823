import { describe, expect, it } from "vitest";
import { orderHistoryOf, wordsOf } from "../../../../../renderer/features/payments/history/order-history.ts";
import type { StoredOrderDetail } from "../../../../../server/contract/app/payments.ts";
import type { SimOrderDetail } from "../../../../../renderer/features/payments/order/use-order.ts";

describe("The words of a message", () => {
  it("are read from version 2, version 3 and Alipay, each for itself", () => {
    const xml = (name: string, word: string) => `<${name}><![CDATA[${word}]]></${name}>`;
    const paid = `<xml>${xml("return_code", "SUCCESS")}${xml("result_code", "FAIL")}${xml("err_code", "ORDERPAID")}</xml>`;
    expect(wordsOf(paid)).toEqual({ return_code: "SUCCESS", result_code: "FAIL", err_code: "ORDERPAID" });
    expect(wordsOf('{"trade_state":"USERPAYING"}')).toEqual({ trade_state: "USERPAYING" });
    expect(wordsOf('{"code":"PARAM_ERROR","message":"x"}')).toEqual({ err_code: "PARAM_ERROR" });
    expect(wordsOf('{"alipay_trade_query_response":{"code":"40004","sub_code":"ACQ.TRADE_NOT_EXIST"}}')).toEqual({
      err_code: "ACQ.TRADE_NOT_EXIST",
    });
    expect(wordsOf("")).toEqual({});
  });
});

const at = "2026-01-01T00:00:00Z";
const due = "2026-01-01T00:00:15Z";
const order = { created_at: at, trade_type: "JSAPI" };
/** The history of what the provider has, of which a case names what it is about. */
const items = (detail: object) =>
  orderHistoryOf(null, {
    order,
    attempts: [],
    refunds: [],
    calls: [],
    notifications: [],
    ...detail,
  } as unknown as SimOrderDetail);
const attempt = (more: object = {}) => ({ attempt: 1, started_at: at, faults: [], request: { body: "" }, ...more });
const attemptsOf = (...attempts: object[]) =>
  items({ notifications: [{ id: 1, about: "payment", attempts }] }).filter(({ kind }) => kind === "attempt");

describe("The history of an order", () => {
  it("names why a notification was refused by the code of the reply, else by what the receiver has written", () => {
    const refused = (headers: object, body: string) => attempt({ reply: { status: 409, headers, body } });
    const attempts = attemptsOf(
      refused({ "hearth-refusal": "amount_mismatch" }, '{"code":"FAIL","message":"The order is of 101 fen."}'),
      refused({}, '{"code":"FAIL","message":"no such thing"}'),
    );
    expect(attempts.map(({ outcome, refusal }) => [outcome, refusal])).toEqual([
      ["amount_mismatch", "The amount differs from the order's."],
      ["no such thing", undefined],
    ]);
  });

  it("says of each attempt whether the receiver trusted result_code, whatever it answered", () => {
    const accepted = (trusted_result_code: boolean) => attempt({ verdict: "accepted", trusted_result_code });
    expect(attemptsOf(accepted(true), accepted(false)).map(({ verdict, trusted }) => [verdict, trusted])).toEqual([
      ["accepted", true],
      ["accepted", false],
    ]);
  });

  it("shows each attempt to pay that has failed, with its reason", () => {
    const failed = (reason: string) => ({ at: due, result: "failed", reason });
    const history = items({ attempts: [failed("no_funds"), failed("cancel")], order: { ...order, paid_at: due } });
    expect(history.map(({ kind, name }) => [kind, name])).toEqual([
      ["ordered", "JSAPI"],
      ["failed", "no_funds"],
      ["failed", "cancel"],
      ["paid", ""],
    ]);
  });

  it("puts a call before the platform's reply, and a notification before what the merchant makes of it", () => {
    const entry = (kind: string, name: string, ms: number, id: number) => ({
      id,
      kind,
      name,
      at: `2026-01-01T00:00:00.${String(ms).padStart(3, "0")}Z`,
    });
    const history = [
      entry("call", "unifiedorder", 0, 1),
      entry("reply", "unifiedorder", 5, 2),
      entry("notification", "payment", 5, 3),
      entry("call", "orderquery", 5, 4),
      entry("reply", "orderquery", 5, 5),
      entry("decision", "settle", 5, 6),
    ];
    const merchant = { history } as unknown as StoredOrderDetail;
    const call = (name: string, ms: number) => ({ ...entry("", name, ms, ms), reply: "", status: 200, faults: [] });
    const provider = {
      order: { created_at: "2026-01-01T00:00:00.002Z", trade_type: "JSAPI", paid_at: "2026-01-01T00:00:00.004Z" },
      attempts: [],
      refunds: [],
      calls: [call("unifiedorder", 0), call("orderquery", 5)],
      notifications: [
        {
          id: 1,
          about: "payment",
          attempts: [attempt({ started_at: "2026-01-01T00:00:00.004Z", verdict: "accepted" })],
        },
      ],
    } as unknown as SimOrderDetail;
    expect(orderHistoryOf(merchant, provider).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "call unifiedorder",
      "served unifiedorder",
      "ordered JSAPI",
      "paid ",
      "attempt payment",
      "reply unifiedorder",
      "notification payment",
      "call orderquery",
      "served orderquery",
      "reply orderquery",
      "decision settle",
    ]);
  });

  it("shows its end, which may be without any call", () => {
    const closed = items({ order: { ...order, trade_state: "CLOSED", ended_at: due } });
    expect(closed.map(({ kind, name }) => [kind, name])).toEqual([
      ["ordered", "JSAPI"],
      ["ended", "CLOSED"],
    ]);
  });

  it("says whether a call was carried out whose reply may lie or was lost", () => {
    const call = (id: number, status: number, faults: number[], performed: boolean) => ({
      id,
      at,
      reply: "",
      status,
      faults,
      performed,
    });
    const calls = [call(1, 200, [7], true), call(2, 500, [7], false), call(3, 0, [], true), call(4, 200, [], true)];
    const served = items({ calls }).filter(({ kind }) => kind === "served");
    expect(served.map(({ performed }) => performed)).toEqual([true, false, true, undefined]);
  });

  it("says which refund a notification is about, when it is sent again, and that it was given up", () => {
    const attempts = [attempt(), attempt({ attempt: 2 })];
    const notified = items({
      refunds: [{ refund_id: "5000", out_refund_no: "R-1" }],
      notifications: [
        { id: 1, about: "payment", state: "given_up", attempts },
        { id: 2, about: "refund", refund_id: "5000", state: "pending", due_at: due, attempts },
        { id: 3, about: "payment", state: "accepted", attempts },
      ],
    }).filter(({ kind }) => kind === "attempt");
    expect(notified.map(({ name, next }) => [name, next])).toEqual([
      ["payment", undefined],
      ["payment", "given_up"],
      ["refund R-1", undefined],
      ["refund R-1", Date.parse(due)],
      ["payment", undefined],
      ["payment", undefined],
    ]);
  });

  it("has each copy that a fault sent in one attempt, under a key of its own", () => {
    expect(new Set(attemptsOf(attempt(), attempt(), attempt()).map(({ key }) => key)).size).toBe(3);
  });
});
