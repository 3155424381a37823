/** How the simulator judges what receivers of notifications answer. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3, type MerchantV3 } from "../../support/payments/merchant-v3.ts";
import { acceptedV2, notificationReceiver } from "../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let v2: MerchantV2;
let v3: MerchantV3;
beforeAll(async () => {
  provider = await startTestProvider();
  v2 = createMerchantV2(provider);
  v3 = await createMerchantV3(provider.url);
});
afterAll(() => provider[Symbol.asyncDispose]());

type Answer = (response: ServerResponse) => void;
const xml = (code: string) => `<xml><return_code>${code}</return_code></xml>`;
const answering =
  (status: number, body = ""): Answer =>
  (response) =>
    response.writeHead(status).end(body);

describe("the verdict", () => {
  async function verdictOn(version: "v2" | "v3", outTradeNo: string, answer: Answer) {
    await using receiver = await notificationReceiver((_request, response) => answer(response));
    const notify_url = `${receiver.url}/paid`;
    await (version === "v2" ? v2.place(outTradeNo, { notify_url }) : v3.place("app", outTradeNo, { notify_url }));
    await v2.pay(outTradeNo);
    const [attempt] = await attemptsOf(provider, outTradeNo, 1);
    const { notifications } = await orderDetails(provider, outTradeNo);
    return { attempt, state: notifications[0]?.state };
  }
  const accepted = { verdict: "accepted", state: "accepted" };
  const again = (verdict: string) => ({ verdict, state: "pending" });

  it.each<[string, "v2" | "v3", Answer, { verdict: string; state: string }]>([
    ["200 with return_code SUCCESS in CDATA", "v2", answering(200, acceptedV2), accepted],
    ["200 with return_code SUCCESS without CDATA", "v2", answering(200, xml("SUCCESS")), accepted],
    ["200 with return_code FAIL", "v2", answering(200, xml("FAIL")), again("refused")],
    ["500", "v2", answering(500), again("refused")],
    ["the word success", "v2", answering(200, "success"), again("wrong_body")],
    ["JSON", "v2", answering(200, '{"return_code":"SUCCESS"}'), again("wrong_body")],
    ["nothing", "v2", answering(200), again("wrong_body")],
    ["another case of letters", "v2", answering(200, xml("success")), again("wrong_body")],
    ["SUCCESS behind a document type", "v2", answering(200, `<!DOCTYPE x>${acceptedV2}`), again("wrong_body")],
    ["201 with return_code SUCCESS", "v2", answering(201, acceptedV2), again("wrong_status")],
    ["204", "v2", answering(204), again("wrong_status")],
    ["more than 64 KiB", "v2", answering(200, " ".repeat(70_000) + acceptedV2), again("wrong_body")],
    ["200", "v3", answering(200), accepted],
    ["204", "v3", answering(204), accepted],
    ["200 whose body says FAIL", "v3", answering(200, '{"code":"FAIL"}'), accepted],
    ["201", "v3", answering(201), again("wrong_status")],
    ["202", "v3", answering(202), again("wrong_status")],
    ["a redirect", "v3", answering(302), again("wrong_status")],
    ["401", "v3", answering(401, '{"code":"FAIL"}'), again("refused")],
    ["503", "v3", answering(503), again("refused")],
    ["a connection that is cut", "v2", (response) => void response.destroy(), again("connection_failed")],
    [
      "a reply that is cut",
      "v3",
      (response) => void response.writeHead(200, { "Content-Length": 9 }).write("x", () => response.destroy()),
      again("connection_failed"),
    ],
  ])("on %s in %s", async (name, version, answer, expected) => {
    const outTradeNo = `V-${createHash("md5").update(`${name}${version}`).digest("hex").slice(0, 20)}`;
    const { attempt, state } = await verdictOn(version, outTradeNo, answer);
    expect({ verdict: attempt?.verdict, state }).toEqual(expected);
    expect(attempt?.reply?.body.length ?? 0).toBeLessThanOrEqual(65_536);
  });

  it("is slow when no whole answer comes in time", async () => {
    await using own = await startTestProvider();
    await own.control("PATCH", "/settings", { notification_timeout_ms: 50 });
    await using receiver = await notificationReceiver(
      (_request, response) => void response.writeHead(200).write("<xml>"),
    );
    const merchant = createMerchantV2(own);
    await merchant.place("V-SLOWLY", { notify_url: `${receiver.url}/paid` });
    await own.control("POST", "/orders/V-SLOWLY/pay");
    const [attempt] = await attemptsOf(own, "V-SLOWLY", 1);
    expect(attempt).toMatchObject({ verdict: "slow", trusted_result_code: false });
    expect(attempt?.reply).toBeUndefined();
  });

  it.each([
    ["a port on which nobody listens", "http://127.0.0.1:9/"],
    ["a name that nobody has", "http://receiver.invalid/"],
  ])("is connection_failed for %s, with the reason", async (_name, notify_url) => {
    const outTradeNo = `V-${createHash("md5").update(notify_url).digest("hex").slice(0, 20)}`;
    await v2.place(outTradeNo, { notify_url });
    await v2.pay(outTradeNo);
    const [attempt] = await attemptsOf(provider, outTradeNo, 1);
    expect(attempt).toMatchObject({ verdict: "connection_failed", reason: expect.stringMatching(/\w/) });
  });
});

describe("trusted_result_code", () => {
  it("marks a receiver that accepts a payment without asking for the order", async () => {
    await using receiver = await notificationReceiver();
    await v2.place("TRUSTING-V2", { notify_url: `${receiver.url}/paid` });
    await v2.query("TRUSTING-V2"); // it was not paid then
    provider.clock.offsetMs += 60_000; // the clock stands, and the query took a while nevertheless
    await v2.pay("TRUSTING-V2");
    expect(await attemptsOf(provider, "TRUSTING-V2", 1)).toMatchObject([{ trusted_result_code: true }]);
  });

  it("does not mark one that asks first, nor a copy of what it has settled by that", async () => {
    await using receiver = await notificationReceiver(
      (_request, response) => void asked().then(() => response.end(acceptedV2)),
    );
    let queries = 0;
    const asked = async () => (queries++ === 0 ? v2.query("ASKING-V2") : undefined);
    await v2.place("ASKING-V2", { notify_url: `${receiver.url}/paid` });
    await v2.pay("ASKING-V2");
    await attemptsOf(provider, "ASKING-V2", 1);
    const again = await provider.control("POST", "/orders/ASKING-V2/notify");
    expect(again).toMatchObject({ deliveries: [{ accepted: true, verdict: "accepted" }] });
    expect(await attemptsOf(provider, "ASKING-V2", 2)).toMatchObject([
      { attempt: 1, trusted_result_code: false },
      { attempt: 2, trusted_result_code: false },
    ]);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body);
  });

  it("marks who accepts a refund without asking for it, and not who asks by the query of refunds", async () => {
    await using receiver = await notificationReceiver(({ path }, response) => {
      const asked = path === "/asking" ? v2.call("/pay/refundquery", { out_trade_no: "REFUND-ASKING" }) : undefined;
      void Promise.resolve(asked).then(() => response.end(acceptedV2));
    });
    for (const name of ["asking", "trusting"]) {
      const outTradeNo = `REFUND-${name.toUpperCase()}`;
      await v2.place(outTradeNo);
      await v2.pay(outTradeNo);
      const { fields } = await v2.refund(outTradeNo, `R-${name}`, { notify_url: `${receiver.url}/${name}` });
      await provider.control("POST", `/refunds/${fields["refund_id"] ?? ""}/finish`);
      await receiver.at(`/${name}`);
      expect(await attemptsOf(provider, outTradeNo, 1)).toMatchObject([{ trusted_result_code: name === "trusting" }]);
    }
  });
});
