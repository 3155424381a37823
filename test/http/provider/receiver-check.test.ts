/** The check-up of receivers: a correct backend passes, and one with a mistake is told exactly that mistake. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { ReceiverCheckRow } from "../../../server/contract/provider/checks/receiver-check-rows.ts";
import { receiverRows } from "../../../server/contract/provider/checks/receiver-rows.ts";
import type { PayVersion } from "../../../server/contract/provider/payment-terms.ts";
import { startCartBackend } from "./cart-backend.ts";
import {
  allowTime,
  checkReceiver,
  failed,
  quickRows,
  rowsOf,
} from "../../support/payments/receivers/receiver-checks.ts";
import { startShopBackend, type Mistake } from "../../support/payments/shop-backend.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider();
  await allowTime(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

const refundRows = (Object.keys(receiverRows) as ReceiverCheckRow[]).filter((row) => row.startsWith("refund-"));
/** What nobody can judge without more than the order's and the status address. */
const needMore: readonly ReceiverCheckRow[] = [...refundRows, "lost"];
/** Only for a merchant whose platform key is being switched. */
const switchingRows: readonly ReceiverCheckRow[] = ["key-certificate", "key-public"];
const only = (version: PayVersion): ReceiverCheckRow[] =>
  quickRows.filter(
    (row) =>
      ![...needMore, ...switchingRows].includes(row) &&
      !(version === "v2" && /^forged-(probe|serial|past|future|tag|aad)$/.test(row)) &&
      !(version === "v3" && (row === "malformed-twice" || row === "sign-type")),
  );

/** The rows that fail, each with its failings, of a backend with one mistake. */
async function failingsOf(version: PayVersion, mistake: Mistake) {
  await using shop = await startShopBackend(provider, version, mistake);
  const check = await checkReceiver(provider, { ...shop.described, only: only(version) });
  expect([check.state, check.problem, rowsOf(check, "not_judged")]).toEqual(["done", undefined, []]);
  expect(check.results.map(({ row }) => row)).toEqual(only(version));
  return failed(check);
}

const amounts = ["amount-more", "amount-less", "amount-query", "amount-both", "amount-currency"];
const endStates = ["state-payerror", "state-closed", "state-revoked", "state-refund"];

