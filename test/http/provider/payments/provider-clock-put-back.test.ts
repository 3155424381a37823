/** What happened at a time that lies in the future since the clock was put back: it makes nobody wait. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMerchantV2, outcomeOf, type MerchantV2 } from "../../../support/payments/merchant-v2.ts";
import { notificationReceiver } from "../../../support/payments/notification-receiver.ts";
import { attemptsOf, orderDetails } from "../../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());
beforeEach(() => void (provider.clock.offsetMs = 24 * 3_600_000));

const putBack = () => void (provider.clock.offsetMs = 0);

it.each([
  ["without limits", {}],
  ["with limits", { closeMinAgeSeconds: 300, reverse_min_age_seconds: 15, refund_interval_seconds: 60 }],
])("orders are closed, reversed and refunded %s", async (name, limits) => {
  const number = (what: string) => `${what}_${name.replace(" ", "_").toUpperCase()}`;
  await merchant.place(number("CLOSED"));
  await merchant.micropay(number("REVERSED"));
  await merchant.paid(number("REFUNDED"));
  expect(outcomeOf(await merchant.refund(number("REFUNDED"), number("FIRST")))).toBe("SUCCESS");
  putBack();
  await provider.control("PATCH", "/settings", limits);
  expect(outcomeOf(await merchant.close(number("CLOSED")))).toBe("SUCCESS");
  expect(outcomeOf(await merchant.reverse(number("REVERSED")))).toBe("SUCCESS");
  expect(outcomeOf(await merchant.refund(number("REFUNDED"), number("SECOND")))).toBe("SUCCESS");
});

it("a credential says that it is valid for two hours at most, and is renewed by force", async () => {
  const stable = (force_refresh: boolean) =>
    provider.postJson("/cgi-bin/stable_token", {}, { ...provider.app, grant_type: "client_credential", force_refresh });
  await stable(false);
  await stable(true);
  putBack();
  const before = await stable(false);
  expect(before["expires_in"]).toBe(7200);
  expect((await stable(true))["access_token"]).not.toBe(before["access_token"]);
});

it("codes, credentials and session keys that were made before are over", async () => {
  const login = await provider.login("anna");
  const { auth_code } = await provider.control("POST", "/users/anna/payment-codes", {});
  const access_token = await provider.accessToken();
  const { session_key, openid } = await provider.session("anna");
  putBack();
  expect(await provider.exchange(login)).toMatchObject({ errcode: 40029 });
  expect(outcomeOf(await merchant.micropay("OLD_CODE", { auth_code: String(auth_code) }))).toBe("AUTHCODEEXPIRE");
  expect(await provider.call("/wxa/checksession", { access_token, openid })).toMatchObject({ errcode: 42001 });
  expect((await provider.session("anna")).session_key).not.toBe(session_key);
});

it.each(["put back while it runs", "put back before a start"])(
  "a notification that nobody accepts is sent again soon with a clock %s",
  async (when) => {
    const number = when.replaceAll(" ", "_").toUpperCase();
    await using receiver = await notificationReceiver((_request, response) => response.writeHead(500).end());
    await merchant.paid(number, { notify_url: receiver.url });
    await attemptsOf(provider, number, 1);
    putBack();
    if (when === "put back before a start") await provider.restart();
    else provider.clock.offsetMs += 15_000;
    expect(await attemptsOf(provider, number, 2)).toHaveLength(2);
    provider.clock.offsetMs += 15_000;
    expect(await attemptsOf(provider, number, 3)).toHaveLength(3);
  },
);

it("a refund that is on its way ends in its time", async () => {
  await provider.control("PATCH", "/settings", { refund_seconds: 600 });
  await merchant.paid("ON_ITS_WAY");
  await merchant.refund("ON_ITS_WAY", "R-ON_ITS_WAY");
  putBack();
  await provider.restart();
  const statusOf = async () => (await orderDetails(provider, "ON_ITS_WAY")).refunds[0]?.status;
  expect(await statusOf()).toBe("PROCESSING");
  provider.clock.offsetMs += 600_000;
  await expect.poll(statusOf).toBe("SUCCESS");
});

it("nobody has longer to type a password", async () => {
  await merchant.micropay("PASSWORD", { total_fee: "100001" });
  const state = async () => (await merchant.query("PASSWORD")).fields["trade_state"];
  expect(await state()).toBe("USERPAYING");
  putBack();
  expect(await state()).not.toBe("USERPAYING");
});

describe.each(["put back while it runs", "put back before a start"])(
  "what a fault does later, with a clock %s",
  (when) => {
    afterEach(() => fetch(`${provider.url}/sim/faults`, { method: "DELETE" }));
    /** Time goes on after it as long as the fault says. */
    async function putBackAndWait(ms: number): Promise<void> {
      putBack();
      if (when === "put back before a start") await provider.restart();
      provider.clock.offsetMs += ms;
    }

    it("is to end a payment by code", async () => {
      const number = `CODE_${when.length}`;
      const params = { outcome: "SUCCESS", after_seconds: 20 };
      await provider.control("POST", "/faults", { kind: "user_paying", params });
      await merchant.micropay(number);
      await putBackAndWait(20_000);
      await expect.poll(async () => (await orderDetails(provider, number)).order.trade_state).toBe("SUCCESS");
    });

    it("is to forge a notification", async () => {
      await using receiver = await notificationReceiver();
      await provider.control("POST", "/faults", { kind: "forged_success", params: { after_ms: 10_000 } });
      await merchant.place(`FORGED_${when.length}`, { notify_url: `${receiver.url}/paid` });
      await putBackAndWait(10_000);
      expect((await receiver.at("/paid")).body).toContain("SUCCESS");
    });
  },
);
