/** A program's storage, surface, sockets and frame. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { echoSocketServer } from "../../support/echo-socket.ts";
import { wxPhone } from "../../support/wx-phone.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe("wx storage", () => {
  it("gives copies of what was stored, dates as dates, and an empty text for what was not", async () => {
    const { wx } = await wxPhone(app);
    const cart = { items: [1] };
    wx.setStorageSync("cart", cart);
    cart.items.push(2);
    expect(wx.getStorageSync("cart")).toEqual({ items: [1] });
    const at = new Date(0);
    await wx.setStorage({ key: "at", data: at });
    expect((await wx.getStorage<Date>({ key: "at" })).data).toEqual(at);
    expect(wx.getStorageSync("none")).toBe("");
    expect(wx.getStorageInfoSync()).toEqual({ keys: ["cart", "at"], currentSize: 1, limitSize: 10_240 });
    wx.removeStorageSync("cart");
    wx.clearStorageSync();
    expect(wx.getStorageInfoSync().keys).toEqual([]);
  });

  it("is another one for each program", async () => {
    const [one, two] = [await wxPhone(app), await wxPhone(app)];
    one.wx.setStorageSync("a", 1);
    expect(two.wx.getStorageSync("a")).toBe("");
  });
});

describe("what a program shows", () => {
  it("is recorded with its options, without callbacks", async () => {
    const { wx } = await wxPhone(app);
    wx.showLoading({ title: "Paying", complete: () => undefined });
    await wx.hideLoading();
    await wx.navigateTo({ url: "/pages/order/order?id=1" });
    expect(wx.shown).toEqual([
      { api: "showLoading", title: "Paying" },
      { api: "hideLoading" },
      { api: "navigateTo", url: "/pages/order/order?id=1" },
    ]);
  });
});

describe("the session", () => {
  it("ends by Hearth's clock and by a rotation of its key, and begins anew with a login", async () => {
    const { wx, phone } = await wxPhone(app);
    await wx.login();
    await app.sim(phone.name, "session-key-rotations");
    await expect(wx.checkSession()).rejects.toMatchObject({ errMsg: "checkSession:fail session expired" });
    await wx.login();
    expect(await wx.checkSession()).toEqual({ errMsg: "checkSession:ok" });
    app.clock.offsetMs += 4 * 24 * 3600 * 1000;
    await expect(wx.checkSession()).rejects.toMatchObject({ errMsg: "checkSession:fail session expired" });
  });
});

describe("the permissions", () => {
  it("are kept by the platform: a refused location stays refused until the settings are opened", async () => {
    const { wx, phone } = await wxPhone(app);
    phone.prompts.deny("location");
    await expect(wx.getLocation()).rejects.toMatchObject({ errMsg: "getLocation:fail auth deny" });
    phone.prompts.allow("location");
    await expect(wx.authorize({ scope: "scope.userLocation" })).rejects.toMatchObject({
      errMsg: "authorize:fail auth deny",
    });
    expect((await wx.getSetting()).authSetting).toEqual({ "scope.userLocation": false });
    expect((await phone.press("openSetting")).detail["authSetting"]).toEqual({ "scope.userLocation": true });
    expect(await wx.getLocation()).toMatchObject({ errMsg: "getLocation:ok" });
  });

  it("of the device are asked for once", async () => {
    const { wx, phone } = await wxPhone(app);
    await wx.authorize({ scope: "scope.record" });
    phone.prompts.deny("scope.record");
    await wx.authorize({ scope: "scope.record" });
    expect((await wx.openSetting()).authSetting).toEqual({ "scope.record": false });
    await expect(wx.authorize({ scope: "scope.record" })).rejects.toThrow("authorize:fail auth deny");
  });
});

describe("wx.connectSocket", () => {
  it("sends, receives and closes, with the program's headers", async () => {
    await using server = await echoSocketServer("x-token");
    const { wx } = await wxPhone(app);
    const task = wx.connectSocket({ url: server.url, header: { "x-token": "t1" } });
    const got: unknown[] = [];
    const closed = new Promise((resolve) => task.onClose(resolve));
    task.onMessage(({ data }) => {
      got.push(typeof data === "string" ? data : [...new Uint8Array(data)]);
      if (got.length === 1) task.send({ data: new Uint8Array([1, 2]).buffer });
      else task.close({ code: 1000, reason: "done" });
    });
    await new Promise<void>((resolve) => task.onOpen(() => resolve()));
    expect(await closed).toEqual({ code: 1000, reason: "done" });
    expect(got).toEqual(["t1", [1, 2]]);
    expect(task.readyState).toBe(3);
  });
});

describe("the frame of a program", () => {
  it("calls the life of App and Page, and sets data by name and path", async () => {
    const { wx } = await wxPhone(app, { launch: { path: "pages/shop/shop", query: { id: "7" }, scene: 1047 } });
    const { App, Page, getApp, getCurrentPages } = wx.globals;
    App({
      globalData: { at: 0 },
      onLaunch(this: { globalData: { at: number } }, { scene }: { scene: number }) {
        this.globalData.at = scene;
      },
    });
    expect(getApp()["globalData"]).toEqual({ at: 1047 });
    Page({
      data: { items: [{ title: "Tea" }] },
      onLoad(this: { setData(change: object): void }, { id }: { id: string }) {
        this.setData({ id, "items[0].title": "Cup", "deep.new": 1 });
      },
    });
    const [page] = getCurrentPages();
    expect(page?.route).toBe("pages/shop/shop");
    expect(page?.data).toEqual({ id: "7", items: [{ title: "Cup" }], deep: { new: 1 } });
  });

  it("describes itself, the device and what it can", async () => {
    const { wx } = await wxPhone(app, { app_id: "wx1", system_info: { platform: "android" } });
    expect(wx.getAccountInfoSync().miniProgram.appId).toBe("wx1");
    expect(wx.getSystemInfoSync()).toMatchObject({ platform: "android", brand: "devtools" });
    expect([wx.canIUse("showToast"), wx.canIUse("login.success"), wx.canIUse("none")]).toEqual([true, true, false]);
    expect(wx.arrayBufferToBase64(wx.base64ToArrayBuffer("aGVhcnRo"))).toBe("aGVhcnRo");
    await new Promise<void>((resolve) => wx.nextTick(resolve));
  });
});

describe("many phones in one process", () => {
  it("log in, store and request beside each other: 500 at once", async () => {
    const count = 500;
    const phones = await Promise.all(Array.from({ length: count }, () => wxPhone(app)));
    const codes = await Promise.all(
      phones.map(async ({ wx, phone }) => {
        const { code } = await wx.login();
        wx.setStorageSync("name", phone.name);
        const { statusCode } = await new Promise<{ statusCode: number }>((success, fail) => {
          wx.request({ url: `${app.url}/api/sessions`, method: "POST", data: { code }, success, fail });
        });
        expect([statusCode, wx.getStorageSync("name")]).toEqual([201, phone.name]);
        return code;
      }),
    );
    expect(new Set(codes).size).toBe(count);
  });
});
