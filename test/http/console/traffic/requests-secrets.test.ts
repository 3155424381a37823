import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";
import { itemSchema, userFiles } from "../../../support/app/user-files.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ settings: { basic_auth: true } });
});
afterAll(() => app[Symbol.asyncDispose]());

const { newest } = recordedCalls(() => app);
const header = (one: RecordedRequest, name: string, of: "request" | "response" = "request") =>
  one[of].headers.find((field) => field.name.toLowerCase() === name)?.value;
/** Sends a body as it is and answers how it was recorded. */
async function sent(
  body: string | Buffer<ArrayBuffer>,
  type: string,
  path = "/api/accounts",
  headers: Record<string, string> = {},
) {
  await fetch(`${app.url}${path}`, { method: "POST", headers: { "Content-Type": type, ...headers }, body });
  return newest();
}

describe("secrets of a recorded request", () => {
  it("are references: the token of a session names the session", async () => {
    const alice = await app.loggedIn("alice");
    const token = alice["Authorization"]?.slice("Bearer ".length) ?? "";
    await fetch(`${app.url}/api/articles?note=${token}`, { headers: { ...alice, "X-Client": `<${token}>` } });
    const one = await newest();
    const reference = `{{session:${String(one.session_id)}}}`;
    expect(header(one, "authorization")).toBe(`Bearer ${reference}`);
    expect(header(one, "x-client")).toBe(`<${reference}>`);
    expect(one.query).toBe(`note=${reference}`);
    expect(JSON.parse(one.response.body.text ?? "")).toMatchObject({ status: { access_token: reference } });
    expect(JSON.stringify(one)).not.toContain(token);

    await fetch(`${app.url}/api/sessions/current`, { headers: { "X-Access-Token": token, Accept: "application/xml" } });
    const second = await newest();
    expect(header(second, "x-access-token")).toBe(reference);
    expect(second.response.body.text).toContain(`<access_token>${reference}</access_token>`);

    await fetch(`${app.url}/api/sessions/current`, { method: "DELETE", headers: alice });
    const last = await newest();
    const carried = Buffer.from(header(last, "status-package", "response") ?? "", "base64url").toString();
    expect(JSON.parse(carried)).toMatchObject({ access_token: reference });
  });

  it("are references in POST /api/sessions, whose answer names the new session", async () => {
    const { code } = (await app.sim("bob", "login")) as { code: string };
    await app.post(`${app.url}/api/sessions`, { code });
    const one = await newest();
    expect(one.request.body.text).toMatch(/^\{"code":"\{\{code:[\w.]+\}\}"\}$/);
    expect(JSON.parse(one.response.body.text ?? "")).toMatchObject({
      status: { access_token: `{{session:${String(one.session_id)}}}` },
    });
  });

  it("are gone from addresses in headers, whose other fields stay", async () => {
    const address = "http://page.example/a?tab=2&access_token=address-secret&x=1";
    const names = ["referer", "x-original-url", "x-original-uri"];
    await fetch(`${app.url}/x`, { headers: Object.fromEntries(names.map((name) => [name, address])) });
    const one = await newest();
    for (const name of names)
      expect(header(one, name)).toMatch(
        /^http:\/\/page\.example\/a\?tab=2&access_token=\{\{access_token:[\w.]+\}\}&x=1$/,
      );
    expect(JSON.stringify(one)).not.toContain("address-secret");
  });

  it("are gone from all addresses of a header, and from their fragments", async () => {
    await fetch(`${app.url}/api/articles?page=2&api_key=address-secret`, { headers: await app.loggedIn("alice") });
    const listed = await newest();
    expect(header(listed, "link", "response")).toBe(
      ["first", "prev", "last"]
        .map((rel) => `</api/articles?page=1&api_key={{api_key}}&page_size=20>; rel="${rel}"`)
        .join(", "),
    );
    expect(JSON.stringify(listed)).not.toContain("address-secret");

    const link = "<http://a.example/?x=1&token=address-secret>; rel=next, </b?token=address-secret>;rel=prev, <c>";
    const refresh = "5; url=http://a.example/?x=/y?a=<b>&token=address-secret?>&z=1#id_token=address-secret";
    await fetch(`${app.url}/x`, { headers: { Link: link, Refresh: refresh } });
    const one = await newest();
    const shape = (name: string) => header(one, name)?.replace(/\{\{\w+:[\w.]+\}\}/g, "address-secret");
    expect(shape("link")).toBe(link);
    expect(shape("refresh")).toBe(refresh.replace("secret?>", "secret"));
    expect(JSON.stringify(one)).not.toContain("address-secret");
  });

  it("are gone from headers that hold nothing else", async () => {
    await fetch(`${app.url}/x`, {
      headers: {
        Cookie: "a=cookie-secret",
        Authorization: `Basic ${Buffer.from("u:basic-secret").toString("base64")}`,
        "X-Api-Key": "key-secret",
        "X-CSRF-Token": "csrf-secret",
        "X-Plain": "visible",
      },
    });
    const one = await newest();
    expect(header(one, "cookie")).toMatch(/^\{\{cookie:[\w.]+\}\}$/);
    expect(header(one, "authorization")).toMatch(/^Basic \{\{authorization:[\w.]+\}\}$/);
    expect(header(one, "x-plain")).toBe("visible");
    expect(JSON.stringify(one)).not.toMatch(/-secret|dTpiYXNpYy1zZWNyZXQ/);
  });

  it.each([
    ["JSON", '{ "user":"dora", "password":"tres\\"ure-1" ,"note": 1 }', "application/json"],
    [
      "JSON with an escaped name",
      '{"user":"dora","pass\\u0077ord":"tresure-1","x":[1,{"y":null}]}',
      "application/json",
    ],
    [
      "JSON with a secret that is no text",
      '{"token":{"a":["tresure-1","]"]},"password":12345678,"x":true}',
      "application/json",
    ],
    ["JSON that is cut off", '{"user":"dora","password":"tresure-1', "application/json"],
    ["JSON that is not valid", '{"password":"tresure-1" "user"}', "application/json"],
    ["JSON under another type", '{"password":"tresure-1"}', "text/plain"],
    ["JSON without a type", '[{"password":"tresure-1"}]', ""],
    ["a form", "user=dora&pass%77ord=tresure-1&note=a%20b", "application/x-www-form-urlencoded"],
    ["a form with a list", "user=dora&password[0]=tresure-1&note=a", "application/x-www-form-urlencoded"],
    ["JSON that is sent as a form", '{"user":"dora","password":"tresure-1"}', "application/x-www-form-urlencoded"],
    ["XML that is sent as a form", "<a><password>tresure-1</password></a>", "application/x-www-form-urlencoded"],
    ["a form that begins like JSON", '{"user=dora&password=tresure-1', "application/x-www-form-urlencoded"],
    ["XML", "<a><user>dora</user><password x='1'>tresure-1</password></a>", "application/xml"],
    ["XML with an odd name", '<a><entry key="api key">tresure-1</entry><user/></a>', "text/xml"],
    ["XML with single quotes", "<a><entry key='password'>tresure-1</entry><user/></a>", "application/xml"],
    ["XML with space in its tags", '<a><entry\nkey = "password" >tresure-1</entry ><user/></a>', "application/xml"],
    ["XML with a bracket in quotes", '<a><entry a=">" key="password">tresure-1</entry></a>', "application/xml"],
    ["XML with references in a name", '<a><entry key="pass&#119;or&#x64;">tresure-1</entry></a>', "application/xml"],
    ["XML with a prefix", "<a><x:password>tresure-1</x:password></a>", "application/xml"],
    [
      "XML with a comment and a section before the end",
      "<a><password>tres<!-- </password> -->ure-1<![CDATA[</password>tresure-1]]></password><user/></a>",
      "application/xml",
    ],
    [
      "XML with fields in the field",
      "<a><password><password>tresure-1</password>tresure-1</password></a>",
      "application/xml",
    ],
    ["XML after an instruction", "<?><a><?b '?>'?><password>tresure-1</password></a>", "application/xml"],
    ["XML that is cut off", "<a><password>tresure-1", "application/xml"],
  ])("are gone from %s, and all else stays as it was sent", async (_name, body, type) => {
    const { request } = await sent(body, type);
    const text = request.body.text ?? "";
    expect(text).not.toMatch(/tres|ure-1|12345678/);
    const secret = String.raw`"\{\{[\w-]+:[\w.]+\}\}"?|\{\{[\w-]+:[\w.]+\}\}`;
    const [before = "", after = ""] = text.split(new RegExp(secret));
    expect(body.startsWith(before)).toBe(true);
    expect(before.length).toBeGreaterThan(0);
    if (text.split(new RegExp(secret)).length === 2) expect(body.endsWith(after)).toBe(true);
  });

  it("are gone from the fields of a multipart body, beside bytes that stay", async () => {
    const form = new FormData();
    form.append("password", "tresure-1");
    form.append("note", "kept");
    form.append("[]", new File([new Uint8Array([0, 255, 1])], "x.png"));
    await fetch(`${app.url}/api/uploads`, { method: "POST", headers: await app.loggedIn("carl"), body: form });
    const bytes = Buffer.from((await newest()).request.body.base64 ?? "", "base64").toString("latin1");
    expect(bytes).not.toContain("tresure-1");
    expect(bytes).toMatch(/name="note"\r\n\r\nkept\r\n/);
    expect(bytes).toContain("\r\n\r\n\u0000\u00ff\u0001\r\n");
  });

  it.each([
    ["a name without quotes", "form-data; name=password"],
    ["an escaped name", String.raw`form-data; name="pass\word"`],
    ["a name that another parameter hides", 'form-data; x="; name=note"; name="password"'],
    ["an encoded name", "form-data; name*=UTF-8''pass%77ord"],
    ["a folded head", 'form-data;\r\n\tname="password"'],
    ["a name of a list", 'form-data; name="password[0]"'],
  ])("are gone from a part with %s", async (_name, disposition) => {
    const body = `--a"b\r\nContent-Disposition: ${disposition}\r\n\r\ntresure-1\r\n--a"b--\r\n`;
    const { request } = await sent(
      `before\r\n${body}`,
      String.raw`multipart/form-data; boundary="a\"b"`,
      "/api/uploads",
    );
    expect(request.body.text).toMatch(
      /^before\r\n--a"b\r\n[^]*\r\n\r\n\{\{password(?:_0_)?:[\w.]+\}\}\r\n--a"b--\r\n$/,
    );
  });

  it("are gone from what the simulator reads, whatever type it has", async () => {
    const body = JSON.stringify({ appid: "a", secret: "tresure-1", grant_type: "client_credential" });
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    await fetch(`${app.provider.url}/cgi-bin/stable_token`, { method: "POST", headers, body });
    const { request } = await newest("service=provider");
    expect(request.body.text).toMatch(/^\{"appid":"a","secret":"\{\{secret:[\w.]+\}\}","grant_type":/);
  });

  it("are gone from a login in XML: its code", async () => {
    const { code } = (await app.sim("gina", "login")) as { code: string };
    const one = await sent(`<a><entry key='code'>${code}</entry></a>`, "application/xml", "/api/sessions");
    expect(one.status).toBe(201);
    expect(one.request.body.text).toMatch(/^<a><entry key='code'>\{\{code:[\w.]+\}\}<\/entry><\/a>$/);
  });

  it("cannot hide in a body that cannot be searched: nothing of it is kept", async () => {
    const utf16 = Buffer.from('{"password":"tresure-1"}', "utf16le");
    for (const type of ["application/json; charset=utf-16", "Application/JSON ; charset=utf-16"])
      expect((await sent(utf16, type)).request.body).toMatchObject({
        size: utf16.length,
        withheld: expect.stringContaining("UTF-8") as string,
      });
    const packed = await sent("tresure-1", "application/json", "/api/accounts", { "Content-Encoding": "gzip" });
    expect(packed.request.body).toEqual({ size: 9, truncated: false, withheld: "its content-encoding is gzip" });
  });

  it("are gone from a query, and from the message of a refusal", async () => {
    await fetch(`${app.url}/api/articles?access_token=tresure-1&page=1`, { headers: await app.loggedIn("dan") });
    expect((await newest()).query).toMatch(/^access_token=\{\{access_token:[\w.]+\}\}&page=1$/);
    const headers = await app.loggedIn("dan");
    const one = await sent('{"password":tresure-1}', "application/json", "/api/articles", headers);
    expect(one.error).toMatchObject({ code: "bad_json" });
    expect(JSON.stringify(one)).not.toContain("tresure-1");
  });

  it("are gone where a collection of this server keeps a field to itself", async () => {
    const { request, response } = await sent(
      JSON.stringify({ user: "erna", password: "tresure-1" }),
      "application/json",
      "/api/accounts",
      await app.loggedIn("erna"),
    );
    expect(request.body.text).toMatch(/"password":"\{\{password:/);
    expect(response.body.text).not.toContain("password");
  });

  it("are gone wherever the schema of a collection has them, with a name of their own or without", async () => {
    const secret = { type: "string", writeOnly: true };
    const headers = await app.loggedIn("erna");
    const textOf = async (path: string, body: object) =>
      (await sent(JSON.stringify(body), "application/json", path, headers)).request.body.text ?? "";
    const files = userFiles(app);
    await files.load(
      "cards",
      itemSchema(
        {
          card: { type: "object", properties: { cvv: { $ref: "#/$defs/cvv" } } },
          codes: { additionalProperties: secret },
        },
        { $defs: { cvv: secret } },
      ),
    );
    expect(
      await textOf("/api/cards", { card: { number: "4242", cvv: "tresure-1" }, codes: { a: "tresure-2" } }),
    ).toMatch(/^\{"card":\{"number":"4242","cvv":"\{\{cvv:[\w.]+\}\}"\},"codes":"\{\{codes:[\w.]+\}\}"\}$/);
    await files.load("vaults", itemSchema({ name: { type: "string" } }, { patternProperties: { "^pw_": secret } }));
    expect(await textOf("/api/%76aults", { name: "x", pw_a: "tresure-3" })).not.toMatch(/tresure/);
    expect(await textOf("/api/articles", { title: "shown" })).toContain("shown");
  });

  it("are gone from the answer of GET /api/phonenumbers/mine", async () => {
    const headers = await app.loggedIn("fay");
    const answer = await (await fetch(`${app.url}/api/phonenumbers/mine`, { headers })).json();
    const { phone_number } = (answer as { data: { phone_number: string } }).data;
    expect(phone_number).toMatch(/^\d+$/);
    const one = await newest();
    expect(JSON.stringify(one)).not.toContain(phone_number);
    expect(one.response.body.text).toContain('"phone_number":"{{phone_number}}"');
  });
});
