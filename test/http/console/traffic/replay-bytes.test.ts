/** A replay sends the bytes that were received, whatever characters a secret has and however it was written. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordedRequest } from "../../../../server/contract/console/traffic/requests.ts";
import { authorized, recordedCalls } from "../../../support/app/recorded-calls.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
const { newest } = recordedCalls(() => app);

interface Sent {
  readonly body?: Buffer<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly query?: string;
}

/** Secrets in memory have one reference for one value, so records are equal only where the bytes are. */
async function expectSameBytes({ body, headers = {}, query = "" }: Sent): Promise<void> {
  const method = body ? "POST" : "GET";
  await fetch(`${app.url}/api/accounts${query}`, { method, headers, ...(body && { body }) });
  const first = await newest();
  const references = /\{\{[\w-]+:[\w.]+\}\}/;
  const bytes = (one: RecordedRequest) =>
    one.request.body.text ?? Buffer.from(one.request.body.base64 ?? "", "base64").toString("latin1");
  expect(bytes(first) + first.query + JSON.stringify(first.request.headers)).toMatch(references);
  const replays = `${app.url}/console/api/requests/${String(first.id)}/replays`;
  const again = (await (await app.post(replays, {}, authorized)).json()) as RecordedRequest;
  const own = Object.keys(headers).map((name) => name.toLowerCase());
  const sent = (one: RecordedRequest) => ({
    body: one.request.body,
    query: one.query,
    headers: one.request.headers.filter(({ name }) => own.includes(name.toLowerCase())),
  });
  expect(sent(again)).toEqual(sent(first));
}

const secrets = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }),
  fc.constantFrom("图书馆", "clé", "Ã©", "😀\u{10ffff}", "{{password:1}}", '"\\"', "a&b=c", "]]>", "\ufeff"),
);
const codesOf = (text: string) => [...text].map((one) => one.codePointAt(0) ?? 0);
const utf8 = (text: string) => Buffer.from(text);
const typed = (type: string, body: Buffer<ArrayBuffer>): Sent => ({ body, headers: { "Content-Type": type } });
const percent = (text: string) => [...utf8(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const part = (name: string, text: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

const writings: Readonly<Record<string, (secret: string) => Sent>> = {
  JSON: (secret) => typed("application/json", utf8(JSON.stringify({ user: "图", password: secret, note: "\ufeff" }))),
  "JSON with escapes": (secret) => {
    const escaped = secret.split("").map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
    return typed("application/json", utf8(`{"password" : "${escaped.join("")}"}`));
  },
  "JSON that is no string": (secret) =>
    typed("application/json", utf8(`{"token":-1.50,"password":${JSON.stringify([secret, { a: null }])} }`)),
  "a form": (secret) =>
    typed("application/x-www-form-urlencoded", utf8(`user=图&password=${encodeURIComponent(secret)}&b=+%2B`)),
  "a form in another encoding": (secret) =>
    typed("application/x-www-form-urlencoded", utf8(`password=${percent(secret)}&b=${secret.replaceAll("\0", "")}`)),
  XML: (secret) =>
    typed(
      "application/xml",
      utf8(
        `<a><entry key='password'>${codesOf(secret)
          .map((code) => `&#${String(code)};`)
          .join("")}图</entry ></a>`,
      ),
    ),
  "XML with a section": (secret) =>
    typed(
      "application/xml",
      utf8(`<a>图<password><![CDATA[${secret.replaceAll(/\]\]>|\0/g, "")}x]]><!-- b --></password></a>`),
    ),
  "a part": (secret) =>
    typed("multipart/form-data; boundary=x", utf8(`${part("a", "图")}${part("password", secret)}--x--\r\n`)),
  "a part beside bytes": (secret) =>
    typed(
      "multipart/form-data; boundary=x",
      Buffer.concat([utf8(part("password", secret)), utf8(part("a", "")), Buffer.from([0, 255, 128])]),
    ),
  "a query": (secret) => ({ query: `?a=%e5%9b%be&access_token=${percent(secret)}&b=+` }),
  headers: (secret) => ({
    headers: {
      "X-Api-Key": `k${percent(secret)} clé`,
      Referer: `http://a.example/?access_token=${percent(secret)}&b=c`,
    },
  }),
};

describe("a replay sends the bytes that were received, with the secret in", () => {
  it.each(Object.entries(writings))("%s", async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(secrets, (secret) => expectSameBytes(write(secret))),
      { numRuns: 25, examples: [["图书馆"], ["clé"], ["😀"]] },
    );
  });
});
