import { mkdirSync, writeFileSync } from "node:fs";
import { request, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { brotliCompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleToken, startTestApp, type TestApp } from "../support/app/test-app.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const script = `console.log(${JSON.stringify("x".repeat(5_000))});`;
const page = temporaryFolder();
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  mkdirSync(join(page.path, "assets"));
  writeFileSync(join(page.path, "assets/a.js.br"), brotliCompressSync(script));
  writeFileSync(join(page.path, "assets/b.js"), "1;");
  app = await startTestApp({ consoleFolder: page.path });
  headers = await app.loggedIn();
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  page[Symbol.dispose]();
});

/** Without fetch, which would ask for compression and undo it. */
const get = (path: string, more: Record<string, string> = {}, method = "GET") => getAt(app.url + path, more, method);
const getAt = (url: string, more: Record<string, string> = {}, method = "GET") =>
  new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    request(url, { method, headers: { ...headers, ...more } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ status: reply.statusCode, headers: reply.headers, body: Buffer.concat(chunks) }));
    })
      .on("error", reject)
      .end();
  });
const gzip = { "Accept-Encoding": "gzip, deflate, br" };

describe("a large answer", () => {
  let path: string;
  const text = "Wörter ".repeat(14_000);
  beforeAll(async () => {
    const reply = await app.post(`${app.url}/api/articles`, { title: "large", body: text }, headers);
    path = reply.headers.get("location") ?? "";
  });

  it("is compressed for those who take gzip, with a weak ETag, and as it was for others", async () => {
    const plain = await get(path);
    const zipped = await get(path, gzip);
    expect([plain.status, plain.headers["content-encoding"], plain.headers["vary"]]).toEqual([
      200,
      undefined,
      expect.stringContaining("Accept-Encoding"),
    ]);
    expect([zipped.headers["content-encoding"], zipped.headers["content-length"], zipped.headers["etag"]]).toEqual([
      "gzip",
      String(zipped.body.length),
      `W/${String(plain.headers["etag"])}`,
    ]);
    expect(zipped.body.length).toBeLessThan(plain.body.length / 10);
    const dataOf = (body: Buffer) => (JSON.parse(body.toString()) as { data: unknown }).data;
    expect(dataOf(gunzipSync(zipped.body))).toEqual(dataOf(plain.body));
    expect((await get(path, { "Accept-Encoding": "gzip;q=0" })).headers["content-encoding"]).toBeUndefined();
    expect((await get(path, { "If-None-Match": zipped.headers["etag"] ?? "" })).status).toBe(304);
  });

  it("has the same headers for HEAD, and the same Vary for 304", async () => {
    const same = ["etag", "vary", "content-encoding", "content-type"];
    for (const more of [{}, gzip]) {
      const whole = await get(path, more);
      const head = await get(path, more, "HEAD");
      expect(head.body).toHaveLength(0);
      for (const name of same) expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
      expect(Number(head.headers["content-length"])).toBeGreaterThan(0);
      const known = await get(path, { ...more, "If-None-Match": whole.headers["etag"] ?? "" });
      expect([known.status, known.headers["vary"]]).toEqual([304, whole.headers["vary"]]);
    }
  });

  it("has the same ETag in a 304 as in the 200 that it stands for, whatever the client knows", async () => {
    for (const more of [{}, gzip])
      for (const method of ["GET", "HEAD"]) {
        const { etag = "" } = (await get(path, more, method)).headers;
        for (const known of [etag, etag.replace("W/", ""), `W/${etag.replace("W/", "")}`, "*"]) {
          const unchanged = await get(path, { ...more, "If-None-Match": known }, method);
          expect([unchanged.status, unchanged.headers["etag"]], known).toEqual([304, etag]);
        }
      }
    const small = await app.post(`${app.url}/api/articles`, { title: "small" }, headers);
    const known = { ...gzip, "If-None-Match": `W/${small.headers.get("etag") ?? ""}` };
    const unchanged = await get(small.headers.get("location") ?? "", known);
    expect([unchanged.status, unchanged.headers["etag"]]).toEqual([304, small.headers.get("etag")]);
  });

  it("is recorded as it was before", async () => {
    const { headers: answered } = await get(path, gzip);
    const id = answered["x-request-id"];
    const authorization = { Authorization: `Bearer ${consoleToken}` };
    const newest = async () => {
      const reply = await fetch(`${app.url}/console/api/requests?limit=5`, { headers: authorization });
      const { requests } = (await reply.json()) as { requests: { id: number; request_id: string }[] };
      return requests.find(({ request_id }) => request_id === id)?.id;
    };
    await expect.poll(newest).toBeDefined();
    const reply = await fetch(`${app.url}/console/api/requests/${String(await newest())}`, { headers: authorization });
    const { response } = (await reply.json()) as { response: { body: { text?: string; withheld?: string } } };
    expect(response.body).toMatchObject({ text: expect.stringContaining("large") });
  });

  it("is not compressed where it is small, or a stream", async () => {
    expect((await get("/api/articles?page_size=1&title=none", gzip)).headers["content-encoding"]).toBeUndefined();
    const stream = await fetch(`${app.url}/console/api/events/stream`, {
      headers: { Authorization: `Bearer ${consoleToken}` },
    });
    expect([stream.headers.get("content-type"), stream.headers.get("content-encoding")]).toEqual([
      "text/event-stream; charset=utf-8",
      null,
    ]);
    await stream.body?.cancel();
  });
});

describe("a file of the console's page", () => {
  const getFile = (path: string, more?: Record<string, string>) => getAt(app.consoleUrl + path, more);
  it("is sent as the build has compressed it, or decompressed to clients without Brotli, each with its own ETag", async () => {
    const plain = await getFile("/console/assets/a.js");
    const compressed = await getFile("/console/assets/a.js", gzip);
    expect([compressed.headers["content-encoding"], compressed.headers["content-type"], compressed.body]).toEqual([
      "br",
      "text/javascript; charset=utf-8",
      brotliCompressSync(script),
    ]);
    expect([plain.headers["content-encoding"], plain.headers["content-type"], plain.body.toString()]).toEqual([
      undefined,
      "text/javascript; charset=utf-8",
      script,
    ]);
    expect(compressed.headers["etag"]).not.toBe(plain.headers["etag"]);
    for (const [{ headers: answered }, accepted] of [
      [plain, {}],
      [compressed, gzip],
    ] as const) {
      expect(answered["vary"]).toContain("Accept-Encoding");
      expect(answered["cache-control"]).toBe("public, max-age=31536000, immutable");
      const again = { ...accepted, "If-None-Match": answered["etag"] ?? "" };
      expect((await getFile("/console/assets/a.js", again)).status).toBe(304);
    }
  });

  it("is sent as it is where the build has not compressed it, and is 404 where there is none", async () => {
    const small = await getFile("/console/assets/b.js", gzip);
    expect([small.status, small.headers["content-encoding"], small.body.toString()]).toEqual([200, undefined, "1;"]);
    expect((await getFile("/console/assets/c.js", gzip)).status).toBe(404);
  });
});
