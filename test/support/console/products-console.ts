/** The console of a Hearth of its own, in one language, with ada's phone and a merchant: for tests of payment products. */
import { join } from "node:path";
import { en } from "../../../renderer/i18n/en.ts";
import { zh } from "../../../renderer/i18n/zh.ts";
import { consoleToken, startTestApp, type TestApp } from "../app/test-app.ts";
import { createMerchantV3, type MerchantV3 } from "../payments/merchant-v3.ts";
import { notificationReceiver } from "../payments/notification-receiver.ts";
import type { createPartner } from "../payments/partner.ts";
import { allowTime } from "../payments/receivers/receiver-checks.ts";
import { openChromium, type Browser } from "./chromium.ts";
import { violationsOf } from "./console-page.ts";
import { expect } from "vitest";

const texts = { en, zh };
const locales = { en: "en-GB", zh: "zh-CN" } as const;

/** Its members can be used once it is open. */
export function productsConsole(language: keyof typeof locales) {
  let app: TestApp;
  let browser: Browser;
  let merchant: MerchantV3;
  let receiver: Awaited<ReturnType<typeof notificationReceiver>>;
  /** Of ada, whose phone it is. */
  let openid: string;

  async function control(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const json = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const response = await fetch(`${app.provider.url}/sim${path}`, { method, ...json });
    return (await response.json()) as Record<string, unknown>;
  }

  const provider = { control } as unknown as Parameters<typeof createPartner>[0];
  async function open(): Promise<void> {
    app = await startTestApp({ consoleFolder: join(import.meta.dirname, "../../../dist/renderer") });
    browser = await openChromium({ locale: locales[language], viewport: { width: 1440, height: 900 } });
    await browser.page.goto(`${app.consoleUrl}/console/?token=${consoleToken}`);
    receiver = await notificationReceiver();
    await allowTime(app.provider.url);
    await control("PATCH", "/settings", { timeScale: 0 });
    merchant = await createMerchantV3(app.provider.url);
    openid = String((await control("PATCH", "/users/ada", {}))["openid"]);
  }

  async function close(): Promise<void> {
    await browser[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  }

  const { phone, payments, common } = texts[language];
  const { products } = payments;
  const page = () => browser.page;
  const goto = (path: string) => page().goto(`${app.consoleUrl}/console/${path}`);
  const button = (name: string) => page().getByRole("button", { name, exact: true });
  /** A row of the phone's wallet. */
  const inWallet = (section: string, description: string) =>
    page().getByRole("region", { name: section, exact: true }).getByRole("listitem").filter({ hasText: description });
  const openWallet = async () => {
    await goto("phone?user=ada");
    await button(phone.wallet.title).click();
  };
  const row = (product: keyof typeof products.name, text: string) =>
    page().getByRole("grid", { name: products.name[product] }).getByRole("row").filter({ hasText: text });
  const panel = (number: string) => page().getByRole("region", { name: number, exact: true });
  const expectAccessible = () => expect.poll(() => violationsOf(page()), { interval: 200 }).toEqual([]);
  /** An unpaid order of the phone's person. */
  const place = (number: string, changed: object = {}) =>
    merchant.place("jsapi", number, { description: number, payer: { openid }, ...changed });
  const payOnPhone = async (number: string) => {
    await openWallet();
    await inWallet(phone.wallet.toPay, number).getByRole("button", { name: phone.pay }).click();
    await inWallet(phone.wallet.paid, number).waitFor();
  };
  const transactionOf = async (number: string) => String((await merchant.query(number)).json.transaction_id);

  return {
    ...{ open, close, control, provider, phone, payments, common, products },
    ...{ page, goto, button, inWallet, openWallet, row, panel, expectAccessible, place, payOnPhone, transactionOf },
    get app() {
      return app;
    },
    get merchant() {
      return merchant;
    },
    get receiver() {
      return receiver;
    },
    get openid() {
      return openid;
    },
  };
}
