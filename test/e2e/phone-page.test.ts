/** The page of the phone: the reference client goes through the protocol, and the diagram shows what it says and hears. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose as chooseInMenu, intercept, violationsOf } from "../support/console/console-page.ts";
import { pngBytes } from "../support/files.ts";
import { openWindow, type HearthWindow } from "../support/console/window.ts";

let window: HearthWindow;
const phone = () => window.page.getByRole("region", { name: "Phone of ada" });
const inPhone = (name: string | RegExp) => phone().getByRole("button", { name, exact: true });
const sheet = (name: RegExp) => window.page.getByRole("dialog", { name });
const answer = (about: RegExp, word: string) => sheet(about).getByRole("button", { name: word, exact: true }).click();
const diagram = () => window.page.getByRole("region", { name: "Steps" });
const clear = () => window.page.getByRole("button", { name: "Clear the diagram" }).click();
const choose = (label: string) => window.page.getByText(label, { exact: true }).click();

/** The calls of the diagram by what was asked and what came of it. */
async function calls(): Promise<string[]> {
  const texts = await diagram().getByRole("button").allInnerTexts();
  return texts.map((text) =>
    text
      .replace(/\s+/g, " ")
      .replace(/ [\d.,]+ ?m?s\b/g, "")
      .trim(),
  );
}

beforeAll(async () => {
  window = await openWindow();
  await window.open("Phone");
});
afterAll(() => window[Symbol.asyncDispose]());

