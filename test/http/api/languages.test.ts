import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../support/app/user-files.ts";

let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  app = await startTestApp();
  headers = await app.loggedIn();
});
afterAll(() => app[Symbol.asyncDispose]());

const article = (body: unknown, more: Record<string, string> = {}) =>
  app.post(`${app.url}/api/articles`, body, { ...headers, ...more });
const messageOf = async (response: Response) => ((await response.json()) as { Message: string }).Message;

describe("the language of a message", () => {
  it.each([
    [undefined, "title is missing."],
    ["zh-CN,zh;q=0.9,en;q=0.8", "title 缺失。"],
    ["zh", "title 缺失。"],
    ["en;q=0.5, zh-TW;q=0.7", "title 缺失。"],
    ["zh;q=0.4, en-GB;q=0.5", "title is missing."],
    ["zh;q=0", "title is missing."],
    ["fr, de;q=0.9", "title is missing."],
    ["*", "title is missing."],
  ])("follows Accept-Language: %j", async (language, message) => {
    const response = await article({}, language === undefined ? {} : { "Accept-Language": language });
    expect([response.status, response.headers.get("content-language")]).toEqual([
      400,
      /[一-龥]/.test(message) ? "zh" : "en",
    ]);
    expect(response.headers.get("vary")).toMatch(/(^|, )Accept-Language(,|$)/);
    expect(await response.json()).toEqual({
      Message: message,
      code: "invalid_request",
      details: [{ field: "title", problem: message.includes("缺") ? "缺失" : "is missing" }],
    });
  });

  it("is the client's in XML, too, and the code stays", async () => {
    const response = await article({}, { "Accept-Language": "zh", Accept: "application/xml" });
    expect(await response.text()).toMatch(
      /<Message>title &#32570;&#22833;&#12290;<\/Message><code>invalid_request<\/code>/,
    );
  });

  it("is the client's in err_msg of an upload, which its users read", async () => {
    const form = new FormData();
    form.append("[]", new File(["<html>"], "page.exe"));
    const response = await fetch(`${app.url}/api/uploads`, {
      method: "POST",
      headers: { ...headers, "Accept-Language": "zh-CN" },
      body: form,
    });
    expect([response.status, response.headers.get("vary"), await response.json()]).toEqual([
      400,
      expect.stringContaining("Accept-Language"),
      { success: false, err_msg: expect.stringMatching(/^不支持“page\.exe”的文件类型。请发送以下类型之一：zip, /) },
    ]);
  });

  it("is the client's in our own words, and leaves what the client has made up as it is", async () => {
    const files = userFiles(app);
    await files.load("things", itemSchema({ name: { type: "string" } }, { additionalProperties: { type: "integer" } }));
    const response = await app.post(
      `${app.url}/api/things`,
      { [`q${" is not valid.".repeat(5_000)}`]: "text" },
      { ...headers, "Accept-Language": "zh" },
    );
    expect([response.status, await messageOf(response)]).toEqual([
      400,
      expect.stringMatching(/^q(?: is not valid[.])+ 必须是整数，而不是文本。$/),
    ]);
  });

  it("is the reader's in the check of a schema, which has no error to say it", async () => {
    const check = async (schema: object) => {
      const response = await fetch(`${app.url}/console/api/collections/things/schema-checks`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${consoleToken}`,
          "Content-Type": "application/json",
          "Accept-Language": "zh",
        },
        body: JSON.stringify({ text: JSON.stringify(schema) }),
      });
      return response.json();
    };
    expect(await check(itemSchema({ a: { typ: "string" } }))).toMatchObject({
      problem: { message: 'properties.a.typ：不是 JSON Schema 的关键字：请写 "type"' },
    });
    await app.post(`${app.url}/api/things`, {}, headers);
    expect(await check(itemSchema({ a: {} }, { required: ["a"] }))).toMatchObject({ examples: [{ problem: "缺失" }] });
  });

  it("is the reader's in the history of an order, which is stored in English", async () => {
    const placed = await app.post(`${app.url}/api/orders`, { description: "Tea", amount: 199 }, headers);
    const { data } = (await placed.json()) as { data: { id: number } };
    const textsIn = async (language: string) => {
      const response = await fetch(`${app.url}/console/api/orders/${String(data.id)}`, {
        headers: { Authorization: `Bearer ${consoleToken}`, "Accept-Language": language },
      });
      return ((await response.json()) as { history: { text: string }[] }).history.map(({ text }) => text);
    };
    expect(await textsIn("en")).toContain("The platform accepted the order.");
    expect(await textsIn("zh")).toContain("平台已受理订单。");
    for (const text of await textsIn("zh")) expect(text).toMatch(/\p{Script=Han}/u);
  });

  it("does not change the provider's own texts", async () => {
    const response = await fetch(`${app.provider.url}/sim/faults`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": "zh" },
      body: "{}",
    });
    expect([response.status, await messageOf(response)]).toEqual([400, expect.stringMatching(/^[\x20-\x7e]+$/)]);
  });
});

describe("a body without a content type", () => {
  it("is refused by words that say what to send", async () => {
    const response = await fetch(`${app.url}/api/articles`, {
      method: "POST",
      headers,
      body: new TextEncoder().encode('{"title": "x"}'),
    });
    expect([response.status, await response.json()]).toEqual([
      415,
      {
        Message: "The body has no Content-Type. Send Content-Type: application/json.",
        code: "unsupported_media_type",
      },
    ]);
  });

  it.each([
    ["{title: 1}", "The body is not valid JSON: see line 1, column 2."],
    ['{"title":}', "The body is not valid JSON: use double quotes for names and texts, and nothing after the value."],
    ['{"title": "x"', "The body is not valid JSON: see line 1, column 14."],
    ["[", "The body is not valid JSON: it ends too early."],
  ])("that is broken is said to be so at its place: %s", async (text, message) => {
    const response = await fetch(`${app.url}/api/articles`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: text,
    });
    expect(await messageOf(response)).toBe(message);
  });
});
