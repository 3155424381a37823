/** A website sends what browsers send from any page without asking first: forms, plain text, pictures. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { createMerchantV2 } from "../../support/payments/merchant-v2.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
const authorized = { Authorization: `Bearer ${consoleToken}` };

describe("the simulated platform", () => {
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await startTestProvider();
  });
  afterAll(() => provider[Symbol.asyncDispose]());

  const statusOf = async (path: string, init: RequestInit) => (await fetch(`${provider.url}${path}`, init)).status;

  it("places no order for a page that signs with the public test key and sends plain text", async () => {
    const merchant = createMerchantV2(provider);
    const placed = await merchant.place("FOREIGN_PAGE", {}, { headers: { ...foreign, "Content-Type": "text/plain" } });
    expect(placed.status).toBe(403);
    expect(await (await fetch(`${provider.url}/sim/orders`)).text()).not.toContain("FOREIGN_PAGE");
    // A merchant's program sends the same without an Origin.
    expect((await merchant.place("OF_A_PROGRAM", {}, { headers: { "Content-Type": "text/plain" } })).status).toBe(200);
  });

  it.each([
    ["POST", "/pay/unifiedorder"],
    ["POST", "/v3/pay/transactions/jsapi"],
    ["POST", "/cgi-bin/stable_token"],
    ["POST", "/wxa/business/getuserphonenumber"],
    ["GET", "/cgi-bin/token?grant_type=client_credential"],
    ["GET", "/sns/jscode2session?js_code=x"],
    ["GET", "/wxa/resetusersessionkey"],
    ["POST", "/sandboxnew/pay/getsignkey"],
    ["POST", "/nothing/there"],
  ])("refuses %s %s for pages of other origins and sites", async (method, path) => {
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: "http://localhost:5173" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ] satisfies Record<string, string>[])
      expect(await statusOf(path, { method, headers }), JSON.stringify(headers)).toBe(403);
    expect(await statusOf(path, { method })).not.toBe(403);
  });

  it("leads buyers from a merchant's page to the payment page, which pays for itself alone", async () => {
    const { fields } = await createMerchantV2(provider).place("FROM_A_SHOP", { trade_type: "MWEB" });
    const page = fields["mweb_url"] ?? "";
    const link = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", Referer: "https://shop.example/" };
    expect((await fetch(page, { headers: link })).status).toBe(200);
    const press = (headers: Record<string, string>) =>
      fetch(page, { method: "POST", body: new URLSearchParams({ outcome: "pay" }), headers, redirect: "manual" });
    expect((await press(foreign)).status).toBe(403);
    expect((await press({ Origin: new URL(page).origin, "Sec-Fetch-Site": "same-origin" })).status).toBe(303);
  });
});

describe("the receivers of the application server", () => {
  let app: TestApp;
  let listed: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    listed = await startTestApp({ settings: { cors_origins: ["https://shop.example"] } });
  });
  afterAll(() => Promise.all([app[Symbol.asyncDispose](), listed[Symbol.asyncDispose]()]));

  const notify = (of: TestApp, headers: Record<string, string>) =>
    fetch(`${of.url}/api/inotify/`, {
      method: "POST",
      body: new URLSearchParams({ df: "/foreign.txt", ev: "create" }),
      headers,
    });

  it("take no file change from a page that cors_origins does not name", async () => {
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"])
      expect((await notify(app, { Origin: origin })).status, origin).toBe(403);
    expect((await notify(listed, { Origin: "http://localhost:5173" })).status).toBe(403);
    const events = await fetch(`${app.url}/console/api/events?type=file.changed`, { headers: authorized });
    expect(await events.text()).not.toContain("foreign.txt");
  });

  it("take one from watchers, from their own pages, and from pages that cors_origins names", async () => {
    expect((await notify(app, {})).status).toBe(202);
    expect((await notify(app, { Origin: app.url })).status).toBe(202);
    expect((await notify(app, { Origin: "http://localhost:5173" })).status).toBe(202);
    expect((await notify(listed, { Origin: "https://shop.example" })).status).toBe(202);
  });

  it.each(["notifications", "refund-notifications"])(
    "refuse payment %s from such a page in their own form",
    async (kind) => {
      const send = (headers: Record<string, string>) =>
        fetch(`${app.url}/api/payments/${kind}`, {
          method: "POST",
          body: "<xml></xml>",
          headers: { "Content-Type": "text/plain", ...headers },
        });
      const refused = await send(foreign);
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("other origins")]);
      expect((await send({})).status).not.toBe(403);
    },
  );
});