describe("the check-up of a receiver", () => {
  it.each(["v2", "v3"] as const)(
    "passes a correct backend of version %s in every row that can be judged",
    async (version) => {
      await using shop = await startShopBackend(provider, version);
      const check = await checkReceiver(provider, shop.described);
      const notJudged = version === "v2" ? needMore : [...switchingRows, ...needMore];
      expect([check.state, failed(check), rowsOf(check, "not_judged")]).toEqual(["done", {}, notJudged]);
      expect(rowsOf(check, "pass")).toHaveLength(version === "v2" ? 38 : 42);
      expect(check.results.find(({ row }) => row === "genuine")).toMatchObject({
        version,
        queries: 1,
        deliveries: [{ verdict: "accepted", status: version === "v2" ? 200 : 204 }],
      });
      expect([...shop.orders.values()].every(({ settled }) => settled <= 1)).toBe(true);
    },
  );

  it.each(["v2", "v3"] as const)(
    "detects a backend of version %s that trusts result_code in each row that needs a query",
    async (version) => {
      const failings = await failingsOf(version, "trusts-result-code");
      expect(Object.keys(failings)).toEqual([
        "query-first",
        "forged-unpaid",
        "retry",
        "amount-query",
        "foreign-payment",
        "result-code-fail",
        "state-userpaying",
        ...endStates,
        "query-forged",
      ]);
      expect(failings["query-first"]).toEqual(["It accepted without querying the order."]);
      expect(failings["forged-unpaid"]).toContain("It settled the order, although it is not paid.");
      expect(failings["state-closed"]).toContain("It settled the order, although query order returned CLOSED.");
    },
  );

  it("detects a backend of version 2 that ignores signatures in the rows of forged ones", async () => {
    const failings = await failingsOf("v2", "ignores-signatures");
    // Of a changed field it finds the amount wrong.
    expect(Object.keys(failings)).toEqual(["forged-wrong-key", "forged-missing", "forged-other-type"]);
    expect(failings["forged-missing"]).toEqual(["It accepted one without a signature."]);
  });

  it("detects a backend of version 3 that ignores signatures, serials and timestamps in the rows of forged ones", async () => {
    expect(Object.keys(await failingsOf("v3", "ignores-signatures"))).toEqual([
      "forged-wrong-key",
      "forged-changed-field",
      "forged-missing",
      "forged-other-type",
      "forged-probe",
      "forged-serial",
      "forged-past",
      "forged-future",
    ]);
  });

  it("counts the settlements of a backend that settles every copy", async () => {
    expect(await failingsOf("v2", "settles-twice")).toEqual({
      "duplicate-serial": ["It settled the order 5 times."],
      "duplicate-concurrent": ["It settled the order 6 times."],
      "sign-type": ["It settled the order 2 times."],
    });
  });

  it.each(["v2", "v3"] as const)(
    "detects a backend of version %s that ignores amounts in their rows",
    async (version) => {
      const failings = await failingsOf(version, "ignores-amounts");
      expect(Object.keys(failings)).toEqual(amounts);
      expect(failings["amount-less"]).toEqual([
        "It accepted a notification of 1 fen less.",
        "It settled the order, although the amount was wrong.",
      ]);
    },
  );

  it.each([
    ["v2", "answers-201", "its status is undefined"],
    ["v3", "answers-201", "its status is undefined"],
    ["v2", "answers-text", "its body does not mean success"],
  ] as const)(
    "tells a backend of version %s that %s that it is told again, and nothing else",
    async (version, mistake, why) => {
      expect(await failingsOf(version, mistake)).toEqual({ "answer-form": [expect.stringContaining(why)] });
    },
  );

  it("passes a version 3 backend of another shape: its own routes, one address for all notifications, orders found by payment", async () => {
    await using backend = await startCartBackend(provider.url);
    const check = await checkReceiver(provider, {
      notify_url: `${backend.url}/hooks/wechat`,
      refund_notify_url: `${backend.url}/hooks/wechat`,
      orders: {
        from: "backend",
        method: "PUT",
        url: `${backend.url}/shop/checkout?visit={unique}`,
        out_trade_no_at: "cart.ref",
      },
      status: {
        url: `${backend.url}/shop/carts?ref={reply.cart.ref}`,
        settled_when: "carts[0].payment",
        settlements_at: "carts[0].bookings[why=paid].length",
      },
      only: [...only("v3"), ...refundRows],
    });
    expect([check.state, check.problem, failed(check), rowsOf(check, "not_judged")]).toEqual([
      "done",
      undefined,
      {},
      [],
    ]);
    expect(backend.carts.every(({ bookings }) => bookings.length <= 1)).toBe(true);
  });

  it("tells a backend that answers before it has verified in these words", async () => {
    await using shop = await startShopBackend(provider, "v3", "answers-first");
    const only = ["genuine", "forged-missing", "forged-unpaid"] as const;
    const check = await checkReceiver(provider, { ...shop.described, only: [...only], settled_within_ms: 5_000 });
    const words = "It replies before it verifies: it accepted and settled nothing.";
    expect(rowsOf(check, "pass")).toEqual(["genuine"]);
    expect(failed(check)).toEqual({
      "forged-missing": ["It accepted one without a signature.", words],
      "forged-unpaid": ["It accepted a SUCCESS for an unpaid order.", words],
    });
  });

  it("detects a backend that does not verify the replies of query order", async () => {
    expect(Object.keys(await failingsOf("v2", "trusts-query-replies"))).toEqual(["query-forged"]);
  });

  it("detects a backend that breaks off at a document type", async () => {
    expect(await failingsOf("v2", "dies-of-doctypes")).toEqual({
      "malformed-doctype": ["Reply to XML with a document type: no answer."],
    });
  });

  describe.each(["v2", "v3"] as const)("in the rows of refunds of version %s", (version) => {
    async function failingRefundRows(...mistakes: Mistake[]) {
      await using shop = await startShopBackend(provider, version, ...mistakes);
      const described = { ...shop.described, refund_notify_url: shop.refundUrl, only: refundRows };
      const check = await checkReceiver(provider, described);
      expect([check.state, rowsOf(check, "not_judged")]).toEqual(["done", []]);
      return Object.keys(failed(check));
    }

    it("passes a correct backend", async () => {
      expect(await failingRefundRows()).toEqual([]);
    });

    it("detects a backend that believes everything, and one that never asks query refund", async () => {
      const told = refundRows.filter((row) => row !== "refund-first");
      expect(await failingRefundRows("believes-refunds")).toEqual(told);
      expect(await failingRefundRows("does-not-query-refunds")).toEqual(["refund-query-first"]);
    });
  });

  describe("while the platform's key is switched", () => {
    async function failingRows(...mistakes: Mistake[]) {
      await provider.control("PUT", "/platform-key", { mode: "switching", public_key_share: 20 });
      onTestFinished(async () => void (await provider.control("PUT", "/platform-key", { mode: "certificate" })));
      await using shop = await startShopBackend(provider, "v3", ...mistakes);
      const check = await checkReceiver(provider, { ...shop.described, only: [...switchingRows] });
      expect([check.state, rowsOf(check, "not_judged")]).toEqual(["done", []]);
      return failed(check);
    }

    it("passes a backend that takes the key that Wechatpay-Serial names", async () => {
      expect(await failingRows()).toEqual({});
    });

    it("detects a backend that knows one of the two keys in the row of the other", async () => {
      expect(await failingRows("knows-no-public-key")).toEqual({
        "key-public": [
          expect.stringContaining("Reply to a notification that the public key signed:"),
          "The order is paid, but the receiver did not settle it.",
        ],
      });
      expect(Object.keys(await failingRows("knows-no-certificate"))).toContain("key-certificate");
    });
  });
});
