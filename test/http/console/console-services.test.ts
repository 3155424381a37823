/** What the console's page gets of the other services through its own origin. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../support/process/listen.ts";
import { requestText } from "../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../support/app/test-app.ts";

let app: TestApp;
let asked: IncomingMessage[] = [];
let answer: (res: ServerResponse) => unknown = () => undefined;
let service: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  app = await startTestApp();
  service = await listen((req, res) => {
    asked.push(req);
    answer(res);
  });
  app.addresses.model = service.url;
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked = [];
  answer = (res) => res.end("the service's own");
});

const get = (target: string) =>
  requestText(
    app.port,
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${consoleToken}\r\nConnection: close\r\n\r\n`,
  );

describe("a path that is proxied to a service", () => {
  const hosts = [
    "//HOST/x",
    "/\\HOST/x",
    "\\/HOST/x",
    "/%2fHOST/x",
    "/%2F%2FHOST/x",
    "/%5cHOST/x",
    "///HOST",
    "//HOST",
  ];
  const prefixes = ["/console/api/model", "/console/api/provider", "http://localhost/console/api/model"];
  const targets = prefixes.flatMap((prefix) => hosts.map((path) => [prefix, path] as const));

  it.each(targets)("%s%s leads to no other host", async (prefix, path) => {
    const text = await get(prefix + path.replace("HOST", `127.0.0.1:${String(service.port)}`));
    expect(text).toMatch(/^HTTP\/1.1 40[04] /);
    if (!path.startsWith("\\")) expect(text).toMatch(/^HTTP\/1.1 400 [^]*"code":"bad_path"[^]*"field":"path"/);
    expect(asked).toEqual([]);
  });

  it.each([
    ["", "/"],
    ["?a=1", "/?a=1"],
    ["/x//y?z=//HOST", "/x//y?z=//HOST"],
    ["/@HOST", "/@HOST"],
    ["/x/..//HOST", "//HOST"],
  ])("%j arrives at the service as %s", async (path, arrived) => {
    expect(await get(`/console/api/model${path}`)).toMatch(/^HTTP\/1.1 200 [^]*the service's own/);
    expect(asked.map(({ url }) => url)).toEqual([arrived]);
  });
});

describe("the answer of a service", () => {
  it("runs nothing in a browser, and sets and clears nothing of the console's", async () => {
    answer = (res) =>
      res
        .writeHead(200, {
          "Content-Type": "text/html",
          "Content-Security-Policy": "default-src *",
          "X-Content-Type-Options": "none",
          "Set-Cookie": "hearth_console=x",
          Location: "https://evil.example",
          Refresh: "0; url=https://evil.example",
          "Clear-Site-Data": '"*"',
          "X-Of-The-Service": "kept",
        })
        .end("<script>1</script>");
    const text = await get("/console/api/model/page");
    const head = (text.split("\r\n\r\n")[0] ?? "").toLowerCase().split("\r\n");
    expect(head).toContain("content-security-policy: default-src 'none'; sandbox");
    expect(head).toContain("x-content-type-options: nosniff");
    expect(head).toContain("x-of-the-service: kept");
    expect(head.filter((line) => /^(set-cookie|location|refresh|clear-site-data):/.test(line))).toEqual([]);
    expect(head.join().match(/content-security-policy/g)).toHaveLength(1);
  });

  it.each([300, 301, 302, 303, 307, 308])("is 502 where it is a redirect: %i", async (status) => {
    answer = (res) => res.writeHead(status, { Location: "https://evil.example/" }).write("more to come");
    const text = await get("/console/api/model/api/tags");
    expect(text).toMatch(/^HTTP\/1.1 502 [^]*"code":"redirected"/);
    expect(text).not.toContain("evil.example");
    expect(asked).toHaveLength(1);
  });

  it("is 304 where the service says that nothing has changed", async () => {
    answer = (res) => res.writeHead(304, { ETag: '"1"' }).end();
    expect(await get("/console/api/model/x")).toMatch(/^HTTP\/1.1 304 [^]*etag: "1"/i);
  });
});
