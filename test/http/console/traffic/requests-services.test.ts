import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAdjustableClock } from "../../../../server/time/adjustable-clock.ts";
import { testApp as credentials } from "../../../../server/provider/identity/test-app.ts";
import { recordedCalls } from "../../../support/app/recorded-calls.ts";
import { patienceMs } from "../../../support/eventually.ts";
import { startRecordedModel } from "../../../support/model/recorded-model.ts";
import { lines, textOf } from "../../../support/model/model-service.ts";
import { createScriptedEngine, gate } from "../../../support/model/scripted-engine.ts";
import { startTestApp, type TestApp } from "../../../support/app/test-app.ts";

const engine = createScriptedEngine();
let app: TestApp;
let model: Awaited<ReturnType<typeof startRecordedModel>>;
const { recorded, list, newest, awaited, clear } = recordedCalls(() => app);
const post = (path: string, body?: object) =>
  app.post(`${app.url}/console/api/requests${path}`, body, { Authorization: "Bearer console-token-of-the-test" });
const chat = { model: "tiny", messages: [{ role: "user", content: "你好", password: "in the text" }] };

beforeAll(async () => {
  app = await startTestApp({ clock: createAdjustableClock() });
  model = await startRecordedModel(app, engine);
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});
beforeEach(async () => {
  engine.steps = ["Hel", "lo"];
  await clear();
});

describe("a call of the provider simulator", () => {
  it("is recorded beside the call of the application server that made it, control calls too", async () => {
    await app.login("alice");
    const { requests } = await list();
    expect(requests.map(({ service, method, path }) => [service, method, path])).toEqual([
      ["app", "POST", "/api/sessions"],
      ["provider", "GET", "/sns/jscode2session"],
      ["provider", "POST", "/sim/users/alice/login"],
    ]);
    expect((await list("service=provider")).requests).toHaveLength(2);
    expect((await list("service=app")).requests).toHaveLength(1);
  });

  it("is recorded with references for the app's secret, codes, session keys and ids", async () => {
    const { code } = (await app.sim("alice", "login")) as { code: string };
    const login = await newest("service=provider");
    expect(JSON.parse(login.response.body.text ?? "")).toEqual({ code: "{{code}}", errMsg: "login:ok" });
    await app.post(`${app.url}/api/sessions`, { code });
    const exchange = await newest("path=/sns/jscode2session");
    expect(exchange.query).toMatch(/secret={{secret:[\w.]+}}/);
    expect(exchange.query).toMatch(/js_code={{js_code:[\w.]+}}/);
    expect(JSON.parse(exchange.response.body.text ?? "")).toMatchObject({
      openid: "{{openid}}",
      session_key: "{{session_key}}",
      errcode: 0,
    });
    const { app_id, app_secret } = credentials;
    await fetch(`${app.provider.url}/cgi-bin/token?grant_type=client_credential&appid=${app_id}&secret=${app_secret}`);
    expect(JSON.parse((await newest("path=/cgi-bin/token")).response.body.text ?? "")).toEqual({
      access_token: "{{access_token}}",
      expires_in: 7200,
    });
    const [user] = await app.db.selectFrom("users").selectAll().execute();
    const all = await (await recorded("/har")).text();
    for (const secret of [code, app_secret, user?.session_key, user?.openid, user?.unionid])
      if (secret !== null) expect(all).not.toContain(secret);
  });

  it("is recorded with references for keys of payments, in control calls and in XML", async () => {
    const key = "0123456789abcdef0123456789abcdef";
    const type = { "Content-Type": "text/xml" };
    const body = `<xml><auth_code>134567890123456789</auth_code><mch_key>${key}</mch_key><sign>AB</sign></xml>`;
    await fetch(`${app.provider.url}/pay/micropay`, { method: "POST", headers: type, body });
    expect((await newest("service=provider")).request.body.text).toMatch(
      /^<xml><auth_code>{{auth_code:[\w.]+}}<\/auth_code><mch_key>{{mch_key:[\w.]+}}<\/mch_key><sign>AB<\/sign><\/xml>$/,
    );
    await fetch(`${app.provider.url}/sim/merchants/1900000109`);
    expect(await (await recorded("/har?service=provider")).text()).not.toContain(key);
  });

  it("is no health check, and not the exchange of the whole state", async () => {
    await fetch(`${app.provider.url}/healthz`);
    await fetch(`${app.provider.url}/sim/state`, { method: "DELETE" });
    expect((await list("service=provider")).requests).toEqual([]);
  });

  it("is sent again to the provider, with the secret put back in", async () => {
    const { app_id, app_secret } = credentials;
    await fetch(`${app.provider.url}/cgi-bin/token?grant_type=client_credential&appid=${app_id}&secret=${app_secret}`);
    const first = await newest();
    const replay = await post(`/${String(first.id)}/replays`);
    expect([replay.status, await replay.json()]).toMatchObject([
      201,
      { service: "provider", path: "/cgi-bin/token", query: first.query, status: 200, replay_of: first.id },
    ]);
    expect((await newest()).response.body.text).not.toContain("errcode");
  });
});

