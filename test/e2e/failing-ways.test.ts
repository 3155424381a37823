/** The main job failing in ten ways: on the page where a user would look, the cause is at most two clicks away. */
import { join } from "node:path";
import { sql } from "kysely";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "vitest";
import type { SimFaultInput } from "../../server/contract/provider/sim-faults.ts";
import { callConsole } from "../support/app/control-calls.ts";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { openChromium, type Browser } from "../support/console/chromium.ts";
import { openPage } from "../support/console/console-page.ts";
import { createScriptedEngine } from "../support/model/scripted-engine.ts";
import { startModelService } from "../support/model/model-service.ts";
import { createMerchantV2 } from "../support/payments/merchant-v2.ts";

let app: TestApp;
let model: Awaited<ReturnType<typeof startModelService>>;
let browser: Browser;
let page: Page;
let ada: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp({ consoleFolder: join(import.meta.dirname, "../../dist/renderer") });
  model = await startModelService(createScriptedEngine(), { rules: { echo: { rules: [{ text: "yes" }] } } });
  app.addresses.model = model.url;
  browser = await openChromium({ locale: "en-GB", viewport: { width: 1440, height: 900 } });
  page = browser.page;
  ada = await app.loggedIn("ada");
  await page.goto(`${app.consoleUrl}/console/?token=${consoleToken}`);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
beforeEach(async () => void (await page.goto(`${app.consoleUrl}/console/`)));
afterEach(async () => void (await sim("DELETE", "/faults")));

