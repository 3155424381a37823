/**
 * Random lives of orders, against a model that is written down anew from the documented table of states, and from what its
 * controller may do with a code order that waits: the ledger moves an order exactly where these do, and refuses everything
 * else.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TradeState } from "../../../server/contract/provider/payment-terms.ts";
import {
  codeOf,
  mchId,
  openTestLedger,
  orderRequest,
  refundRequest,
  type TestLedger,
} from "../../support/payments/open-ledger.ts";

let test: TestLedger;
beforeAll(async () => void (test = await openTestLedger()));
afterAll(() => test[Symbol.asyncDispose]());

const total = 100;

/** What should be true of one order. */
interface Model {
  readonly outTradeNo: string;
  isCode: boolean;
  state: TradeState | undefined;
  expired: boolean;
  refunded: number;
  /** Refunds that were asked for. */
  asked: number;
  /** Each change of state, as it should be told. */
  readonly path: string[];
}

type Step =
  | { readonly do: "order" | "pay" | "ask" | "close" | "reverse" | "bank" | "cancel" | "expire" | "wait" | "look" }
  | { readonly do: "code"; readonly outcome: "paid" | "asks-password" | "refused" }
  | { readonly do: "refund"; readonly fen: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ do: "order" }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("paid" as const, "asks-password" as const, "refused" as const)
      .map((outcome): Step => ({ do: "code", outcome })),
  },
  {
    weight: 10,
    arbitrary: fc
      .constantFrom("pay", "ask", "close", "reverse", "bank", "cancel", "expire", "wait", "look")
      .map((name): Step => ({ do: name as "pay" })),
  },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map((fen): Step => ({ do: "refund", fen })) },
);

function move(model: Model, to: TradeState): string {
  model.path.push(`${model.state ?? "-"} ${to}`);
  model.state = to;
  return "done";
}

/** Why nobody can pay, in the words that the buyer's side hears. */
const unpayable: Partial<Record<TradeState, string>> = {
  SUCCESS: "ORDERPAID",
  REFUND: "ORDERPAID",
  CLOSED: "ORDERCLOSED",
  REVOKED: "ORDERREVERSED",
  PAYERROR: "TRADE_ERROR",
};

function takeCode(model: Model, outcome: "paid" | "asks-password" | "refused"): string {
  if (model.state !== undefined) {
    if (!model.isCode) return "OUT_TRADE_NO_USED";
    return unpayable[model.state] ?? (model.state === "USERPAYING" ? "USERPAYING" : "OUT_TRADE_NO_USED");
  }
  model.isCode = true;
  if (outcome === "paid") return move(model, "SUCCESS");
  move(model, "USERPAYING");
  if (outcome === "asks-password") return "USERPAYING";
  move(model, "PAYERROR");
  return "BANKERROR";
}

function order(model: Model): string {
  if (model.state === undefined) return move(model, "NOTPAY");
  return model.isCode ? "OUT_TRADE_NO_USED" : (unpayable[model.state] ?? "done");
}

/** Why an order is not closed. */
const unclosable: Partial<Record<TradeState, string>> = {
  ...unpayable,
  REVOKED: "ORDERPAID",
  USERPAYING: "USERPAYING",
};

const close = (model: Model, state: TradeState): string => unclosable[state] ?? move(model, "CLOSED");

function reverse(model: Model): string {
  if (!model.isCode) return "INVALID_REQUEST";
  if (model.state === "REVOKED") return "done";
  if (model.state === "USERPAYING") return "USERPAYING";
  return model.state === "REFUND" || model.state === "CLOSED" ? "TRADE_ERROR" : move(model, "REVOKED");
}

function refund(model: Model, fen: number, wasPaid: boolean): string {
  if (!wasPaid) return "ORDERNOTEXIST";
  if (model.state === "REVOKED" || model.refunded + fen > total) return "ERROR";
  model.refunded += fen;
  if (model.state === "SUCCESS") move(model, "REFUND");
  return "done";
}