describe("a call of the model service", () => {
  it("is recorded with its body as it is, Authorization as a reference", async () => {
    const body = JSON.stringify(chat);
    const reply = await model.post("/api/chat", { ...chat }, { headers: { Authorization: "Bearer my-own-key" } });
    const answer = await reply.text();
    const one = await awaited("service=model&path=/api/chat");
    expect(one).toMatchObject({ service: "model", method: "POST", status: 200, complete: true });
    expect(one.request.body.text).toBe(body);
    expect(one.response.body.text).toBe(answer);
    expect(one.request.headers).toContainEqual({
      name: "Authorization",
      value: expect.stringMatching(/^Bearer {{authorization:[\w.]+}}$/),
    });
    expect(Math.abs(Date.now() - Date.parse(one.time))).toBeLessThan(60_000);
  });

  it("is recorded with the time of each piece of a streamed answer, which an archive shows", async () => {
    const held = gate();
    engine.steps = ["first", { until: held.opened }, "second"];
    const reply = await model.post("/api/chat", chat);
    const reader = reply.body?.getReader();
    await reader?.read();
    held.open();
    while (!(await reader?.read())?.done);
    const { response, ms, id } = await awaited("service=model&path=/api/chat");
    const text = Buffer.from(response.body.text ?? "");
    const chunks = response.chunks ?? [];
    expect(chunks).toHaveLength(3);
    const ends = chunks.map((_, index) => chunks.slice(0, index + 1).reduce((sum, { size }) => sum + size, 0));
    const pieces = ends.map((end, index) => text.subarray(index === 0 ? 0 : ends[index - 1], end).toString());
    expect(pieces.map((piece) => textOf([JSON.parse(piece)]))).toEqual(["first", "second", ""]);
    const times = chunks.map((chunk) => chunk.ms);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times[1]).toBeGreaterThan(times[0] ?? Infinity);
    expect(ms).toBeGreaterThanOrEqual(times[2] ?? Infinity);
    const har = (await (await recorded(`/har?after=${String(id - 1)}`)).json()) as {
      log: { entries: { request: { url: string }; timings: { wait: number; receive: number } }[] };
    };
    const [entry] = har.log.entries;
    expect(entry?.request.url).toBe(`${model.url}/api/chat`);
    expect(entry?.timings.wait).toBe(times[0]);
    expect(entry?.timings.receive).toBeGreaterThan(0);
  });

  it("is recorded when it is refused, and when the client leaves in the midst", async () => {
    await model.post("/api/chat", { model: "nobody" });
    expect(await awaited("service=model&status=404")).toMatchObject({ complete: true });
    engine.steps = ["first", { wait: true }];
    const left = new AbortController();
    const reply = await model.post("/api/chat", chat, { signal: left.signal });
    await reply.body?.getReader().read();
    left.abort();
    expect((await awaited("service=model&status=200")).complete).toBe(false);
  });

  it("is asserted on as soon as it is there", async () => {
    void lines(await model.post("/api/chat", chat));
    const assertion = { service: "model", path: "/api/chat", json: { model: "tiny" }, timeout_ms: patienceMs };
    expect((await post("/assertions", { ...assertion, response_contains: '"done":true' })).status).toBe(200);
    expect((await post("/assertions", { ...assertion, service: "app", timeout_ms: 0 })).status).toBe(409);
  });

  it("is sent again to the model service, changed too, and copied with its address", async () => {
    await lines(await model.post("/api/chat", chat, { headers: { Authorization: "Bearer my-own-key" } }));
    const first = await awaited("service=model&path=/api/chat");
    engine.steps = ["again"];
    const replay = await post(`/${String(first.id)}/replays`, { body: { ...chat, stream: false } });
    expect([replay.status, await replay.json()]).toMatchObject([
      201,
      {
        service: "model",
        path: "/api/chat",
        replay_of: first.id,
        status: 200,
        request: { headers: expect.anything() },
      },
    ]);
    const again = await newest("service=model");
    expect(JSON.parse(again.response.body.text ?? "")).toMatchObject({ message: { content: "again" } });
    expect(engine.requests.at(-1)?.prompt).toContain("你好");
    const curl = await (await recorded(`/${String(first.id)}/snippets/curl`)).text();
    expect(curl).toContain(`${model.url}/api/chat`);
  });

  it("is answered 503 when it is to be sent again and the service is down", async () => {
    await lines(await model.post("/api/chat", chat));
    const first = await awaited("service=model&path=/api/chat");
    delete app.addresses.model;
    try {
      const replay = await post(`/${String(first.id)}/replays`);
      expect([replay.status, await replay.json()]).toMatchObject([503, { code: "service_down" }]);
      expect(await (await recorded(`/${String(first.id)}/snippets/curl`)).text()).toContain(`${model.url}/api/chat`);
    } finally {
      app.addresses.model = model.url;
    }
  });
});

