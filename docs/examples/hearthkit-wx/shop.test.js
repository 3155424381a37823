import { expect, vi } from "vitest";
import { test } from "hearthkit/vitest";
import { createWx } from "hearthkit/wx";

test.override({ hearthOptions: { model: false } });

const dot = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** Opens the program on a phone where it has never run. */
async function open(hearth, options) {
  const phone = await hearth.phone("ada", { login: false });
  const wx = createWx(phone, options);
  for (const [name, value] of Object.entries(wx.globals)) vi.stubGlobal(name, value);
  vi.resetModules();
  await import("./miniprogram/app.js");
  getApp().globalData.server = hearth.urls.app;
  await import("./miniprogram/pages/shop/shop.js");
  return { phone, wx, page: getCurrentPages().at(-1) };
}

/** Opens the program, and presses both buttons. */
async function openLoggedIn(hearth, options) {
  const { phone, wx, page } = await open(hearth, options);
  await vi.waitFor(() => expect(page.data.step).toBe("getUserInfo"));
  await page.onDetail(await phone.press("getUserInfo"));
  expect(page.data.step).toBe("getPhoneNumber");
  await page.onDetail(await phone.press("getPhoneNumber"));
  expect(page.data.step).toBe("");
  return { phone, wx, page };
}

test("a new person logs in by both buttons, uploads a photo and pays", async ({ hearth }) => {
  const { phone, wx, page } = await openLoggedIn(hearth);
  phone.prompts.pick({ name: "me.gif", content: Buffer.from(dot, "base64") });
  await page.onPhoto();
  expect(page.data.progress).toBe(100);
  expect(page.data.photo).toEqual(expect.anything());
  await page.onBuy();
  expect(wx.shown).toContainEqual({ api: "showToast", title: "Paid" });
  expect(page.data.orders).toMatchObject([{ description: "Tea", trade_state: "SUCCESS" }]);
});

test("a person who keeps the phone number is asked again", async ({ hearth }) => {
  const { phone, wx, page } = await open(hearth);
  await vi.waitFor(() => expect(page.data.step).toBe("getUserInfo"));
  await page.onDetail(await phone.press("getUserInfo"));
  phone.prompts.deny("phone");
  await page.onDetail(await phone.press("getPhoneNumber"));
  expect(wx.shown.at(-1)).toMatchObject({ api: "showToast", icon: "none" });
  expect(page.data.step).toBe("getPhoneNumber");
});

test("a person who cancels the payment has not paid", async ({ hearth }) => {
  const { phone, wx, page } = await openLoggedIn(hearth);
  phone.prompts.deny("payment");
  await page.onBuy();
  expect(wx.shown).toEqual([]);
  await page.load();
  expect(page.data.orders).toMatchObject([{ trade_state: "NOTPAY" }]);
});

test("a session that ends in the middle is renewed, whatever the spelling of the header", async ({ hearth }) => {
  const { wx, page } = await openLoggedIn(hearth, { header_names: "WWW-AUTHENTICATE" });
  const before = wx.getStorageSync("token");
  await hearth.clock.advance(24 * 3600 * 1000);
  await page.onBuy();
  expect(wx.shown).toContainEqual({ api: "showToast", title: "Paid" });
  expect(wx.getStorageSync("token")).not.toBe(before);
});
