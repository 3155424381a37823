/** The platform's side of the phone page: codes that are scanned, and messages that the app's server sent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testApp } from "../../server/provider/identity/test-app.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
let access_token: string;
const provider = (path: string, init?: RequestInit) => fetch(`${window.addresses.provider}${path}`, init);
const call = (path: string, body: unknown) =>
  provider(`${path}?${String(new URLSearchParams({ access_token }))}`, { method: "POST", body: JSON.stringify(body) });
const control = (method: string, path: string, body: unknown) =>
  provider(`/sim${path}`, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
const button = (name: string) => window.page.getByRole("button", { name, exact: true });
const launch = () => window.page.getByRole("region", { name: "Launch options" });

beforeAll(async () => {
  window = await openWindow();
  const { app_id: appid, app_secret: secret } = testApp;
  const query = new URLSearchParams({ appid, secret, grant_type: "client_credential" });
  const reply = await provider(`/cgi-bin/token?${String(query)}`);
  access_token = String(((await reply.json()) as { access_token: string }).access_token);
  await window.open("Phone");
});
afterAll(() => window[Symbol.asyncDispose]());

describe("the phone", () => {
  it("scans a code that the server got, and shows what the mini-program starts with", async () => {
    const code = await call("/wxa/getwxacodeunlimit", { scene: "table=7", page: "pages/menu", is_hyaline: true });
    await button("Scan a code").click();
    const choice = window.page.waitForEvent("filechooser");
    await button("Choose a picture of the code").click();
    const picture = { name: "code.png", mimeType: "image/png", buffer: Buffer.from(await code.arrayBuffer()) };
    await (await choice).setFiles(picture);
    const started = JSON.parse(await launch().locator("pre").innerText()) as unknown;
    expect(started).toEqual({
      path: "pages/menu",
      query: { scene: "table%3D7" },
      scene: 1047,
      env_version: "release",
    });
  });

  it("opens a pasted link, and says why one cannot be opened", async () => {
    const reply = await call("/wxa/generate_urllink", { path: "pages/item", query: "id=7" });
    const { url_link } = (await reply.json()) as { url_link: string };
    const field = window.page.getByLabel("Or paste a scheme, URL link or short link");
    await field.fill(url_link);
    await button("Open").click();
    await launch().getByText('"pages/item"').waitFor();
    await field.fill("https://example.com/");
    await button("Open").click();
    await window.page.getByRole("alert").filter({ hasText: "does not belong to this mini-program" }).waitFor();
    await button("Close").click();
  });

  it("lists the messages that its person got", async () => {
    await button("Messages").click();
    await window.page.getByText("No messages yet.").waitFor();
    await control("PUT", "/message-templates/paid", { title: "Order paid", content: "Tea: {{amount1.DATA}}" });
    await control("POST", "/users/ada/message-subscriptions", { tmplIds: ["paid"] });
    const person = (await (await provider("/sim/users/ada")).json()) as { openid: string };
    const data = { amount1: { value: "¥2.50" } };
    const sent = await call("/cgi-bin/message/subscribe/send", { touser: person.openid, template_id: "paid", data });
    expect(await sent.json()).toEqual({ errcode: 0, errmsg: "ok" });
    await window.page.getByRole("listitem").filter({ hasText: "Tea: ¥2.50" }).waitFor();
  });
});