describe("POST /console/api/requests/deliveries", () => {
  const exchange = {
    time: 1_000,
    ms: 1,
    method: "GET",
    target: "/api/tags?x=1",
    request_headers: ["Host", "a"],
    request_body: { size: 0, base64: "" },
    client: "127.0.0.1",
    request_id: "r-1",
    span: { traceId: "a".repeat(32), spanId: "b".repeat(16), flags: "01" },
    response_headers: {},
    response_body: { size: 5, base64: Buffer.from("hello").toString("base64") },
    complete: true,
  };

  it("takes calls with the clock of this server, and counts those that were lost", async () => {
    const { dropped } = await list();
    app.clock.offsetMs = 3_600_000;
    expect((await post("/deliveries", { service: "model", exchanges: [exchange], dropped: 2 })).status).toBe(202);
    app.clock.offsetMs = 0;
    const one = await newest();
    // Both clocks are read one after the other.
    expect(Math.abs(Date.parse(one.time) - 3_601_000)).toBeLessThan(1_000);
    expect(one).toMatchObject({
      service: "model",
      path: "/api/tags",
      query: "x=1",
      response: { body: { text: "hello" } },
    });
    expect((await list()).dropped).toBe(dropped + 2);
  });

  it.each([
    [{ service: "nobody", exchanges: [] }, "service"],
    [{ service: "model", exchanges: [{ ...exchange, ms: -1 }] }, "exchanges.0.ms"],
    [{ service: "model" }, "exchanges"],
  ])("answers 400 to %j and stores nothing", async (body, field) => {
    const response = await post("/deliveries", body);
    expect([response.status, await response.json()]).toMatchObject([400, { details: [{ field }] }]);
    expect((await list()).total).toBe(0);
  });

  it("stores nothing while record_requests is off, nor does the provider", async () => {
    await using other = await startTestApp({ settings: { record_requests: false } });
    const headers = { Authorization: "Bearer console-token-of-the-test" };
    const sent = await other.post(
      `${other.url}/console/api/requests/deliveries`,
      { service: "model", exchanges: [exchange] },
      headers,
    );
    expect(sent.status).toBe(202);
    await other.sim("alice", "login");
    expect(await (await fetch(`${other.url}/console/api/requests`, { headers })).json()).toMatchObject({ total: 0 });
  });
});