async function sim(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const json = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${app.provider.url}/sim${path}`, { method, ...json });
  const text = await response.text();
  return text === "" ? {} : (JSON.parse(text) as Record<string, string>);
}
const arm = (kind: SimFaultInput["kind"], params: object) => sim("POST", "/faults", { kind, params });
async function placeOrder(description: string): Promise<string> {
  const reply = await app.post(`${app.url}/api/orders`, { description, amount: 101, trade_type: "NATIVE" }, ada);
  return ((await reply.json()) as { data?: { out_trade_no: string } }).data?.out_trade_no ?? "";
}
async function payOrder(description: string): Promise<void> {
  await sim("POST", `/orders/${await placeOrder(description)}/pay`);
}

const card = (text: string): Locator => page.getByRole("button", { name: text });
const entry = (text: string | RegExp): Locator =>
  page.getByRole("list", { name: "History of the order" }).getByRole("listitem").filter({ hasText: text });
const row = (text: string | RegExp): Locator => page.getByRole("grid").getByRole("row").filter({ hasText: text });
/** The badge of a fault, which leads to it. */
const faultLink = 'a[href*="fault=sim-"]';
/** The inspector of a fault. */
const fault = (kind: SimFaultInput["kind"]) => page.getByRole("region", { name: kind, exact: true });

describe("When the main job fails, its cause is found", () => {
  it("in the order's history, when the buyer has not enough money", async () => {
    await openPage(page, "Payments");
    await sim("POST", `/orders/${await placeOrder("Too dear")}/fail`, { how: "no_funds" });
    await card("Too dear").getByText("Failed: not enough money").waitFor();
    await card("Too dear").click();
    await entry("Payment failed:no_funds").waitFor();
  });

  it("in the order's requests, when the platform is down", async () => {
    await arm("http_status", { status: 502, calls: ["unifiedorder"] });
    await openPage(page, "Payments");
    await placeOrder("Never placed");
    await card("Never placed").getByText("Order failed").waitFor();
    await card("Never placed").click();
    await entry(/Reply received:.*unifiedorder.*502/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Requests of this order" }).click();
    await page.locator(faultLink).first().waitFor();
  });

  it("at the fault that holds it back, when a notification is late", async () => {
    await openPage(page, "Payments");
    await arm("notification_delayed", { by_ms: 300_000 });
    await payOrder("Told late");
    await card("Told late").click();
    await entry(/Not sent yet: notification of.*payment.*to be sent/)
      .locator(faultLink)
      .click();
    await fault("notification_delayed").getByText("by_ms 300000").waitFor();
  });

  it("at the fault that forged it, when a notification is refused", async () => {
    await openPage(page, "Payments");
    await arm("notification_signature", { how: "wrong_key" });
    await payOrder("Forged");
    await card("Forged").click();
    const attempt = entry("bad_signature");
    await attempt.getByText("The signature is not from the platform.").waitFor();
    await attempt.locator(faultLink).click();
    await fault("notification_signature").getByText("how wrong_key").waitFor();
  });

  it("in both amounts, when an order is held because they differ", async () => {
    await openPage(page, "Payments");
    await arm("wrong_amount", { by: 1 });
    await payOrder("Wrong amount");
    await card("Wrong amount").getByText("Held: amount differs").waitFor();
    await card("Wrong amount").click();
    await entry(/amount_mismatch.*101.*102/)
      .first()
      .waitFor();
  });

  it("among the rejected files, when an upload is refused", async () => {
    const form = new FormData();
    form.set("[]", new Blob(["MZ"]), "setup.exe");
    form.set("type", "doc");
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: ada, body: form });
    await openPage(page, "Uploads");
    await page.getByText("Rejected", { exact: true }).click();
    await row("setup.exe")
      .filter({ hasText: /exe.*zip/ })
      .waitFor();

    await openPage(page, "Events");
    await row("setup.exe").first().click();
    await page.getByRole("link", { name: "Open the upload" }).click();
    await row("setup.exe").waitFor();
  });

  it("in the request that was refused, when a session has expired", async () => {
    const bob = await app.loggedIn("bob");
    const { users } = (await (await callConsole(app, "GET", "/users?q=bob")).json()) as {
      users: { newest_session: { id: number } }[];
    };
    const id = users[0]?.newest_session.id ?? 0;
    await callConsole(app, "PATCH", `/sessions/${String(id)}`, { expires_in: 0 });
    await fetch(`${app.url}/api/articles`, { headers: bob });
    await openPage(page, "Requests");
    await row(/401.*\/api\/articles/)
      .first()
      .click();
    await page
      .getByRole("status")
      .filter({ hasText: `Session ${String(id)} expired at` })
      .waitFor();
  });

  it("in the request that was refused, when the disk is full", async () => {
    const pages = (most: number) => sql`pragma max_page_count = ${sql.lit(most)}`.execute(app.db);
    await pages(1);
    await app.post(`${app.url}/api/articles`, { title: "Too much", body: "x".repeat(90_000) }, ada);
    await pages(1_000_000);
    await openPage(page, "Requests");
    await row(/503.*\/api\/articles/)
      .first()
      .click();
    await page
      .getByRole("alert")
      .filter({ hasText: /disk .* is full[.] Nothing was stored[.]/ })
      .waitFor();
  });

  it("on the page of models, when the chat's model is missing", async () => {
    const named = { source: "echo", destination: "mine" };
    await fetch(`${model.url}/api/copy`, { method: "POST", body: JSON.stringify(named) });
    await openPage(page, "Chat");
    await page.getByRole("combobox", { name: "Model" }).selectOption("mine:latest");
    await page.getByRole("textbox", { name: "Message" }).fill("Hello?");
    await fetch(`${model.url}/api/delete`, { method: "DELETE", body: JSON.stringify({ model: "mine" }) });
    await page.getByRole("button", { name: "Send" }).click();
    const problem = page.getByRole("alert").filter({ hasText: /model.*mine.*not found/ });
    await problem.getByRole("link", { name: "Open Models" }).click();
    await page.getByRole("heading", { level: 1, name: "Models" }).waitFor({ state: "attached" });
    await row("mine").waitFor({ state: "detached" });
  });

  it("at the platform's order, when the receiver is down", async () => {
    const credentials = await sim("GET", "/credentials");
    const merchant = createMerchantV2({
      url: app.provider.url,
      app: { appid: credentials["app_id"] },
      control: sim,
    } as Parameters<typeof createMerchantV2>[0]);
    await merchant.paid("UNHEARD", { notify_url: "http://127.0.0.1:9/paid" });
    await openPage(page, "Payments");
    await page.getByText("All on the platform").click();
    const card = page.locator("[data-order=UNHEARD]");
    await card.getByTitle("The receiver has not accepted the notification").waitFor();
    await card.click();
    const attempt = entry(/Notifies of.*connection_failed/);
    await attempt.getByText(/ECONNREFUSED/).waitFor();
  });
});

it("The row of an event that an injected fault hit has a badge that leads to the fault", async () => {
  await arm("http_status", { status: 502, calls: ["unifiedorder"] });
  await openPage(page, "Events");
  await placeOrder("Hit by a fault");
  await row("Hit by a fault").locator(faultLink).click();
  await fault("http_status").waitFor();
});
