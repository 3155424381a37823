import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";

let app: TestApp;
let listed: TestApp;
let off: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  listed = await startTestApp({ settings: { cors_origins: ["https://shop.example"] } });
  off = await startTestApp({ settings: { cors_origins: [] } });
});
afterAll(async () => {
  for (const one of [app, listed, off]) await one[Symbol.asyncDispose]();
});

const allowed = async ({ url }: TestApp, origin: string, method = "GET", headers: Record<string, string> = {}) =>
  (await fetch(`${url}/api/articles`, { method, headers: { Origin: origin, ...headers } })).headers.get(
    "access-control-allow-origin",
  );

describe("Cross-origin access", () => {
  it("[Cross-origin access 1] a page of an allowed origin gets the header, on errors and on a preflight too", async () => {
    expect(await allowed(app, "http://localhost:5173")).toBe("http://localhost:5173");
    expect(await allowed(app, "http://127.0.0.1:8080", "DELETE")).toBe("http://127.0.0.1:8080");
    expect(await allowed(listed, "https://shop.example")).toBe("https://shop.example");
    const preflight = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization" };
    expect(await allowed(listed, "https://shop.example", "OPTIONS", preflight)).toBe("https://shop.example");
    await using any = await startTestApp({ settings: { cors_origins: ["*"] } });
    expect(await allowed(any, "https://anybody.example")).toBe("*");
  });

  it("[Cross-origin access 1] the page may read the headers of the login protocol", async () => {
    const reply = await fetch(`${app.url}/api/articles`, { headers: { Origin: "http://localhost:1" } });
    expect(reply.headers.get("access-control-expose-headers")).toMatch(/WWW-Authenticate.*Status-Package/);
  });

  it("[Cross-origin access 2] any other page gets no header", async () => {
    for (const origin of [
      "https://evil.example",
      "http://localhost.evil.example",
      "null",
      "http://127.0.0.1.evil.example",
    ])
      expect(await allowed(app, origin), origin).toBeNull();
    expect(await allowed(listed, "http://localhost:5173")).toBeNull();
    expect(await allowed(off, "http://localhost:5173")).toBeNull();
    expect(
      await allowed(listed, "https://evil.example", "OPTIONS", { "Access-Control-Request-Method": "PUT" }),
    ).toBeNull();
  });
});
