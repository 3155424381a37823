/** The platform's texts: `errMsg` and `errno` of each call, as docs/reference/wx.md lists them. */
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Phone } from "../../server/kit/phone/phone.ts";
import type { PaymentOptions } from "../../server/kit/wx/api/account.ts";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { answeringServer, wxPhone } from "../support/wx-phone.ts";
import { expectTexts, type TextRow } from "../support/wx-texts.ts";

let app: TestApp;
let silent: Awaited<ReturnType<typeof answeringServer>>;
beforeAll(async () => {
  app = await startTestApp();
  silent = await answeringServer(() => undefined);
});
afterAll(async () => {
  await silent[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const paymentOptions = { timeStamp: "1", nonceStr: "n", package: "prepay_id=none", paySign: "s" };
async function placeOrder(phone: Phone): Promise<PaymentOptions> {
  const { body } = await phone.request<{ data: { pay: PaymentOptions } }>("POST", "/api/orders", {
    description: "Tea",
    amount: 199,
  });
  return body.data.pay;
}
/** A port on which nobody listens. */
const nowhere = "http://127.0.0.1:1/";
const domains = { request: ["https://shop.example", "https://api.weixin.qq.com"] };

const rows: readonly TextRow[] = [
  ["login", ({ wx }) => wx.login(), { errMsg: "login:ok", code: expect.any(String) }],
  [
    "checkSession after a login",
    async ({ wx }) => {
      await wx.login();
      return wx.checkSession();
    },
    { errMsg: "checkSession:ok" },
  ],
  ["checkSession before a login", ({ wx }) => wx.checkSession(), { errMsg: "checkSession:fail session expired" }],
  ["getUserInfo without consent", ({ wx }) => wx.getUserInfo(), { errMsg: "getUserInfo:fail auth deny" }],
  [
    "getUserInfo after the button's consent",
    async ({ wx, phone }) => {
      await phone.press("getUserInfo");
      return wx.getUserInfo();
    },
    { errMsg: "getUserInfo:ok", rawData: expect.any(String), encryptedData: expect.any(String) },
  ],
  [
    "the button getUserInfo",
    async ({ phone }) => (await phone.press("getUserInfo")).detail,
    { errMsg: "getUserInfo:ok" },
  ],
  [
    "the button getUserInfo, refused",
    async ({ phone }) => {
      phone.prompts.deny("userInfo");
      return (await phone.press("getUserInfo")).detail;
    },
    { errMsg: "getUserInfo:fail auth deny" },
  ],
  ["getUserProfile", ({ wx }) => wx.getUserProfile({ desc: "For your page" }), { errMsg: "getUserProfile:ok" }],
  [
    "getUserProfile, refused",
    ({ wx, phone }) => {
      phone.prompts.deny("userInfo");
      return wx.getUserProfile({ desc: "For your page" });
    },
    { errMsg: "getUserProfile:fail auth deny" },
  ],
  [
    "getUserProfile with a desc of 31 characters",
    ({ wx }) => wx.getUserProfile({ desc: "x".repeat(31) }),
    { errMsg: "getUserProfile:fail desc length does not meet the requirements" },
  ],
  [
    "the button getPhoneNumber",
    async ({ phone }) => (await phone.press("getPhoneNumber")).detail,
    { errMsg: "getPhoneNumber:ok", code: expect.any(String) },
  ],
  [
    "the button getPhoneNumber, refused after an earlier consent",
    async ({ phone }) => {
      await phone.press("getPhoneNumber");
      phone.prompts.deny("phone");
      return (await phone.press("getPhoneNumber")).detail;
    },
    { errMsg: "getPhoneNumber:fail user deny" },
  ],
  ["getSetting", ({ wx }) => wx.getSetting(), { errMsg: "getSetting:ok", authSetting: {} }],
  ["openSetting", ({ wx }) => wx.openSetting(), { errMsg: "openSetting:ok" }],
  ["authorize for the location", ({ wx }) => wx.authorize({ scope: "scope.userLocation" }), { errMsg: "authorize:ok" }],
  [
    "authorize for user info, which never prompts",
    ({ wx }) => wx.authorize({ scope: "scope.userInfo" }),
    { errMsg: "authorize:fail auth deny" },
  ],
  [
    "authorize for the camera, refused",
    ({ wx, phone }) => {
      phone.prompts.deny("scope.camera");
      return wx.authorize({ scope: "scope.camera" });
    },
    { errMsg: "authorize:fail auth deny" },
  ],
  ["getLocation", ({ wx }) => wx.getLocation(), { errMsg: "getLocation:ok", latitude: expect.any(Number) }],
  [
    "getLocation, refused",
    ({ wx, phone }) => {
      phone.prompts.deny("location");
      return wx.getLocation();
    },
    { errMsg: "getLocation:fail auth deny" },
  ],
  [
    "requestPayment",
    async ({ wx, phone }) => wx.requestPayment(await placeOrder(phone)),
    { errMsg: "requestPayment:ok" },
  ],
  [
    "requestPayment, cancelled",
    async ({ wx, phone }) => {
      phone.prompts.deny("payment");
      return wx.requestPayment(await placeOrder(phone));
    },
    { errMsg: "requestPayment:fail cancel" },
  ],
  [
    "requestPayment without a parameter",
    ({ wx }) => wx.requestPayment({ ...paymentOptions, paySign: undefined as never }),
    { errMsg: "requestPayment:fail parameter error: parameter.paySign should be String instead of Undefined;" },
  ],
  [
    "request",
    ({ wx, settled }) => settled(wx.request, { url: `${app.url}/healthz` }),
    { errMsg: "request:ok", statusCode: 200 },
  ],
  [
    "request that is refused with 401",
    ({ wx, settled }) => settled(wx.request, { url: `${app.url}/api/uploads` }),
    { errMsg: "request:ok", statusCode: 401 },
  ],
  [
    "request without an address",
    ({ wx, settled }) => settled(wx.request, {}),
    { errMsg: "request:fail parameter error: parameter.url should be String instead of Undefined;", errno: 1001 },
  ],
  [
    "request to no address",
    ({ wx, settled }) => settled(wx.request, { url: "shop" }),
    { errMsg: 'request:fail invalid url "shop"', errno: 600009 },
  ],
  [
    "request, aborted",
    ({ wx }) =>
      new Promise((fail) => {
        wx.request({ url: silent.url, fail }).abort();
      }),
    { errMsg: "request:fail abort" },
  ],
  [
    "request that takes too long",
    ({ wx, settled }) => settled(wx.request, { url: silent.url, timeout: 20 }),
    { errMsg: "request:fail timeout", errno: 5 },
  ],
  [
    "request to a port without a server",
    ({ wx, settled }) => settled(wx.request, { url: nowhere }),
    {
      errMsg: "request:fail errcode:-102 cronet_error_code:-102 error_msg:net::ERR_CONNECTION_REFUSED",
      errno: 600001,
    },
  ],
  ...["http://shop.example", "https://shop.example:8443", "https://127.0.0.1", "https://api.weixin.qq.com"].map(
    (url): TextRow => [
      `request to ${url} with a domain list`,
      async ({ settled }) => settled((await wxPhone(app, { domains })).wx.request, { url }),
      { errMsg: "request:fail url not in domain list", errno: 600002 },
    ],
  ),
  [
    "uploadFile of a missing file",
    ({ wx, settled }) => settled(wx.uploadFile, { url: app.url, filePath: "wxfile://tmp_none.png", name: "file" }),
    { errMsg: "uploadFile:fail file not found" },
  ],
  [
    "downloadFile",
    ({ wx, settled }) => settled(wx.downloadFile, { url: `${app.url}/healthz` }),
    { errMsg: "downloadFile:ok", statusCode: 200, tempFilePath: expect.stringMatching(/^wxfile:/) },
  ],
  ["setStorage", ({ wx }) => wx.setStorage({ key: "a", data: 1 }), { errMsg: "setStorage:ok" }],
  [
    "getStorage",
    ({ wx }) => {
      wx.setStorageSync("a", [1]);
      return wx.getStorage({ key: "a" });
    },
    { errMsg: "getStorage:ok", data: [1] },
  ],
  ["getStorage of no data", ({ wx }) => wx.getStorage({ key: "b" }), { errMsg: "getStorage:fail data not found" }],
  ["removeStorage", ({ wx }) => wx.removeStorage({ key: "b" }), { errMsg: "removeStorage:ok" }],
  ["clearStorage", ({ wx }) => wx.clearStorage(), { errMsg: "clearStorage:ok" }],
  ["getStorageInfo", ({ wx }) => wx.getStorageInfo(), { errMsg: "getStorageInfo:ok", limitSize: 10_240 }],
  ["showToast", ({ wx }) => wx.showToast({ title: "Paid" }), { errMsg: "showToast:ok" }],
  [
    "showToast without a title",
    ({ wx }) => wx.showToast({} as never),
    { errMsg: "showToast:fail parameter error: parameter.title should be String instead of Undefined;" },
  ],
  ["showModal", ({ wx }) => wx.showModal({ title: "Sure?" }), { errMsg: "showModal:ok", confirm: true, cancel: false }],
  [
    "showModal, cancelled",
    ({ wx, phone }) => {
      phone.prompts.deny("modal");
      return wx.showModal({ title: "Sure?" });
    },
    { errMsg: "showModal:ok", confirm: false, cancel: true },
  ],
  [
    "showActionSheet",
    ({ wx }) => wx.showActionSheet({ itemList: ["A"] }),
    { errMsg: "showActionSheet:ok", tapIndex: 0 },
  ],
  [
    "showActionSheet, cancelled",
    ({ wx, phone }) => {
      phone.prompts.deny("actionSheet");
      return wx.showActionSheet({ itemList: ["A"] });
    },
    { errMsg: "showActionSheet:fail cancel" },
  ],
  ["chooseMedia, cancelled", ({ wx }) => wx.chooseMedia(), { errMsg: "chooseMedia:fail cancel" }],
  ["getSystemInfo", ({ wx }) => wx.getSystemInfo(), { errMsg: "getSystemInfo:ok", platform: "devtools" }],
  [
    "send on a socket that is not open",
    ({ wx, settled }) => settled(wx.connectSocket({ url: "ws://127.0.0.1:1" }).send, { data: "x" }),
    { errMsg: "sendSocketMessage:fail WebSocket is not connected" },
  ],
];

describe("the platform's texts", () => expectTexts(() => app, rows));
