/** `wx.request` and its tasks, against a server that says what it got. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WxRequestOptions, WxRequestResult } from "../../../server/kit/wx/api/network.ts";
import type { WxFailure } from "../../../server/kit/wx/create-wx.ts";
import type { Wx } from "../../../server/kit/wx/wx.ts";
import { startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { answeringServer, wxPhone } from "../../support/wx-phone.ts";

interface Got {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let app: TestApp;
let server: Awaited<ReturnType<typeof answeringServer>>;
let wx: Wx;
beforeAll(async () => {
  app = await startTestApp();
  server = await answeringServer((req, res) => {
    const { pathname } = new URL(req.url ?? "", "http://host");
    if (pathname === "/moved") return void res.writeHead(302, { Location: "/end" }).end();
    if (pathname === "/bytes") return void res.end(Buffer.from([0, 255, 1]));
    if (pathname === "/text") return void res.end("not { JSON");
    if (pathname === "/never") return undefined;
    if (pathname === "/cut")
      return void res.writeHead(200, { "Content-Length": "100" }).write("cut", () => res.destroy());
    res.setHeader("Set-Cookie", ["a=1", "b=2"]);
    res.setHeader("WWW-Authenticate", "getUserInfo");
    res.statusCode = pathname === "/refused" ? 418 : 200;
    void text(req).then((body) =>
      res.end(JSON.stringify({ method: req.method, url: req.url, headers: req.headers, body })),
    );
    return undefined;
  });
  ({ wx } = await wxPhone(app));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const requestOf = <Data = Got>(
  path: string,
  options: Partial<WxRequestOptions<Data>> = {},
  by: Wx = wx,
): Promise<WxRequestResult<Data>> =>
  new Promise((success, fail) => {
    by.request<Data>({ url: server.url + path, ...options, success, fail: ({ errMsg }) => fail(new Error(errMsg)) });
  });

describe("wx.request", () => {
  it("sends the data of a GET as its query, with the platform's own headers", async () => {
    const { data } = await requestOf("/a?x=1#top", {
      data: { name: "A b", list: [1, 2], none: undefined, flag: true },
      header: { Referer: "https://other.example", "X-Own": "mine" },
    });
    expect(data).toMatchObject({ method: "GET", url: "/a?x=1&name=A%20b&list=%5B1%2C2%5D&flag=true", body: "" });
    expect(data.headers).toMatchObject({
      "content-type": "application/json",
      "x-own": "mine",
      "user-agent": expect.stringContaining("MicroMessenger"),
      referer: `https://servicewechat.com/${wx.getAccountInfoSync().miniProgram.appId}/0/page-frame.html`,
    });
  });

  it.each([
    ["an object as JSON", { data: { a: [1] } }, "application/json", '{"a":[1]}'],
    ["a text as it is", { data: "a=1" }, "application/json", "a=1"],
    [
      "an object as a form where the content type says so",
      { data: { a: 1, b: "x y" }, header: { "Content-Type": "application/x-www-form-urlencoded" } },
      "application/x-www-form-urlencoded",
      "a=1&b=x%20y",
    ],
    ["bytes", { data: new TextEncoder().encode("bytes").buffer }, "application/json", "bytes"],
  ])("sends %s in the body of a POST", async (_what, options, type, body) => {
    const { data } = await requestOf("/a", { method: "POST", ...options });
    expect(data).toMatchObject({ method: "POST", body, headers: { "content-type": type } });
  });

  it("succeeds with any status, and gives cookies and headers as they were sent", async () => {
    const { statusCode, cookies, header, errMsg } = await requestOf("/refused");
    expect([statusCode, cookies, errMsg]).toEqual([418, ["a=1", "b=2"], "request:ok"]);
    expect(header).toMatchObject({ "WWW-Authenticate": "getUserInfo", "Set-Cookie": "a=1,b=2" });
  });

  it.each(["Www-Authenticate", "WWW-Authenticate", "www-authenticate", "WWW-AUTHENTICATE"] as const)(
    "spells header names as the option header_names says: %s",
    async (header_names) => {
      const { header } = await requestOf("/a", {}, (await wxPhone(app, { header_names })).wx);
      expect(header[header_names]).toBe("getUserInfo");
    },
  );

  it("gives a text that is no JSON as it is, and bytes where they are asked for", async () => {
    expect((await requestOf<string>("/text")).data).toBe("not { JSON");
    const { data } = await requestOf<ArrayBuffer>("/bytes", { responseType: "arraybuffer" });
    expect([...new Uint8Array(data)]).toEqual([0, 255, 1]);
    expect((await requestOf<unknown>("/a", { dataType: "text" })).data).toEqual(expect.any(String));
  });

  it("follows a redirect, or gives it where the option redirect says manual", async () => {
    expect((await requestOf("/moved")).data.url).toBe("/end");
    const { statusCode, header } = await requestOf<string>("/moved", { redirect: "manual" });
    expect([statusCode, header["Location"]]).toEqual([302, "/end"]);
  });

  it("reports the headers before the end, and nothing to a listener that was removed", async () => {
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      const task = wx.request({
        url: `${server.url}/a`,
        success: () => order.push("success"),
        complete: () => resolve(void order.push("complete")),
      });
      const removed = () => order.push("removed");
      task.onHeadersReceived(removed);
      task.onHeadersReceived(({ statusCode }) => order.push(`headers ${String(statusCode)}`));
      task.offHeadersReceived(removed);
    });
    expect(order).toEqual(["headers 200", "success", "complete"]);
  });

  it("fails and completes once when it is aborted, and does nothing when it is aborted later", async () => {
    const ends: (WxFailure | string)[] = [];
    await new Promise<void>((resolve) => {
      const task = wx.request({
        url: `${server.url}/never`,
        success: () => ends.push("success"),
        fail: (failure) => ends.push(failure),
        complete: () => resolve(),
      });
      task.abort();
      task.abort();
    });
    expect(ends).toEqual([{ errMsg: "request:fail abort" }]);
    await new Promise<void>((resolve) => {
      const task = wx.request({ url: `${server.url}/a`, complete: () => resolve(task.abort()) });
    });
  });

  it("gives each part of a reply as it comes, where the option enableChunked is set", async () => {
    await using parts = await answeringServer((req, res) => {
      if (req.method === "POST") return void res.end("unseen");
      res.write("one ");
      return void setImmediate(() => res.end("two"));
    });
    const seen: string[] = [];
    const whole = (method: "GET" | "POST", enableChunked: boolean) =>
      new Promise((resolve) => {
        const task = wx.request({ url: parts.url, method, enableChunked, success: ({ data }) => resolve(data) });
        task.onChunkReceived(({ data }) => seen.push(new TextDecoder().decode(data)));
      });
    expect(await whole("GET", true)).toBe("one two");
    expect(await whole("POST", false)).toBe("unseen");
    expect(seen.join("")).toBe("one two");
  });

  it("fails when the answer breaks off", async () => {
    await expect(requestOf("/cut")).rejects.toThrow(
      "request:fail errcode:-101 cronet_error_code:-101 error_msg:net::ERR_CONNECTION_RESET",
    );
  });

  it("allows only the listed servers once there is a list", async () => {
    const { port } = new URL(server.url);
    const listed = (await wxPhone(app, { domains: { request: [`https://localhost.example:${port}`] } })).wx;
    await expect(requestOf("/a", {}, listed)).rejects.toThrow("request:fail url not in domain list");
    // The rule lets it pass: the network is the next to refuse.
    await expect(requestOf("", { url: `https://localhost.example:${port}` }, listed)).rejects.toThrow("ERR_");
  });
});

describe("uni and Taro", () => {
  it("have the same calls, and requests that are promises and tasks", async () => {
    const { uni, Taro } = wx.globals;
    const request = uni.request<Got>({ url: `${server.url}/a` });
    expect(request.onHeadersReceived).toBeInstanceOf(Function);
    expect((await request).data.url).toBe("/a");
    const aborted = Taro.request({ url: `${server.url}/never` });
    aborted.abort();
    await expect(aborted).rejects.toMatchObject({ errMsg: "request:fail abort" });
    uni.setStorageSync("shared", 1);
    expect([wx.getStorageSync("shared"), Taro.login]).toEqual([1, wx.login]);
    const failure = await new Promise((fail) => void uni.request({ url: "none", fail }));
    expect(failure).toMatchObject({ errMsg: 'request:fail invalid url "none"' });
  });
});

describe("a call of the platform", () => {
  it("returns a promise without callbacks, and nothing with one", async () => {
    const promise = wx.login();
    expect(promise).toBeInstanceOf(Promise);
    await promise;
    await new Promise<void>((resolve) => {
      expect(wx.login({ complete: () => resolve() })).toBeUndefined();
    });
  });

  it("gives callbacks a plain failure, and rejects with an Error of the same fields", async () => {
    const given = await new Promise((fail) => wx.getStorage({ key: "none", fail }));
    expect(given).toStrictEqual({ errMsg: "getStorage:fail data not found" });
    await expect(wx.getStorage({ key: "none" })).rejects.toMatchObject({
      message: "getStorage:fail data not found",
      errMsg: "getStorage:fail data not found",
    });
  });
});