/** What the documented table says comes of a step. */
function expected(model: Model, taken: Step): string {
  if (taken.do === "order") return order(model);
  if (taken.do === "code") return takeCode(model, taken.outcome);
  const { state } = model;
  if (taken.do === "wait") return state === "USERPAYING" ? move(model, "NOTPAY") : "done";
  if (state === undefined) return "ORDERNOTEXIST";
  const wasPaid = model.path.some((change) => change.endsWith(" SUCCESS"));
  switch (taken.do) {
    case "look":
      return "done";
    case "close":
      return close(model, state);
    case "reverse":
      return reverse(model);
    case "refund":
      return refund(model, taken.fen, wasPaid);
    case "expire":
      if (unpayable[state]) return unpayable[state];
      model.expired = true;
      return "done";
    case "pay":
      return unpayable[state] ?? (model.expired ? "ORDER_EXPIRED" : move(model, "SUCCESS"));
    case "ask":
      if (unpayable[state]) return unpayable[state];
      if (state === "USERPAYING") return "done";
      if (!model.isCode) return "TRADE_ERROR";
      return model.expired ? "ORDER_EXPIRED" : move(model, "USERPAYING");
    case "bank":
    case "cancel":
      if (state === "USERPAYING") return move(model, taken.do === "bank" ? "PAYERROR" : "NOTPAY");
      return unpayable[state] ?? "done";
  }
}

/** What comes of it in the ledger. */
async function actual(model: Model, taken: Step): Promise<string> {
  const { ledger } = test;
  const { outTradeNo } = model;
  const key = { mchId, outTradeNo };
  switch (taken.do) {
    case "order":
      return codeOf(ledger.place(orderRequest(outTradeNo, { total })));
    case "code":
      return codeOf(
        ledger.payByCode(orderRequest(outTradeNo, { total, tradeType: "MICROPAY" }), "130000000000000001", {
          outcome: taken.outcome,
        }),
      );
    case "pay":
      return codeOf(ledger.pay(key));
    case "ask":
      return codeOf(ledger.askPassword(key));
    case "close":
      return codeOf(ledger.close(key));
    case "reverse":
      return codeOf(ledger.reverse(key));
    case "bank":
    case "cancel":
      return codeOf(ledger.failPayment(key, taken.do));
    case "expire":
      return codeOf(ledger.expire(key));
    case "refund":
      return codeOf(
        ledger.refund(key, refundRequest(`${outTradeNo}-${String(++model.asked)}`, { total, refund: taken.fen })),
      );
    case "wait":
      test.clock.now += 45_000;
      await ledger.find(key);
      return "done";
    case "look":
      return codeOf(ledger.get(key));
  }
}

let lives = 0;

async function live(steps: readonly Step[]): Promise<void> {
  const model: Model = {
    outTradeNo: `LIFE-${String(++lives)}`,
    isCode: false,
    state: undefined,
    expired: false,
    refunded: 0,
    asked: 0,
    path: [],
  };
  for (const taken of steps) {
    const should = expected(model, taken);
    expect(await actual(model, taken), JSON.stringify(taken)).toBe(should);
    const found = await test.ledger.find({ mchId, outTradeNo: model.outTradeNo });
    expect(found?.tradeState).toBe(model.state);
    expect(found?.refunded ?? 0).toBe(model.refunded);
    expect(found?.transactionId !== undefined).toBe(model.path.some((change) => change.endsWith(" SUCCESS")));
  }
  expect(test.path(model.outTradeNo)).toEqual(model.path);
}

describe("the ledger", () => {
  it("moves every order by the documented table, and reports each change once, through 300 random lives", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        test.changes.length = 0;
        await live(steps);
      }),
      { numRuns: 300 },
    );
  });

  it("visits every state and every documented transition on the way", async () => {
    const seen = new Set<string>();
    test.ledger.subscribe((change) => {
      if (change.kind === "order") seen.add(`${change.from ?? "-"} ${change.order.tradeState}`);
    });
    const take = (...names: readonly Step["do"][]) =>
      live(names.map((name): Step => (name === "refund" ? { do: name, fen: 10 } : ({ do: name } as Step))));
    const ask: Step = { do: "code", outcome: "asks-password" };
    await take("order", "pay", "refund", "refund");
    await take("order", "close");
    await live([{ do: "code", outcome: "paid" }, { do: "reverse" }]);
    await live([ask, { do: "pay" }]);
    await live([ask, { do: "bank" }, { do: "reverse" }]);
    await live([ask, { do: "wait" }, { do: "reverse" }]);
    expect([...seen].toSorted()).toEqual(
      [
        ["-", "NOTPAY"],
        ["-", "SUCCESS"],
        ["-", "USERPAYING"],
        ["NOTPAY", "CLOSED"],
        ["NOTPAY", "REVOKED"],
        ["NOTPAY", "SUCCESS"],
        ["PAYERROR", "REVOKED"],
        ["SUCCESS", "REFUND"],
        ["SUCCESS", "REVOKED"],
        ["USERPAYING", "NOTPAY"],
        ["USERPAYING", "PAYERROR"],
        ["USERPAYING", "SUCCESS"],
      ].map((pair) => pair.join(" ")),
    );
  });
});
