import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../../server/contract/console/control/control.ts";
import type { RecordedRequest, RequestPage } from "../../../../server/contract/console/traffic/requests.ts";
import { callConsole } from "../../../support/app/control-calls.ts";
import { requestText } from "../../../support/app/raw-request.ts";
import { consoleToken, startTestApp, type TestApp } from "../../../support/app/test-app.ts";

let app: TestApp;
let alice: Record<string, string>;
const authorized = { Authorization: `Bearer ${consoleToken}` };
const control = (method: string, path: string, body?: unknown) => callConsole(app, method, path, body);
const articles = (init: RequestInit = {}) => fetch(`${app.url}/api/articles`, { headers: alice, ...init });

beforeAll(async () => {
  app = await startTestApp();
  alice = await app.loggedIn("alice");
});
afterAll(() => app[Symbol.asyncDispose]());
afterEach(async () => {
  await control("DELETE", "/faults");
  await control("DELETE", "/clock");
});

describe("the clock", () => {
  it("makes a session expire when it is put ahead, and back", async () => {
    expect((await articles()).status).toBe(200);
    const set = await control("PUT", "/clock", { advance_ms: 7_200_000 });
    expect([set.status, ((await set.json()) as { offset_ms: number }).offset_ms]).toEqual([200, 7_200_000]);
    const expired = await articles();
    expect([expired.status, expired.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await control("DELETE", "/clock")).status).toBe(204);
    expect((await articles()).status).toBe(200);
  });

  it("counts a token's life down, and makes the provider's codes expire", async () => {
    const { code } = (await app.sim("bob", "login")) as { code: string };
    await control("PUT", "/clock", { offset_ms: 3_600_000 });
    const { status } = (await (await articles()).json()) as { status: { expires_in: number } };
    expect(status.expires_in).toBeGreaterThan(3000);
    expect(status.expires_in).toBeLessThanOrEqual(3600);
    expect((await app.post(`${app.url}/api/sessions`, { code })).status).toBe(401);
  });

  it("can be set to a time, and goes on from there", async () => {
    const set = await control("PUT", "/clock", { at: "2031-05-01T12:00:00+02:00" });
    expect(((await set.json()) as { now: string }).now).toMatch(/^2031-05-01T10:00:0/);
    const { now } = (await (await control("GET", "/clock")).json()) as { now: string };
    expect(now).toMatch(/^2031-05-01T10:0/);
    const fresh = await app.loggedIn("clara");
    const created = await app.post(`${app.url}/api/articles`, { title: "later" }, fresh);
    expect(((await created.json()) as { data: { created_at: string } }).data.created_at).toMatch(/^2031-05-01T10:0/);
  });

  it("stays within a century of the real one, so that every time can be written", async () => {
    const century = 100 * 366 * 86_400_000;
    expect((await control("PUT", "/clock", { advance_ms: century })).status).toBe(200);
    for (const further of [{ advance_ms: century }, { at: "9999-12-31T23:59:59Z" }]) {
      const refused = await control("PUT", "/clock", further);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("century")]);
    }
    expect((await control("GET", "/clock")).status).toBe(200);
  });

  it("is not put before 1970, from which the numbers of orders count", async () => {
    const tooFar = -Date.now() - 60_000;
    for (const change of [{ at: "1969-12-31T23:59:59Z" }, { offset_ms: tooFar }, { advance_ms: tooFar }]) {
      const refused = await control("PUT", "/clock", change);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({
          Message: expect.stringContaining("1970") as string,
          details: [expect.objectContaining({ field: Object.keys(change)[0] })],
        }),
      ]);
    }
    expect((await control("PUT", "/clock", { at: "1970-01-01T00:00:00Z" })).status).toBe(200);
  });

  it.each([
    [{}, "offset_ms"],
    [{ offset_ms: 1, at: "2031-05-01T10:00:00Z" }, "offset_ms"],
    [{ offset_ms: 1.5 }, "offset_ms"],
    [{ at: "tomorrow" }, "at"],
    [{ ofset: 1 }, "ofset"],
  ])("answers 400 to %j and names the field", async (change, field) => {
    const response = await control("PUT", "/clock", change);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe("faults", () => {
  const add = async (fault: object) => {
    const response = await control("POST", "/faults", fault);
    expect(response.status).toBe(201);
    return (await response.json()) as Fault;
  };
  const hits = async () => {
    const { faults } = (await (await control("GET", "/faults")).json()) as { faults: Fault[] };
    return faults.map((fault) => fault.hits);
  };

  it("answer the status for the requests that they are for, with what a client expects of it, and count the hits", async () => {
    const { id } = await add({ method: "GET", path: "/api/articles/{id}", status: 503 });
    const hit = await fetch(`${app.url}/api/articles/1`, { headers: alice });
    expect([hit.status, hit.headers.get("retry-after"), hit.headers.get("x-hearth-fault")]).toEqual([
      503,
      "1",
      String(id),
    ]);
    expect(await hit.json()).toMatchObject({ code: "injected_fault", Message: expect.any(String) as string });
    expect((await articles()).status).toBe(200);
    expect((await fetch(`${app.url}/api/articles/99999`, { method: "DELETE", headers: alice })).status).toBe(404);
    const { faults } = (await (await control("GET", "/faults")).json()) as { faults: Fault[] };
    expect(faults).toMatchObject([{ hits: 1, recent_hits: [expect.stringMatching(/^\d{4}-.*Z$/)] }]);
  });

  it("answer in XML to who asks for it, and cross-origin pages can read them", async () => {
    await add({ path: "/api/**", status: 401, message: "Go away" });
    const headers = { Accept: "application/xml", Origin: "http://localhost:5173" };
    const response = await fetch(`${app.url}/api/articles`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.text()).toContain("<Message>Go away</Message>");
  });

  it("answer a body and headers of one's own", async () => {
    await add({ status: 429, body: { error: ["slow"] }, headers: { "Retry-After": "30", "X-Mine": "y" } });
    const response = await articles({ method: "POST", body: "{}" });
    expect([response.status, response.headers.get("retry-after"), response.headers.get("x-mine")]).toEqual([
      429,
      "30",
      "y",
    ]);
    expect(await response.json()).toEqual({ error: ["slow"] });
  });

  it("are told by every answer while they are armed, and by none once they are spent", async () => {
    const told = async () => (await articles()).headers.get("hearth-faults");
    expect(await told()).toBeNull();
    await add({ path: "/api/never", status: 503 });
    await add({ path: "/api/articles/4711", status: 404, times: 1 });
    expect(await told()).toBe("2 armed");
    await fetch(`${app.url}/api/articles/4711`, { headers: alice });
    expect(await told()).toBe("1 armed");
    await control("DELETE", "/faults");
    expect(await told()).toBeNull();
  });

  it("delay a request and let it through", async () => {
    const { id } = await add({ path: "/api/articles", delay_ms: 5 });
    const response = await articles();
    expect([response.status, response.headers.get("x-hearth-fault")]).toEqual([200, String(id)]);
  });

  it("answer before a body has come whole, and keep the connection", async () => {
    await add({ path: "/api/articles", status: 429, body: {} });
    const body = "x".repeat(1_000_000);
    const answers = await requestText(
      app.port,
      `POST /api/articles HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}` +
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(["429", "200"]);
  });

  it("stop waiting when the client leaves", async () => {
    await add({ path: "/api/articles", delay_ms: 300_000 });
    const leaving = new AbortController();
    const left = expect(articles({ signal: leaving.signal })).rejects.toThrow();
    await expect.poll(hits).toEqual([1]);
    leaving.abort();
    await left;
    await expect
      .poll(async () => {
        const page = await control("GET", "/requests?path=/api/articles&status=none&limit=1");
        return ((await page.json()) as RequestPage).requests[0]?.complete;
      })
      .toBe(false);
  });

  it("cut the connection", async () => {
    await add({ path: "/api/articles", abort: true });
    await expect(articles()).rejects.toThrow();
    const page = (await (await control("GET", "/requests?limit=1")).json()) as RequestPage;
    const one = await control("GET", `/requests/${String(page.requests[0]?.id)}`);
    expect(((await one.json()) as RecordedRequest).error).toMatchObject({ code: "injected_fault" });
  });

  it("hit so often as `times` says, and are spent then", async () => {
    await add({ path: "/api/articles", status: 500, times: 2 });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await articles()).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
    expect(await (await control("GET", "/faults")).json()).toMatchObject({ faults: [{ hits: 2, spent: true }] });
  });

  it("hit the same requests for the same seed, about as many as the probability says", async () => {
    const run = async (seed: number) => {
      await control("PUT", "/faults", { faults: [{ path: "/avatars/x", status: 500, probability: 0.3, seed }] });
      const statuses = [];
      for (let i = 0; i < 100; i++) statuses.push((await fetch(`${app.url}/avatars/x`)).status);
      return statuses;
    };
    const first = await run(7);
    const count = first.filter((status) => status === 500).length;
    expect(count).toBeGreaterThan(15);
    expect(count).toBeLessThan(45);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
  });

  it("add up: each delays in turn, and the first with a status ends it", async () => {
    const one = await add({ path: "/api/**", delay_ms: 1 });
    const two = await add({ path: "/api/articles", status: 502 });
    await add({ path: "/api/articles", status: 504 });
    const response = await articles();
    expect([response.status, response.headers.get("x-hearth-fault")]).toEqual([
      502,
      `${String(one.id)}, ${String(two.id)}`,
    ]);
    expect(await hits()).toEqual([1, 1, 0]);
  });

  it("never hit the console or the health check, and go one by one or all together", async () => {
    const { id } = await add({ status: 500 });
    await add({ status: 501 });
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${app.url}/CONSOLE/api/overview`, { headers: authorized })).status).toBe(404);
    expect((await articles()).status).toBe(500);
    expect((await control("DELETE", `/faults/${String(id)}`)).status).toBe(204);
    expect((await control("DELETE", `/faults/${String(id)}`)).status).toBe(404);
    expect((await articles()).status).toBe(501);
    expect((await control("DELETE", "/faults")).status).toBe(204);
    expect((await articles()).status).toBe(200);
  });

  it.each([
    [{ path: "/api/**" }, "status"],
    [{ path: "api", status: 500 }, "path"],
    [{ path: "/a/**/b", status: 500 }, "path"],
    [{ status: 200 }, "status"],
    [{ status: 500, abort: true }, "abort"],
    [{ delay_ms: 1, body: {} }, "status"],
    [{ status: 500, probability: 2 }, "probability"],
    [{ status: 500, times: 0 }, "times"],
    [{ status: 500, headers: { "a b": "c" } }, "a b"],
    [{ status: 500, headers: { a: "b\n" } }, "headers.a"],
    [{ status: 500, method: "get" }, "method"],
    [{ status: 500, probabilty: 1 }, "probabilty"],
    [{ status: 500, headers: { "Transfer-Encoding": "chunked" } }, "Transfer-Encoding"],
  ])("answer 400 to %j and name the field; nothing changes", async (fault, field) => {
    await add({ status: 418 });
    for (const response of [
      await control("POST", "/faults", fault),
      await control("PUT", "/faults", { faults: [{ status: 500 }, fault] }),
    ])
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(field)]);
    expect((await articles()).status).toBe(418);
  });
});
