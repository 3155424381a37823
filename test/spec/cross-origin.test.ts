import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { pngBytes } from "../support/files.ts";

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

const allowedAt = async (url: string, origin: string, method = "GET", headers: Record<string, string> = {}) =>
  (await fetch(url, { method, headers: { Origin: origin, ...headers }, redirect: "manual" })).headers.get(
    "access-control-allow-origin",
  );
const allowed = ({ url }: TestApp, ...call: [origin: string, method?: string, headers?: Record<string, string>]) =>
  allowedAt(`${url}/api/articles`, ...call);

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

  it("[Cross-origin access 1] it gets it where an avatar upload leads, and from the description; the console sends none", async () => {
    const origin = "http://localhost:5173";
    const headers = { ...(await app.loggedIn("page")), Origin: origin };
    const form = new FormData();
    form.append("Avatar", new File([pngBytes(1, 1)], "a.png"));
    const upload = await fetch(`${app.url}/api/avatars`, { method: "POST", headers, body: form, redirect: "manual" });
    const page = `${app.url}${upload.headers.get("location") ?? ""}`;
    const preflight = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" };
    for (const url of [page, `${page}/image`, `${app.url}/swagger`, `${app.url}/swagger/docs/v1`]) {
      expect(await allowedAt(url, origin), url).toBe(origin);
      expect(await allowedAt(url, origin, "OPTIONS", preflight), url).toBe(origin);
    }
    expect(await allowedAt(`${app.url}/console/`, origin)).toBeNull();
    expect(await allowedAt(`${app.url}/console/api/users`, origin, "OPTIONS", preflight)).toBeNull();
  });

  it("[Cross-origin access 1] the page may read the headers of the login protocol, and what Hearth says of itself", async () => {
    const reply = await fetch(`${app.url}/api/articles`, { headers: { Origin: "http://localhost:1" } });
    expect(reply.headers.get("access-control-expose-headers")).toMatch(
      /WWW-Authenticate.*Status-Package.*Hearth-Warning.*Hearth-Faults.*X-Hearth-Fault/,
    );
  });

  it("[Cross-origin access 1] the page may send what names a trace", async () => {
    const headers = { Origin: "http://localhost:1", "Access-Control-Request-Method": "POST" };
    const preflight = await fetch(`${app.url}/api/articles`, { method: "OPTIONS", headers });
    const sendable = preflight.headers.get("access-control-allow-headers")?.split(", ");
    expect(sendable).toEqual(expect.arrayContaining(["traceparent", "tracestate", "baggage"]));
  });

  it("[Cross-origin access 1] probes and metrics send it, too", async () => {
    const origin = "http://localhost:5173";
    for (const path of ["/healthz", "/livez", "/readyz", "/metrics"])
      expect(await allowedAt(`${app.url}${path}`, origin), path).toBe(origin);
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