describe("the page of the phone", () => {
  it("shows what the app shows when the phone number is denied, and asks again when it is tried again", async () => {
    await inPhone("Open the app").click();
    await answer(/user info/, "Allow");
    await answer(/phone number/, "Deny");
    await phone().getByText("The server requires your phone number.").waitFor();
    await inPhone("Try again").click();
    await answer(/phone number/, "Allow");
    await phone().getByText("No articles yet. Write the first one.").waitFor();
  });

  it("scrolls the diagram to its end, where the success is", async () => {
    await expect.poll(calls).toContain("GET /api/articles?page_size=20 200");
    const sizes = () =>
      diagram().evaluate((element) => {
        const { scrollHeight, clientHeight, scrollTop } = element as unknown as Record<string, number>;
        return { scrolled: scrollTop, all: Number(scrollHeight) - Number(clientHeight) };
      });
    expect((await sizes()).all).toBeGreaterThan(100);
    const hidden = async () => (await sizes()).all - Number((await sizes()).scrolled);
    await expect.poll(hidden).toBeLessThanOrEqual(1);
  });

  it("draws the steps of each 401 in their order, with what the server asked of the provider", async () => {
    const list = "GET /api/articles?page_size=20";
    await expect
      .poll(calls)
      .toEqual([
        `${list} 401 next: login`,
        "login /sim/users/ada/login login:ok",
        "POST /api/sessions GET /sns/jscode2session 200 201",
        `${list} 401 next: getUserInfo`,
        "getUserInfo /sim/users/ada/user-info getUserInfo:ok",
        "POST /api/userinfos 201",
        `${list} 401 next: getPhoneNumber`,
        "getPhoneNumber /sim/users/ada/phone-number getPhoneNumber:fail user deny",
        `${list} 401 next: getPhoneNumber`,
        "getPhoneNumber /sim/users/ada/phone-number getPhoneNumber:ok",
        expect.stringMatching(/^POST \/api\/phonenumbers .*POST \/wxa\/business\/getuserphonenumber 200 201$/),
        `${list} 200`,
      ]);
    await window.page.getByRole("region", { name: "Status package" }).getByText("u1", { exact: true }).waitFor();
  });

  it("opens a step, shows no token, and leads to the recorded request", async () => {
    const { page } = window;
    await diagram()
      .getByRole("button", { name: /sessions/ })
      .click();
    await diagram().getByText('"{{access_token}}"').waitFor();
    const held = await page.evaluate<string>("localStorage.getItem('hearth.phone.ada')");
    const token = /access_token\\+":\\+"([\w-]+)/.exec(held)?.[1] ?? "no token";
    expect(await page.content()).not.toContain(token);
    await diagram().getByRole("link", { name: "Open in Requests" }).click();
    await page.getByRole("heading", { level: 2, name: "POST /api/sessions" }).waitFor();
    await page.goBack();
    await expect.poll(calls).toHaveLength(12);
  });

  it("reads the header in whichever way the platform spells it, with a token that the server does not know", async () => {
    const { page } = window;
    for (const spelling of ["Www-Authenticate", "WWW-AUTHENTICATE"]) {
      await clear();
      await page.getByRole("combobox", { name: "Spelling of header names" }).selectOption(spelling);
      await page.evaluate(
        'localStorage.setItem(\'hearth.phone.ada\', JSON.stringify({\'hearth.status\': \'{"access_token":"stale","uid":""}\'}))',
      );
      await inPhone("Load the articles again").click();
      await expect.poll(async () => (await calls())[3]).toBe("GET /api/articles?page_size=20 200");
      await diagram()
        .getByRole("button", { name: /login$|next: login/ })
        .first()
        .click();
      await diagram()
        .getByText(new RegExp(`^${spelling}: Bearer`))
        .waitFor();
    }
  });

  it("is not asked for the location again after a rejection, but is led to the settings", async () => {
    await inPhone("Me").click();
    await clear();
    await inPhone("Locate").click();
    await answer(/location/, "Deny");
    await phone()
      .getByText(/You denied access to your location/)
      .waitFor();
    await inPhone("Locate").click();
    await expect
      .poll(calls)
      .toEqual(Array<string>(2).fill("getLocation /sim/users/ada/location getLocation:fail auth deny"));
    expect(await diagram().getByText("The app asks for your location").count()).toBe(1);

    await phone().getByRole("alert").getByRole("button", { name: "Open the settings" }).click();
    const location = phone().getByRole("switch", { name: "Location" });
    await location.press("Space");
    await expect.poll(() => location.isChecked()).toBe(true);
    await inPhone("Back").click();
    await inPhone("Locate").click();
    await phone()
      .getByText(/^-?\d+\.\d{4}, -?\d+\.\d{4}$/)
      .waitFor();
  });

  it("uploads a picture as the platform does, and shows it", async () => {
    const picture = { name: "me.png", mimeType: "image/png", buffer: Buffer.from(pngBytes(8, 8)) };
    await phone().locator("input[type=file]").setInputFiles(picture);
    await expect.poll(() => window.page.evaluate("document.querySelector('img[alt=Picture]')?.naturalWidth")).toBe(8);
    await diagram()
      .getByRole("button", { name: /avatars.*302/ })
      .waitFor();
  });

  it("pays an order on the platform's sheet, and trusts only the server's answer", async () => {
    await inPhone("Shop").click();
    await inPhone("Buy").first().click();
    await sheet(/payment/).waitFor();
    for (const theme of ["Dark", "Light"]) {
      await chooseInMenu(window.page, /^Theme/, theme);
      await expect.poll(() => violationsOf(window.page), { message: theme }).toEqual([]);
    }
    await answer(/payment/, "Cancel");
    await phone().getByText("NOTPAY").waitFor();
    await inPhone("Pay").click();
    await answer(/payment/, "Pay");
    await phone().getByText("SUCCESS").waitFor();
    await diagram()
      .getByRole("button", { name: /requestPayment:fail cancel/ })
      .waitFor();
  });

  it("shows the parameters that were sent to requestPayment, and leads to the recorded request", async () => {
    const { page } = window;
    const step = diagram().getByRole("listitem").filter({ hasText: "requestPayment:ok" });
    await step.getByRole("button").click();
    for (const name of ["package", "nonceStr", "paySign"]) await step.getByText(`"${name}"`).waitFor();
    await step.getByRole("link", { name: "Open in Requests" }).click();
    await page.getByRole("heading", { level: 2, name: "POST /sim/users/ada/payments" }).waitFor();
    await page.goBack();
    await diagram().waitFor();
  });

  it("pays an order of an app, says how others are paid, and why the platform has refused a payment", async () => {
    for (const trade_type of ["APP", "NATIVE", "MWEB"])
      await window.page.evaluate(`{
        const { access_token } = JSON.parse(JSON.parse(localStorage.getItem("hearth.phone.ada"))["hearth.status"]);
        const headers = { authorization: "Bearer " + access_token, "content-type": "application/json" };
        const body = JSON.stringify({ description: "By ${trade_type}", amount: 101, trade_type: "${trade_type}" });
        fetch("${window.addresses.app}/api/orders", { method: "POST", headers, body }).then(({ status }) => {
          if (status !== 201) throw new Error("HTTP " + status);
        });
      }`);
    await inPhone("Buy").last().click();
    await answer(/payment/, "Wrong password");
    await phone().getByRole("alert").filter({ hasText: "The platform refused the payment: wrong password" }).waitFor();
    const order = (name: string) => phone().getByRole("listitem").filter({ hasText: name });
    for (const [name, told] of [
      ["By NATIVE", "Paid by scanning its QR code"],
      ["By MWEB", "Paid on its page in a browser"],
    ] as const) {
      await order(name).getByText(told).waitFor();
      expect(await order(name).getByRole("button").count()).toBe(0);
    }
    await order("By APP").getByRole("button", { name: "Pay", exact: true }).click();
    await answer(/payment/, "Pay");
    await order("By APP").getByText("SUCCESS").waitFor();
    expect(await phone().getByRole("alert").count()).toBe(0);
  });

  it("says that there is no network when the phone is offline, waits when it is slow, and goes on", async () => {
    await choose("Offline");
    await inPhone("Raffle").click();
    await phone().getByText("No network. Check the connection and try again.").waitFor();
    await diagram()
      .getByRole("button", { name: /ERR_INTERNET_DISCONNECTED/ })
      .waitFor();
    await choose("Slow");
    const seen = Promise.withResolvers<void>();
    const end = await intercept(window.page, /\/api\/raffles\?/, async (route) => {
      await seen.promise;
      await route.continue();
    });
    await inPhone("Try again").click();
    await phone().getByRole("status").filter({ hasText: "Loading" }).waitFor();
    expect((await calls()).at(-1)).toBe("GET /api/raffles?page_size=1 in progress…");
    end();
    seen.resolve();
    await expect.poll(async () => (await calls()).at(-1)).toBe("GET /api/raffles?page_size=1 200");
    await choose("Online");
    await inPhone("Start a raffle").click();
    await inPhone("Draw a winner").click();
    await phone().getByText("Prize 1").waitFor();
  });

  it("keeps whose phone it is and what is open in the address", async () => {
    const { page } = window;
    expect(new URL(page.url()).searchParams.get("screen")).toBe("raffle");
    await page.getByRole("combobox", { name: "Phone user" }).fill("grace");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Phone of grace" }).getByRole("button", { name: "Open the app" }).waitFor();
    expect(new URL(page.url()).searchParams.get("user")).toBe("grace");
  });
});
