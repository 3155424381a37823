/** The pages on which a buyer pays in a browser, without one. */
import { networkInterfaces } from "node:os";
import decodeQR from "qr/decode.js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMerchantV2, type MerchantV2 } from "../../support/payments/merchant-v2.ts";
import { createMerchantV3 } from "../../support/payments/merchant-v3.ts";
import { orderDetails } from "../../support/payments/order-details.ts";
import { startTestProvider, type TestProvider } from "../../support/payments/test-provider.ts";

let provider: TestProvider;
let merchant: MerchantV2;
beforeAll(async () => {
  provider = await startTestProvider();
  merchant = createMerchantV2(provider);
});
afterAll(() => provider[Symbol.asyncDispose]());

const stateOf = async (number: string) => (await orderDetails(provider, number)).order.trade_state;
const get = (url: string, language = "en") =>
  fetch(url, { headers: { "Accept-Language": language }, redirect: "manual" });
/** What a browser does when a button of the page is pressed. */
const press = (url: string, outcome: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), headers, redirect: "manual" });
const placed = async (number: string, changed: Record<string, string> = {}) =>
  (await merchant.place(number, { trade_type: "MWEB", ...changed })).fields["mweb_url"] ?? "";

describe("the page of an order for a mobile browser", () => {
  it("shows merchant, goods and amount, runs nothing and loads nothing", async () => {
    const url = await placed("PAGE_SHOWS", { body: `<script>alert("tea")</script>`, total_fee: "12345" });
    const response = await get(url);
    const page = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const policy = response.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'/);
    expect(page).toContain("¥123.45");
    expect(page).toContain("1900000109");
    expect(page).toContain("&lt;script&gt;alert(&quot;tea&quot;)&lt;/script&gt;");
    expect(page).not.toMatch(/<script|<link|<img|style="/);
  });

  it.each([
    ["zh-CN,zh;q=0.9,en;q=0.8", "zh-CN", "等待支付"],
    ["en-GB,en;q=0.9,zh;q=0.8", "en", "Waiting for payment"],
    ["de", "en", "Waiting for payment"],
    ["fr,zh-TW;q=0.5,en;q=0.1", "zh-CN", "等待支付"],
  ])("speaks to %s in %s", async (accepted, lang, words) => {
    const page = await (await get(await placed("PAGE_SPEAKS"), accepted)).text();
    expect(page).toContain(`<html lang="${lang}">`);
    expect(page).toContain(words);
  });

  it("pays, and leads back to the merchant where that is named", async () => {
    const url = `${await placed("PAGE_PAYS")}&redirect_url=${encodeURIComponent("https://shop.example/done?a=1")}`;
    const policy = (await get(url)).headers.get("content-security-policy");
    expect(policy).toContain("form-action 'self' https://shop.example;");
    const response = await press(url, "pay");
    expect([response.status, response.headers.get("location")]).toEqual([303, "https://shop.example/done?a=1"]);
    expect(await stateOf("PAGE_PAYS")).toBe("SUCCESS");
    const after = await (await get(url)).text();
    expect(after).toContain("Paid");
    expect(after).not.toContain("<button");
    expect(after).toContain('href="https://shop.example/done?a=1"');
  });

  it.each([
    ["wrong_password", "Wrong password."],
    ["no_funds", "Insufficient funds."],
    ["cancel", "Payment cancelled."],
  ])("on %s says so, and lets the buyer try again", async (outcome, words) => {
    const url = await placed(`PAGE_${outcome}`);
    const response = await press(url, outcome);
    expect(response.status).toBe(303);
    const next = new URL(response.headers.get("location") ?? "", url).href;
    expect(await (await get(next)).text()).toContain(words);
    expect(await stateOf(`PAGE_${outcome}`)).toBe("NOTPAY");
    expect((await press(next, "pay")).status).toBe(303);
    expect(await stateOf(`PAGE_${outcome}`)).toBe("SUCCESS");
    const { attempts } = await orderDetails(provider, `PAGE_${outcome}`);
    expect(attempts.map(({ reason }) => reason)).toEqual([outcome]);
  });

  it("shows a slow payment until it is done", async () => {
    const url = await placed("PAGE_SLOW");
    await press(url, "slow");
    const page = await (await get(url)).text();
    expect(page).toContain("being processed");
    expect(page).toContain('<meta http-equiv="refresh" content="1">');
    expect(page).not.toContain("<button");
    provider.clock.offsetMs += 8_000;
    await expect.poll(() => stateOf("PAGE_SLOW")).toBe("SUCCESS");
    expect(await (await get(url)).text()).toContain("Paid");
  });

  it("answers 410 after five minutes, until the order is placed again, and 404 where there is no such order", async () => {
    const url = await placed("PAGE_LATE");
    provider.clock.offsetMs += 5 * 60_000;
    expect((await get(url)).status).toBe(410);
    expect((await press(url, "pay")).status).toBe(410);
    expect(await stateOf("PAGE_LATE")).toBe("NOTPAY");
    expect((await get(await placed("PAGE_LATE"))).status).toBe(200);
    expect((await get(`${provider.url}/pay/h5?prepay_id=wxnone`)).status).toBe(404);
    expect((await get(`${provider.url}/pay/h5`)).status).toBe(404);
  });

  it("serves version 3 as well, and says when an order is closed or its time is over", async () => {
    const v3 = await createMerchantV3(provider.url);
    const scene_info = { payer_client_ip: "127.0.0.1", h5_info: { type: "Wap" } };
    const h5Url = async (number: string) => (await v3.place("h5", number, { scene_info })).json.h5_url as string;
    const [closed, expired] = [await h5Url("PAGE_CLOSED"), await h5Url("PAGE_EXPIRED")];
    await v3.close("PAGE_CLOSED");
    await provider.control("POST", "/orders/PAGE_EXPIRED/expire");
    expect(await (await get(closed)).text()).toContain("The order is closed.");
    const page = await (await get(expired)).text();
    expect(page).toContain("The order expired.");
    expect(page).not.toContain("<button");
  });

  it("is at an address that a phone in the network reaches where the simulator is open to it", async () => {
    await using own = await startTestProvider({ host: "0.0.0.0" });
    const { fields } = await createMerchantV2(own).place("PAGE_NETWORK", { trade_type: "MWEB" });
    const outward = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal);
    expect(new URL(fields["mweb_url"] ?? "").hostname).toBe(outward?.address ?? "127.0.0.1");
    expect((await get(fields["mweb_url"] ?? "")).status).toBe(200);
  });

  it("takes no payment from a page of another origin, and no outcome that it does not show", async () => {
    const url = await placed("PAGE_FOREIGN");
    expect((await press(url, "pay", { Origin: "https://evil.example" })).status).toBe(403);
    expect((await press(url, "pay", { Origin: "null" })).status).toBe(403);
    expect((await press(url, "steal")).status).toBe(400);
    expect(await stateOf("PAGE_FOREIGN")).toBe("NOTPAY");
    expect((await press(url, "pay", { Origin: provider.url })).status).toBe(303);
  });

  it.each(["javascript:alert(1)", "//shop.example", "data:text/html,x"])(
    "answers 400 to %s as the address to lead back to",
    async (address) => {
      const response = await get(`${await placed("PAGE_BACK")}&redirect_url=${encodeURIComponent(address)}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ details: [{ field: "redirect_url" }] });
    },
  );
});

async function readQr(svg: string): Promise<string> {
  const picture = sharp(Buffer.from(svg), { density: 600 }).flatten({ background: "#fff" }).ensureAlpha().raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

describe("the page of a QR code", () => {
  it("shows the code that the merchant shows, and its buyer pays", async () => {
    const { fields } = await merchant.place("QR_PAGE", { trade_type: "NATIVE" });
    const { order } = await orderDetails(provider, "QR_PAGE");
    expect(order.code_url).toBe(fields["code_url"]);
    const url = order.pay_page ?? "";
    const page = await (await get(url)).text();
    expect(await readQr(/<svg.*<\/svg>/s.exec(page)?.[0] ?? "")).toBe(fields["code_url"]);
    const response = await press(url, "pay");
    expect([response.status, response.headers.get("location")]).toEqual([303, new URL(url).pathname]);
    expect(await stateOf("QR_PAGE")).toBe("SUCCESS");
  });

  it("answers 410 once the code is over, while the order is not, until it is placed again", async () => {
    const time_expire = (at: number) => new Date(at + 8 * 3_600_000).toISOString().replaceAll(/\D/g, "").slice(0, 14);
    const order = { trade_type: "NATIVE", time_expire: time_expire(provider.clock.now() + 24 * 3_600_000) };
    const pageOf = async () => (await orderDetails(provider, "QR_LATE")).order.pay_page ?? "";
    await merchant.place("QR_LATE", order);
    const url = await pageOf();
    provider.clock.offsetMs += 2 * 3_600_000;
    const answers = [await get(url), await get(`${url}/qr.svg`), await press(url, "pay")];
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(await stateOf("QR_LATE")).toBe("NOTPAY");
    await merchant.place("QR_LATE", order);
    expect((await press(await pageOf(), "pay")).status).toBe(303);
    expect(await stateOf("QR_LATE")).toBe("SUCCESS");
  });

  it("has the code as a picture of its own", async () => {
    const { fields } = await merchant.place("QR_PICTURE", { trade_type: "NATIVE" });
    const response = await get(`${(await orderDetails(provider, "QR_PICTURE")).order.pay_page ?? ""}/qr.svg`);
    expect(response.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expect(await readQr(await response.text())).toBe(fields["code_url"]);
  });

  it("answers 404 where there is no such order, and for the code of an order that has none", async () => {
    expect((await get(`${provider.url}/sim/pay/wxnone`)).status).toBe(404);
    const { fields } = await merchant.place("QR_NONE");
    expect((await get(`${provider.url}/sim/pay/${fields["prepay_id"] ?? ""}/qr.svg`)).status).toBe(404);
  });
});
