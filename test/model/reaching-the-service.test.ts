import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { originsFrom } from "../../server/model/wire/cors.ts";
import { requestText } from "../support/app/raw-request.ts";
import { startRulesService, type ModelService } from "../support/model/model-service.ts";

let service: ModelService;
beforeAll(async () => {
  service = await startRulesService({}, { origins: ["loopback", "chrome-extension://*"] });
});
afterAll(() => service[Symbol.asyncDispose]());

describe("routes", () => {
  it("GET and HEAD / say that an Ollama is running", async () => {
    const reply = await service.get("/");
    expect(reply.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await reply.text()).toBe("Ollama is running");
    const head = await service.get("/", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("GET /api/version is a semantic version, GET /api/status says that there is no cloud", async () => {
    expect(await (await service.get("/api/version")).json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(await (await service.get("/api/status")).json()).toMatchObject({ cloud: { disabled: true } });
  });

  it("GET /healthz says ok", async () => {
    expect(await (await service.get("/healthz")).json()).toEqual({ status: "ok" });
  });

  it.each([
    ["GET", "/v1/models/%zz", 400],
    ["GET", "/v1/responses/%zz", 404],
    ["HEAD", "/api/blobs/%zz", 400],
  ])("%s %s, which is malformed, is what any unknown name is: %i", async (method, path, status) => {
    expect((await service.get(path, { method })).status).toBe(status);
  });

  it("an unknown path is 404 as plain text", async () => {
    const reply = await service.get("/api/nothing");
    expect([reply.status, await reply.text()]).toEqual([404, "404 page not found"]);
    expect(reply.headers.get("content-type")).toContain("text/plain");
  });

  it("a wrong method is 405 as plain text and names the right ones", async () => {
    const reply = await service.get("/api/chat");
    expect([reply.status, await reply.text()]).toEqual([405, "405 method not allowed"]);
    expect(reply.headers.get("allow")).toBe("POST");
    expect((await service.get("/api/ps", { method: "HEAD" })).status).toBe(405);
  });

  it("a method that HTTP does not have is 405 as plain text", async () => {
    const request = "FOO /api/chat HTTP/1.1\r\nHost: localhost\r\n\r\n";
    expect(await requestText(Number(new URL(service.url).port), request)).toMatch(
      /^HTTP\/1.1 405 Method Not Allowed\r\nContent-Type: text\/plain[^]*\r\n\r\n405 method not allowed$/,
    );
  });

  it.each([
    ["GET", "/api/tags/", 301, "/api/tags"],
    ["GET", "/api/tags/?a=1", 301, "/api/tags?a=1"],
    ["POST", "/api/chat/", 307, "/api/chat"],
  ])("%s %s redirects without its slash", async (method, path, status, location) => {
    const reply = await service.get(path, { method, redirect: "manual" });
    expect([reply.status, reply.headers.get("location")]).toEqual([status, location]);
  });
});

describe("an Origin", () => {
  const from = (origin: string, init: RequestInit = {}) =>
    service.get("/api/version", { ...init, headers: { Origin: origin } });

  it.each([
    "http://localhost",
    "http://localhost:5173",
    "https://127.0.0.1:8443",
    "http://0.0.0.0:1",
    "app://obsidian.md",
    "tauri://localhost",
    "vscode-webview://abc",
    "chrome-extension://abcdef",
  ])("%s is allowed and echoed", async (origin) => {
    const reply = await from(origin);
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect(reply.headers.get("vary")).toContain("Origin");
  });

  it.each(["http://evil.example", "https://localhost.evil.example", "http://localhost.evil.example:80", "null"])(
    "%s is refused with 403 and an empty body",
    async (origin) => {
      const reply = await from(origin);
      expect([reply.status, await reply.text()]).toEqual([403, ""]);
    },
  );

  it("of the service itself needs no permission", async () => {
    const reply = await from(service.url);
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  it("with a preflight gets 204 and the allowed methods, on any path", async () => {
    const reply = await service.get("/api/anything", {
      method: "OPTIONS",
      headers: { Origin: "http://localhost:3000" },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-methods")).toContain("DELETE");
    expect(reply.headers.get("access-control-allow-headers")).toMatch(/Authorization.*X-Api-Key.*traceparent/);
    expect(reply.headers.get("access-control-max-age")).toBe("43200");
  });
});

describe("OLLAMA_ORIGINS", () => {
  const unexpected = (message: string) => expect.unreachable(message);

  it("is a list that is added to the usual origins", async () => {
    const env = { OLLAMA_ORIGINS: ' "https://App.example/, moz-extension://*,ms-browser-extension://abc" ' };
    await using other = await startRulesService({}, { origins: originsFrom(env, unexpected) });
    const statusFor = async (origin: string) => (await other.get("/api/version", { headers: { origin } })).status;
    for (const origin of [
      "https://app.example",
      "moz-extension://x",
      "ms-browser-extension://abc",
      "http://localhost:1",
    ])
      expect(await statusFor(origin), origin).toBe(200);
    for (const origin of ["http://app.example", "chrome-extension://x"]) expect(await statusFor(origin)).toBe(403);
    expect(originsFrom({}, unexpected)).toEqual([]);
  });

  it.each(["http://a/b", "https://", "http://a//"])("warns of %s, which no page has, and goes on", (entry) => {
    const warned: string[] = [];
    expect(originsFrom({ OLLAMA_ORIGINS: `${entry},http://b` }, (message) => void warned.push(message))).toEqual([
      "http://b",
    ]);
    expect(warned).toEqual([expect.stringContaining(`OLLAMA_ORIGINS: ${entry} `)]);
  });

  it.each(["app.example", "https://*.*", "ftp://x"])("does not take %s, with which Ollama does not start", (entry) => {
    expect(() => originsFrom({ OLLAMA_ORIGINS: `http://a,${entry}` }, unexpected)).toThrow(`OLLAMA_ORIGINS: ${entry}`);
  });
});
