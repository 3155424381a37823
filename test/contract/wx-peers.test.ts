/** `wx` beside two packages that we did not write: the platform's published types, and its component simulator. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thirdParty } from "../support/third-party.ts";
import { typeErrors } from "../support/type-errors.ts";
import { wxPhone } from "../support/wx-phone.ts";

const clients = createRequire(join(import.meta.dirname, "../clients/package.json"));
const own = (file: string) => join(import.meta.dirname, "../..", file);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Simulated {
  readonly document: { readonly body: unknown };
  readonly [name: string]: unknown;
}

/** Calls whose types are those of miniprogram-api-typings, too. */
const typedAlike = [
  ...["login", "checkSession", "getUserInfo", "getUserProfile", "getSetting", "openSetting", "authorize"],
  ...["getLocation", "requestPayment", "request", "getNetworkType", "getStorage", "setStorage", "removeStorage"],
  ...["clearStorage", "getStorageInfo", "getStorageSync", "setStorageSync", "removeStorageSync", "clearStorageSync"],
  ...[
    "getStorageInfoSync",
    "env",
    "chooseMedia",
    "chooseImage",
    "showToast",
    "hideToast",
    "showLoading",
    "hideLoading",
  ],
  ...["showModal", "showActionSheet", "setNavigationBarTitle", "stopPullDownRefresh", "redirectTo", "reLaunch"],
  ...["switchTab", "navigateBack", "getSystemInfo", "getSystemInfoAsync", "getSystemInfoSync", "getAccountInfoSync"],
  ...["getLaunchOptionsSync", "getEnterOptionsSync", "canIUse", "nextTick", "base64ToArrayBuffer"],
  "arrayBufferToBase64",
];

it("miniprogram-api-typings: the calls have the types that the platform publishes", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "alike.ts");
  const theirs = (name: string) => `Pick<WechatMiniprogram.Wx, "${name}">`;
  writeFileSync(
    file,
    `/// <reference path="${join(clients.resolve("miniprogram-api-typings/package.json"), "../index.d.ts")}" />
     import type { Wx } from "${own("dist/kit/wx/wx.js")}";
     declare const ours: Wx;
     ${typedAlike.map((name, at) => `export const call${String(at)}: ${theirs(name)} = ours;`).join("\n")}
     // @ts-expect-error the check can fail: the platform measures uploads
     export const wrong: ${theirs("uploadFile")} = ours;\n`,
  );
  // The published types declare parts of the DOM themselves.
  expect(typeErrors(file, ["lib.es2022.d.ts"])).toEqual([]);
});

it("miniprogram-simulate: a component's own code logs in by wx, which takes the place of its mock", async () => {
  using folder = temporaryFolder();
  const { JSDOM } = (await thirdParty("jsdom")) as {
    JSDOM: new (html: string, options: object) => { window: Simulated };
  };
  const { window } = new JSDOM("<body></body>", { url: "https://page.example" });
  const globals = ["document", "navigator", "Event", "CustomEvent", "HTMLElement", "Element", "Node"] as const;
  vi.stubGlobal("window", window);
  for (const name of globals) vi.stubGlobal(name, window[name]);
  const { wx } = await wxPhone(app);
  vi.stubGlobal("wx", wx);
  const { default: simulate } = await thirdParty("miniprogram-simulate");
  const path = join(folder.path, "index");
  writeFileSync(`${path}.json`, '{ "component": true }');
  writeFileSync(`${path}.wxml`, "<view>{{state}}</view>");
  writeFileSync(
    `${path}.js`,
    `Component({
       data: { state: "out" },
       methods: { async onTap() { this.setData({ state: (await wx.login()).errMsg }); } },
     });\n`,
  );
  const component = simulate.render(simulate.load(path, { compiler: "simulate", rootPath: folder.path }));
  component.attach(window.document.body);
  expect(component.dom.innerHTML).toContain(">out<");
  await component.instance.onTap();
  expect(component.dom.innerHTML).toContain(">login:ok<");
  vi.unstubAllGlobals();
});
