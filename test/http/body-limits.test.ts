/** Bodies that do not come: how long a service waits for them, and how much of them it keeps at a time. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRulesService } from "../support/model/model-service.ts";
import { consoleToken, startTestApp } from "../support/app/test-app.ts";
import { startTestProvider } from "../support/payments/test-provider.ts";

async function startServices(idleSeconds: number, totalSeconds: number) {
  const limits = { bodyIdleMs: idleSeconds * 1_000, bodyTotalMs: totalSeconds * 1_000 };
  const app = await startTestApp({ limits });
  const provider = await startTestProvider({}, undefined, undefined, limits);
  const model = await startRulesService({}, { limits });
  return { app, provider, model, headers: await app.loggedIn() };
}
type Services = Awaited<ReturnType<typeof startServices>>;

/** Do not wait for those who send nothing. */
let impatient: Services;
/** Wait for bytes, but not for ever for what they are parts of. */
let patient: Services;
beforeAll(async () => {
  impatient = await startServices(0.3, 300);
  patient = await startServices(30, 0.5);
});
afterAll(async () => {
  for (const { app, provider, model } of [impatient, patient])
    for (const one of [app, provider, model]) await one[Symbol.asyncDispose]();
});

const digest = `sha256:${createHash("sha256").update("x".repeat(10)).digest("hex")}`;
const multipart = (name: string, content = "") =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="a.zip"\r\n\r\n${content}`;

/** Each way in which a body is read: where it goes, its type, how it begins, and what tells that it did not come. */
const ways = [
  ["JSON", "app", "/api/sessions", "application/json", '{"code":', /^HTTP\/1[.]1 400 [^]*"code":"body_timeout"/],
  ["a form", "app", "/api/inotify/", "application/x-www-form-urlencoded", "df=", /^HTTP\/1[.]1 400 [^]*body_timeout/],
  ["XML", "app", "/api/sessions", "application/xml", "<a>", /^HTTP\/1[.]1 400 [^]*body_timeout/],
  ["nothing at all", "app", "/api/sessions", "application/json", "", /^HTTP\/1[.]1 400 [^]*body_timeout/],
  [
    "an upload",
    "app",
    "/api/uploads",
    "multipart/form-data; boundary=b",
    multipart("[]"),
    /^HTTP\/1[.]1 400 [^]*"success":false,"err_msg":"No byte/,
  ],
  [
    "a payment call",
    "provider",
    "/pay/unifiedorder",
    "text/xml",
    "<xml>",
    /^HTTP\/1[.]1 200 [^]*FAIL[^]*No byte of the body/,
  ],
  [
    "an identity call",
    "provider",
    "/cgi-bin/stable_token",
    "application/json",
    "{",
    /^HTTP\/1[.]1 200 [^]*"errcode":47001/,
  ],
  ["a chat", "model", "/api/chat", "application/json", "{", /^HTTP\/1[.]1 400 [^]*"error":"No byte of the body/],
  [
    "a model's layer",
    "model",
    `/api/blobs/${digest}`,
    "application/octet-stream",
    "xx",
    /^HTTP\/1[.]1 400 [^]*"error":"No byte of the body/,
  ],
] as const;

/** A request whose body is said to be longer than what is sent of it. */
function begin(service: { url: string }, path: string, headers: Record<string, string>, body: string, length = 100) {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  const all = Object.entries({ Host: "localhost", "Content-Length": String(length), ...headers });
  socket.write(`POST ${path} HTTP/1.1\r\n${all.map((header) => `${header.join(": ")}\r\n`).join("")}\r\n${body}`);
  socket.on("error", () => undefined);
  return socket;
}

const form = { "Content-Type": "multipart/form-data; boundary=b" };
const json = { "Content-Type": "application/json" };

describe("a body that stops arriving", () => {
  it.each(ways)(
    "is refused with a message, and its connection closed: %s",
    async (_what, service, path, type, body, answer) => {
      const headers = { ...impatient.headers, "Content-Type": type };
      const answered = await text(begin(impatient[service], path, headers, body));
      expect(answered).toMatch(answer);
      expect(answered).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it("does not delay others, and becomes no upload", async () => {
    const { app, headers } = impatient;
    const stalled = begin(app, "/api/uploads", { ...headers, ...form }, multipart("[]", "PK"));
    expect((await fetch(`${app.url}/api/articles`, { headers })).status).toBe(200);
    await text(stalled);
    const uploads = await fetch(`${app.url}/console/api/uploads`, {
      headers: { authorization: `Bearer ${consoleToken}` },
    });
    expect(await uploads.json()).toMatchObject({ uploads: [] });
  });
});

it("a body that came while the service was stalled is not refused", async () => {
  await using app = await startTestApp({ limits: { bodyIdleMs: 6_000 } });
  const headers = { ...(await app.loggedIn()), ...json, Expect: "100-continue" };
  const socket = begin(app, "/api/articles", headers, "", 13);
  await once(socket, "data");
  await wait(1_100); // the service has looked once for what has come
  await new Promise(setImmediate); // timers come next, before what has come is read
  socket.write('{"title":"a"}');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_500);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1[.]1 201 /);
  socket.destroy();
});

describe("a body that comes byte by byte", () => {
  /** Sends a byte at a time, as long as it is wanted. */
  async function trickle(socket: ReturnType<typeof begin>, bytes: string): Promise<void> {
    for (const byte of bytes) {
      if (socket.destroyed || socket.readableEnded) return;
      socket.write(byte);
      await wait(30);
    }
  }

  it.each(ways.filter(([what]) => /JSON|form|XML|chat/.test(what)))(
    "is ended when it does not come whole in time: %s",
    async (_what, service, path, type, body) => {
      const socket = begin(patient[service], path, { ...patient.headers, "Content-Type": type }, body);
      // What is sent once the service has closed the connection resets it: nobody reads the end of it then.
      let answered = "";
      socket.on("data", (data) => (answered += String(data)));
      await trickle(socket, " ".repeat(100 - body.length));
      if (!socket.closed) await once(socket, "close");
      expect(answered).toMatch(/^HTTP\/1[.]1 400 [^]*did not arrive completely within 0.5 s/);
    },
  );

  it("may take any time when it is streamed", async () => {
    const { app, model, headers } = patient;
    const content = `${multipart("[]", "PK\u0005\u0006".padEnd(22, "\0"))}\r\n--b--\r\n`;
    const upload = begin(app, "/api/uploads", { ...headers, ...form }, "", content.length);
    const [answer] = await Promise.all([once(upload, "data"), trickle(upload, content)]);
    expect(String(answer)).toMatch(/^HTTP\/1[.]1 201 [^]*"success":true/);
    upload.destroy();
    const layer = begin(model, `/api/blobs/${digest}`, {}, "", 45);
    const [refused] = await Promise.all([once(layer, "data"), trickle(layer, "y".repeat(45))]);
    expect(String(refused)).toContain("digest mismatch");
    layer.destroy();
  });
});

describe("bodies that are kept in memory", () => {
  const body = `{"a":"${"x".repeat(1_048_576)}`;

  it("are answered 503 with Retry-After where they are too many together, until others have gone", async () => {
    await using small = await startRulesService({}, { limits: { maxBodyMemory: 1.5 * 1_048_576 } });
    const first = begin(small, "/api/show", json, body, 2 * body.length);
    const ask = () => text(begin(small, "/api/show", { ...json, Connection: "close" }, `${body}"}`, body.length + 2));
    await expect.poll(ask).toMatch(/^HTTP\/1[.]1 503 [^]*retry-after: 1\r\n[^]*exceed 1[.]5 MB/i);
    first.destroy();
    await expect.poll(ask).toMatch(/^HTTP\/1[.]1 400 /);
  });

  it("of the application server are bounded in the same way", async () => {
    await using small = await startTestApp({ limits: { maxBodyMemory: 0.5 * 1_048_576 } });
    const first = begin(small, "/api/sessions", json, body.slice(0, 400_000), 1_000_000);
    const ask = () =>
      fetch(`${small.url}/api/sessions`, {
        method: "POST",
        body: `{"code":"${"x".repeat(300_000)}"}`,
        headers: json,
      });
    const refusal = async () => {
      const reply = await ask();
      const { code } = (await reply.json()) as { code: string };
      return [reply.status, reply.headers.get("retry-after"), code];
    };
    await expect.poll(refusal).toEqual([503, "1", "too_many_bodies"]);
    first.destroy();
    await expect.poll(async () => (await ask()).status).toBe(400);
  });
});
